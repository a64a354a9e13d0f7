#include "codegen/kernel/build/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/build/stages.h"
#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {
namespace {

using dlvm::as_instruction;
using dlvm::Instruction;

/// Builds one kernel of a group of nodes.
class KernelBuilder {
 public:
  KernelBuilder(ProgramNodes& program, const Group& group, std::size_t number, dlvm::Diagnostics& diagnostics)
      : program_(program), group_(group), number_(number), diagnostics_(diagnostics) {}
  BuiltKernel build();

 private:
  AxisId add_axis(const Extent& extent);
  void add_stages(Block& block, std::size_t s);
  void collect_buffers();
  void add_argument(std::uint32_t value, bool written);
  void add_local(std::size_t node);
  Access locate(const dlvm::Value* value, const Indices& at);
  std::optional<Access> store(const Node& node, const Indices& at);
  std::vector<bool> outer_axes(std::size_t stage) const;
  std::vector<std::size_t> inner_dimensions(std::size_t node) const;
  void name_axes(Block& block);
  std::string name() const;

  ProgramNodes& program_;
  const Group& group_;
  std::size_t number_;
  dlvm::Diagnostics& diagnostics_;
  Kernel kernel_;
  std::vector<std::uint32_t> values_;  ///< of the argument buffers
  StageContext context_;
  std::vector<AxisId> outer_ids_;
  AxisId named_axes_ = 0;
  std::map<std::uint32_t, BufferId> arguments_;  ///< of a value of the program
  std::map<std::size_t, BufferId> locals_;       ///< of a node
};

BuiltKernel KernelBuilder::build() {
  collect_buffers();
  context_.graph = &program_.graph;
  context_.diagnostics = &diagnostics_;
  context_.locate = [this](const dlvm::Value* value, const Indices& at) { return locate(value, at); };
  context_.store = [this](const Node& node, const Indices& at) { return store(node, at); };
  context_.site = [this](const Instruction& i) { return program_.values.site(i); };
  context_.scratch = [this](std::string_view name, ElementType element, const Shape& shape) {
    kernel_.buffers.push_back(
        {program_.values.unique_name(std::string(name)), element, shape, Buffer::Space::local, false, 0});
    return static_cast<BufferId>(kernel_.buffers.size() - 1);
  };
  kernel_.name = name();
  // Stages under shared axes stand in a block of their own.
  Block* block = &kernel_.root;
  if (!group_.outer[0].empty()) block = &std::get<Block>(kernel_.root.children.emplace_back(Block()));
  const Node& first = program_.nodes[group_.stages[0].members[0].node];
  for (const std::size_t axis : group_.outer[0]) {
    outer_ids_.push_back(add_axis(first.axes[axis].extent));
    block->axes.push_back({outer_ids_.back(), "", first.axes[axis].extent, AxisKind::parallel});
  }
  for (std::size_t s = 0; s < group_.stages.size(); ++s) add_stages(*block, s);
  name_axes(kernel_.root);
  return {std::move(kernel_), std::move(values_)};
}

AxisId KernelBuilder::add_axis(const Extent& extent) {
  context_.extents.push_back(extent);
  return static_cast<AxisId>(context_.extents.size() - 1);
}

/// Adds the stages of fused stage `s`, which are several where a node stores parts.
void KernelBuilder::add_stages(Block& block, std::size_t s) {
  const Node& leader = program_.nodes[group_.stages[s].members[0].node];
  const std::vector<bool> outer = outer_axes(s);
  std::vector<AxisId> ids(leader.axes.size());
  std::optional<AxisId> accumulated;
  for (std::size_t o = 0; o < outer_ids_.size(); ++o)
    if (const std::size_t axis = group_.outer[s][o]; axis < ids.size())
      ids[axis] = outer_ids_[o];
    else
      accumulated = outer_ids_[o];
  for (std::size_t a = 0; a < ids.size(); ++a)
    if (!outer[a]) ids[a] = add_axis(leader.axes[a].extent);
  std::vector<PlacedNode> placed;
  for (const Member& member : group_.stages[s].members) {
    placed.push_back({&program_.nodes[member.node], {}});
    for (const std::size_t axis : member.axes) placed.back().axes.push_back(ids[axis]);
  }
  placed.front().accumulated = accumulated;
  for (Stage& stage : build_stages(context_, placed, outer)) block.children.emplace_back(std::move(stage));
}

std::vector<bool> KernelBuilder::outer_axes(std::size_t stage) const {
  std::vector<bool> outer(program_.nodes[group_.stages[stage].members[0].node].axes.size());
  for (const std::size_t axis : group_.outer[stage])
    if (axis < outer.size()) outer[axis] = true;
  return outer;
}

/// Arguments that are read, those that are written, local buffers.
void KernelBuilder::collect_buffers() {
  for (std::size_t s = 0; s < group_.stages.size(); ++s)
    for (const Member& member : group_.stages[s].members)
      for (const auto& use : program_.nodes[member.node].uses) {
        const auto producer = program_.node_of.find(use.value);
        const bool here =
            producer != program_.node_of.end() && program_.placements[producer->second].group == number_;
        if (!here) add_argument(program_.values.memory(use.value), false);
      }
  std::vector<std::size_t> locals;
  for (const auto& stage : group_.stages)
    for (const Member& member : stage.members) {
      if (const auto value = program_.stored_value(member.node)) {
        add_argument(*value, true);
        Buffer& buffer = kernel_.buffers[arguments_.at(*value)];
        buffer.updated = program_.graph.is_update(program_.nodes[member.node].value);
        buffer.written = true;
      } else if (program_.placements[member.node].read_later)
        locals.push_back(member.node);
    }
  for (const std::size_t node : locals) add_local(node);
}

void KernelBuilder::add_argument(std::uint32_t value, bool written) {
  const auto [place, fresh] = arguments_.try_emplace(value, static_cast<BufferId>(kernel_.buffers.size()));
  if (!fresh) return;
  const Value& v = program_.values.program().values[value];
  kernel_.buffers.push_back({v.name, v.element, v.shape, Buffer::Space::argument, written, 0});
  values_.push_back(value);
}

/// Dimensions of a node's value that vary at a point of the block.
std::vector<std::size_t> KernelBuilder::inner_dimensions(std::size_t node) const {
  const std::size_t s = program_.placements[node].stage;
  const std::vector<bool> outer = outer_axes(s);
  std::vector<std::size_t> result;
  for (const Member& member : group_.stages[s].members)
    if (member.node == node)
      for (std::size_t a = 0; a < member.axes.size(); ++a)
        if (!outer[member.axes[a]]) result.push_back(program_.nodes[node].axes[a].dimension);
  return result;
}

void KernelBuilder::add_local(std::size_t node) {
  locals_[node] = static_cast<BufferId>(kernel_.buffers.size());
  const dlvm::Value* value = program_.nodes[node].value;
  Buffer buffer{program_.values.unique_name(value->name()),
                value->type().element(),
                {},
                Buffer::Space::local,
                false,
                1};
  for (const std::size_t d : inner_dimensions(node)) buffer.shape.push_back(value->type().shape()[d]);
  kernel_.buffers.push_back(std::move(buffer));
}

Access KernelBuilder::locate(const dlvm::Value* value, const Indices& at) {
  const auto node = program_.node_of.find(value);
  if (node != program_.node_of.end())
    if (const auto local = locals_.find(node->second); local != locals_.end()) {
      Access access{local->second, {}};
      for (const std::size_t d : inner_dimensions(node->second)) access.indices.push_back(at[d]);
      return access;
    }
  return {arguments_.at(program_.values.memory(value)), at};
}

std::optional<Access> KernelBuilder::store(const Node& node, const Indices& at) {
  const auto index = static_cast<std::size_t>(&node - program_.nodes.data());
  if (const auto value = program_.stored_value(index)) return Access{arguments_.at(*value), at};
  if (locals_.contains(index)) return locate(node.value, at);
  return std::nullopt;
}

/// Returns `i` to `w`, then `ii`, `ij` and so on: in texts an axis's number follows its name, which therefore
/// has no digits.
std::string axis_name(AxisId id) {
  constexpr std::string_view letters = "ijklmnopqrstuvw";
  const std::string letter(1, letters[id % letters.size()]);
  return id < letters.size() ? letter : axis_name(static_cast<AxisId>(id / letters.size() - 1)) + letter;
}

void KernelBuilder::name_axes(Block& block) {
  const auto& dimensions = program_.values.program().dimensions;
  const auto name = [&](Axis& axis) {
    do axis.name = axis_name(named_axes_++);
    while (std::find(dimensions.begin(), dimensions.end(), axis.name) != dimensions.end());
  };
  walk<Axis>(block, name);
}

/// The first instructions that it computes, without repetition.
std::string KernelBuilder::name() const {
  constexpr std::size_t most = 4;
  std::vector<std::string> parts;
  for (const auto& stage : group_.stages)
    for (const Member& member : stage.members) {
      const Node& node = program_.nodes[member.node];
      const Instruction* i = node.copy ? nullptr : as_instruction(node.value);
      const std::string part(i == nullptr ? "copy" : i->definition().name);
      if (parts.size() < most && std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
    }
  return fmt::format("{}", fmt::join(parts, "_"));
}

}  // namespace

std::optional<std::uint32_t> ProgramNodes::stored_value(std::size_t node) const {
  if (outputs[node]) return outputs[node];
  if (placements[node].read_elsewhere || nodes[node].divided) return values.memory(nodes[node].value);
  return std::nullopt;
}

BuiltKernel build_kernel(ProgramNodes& program, const Group& group, std::size_t number,
                         dlvm::Diagnostics& diagnostics) {
  return KernelBuilder(program, group, number, diagnostics).build();
}

}  // namespace codegen::kernel
