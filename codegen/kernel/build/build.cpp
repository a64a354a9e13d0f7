#include "codegen/kernel/build/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/kernel/build/share.h"
#include "codegen/kernel/build/stage_builder.h"
#include "codegen/kernel/ir/walk.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::as_argument;
using dlvm::as_instruction;
using dlvm::as_literal;
using dlvm::Instruction;
using dlvm::Opcode;

/// The name of the value that indices come from, as the user knows it.
std::string index_name(const Graph& graph, const dlvm::Value* value) {
  const Instruction* i = as_instruction(graph.resolve(value));
  while (i != nullptr && !i->operands().empty() && i->name().empty()) {
    value = graph.resolve(i->operand(0));
    i = as_instruction(value);
  }
  return value->name();
}

/// Builds the kernels of one function.
class ProgramBuilder {
 public:
  ProgramBuilder(const dlvm::Function& function, dlvm::Diagnostics& diagnostics, const BuildOptions& options)
      : function_(function), diagnostics_(diagnostics), options_(options), graph_(function) {}

  Program build();

 private:
  struct Placement {
    std::size_t group = 0, stage = 0;
    bool read_elsewhere = false;  ///< by another kernel
    bool read_later = false;      ///< by another stage of its kernel
  };

  void name_dimensions();
  void add_inputs_and_outputs();
  void find_nodes();
  bool recompute_values(const std::vector<Group>& groups);
  void place(const std::vector<Group>& groups);
  std::vector<Group> groups() const;
  std::uint32_t memory(const dlvm::Value* value);
  std::optional<std::uint32_t> written(std::size_t node);
  bool is_local(const dlvm::Value* value, std::size_t group) const;
  void build_kernel(const Group& group, std::size_t number);
  std::uint32_t site(const Instruction& instruction);
  std::string unique_name(std::string name);

  const dlvm::Function& function_;
  dlvm::Diagnostics& diagnostics_;
  BuildOptions options_;
  Graph graph_;
  Program program_;
  std::vector<Node> nodes_;
  std::vector<std::optional<std::uint32_t>> outputs_;  ///< of a node: its position in the result
  std::vector<Placement> placements_;
  std::map<const dlvm::Value*, std::size_t> node_of_;
  std::map<const dlvm::Value*, std::uint32_t> memory_;
  std::map<const Instruction*, std::uint32_t> sites_;
  std::set<std::string> names_;
  KernelTable kernels_;
  friend class KernelBuilder;
};

/// Builds one kernel of a group of nodes.
class KernelBuilder {
 public:
  KernelBuilder(ProgramBuilder& program, const Group& group, std::size_t number)
      : program_(program), group_(group), number_(number) {}
  Kernel build();
  std::vector<std::uint32_t> values;  ///< of the argument buffers

 private:
  void collect_buffers();
  void add_argument(std::uint32_t value, bool written);
  void add_local(std::size_t node);
  Access locate(const dlvm::Value* value, const Indices& at);
  std::optional<Access> store(const Node& node, const Indices& at);
  std::vector<bool> outer_axes(std::size_t stage) const;
  std::vector<std::size_t> inner_dimensions(std::size_t node) const;
  void name_axes(Block& block);
  std::string name() const;

  ProgramBuilder& program_;
  const Group& group_;
  std::size_t number_;
  Kernel kernel_;
  StageContext context_;
  std::vector<AxisId> outer_ids_;
  AxisId named_axes_ = 0;
  std::map<std::uint32_t, BufferId> arguments_;  ///< of a value of the program
  std::map<std::size_t, BufferId> locals_;       ///< of a node
};

// ------------------------------------------------------------------------------------------- the program

Program ProgramBuilder::build() {
  program_.name = function_.name();
  name_dimensions();
  add_inputs_and_outputs();
  find_nodes();
  auto fused = groups();
  if (recompute_values(fused)) fused = groups();
  place(fused);
  for (std::size_t g = 0; g < fused.size(); ++g) build_kernel(fused[g], g);
  program_.kernels = kernels_.take();
  return std::move(program_);
}

