#include "codegen/interface/arguments.h"

#include <algorithm>

#include "codegen/interface/names.h"

namespace codegen::interface {
namespace {

using Kind = ArgumentMember::Kind;

/// Appends members with their offsets.
class Layout {
 public:
  void add(Kind kind, std::size_t index, std::string name, std::int64_t bytes, std::int64_t alignment) {
    arguments.size = (arguments.size + alignment - 1) / alignment * alignment;
    arguments.members.push_back({kind, index, names_.add(std::move(name)), arguments.size});
    arguments.size += bytes;
  }

  /// A tensor by pointer with its extents, or a scalar.
  void add_tensor(Kind kind, Kind extents, std::size_t index, const std::string& name, const Tensor& tensor) {
    const std::int64_t bytes = tensor.extents.empty() ? dlvm::info(tensor.type).bytes : 8;
    add(kind, index, name, bytes, bytes);
    const auto rank = static_cast<std::int64_t>(tensor.extents.size());
    if (has_free_extents(tensor))
      add(extents, index, arguments.members.back().name + "_extents", 8 * rank, 8);
  }

  Arguments arguments;

 private:
  Names names_{"size",   "parameters", "constants",      "state",  "gradients",
               "frozen", "workspace",  "workspace_size", "options"};
};

void add_input(Layout& layout, const Entry& entry, std::size_t index) {
  const auto& [tensor, role] = entry.inputs[index];
  if (role == Input::Role::dimension) {
    layout.add(Kind::dimension, index, tensor.name, 8, 8);
  } else {
    const bool cotangent = role == Input::Role::cotangent;
    layout.add_tensor(Kind::input, Kind::input_extents, index, (cotangent ? "cotangent_" : "") + tensor.name,
                      tensor);
  }
}

}  // namespace

bool has_free_extents(const Tensor& tensor) {
  return std::any_of(tensor.extents.begin(), tensor.extents.end(),
                     [](const dlvm::Extent& extent) { return !extent.constant(); });
}

const ArgumentMember* Arguments::find(ArgumentMember::Kind kind, std::size_t index) const {
  for (const auto& member : members)
    if (member.kind == kind && member.index == index) return &member;
  return nullptr;
}

Arguments arguments_of(const Entry& entry) {
  Layout layout;
  // The struct's own members have their names before any tensor takes them.
  layout.arguments.members.push_back({Kind::size, 0, "size", 0});
  layout.arguments.size = 8;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) add_input(layout, entry, i);
  const auto add_own = [&](bool present, Kind kind, const char* name) {
    if (!present) return;
    layout.arguments.size = (layout.arguments.size + 7) / 8 * 8;
    layout.arguments.members.push_back({kind, 0, name, layout.arguments.size});
    layout.arguments.size += 8;
  };
  add_own(entry.takes_parameters(), Kind::parameters, "parameters");
  add_own(entry.reads(Binding::Kind::constant), Kind::constants, "constants");
  add_own(entry.takes_state(), Kind::state, "state");
  add_own(entry.writes_gradients(), Kind::gradients, "gradients");
  for (std::size_t i = 0; i < entry.outputs.size(); ++i) {
    const auto& [tensor, in_gradient] = entry.outputs[i];
    layout.add_tensor(Kind::output, Kind::output_extents, i, (in_gradient ? "gradient_" : "") + tensor.name,
                      tensor);
  }
  add_own(true, Kind::workspace, "workspace");
  add_own(true, Kind::workspace_size, "workspace_size");
  add_own(true, Kind::options, "options");
  add_own(entry.takes_frozen(), Kind::frozen, "frozen");
  layout.arguments.size = (layout.arguments.size + 7) / 8 * 8;
  return layout.arguments;
}

}  // namespace codegen::interface
