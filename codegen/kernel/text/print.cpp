#include <fmt/format.h>

#include <cmath>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/scalar_text.h"
#include "codegen/kernel/text/text.h"

namespace codegen::kernel {
namespace {

class Printer {
 public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel) {
    walk<Axis>(kernel.root, [this](const Axis& axis) { name_axis(axis); });
    for (const Buffer& buffer : kernel.buffers) names_.buffers.push_back(buffer.name);
  }
  const ScalarPrinter& names() const { return names_; }

  std::string kernel() {
    std::string arguments;
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.space == Buffer::Space::argument)
        arguments += fmt::format("{}{}: {}{}", arguments.empty() ? "" : ", ", name_of(buffer.name),
                                 tensor_type(buffer.element, buffer.shape), access_word(buffer));
    line(fmt::format("kernel @{}({}){} {{", name_of(kernel_.name), arguments, guards(kernel_.guards)));
    ++indent_;
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.space == Buffer::Space::local)
        line(fmt::format("local {}: {} depth {}", name_of(buffer.name),
                         tensor_type(buffer.element, buffer.shape), buffer.depth));
    block(kernel_.root);
    --indent_;
    line("}");
    return std::move(out_);
  }

 private:
  static std::string_view access_word(const Buffer& buffer) {
    if (buffer.updated) return " updated";
    return buffer.written ? " written" : "";
  }

  void name_axis(const Axis& axis) {
    if (names_.axes.size() <= axis.id) names_.axes.resize(axis.id + 1);
    names_.axes[axis.id] = axis.name;
  }

  void body(const std::vector<Scalar>& all, std::size_t first) {
    for (std::size_t i = 0; i < all.size(); ++i)
      line(fmt::format("{}: {} = {}", scalar(static_cast<ScalarId>(first + i)), dlvm::info(all[i].type).name,
                       names_.definition(all[i])));
  }

  void reduction(const Reduction& r) {
    const std::string head = fmt::format("reduce {} of {}", monoid(r), scalars(r.inputs));
    if (!r.named.empty()) return line(head);
    line(head + " by {");
    ++indent_;
    body(r.combine, 0);
    line("yield " + scalars(r.results));
    --indent_;
    line("}");
  }

  void stage(const Stage& stage) {
    std::string over;
    for (const Axis& axis : stage.axes) {
      constexpr std::string_view kinds[]{"", "reduced ", "ordered "};
      over += fmt::format("{}{}{} in {}", over.empty() ? " over " : ", ",
                          kinds[static_cast<std::size_t>(axis.kind)], names_.axis_text(axis.id),
                          part(axis.extent));
    }
    for (const AxisId id : stage.accumulated)
      over += (over.empty() ? " over accumulated " : ", accumulated ") + names_.axis_text(id);
    line(fmt::format("stage {}{} {{", name_of(stage.name), over));
    ++indent_;
    body(stage.body, 0);
    if (stage.contraction) contraction(*stage.contraction);
    if (stage.reduction) reduction(*stage.reduction);
    if (stage.sorting)
      line(fmt::format("sort {} positions {} along {} in {}{}", names_.access(stage.sorting->keys),
                       names_.access(stage.sorting->positions), stage.sorting->axis,
                       part(stage.sorting->extent), stage.sorting->descending ? " descending" : ""));
    body(stage.epilogue, stage.body.size());
    for (const Store& store : stage.stores)
      line(fmt::format("store {} to {}{}{}{}", scalar(store.value), names_.access(store.access),
                       names_.bounds(store.bounds), store.distinct ? " distinct" : "", combined(store)));
    --indent_;
    line("}");
  }

  static std::string combined(const Store& store) {
    if (!store.combine) return "";
    if (store.combine->function != nullptr) return " by @" + store.combine->function->name();
    return fmt::format(" by {}", dlvm::definition(store.combine->opcode).name);
  }

  void contraction(const Contraction& c) {
    const auto axes = [&](const std::vector<AxisId>& ids) {
      std::string out;
      for (const AxisId id : ids) out += (out.empty() ? "" : ", ") + names_.axis_text(id);
      return "[" + out + "]";
    };
    line(fmt::format("contract batch {} m {} n {} k {} of {}, {}", axes(c.batch), axes(c.m), axes(c.n),
                     axes(c.k), scalar(c.left), scalar(c.right)));
  }

  void block(const Block& block) {
    if (!block.axes.empty()) {
      std::string over;
      for (const Axis& axis : block.axes)
        over +=
            fmt::format("{}{} in {}", over.empty() ? "" : ", ", names_.axis_text(axis.id), part(axis.extent));
      line("for " + over + " {");
      ++indent_;
    }
    const dlvm::Overloaded print_child{[&](const Block& inner) { this->block(inner); },
                                       [&](const Stage& inner) { stage(inner); }};
    for (const auto& child : block.children) std::visit(print_child, child);
    if (!block.axes.empty()) {
      --indent_;
      line("}");
    }
  }

  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }

  const Kernel& kernel_;
  ScalarPrinter names_;
  std::string out_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string print(const Kernel& kernel) { return Printer(kernel).kernel(); }

std::string text(const Index& index, const Kernel& kernel) { return Printer(kernel).names().index(index); }

}  // namespace codegen::kernel