void ProgramBuilder::name_dimensions() {
  program_.dimensions = options_.dimensions;
  std::set<std::string> known(program_.dimensions.begin(), program_.dimensions.end());
  const auto add = [&](const dlvm::Type& type) {
    std::set<std::string> names;
    type.collect_names(names);
    for (const auto& name : names)
      if (known.insert(name).second) program_.dimensions.push_back(name);
  };
  for (const auto& argument : function_.entry().arguments()) add(argument->type());
  for (const auto& instruction : function_.entry().instructions())
    if (instruction->type().is_tensor()) add(instruction->type());
}

std::string ProgramBuilder::unique_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "v" + name;
  std::string candidate = name;
  for (std::size_t i = names_.size(); !names_.insert(candidate).second; ++i)
    candidate = fmt::format("{}_{}", name, i);
  return candidate;
}

void ProgramBuilder::add_inputs_and_outputs() {
  for (const auto& argument : function_.entry().arguments()) {
    memory_[argument.get()] = static_cast<std::uint32_t>(program_.values.size());
    program_.values.push_back({Value::Place::input,
                               static_cast<std::uint32_t>(argument->index()),
                               unique_name(argument->name()),
                               argument->type().element(),
                               argument->type().shape(),
                               {}});
  }
  for (std::size_t r = 0; r < graph_.results().size(); ++r) {
    const dlvm::Value* result = graph_.results()[r];
    // A result that is in memory anyway, as an input or an earlier result, is copied.
    if (as_instruction(result) != nullptr && !memory_.contains(result))
      memory_[result] = static_cast<std::uint32_t>(program_.values.size());
    program_.values.push_back({Value::Place::output,
                               static_cast<std::uint32_t>(r),
                               unique_name(as_argument(result) != nullptr ? "" : result->name()),
                               result->type().element(),
                               result->type().shape(),
                               {}});
  }
}

void ProgramBuilder::find_nodes() {
  const auto first_output = static_cast<std::uint32_t>(function_.entry().arguments().size());
  for (const Instruction* i : graph_.materialized()) {
    node_of_[i] = nodes_.size();
    nodes_.push_back(analyse(graph_, i, false, diagnostics_));
    outputs_.emplace_back();
  }
  for (std::uint32_t r = 0; r < graph_.results().size(); ++r) {
    const dlvm::Value* result = graph_.results()[r];
    const std::uint32_t value = first_output + r;
    const auto node = node_of_.find(result);
    if (node != node_of_.end() && memory_.at(result) == value) {
      outputs_[node->second] = value;
    } else {
      nodes_.push_back(analyse(graph_, result, true, diagnostics_));
      outputs_.emplace_back(value);
    }
  }
}

/// Lets late users compute values again; what nobody reads then is materialized no longer. False where there
/// are none.
bool ProgramBuilder::recompute_values(const std::vector<Group>& groups) {
  const Recomputed chosen = recompute(graph_, nodes_, groups, options_.recompute);
  std::set<const dlvm::Value*> read, recomputed;
  for (const auto& [user, values] : chosen) {
    nodes_[node_of_.at(user)] = analyse(graph_, user, false, diagnostics_, values);
    recomputed.insert(values.begin(), values.end());
  }
  std::unordered_set<const dlvm::Value*> forgotten;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const Node& node = nodes_[n];
    if (!node.copy && recomputed.contains(node.value) && !read.contains(node.value))
      forgotten.insert(node.value);
    else
      for (const auto& use : node.uses) read.insert(use.value);
  }
  graph_.forget(forgotten);
  std::vector<Node> nodes;
  std::vector<std::optional<std::uint32_t>> outputs;
  node_of_.clear();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].copy && forgotten.contains(nodes_[n].value)) continue;
    if (!nodes_[n].copy) node_of_[nodes_[n].value] = nodes.size();
    nodes.push_back(std::move(nodes_[n]));
    outputs.push_back(outputs_[n]);
  }
  nodes_ = std::move(nodes);
  outputs_ = std::move(outputs);
  return !chosen.empty();
}

std::vector<Group> ProgramBuilder::groups() const {
  if (options_.fuse) return fuse(nodes_);
  std::vector<Group> result;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Member member{n, {}};
    for (std::size_t a = 0; a < nodes_[n].axes.size(); ++a) member.axes.push_back(a);
    result.push_back({{{{member}, 0}}, {{}}});
  }
  return result;
}

void ProgramBuilder::place(const std::vector<Group>& groups) {
  placements_.resize(nodes_.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t s = 0; s < groups[g].stages.size(); ++s)
      for (const Member& member : groups[g].stages[s].members)
        placements_[member.node] = {g, s, false, false};
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (const auto& use : nodes_[n].uses) {
      const auto producer = node_of_.find(use.value);
      if (producer == node_of_.end()) continue;
      Placement& from = placements_[producer->second];
      from.read_elsewhere |= from.group != placements_[n].group;
      from.read_later |= from.group == placements_[n].group && from.stage != placements_[n].stage;
    }
  // What nothing reads is stored for its checks.
  std::vector<bool> read(nodes_.size());
  for (const Node& node : nodes_)
    for (const auto& use : node.uses)
      if (const auto producer = node_of_.find(use.value); producer != node_of_.end())
        read[producer->second] = true;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (!nodes_[n].copy && !outputs_[n] && !read[n]) placements_[n].read_elsewhere = true;
}

/// The value of the program that the node is stored to.
std::optional<std::uint32_t> ProgramBuilder::written(std::size_t node) {
  if (outputs_[node]) return outputs_[node];
  if (placements_[node].read_elsewhere || nodes_[node].divided) return memory(nodes_[node].value);
  return std::nullopt;
}

/// Where a value is in memory; an arena value or a literal's data where it is not there yet.
std::uint32_t ProgramBuilder::memory(const dlvm::Value* value) {
  const auto [place, fresh] = memory_.try_emplace(value, static_cast<std::uint32_t>(program_.values.size()));
  if (!fresh) return place->second;
  const auto* literal = as_literal(value);
  program_.values.push_back({literal != nullptr ? Value::Place::literal : Value::Place::arena, 0,
                             unique_name(literal != nullptr ? "literal" : value->name()),
                             value->type().element(), value->type().shape(),
                             literal != nullptr ? literal->data() : dlvm::Tensor()});
  return place->second;
}

std::uint32_t ProgramBuilder::site(const Instruction& i) {
  const auto [place, fresh] = sites_.try_emplace(&i, static_cast<std::uint32_t>(program_.check_sites.size()));
  if (!fresh) return place->second;
  CheckSite site;
  if (!i.locations().empty()) site.location = i.locations()[0];
  const auto describe = [&](const dlvm::Value* indices) {
    site.name = index_name(graph_, indices);
    site.shape = indices->type().shape();
  };
  const auto describe_access = [&](const auto& access) {
    describe(access.indices()[0]);
    site.end = access.input()->type().shape()[static_cast<std::size_t>(access.axes()[0])];
  };
  if (const auto check = dlvm::as<dlvm::CheckIndex>(i)) {
    describe(check.indices());
    site.first = check.first();
    site.end = check.end();
  } else if (const auto gather = dlvm::as<dlvm::Gather>(i)) {
    describe_access(gather);
  } else {
    describe_access(dlvm::Scatter(i));
  }
  program_.check_sites.push_back(std::move(site));
  return place->second;
}

void ProgramBuilder::build_kernel(const Group& group, std::size_t number) {
  KernelBuilder builder(*this, group, number);
  Kernel kernel = builder.build();
  program_.launches.push_back({kernels_.add(std::move(kernel)), std::move(builder.values)});
}

// -------------------------------------------------------------------------------------------- one kernel

Kernel KernelBuilder::build() {
  collect_buffers();
  context_.graph = &program_.graph_;
  context_.diagnostics = &program_.diagnostics_;
  context_.locate = [this](const dlvm::Value* value, const Indices& at) { return locate(value, at); };
  context_.store = [this](const Node& node, const Indices& at) { return store(node, at); };
  context_.site = [this](const Instruction& i) { return program_.site(i); };
  kernel_.name = name();
  // Stages under shared axes stand in a block of their own.
  Block* block = &kernel_.root;
  if (!group_.outer[0].empty()) block = &std::get<Block>(kernel_.root.children.emplace_back(Block()));
  const Node& first = program_.nodes_[group_.stages[0].members[0].node];
  for (const std::size_t axis : group_.outer[0]) {
    const auto id = static_cast<AxisId>(context_.extents.size());
    outer_ids_.push_back(id);
    context_.extents.push_back(first.axes[axis].extent);
    block->axes.push_back({id, "", first.axes[axis].extent, AxisKind::parallel});
  }
  for (std::size_t s = 0; s < group_.stages.size(); ++s) {
    const Node& leader = program_.nodes_[group_.stages[s].members[0].node];
    const std::vector<bool> outer = outer_axes(s);
    std::vector<AxisId> ids(leader.axes.size());
    for (std::size_t o = 0; o < outer_ids_.size(); ++o) ids[group_.outer[s][o]] = outer_ids_[o];
    for (std::size_t a = 0; a < ids.size(); ++a) {
      if (outer[a]) continue;
      ids[a] = static_cast<AxisId>(context_.extents.size());
      context_.extents.push_back(leader.axes[a].extent);
    }
    std::vector<PlacedNode> placed;
    for (const Member& member : group_.stages[s].members) {
      placed.push_back({&program_.nodes_[member.node], {}});
      for (const std::size_t axis : member.axes) placed.back().axes.push_back(ids[axis]);
    }
    for (Stage& stage : build_stages(context_, placed, outer)) block->children.emplace_back(std::move(stage));
  }
  name_axes(kernel_.root);
  return std::move(kernel_);
}

std::vector<bool> KernelBuilder::outer_axes(std::size_t stage) const {
  std::vector<bool> outer(program_.nodes_[group_.stages[stage].members[0].node].axes.size());
  for (const std::size_t axis : group_.outer[stage]) outer[axis] = true;
  return outer;
}

/// Arguments that are read, those that are written, local buffers.
void KernelBuilder::collect_buffers() {
  for (std::size_t s = 0; s < group_.stages.size(); ++s)
    for (const Member& member : group_.stages[s].members)
      for (const auto& use : program_.nodes_[member.node].uses) {
        const auto producer = program_.node_of_.find(use.value);
        const bool here =
            producer != program_.node_of_.end() && program_.placements_[producer->second].group == number_;
        if (!here) add_argument(program_.memory(use.value), false);
      }
  std::vector<std::size_t> locals;
  for (const auto& stage : group_.stages)
    for (const Member& member : stage.members) {
      if (const auto value = program_.written(member.node))
        add_argument(*value, true);
      else if (program_.placements_[member.node].read_later)
        locals.push_back(member.node);
    }
  for (const std::size_t node : locals) add_local(node);
}

void KernelBuilder::add_argument(std::uint32_t value, bool written) {
  const auto [place, fresh] = arguments_.try_emplace(value, static_cast<BufferId>(kernel_.buffers.size()));
  if (!fresh) return;
  const Value& v = program_.program_.values[value];
  kernel_.buffers.push_back({v.name, v.element, v.shape, Buffer::Space::argument, written, 0});
  values.push_back(value);
}

/// Dimensions of a node's value that vary at a point of the block.
std::vector<std::size_t> KernelBuilder::inner_dimensions(std::size_t node) const {
  const std::size_t s = program_.placements_[node].stage;
  const std::vector<bool> outer = outer_axes(s);
  std::vector<std::size_t> result;
  for (const Member& member : group_.stages[s].members)
    if (member.node == node)
      for (std::size_t a = 0; a < member.axes.size(); ++a)
        if (!outer[member.axes[a]]) result.push_back(program_.nodes_[node].axes[a].dimension);
  return result;
}

void KernelBuilder::add_local(std::size_t node) {
  locals_[node] = static_cast<BufferId>(kernel_.buffers.size());
  const dlvm::Value* value = program_.nodes_[node].value;
  Buffer buffer{
      program_.unique_name(value->name()), value->type().element(), {}, Buffer::Space::local, false, 1};
  for (const std::size_t d : inner_dimensions(node)) buffer.shape.push_back(value->type().shape()[d]);
  kernel_.buffers.push_back(std::move(buffer));
}

Access KernelBuilder::locate(const dlvm::Value* value, const Indices& at) {
  const auto node = program_.node_of_.find(value);
  if (node != program_.node_of_.end())
    if (const auto local = locals_.find(node->second); local != locals_.end()) {
      Access access{local->second, {}};
      for (const std::size_t d : inner_dimensions(node->second)) access.indices.push_back(at[d]);
      return access;
    }
  return {arguments_.at(program_.memory(value)), at};
}

std::optional<Access> KernelBuilder::store(const Node& node, const Indices& at) {
  const auto index = static_cast<std::size_t>(&node - program_.nodes_.data());
  if (const auto value = program_.written(index)) return Access{arguments_.at(*value), at};
  if (locals_.contains(index)) return locate(node.value, at);
  return std::nullopt;
}

std::string axis_name(AxisId id) {
  constexpr std::string_view letters = "ijklmnopqrstuvw";
  const std::string letter(1, letters[id % letters.size()]);
  return id < letters.size() ? letter : letter + std::to_string(id / letters.size());
}

void KernelBuilder::name_axes(Block& block) {
  const auto& dimensions = program_.program_.dimensions;
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
      const Node& node = program_.nodes_[member.node];
      const Instruction* i = node.copy ? nullptr : as_instruction(node.value);
      const std::string part(i == nullptr ? "copy" : i->definition().name);
      if (parts.size() < most && std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
    }
  return fmt::format("{}", fmt::join(parts, "_"));
}

bool is_tensors(const dlvm::Type& type) {
  if (type.is_tensor()) return true;
  return type.is_tuple() && std::all_of(type.elements().begin(), type.elements().end(),
                                        [](const dlvm::Type& element) { return element.is_tensor(); });
}

bool check_form(const dlvm::Function& function, dlvm::Diagnostics& diagnostics) {
  const auto refuse = [&](std::string_view what, dlvm::Location location) {
    diagnostics.report(not_straight_line, location, function.name(), what);
    return false;
  };
  if (function.blocks().size() != 1 || function.entry().terminator() == nullptr)
    return refuse("a body that is not one block", function.location);
  for (const auto& argument : function.entry().arguments())
    if (!argument->type().is_tensor())
      return refuse("a parameter of type " + argument->type().text(), function.location);
  for (const auto& i : function.entry().instructions())
    if (i->opcode() == Opcode::apply)
      return refuse("apply", i->locations().empty() ? dlvm::Location{} : i->locations()[0]);
  const Instruction* end = function.entry().terminator();
  if (!end->operands().empty() && !is_tensors(end->operand(0)->type()))
    return refuse("a result of type " + end->operand(0)->type().text(), function.location);
  return true;
}

}  // namespace

std::optional<Program> build(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                             const BuildOptions& options) {
  if (!check_form(function, diagnostics)) return std::nullopt;
  const std::size_t errors = diagnostics.error_count();
  Program program = ProgramBuilder(function, diagnostics, options).build();
  if (diagnostics.error_count() != errors) return std::nullopt;
  return program;
}

}  // namespace codegen::kernel
