#include "codegen/kernel/build/build.h"

#include <algorithm>
#include <set>

#include "codegen/kernel/build/check_values.h"
#include "codegen/kernel/build/kernel_builder.h"
#include "codegen/kernel/build/refusal.h"
#include "codegen/kernel/build/stages.h"
#include "codegen/kernel/build/structure.h"
#include "codegen/kernel/build/updates.h"
#include "codegen/kernel/ir/kernel_table.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;

/// Builds the kernels of one function: finds its nodes, groups them, and builds a kernel of each group.
class ProgramBuilder {
 public:
  ProgramBuilder(const dlvm::Function& function, dlvm::Diagnostics& diagnostics, const BuildOptions& options,
                 const std::vector<bool>& overwritable)
      : function_(function),
        diagnostics_(diagnostics),
        options_(options),
        graph_(function, choose_updates(function, overwritable)),
        values_(function, graph_, options.dimensions),
        program_{graph_, values_, {}, {}, {}, {}} {}

  BuiltBlock build();

 private:
  void find_nodes();
  void order_updates();
  bool recompute_values(const std::vector<Group>& groups);
  std::vector<Group> groups() const;
  void place(const std::vector<Group>& groups);
  void store_unread();

  const dlvm::Function& function_;
  dlvm::Diagnostics& diagnostics_;
  BuildOptions options_;
  Graph graph_;
  ProgramValues values_;
  ProgramNodes program_;
};

BuiltBlock ProgramBuilder::build() {
  find_nodes();
  order_updates();
  auto fused = groups();
  // A value that is computed again later would read what was updated in between.
  if (graph_.updates().inputs.empty() && recompute_values(fused)) fused = groups();
  place(fused);
  KernelTable kernels;
  Program& program = values_.program();
  for (std::size_t g = 0; g < fused.size(); ++g) {
    BuiltKernel built = build_kernel(program_, fused[g], g, diagnostics_);
    program.body.push_back({Launch{kernels.add(std::move(built.kernel)), std::move(built.values)}});
  }
  program.kernels = kernels.take();
  BuiltBlock built{std::move(program), {}};
  for (const dlvm::Value* result : graph_.results())
    built.updated.push_back(updated_parameter(graph_.updates(), result));
  return built;
}

void ProgramBuilder::find_nodes() {
  const auto first_output = static_cast<std::uint32_t>(function_.entry().arguments().size());
  for (const Instruction* i : graph_.materialized()) {
    program_.node_of[i] = program_.nodes.size();
    program_.nodes.push_back(analyse(graph_, i, false, diagnostics_));
    program_.outputs.emplace_back();
  }
  for (std::uint32_t r = 0; r < graph_.results().size(); ++r) {
    const dlvm::Value* result = graph_.results()[r];
    if (graph_.is_update(result)) continue;
    const std::uint32_t value = first_output + r;
    const auto node = program_.node_of.find(result);
    if (node != program_.node_of.end() && values_.memory(result) == value) {
      program_.outputs[node->second] = value;
    } else {
      program_.nodes.push_back(analyse(graph_, result, true, diagnostics_));
      program_.outputs.emplace_back(value);
    }
  }
}

/// Lets updates run after all that reads what they overwrite.
void ProgramBuilder::order_updates() {
  for (Node& node : program_.nodes) {
    if (node.copy || !graph_.is_update(node.value)) continue;
    const dlvm::Value* input = graph_.updates().inputs.at(node.value);
    for (const Node& other : program_.nodes)
      if (other.value != node.value &&
          std::ranges::any_of(other.uses, [&](const Node::Use& use) { return use.value == input; }))
        node.after.push_back(other.value);
  }
}

/// Lets late users compute values again; what nobody reads then is materialized no longer. False where there
/// are none.
bool ProgramBuilder::recompute_values(const std::vector<Group>& groups) {
  const Recomputed chosen = recompute(graph_, program_.nodes, groups, options_.policy.recompute);
  std::set<const dlvm::Value*> read, recomputed;
  for (const auto& [user, values] : chosen) {
    program_.nodes[program_.node_of.at(user)] = analyse(graph_, user, false, diagnostics_, values);
    recomputed.insert(values.begin(), values.end());
  }
  std::unordered_set<const dlvm::Value*> forgotten;
  for (std::size_t n = program_.nodes.size(); n-- > 0;) {
    const Node& node = program_.nodes[n];
    if (!node.copy && recomputed.contains(node.value) && !read.contains(node.value))
      forgotten.insert(node.value);
    else
      for (const auto& use : node.uses) read.insert(use.value);
  }
  graph_.forget(forgotten);
  std::vector<Node> nodes;
  std::vector<std::optional<std::uint32_t>> outputs;
  program_.node_of.clear();
  for (std::size_t n = 0; n < program_.nodes.size(); ++n) {
    if (!program_.nodes[n].copy && forgotten.contains(program_.nodes[n].value)) continue;
    if (!program_.nodes[n].copy) program_.node_of[program_.nodes[n].value] = nodes.size();
    nodes.push_back(std::move(program_.nodes[n]));
    outputs.push_back(program_.outputs[n]);
  }
  program_.nodes = std::move(nodes);
  program_.outputs = std::move(outputs);
  return !chosen.empty();
}

std::vector<Group> ProgramBuilder::groups() const {
  if (options_.fuse) return fuse(program_.nodes, options_.policy.chain_products);
  std::vector<Group> result;
  for (std::size_t n = 0; n < program_.nodes.size(); ++n) {
    Member member{n, {}};
    for (std::size_t a = 0; a < program_.nodes[n].axes.size(); ++a) member.axes.push_back(a);
    result.push_back({{{{member}, 0}}, {{}}});
  }
  return result;
}

void ProgramBuilder::place(const std::vector<Group>& groups) {
  program_.placements.resize(program_.nodes.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t s = 0; s < groups[g].stages.size(); ++s)
      for (const Member& member : groups[g].stages[s].members)
        program_.placements[member.node] = {g, s, false, false};
  for (std::size_t n = 0; n < program_.nodes.size(); ++n)
    for (const auto& use : program_.nodes[n].uses) {
      const auto producer = program_.node_of.find(use.value);
      if (producer == program_.node_of.end()) continue;
      Placement& from = program_.placements[producer->second];
      from.read_elsewhere |= from.group != program_.placements[n].group;
      from.read_later |=
          from.group == program_.placements[n].group && from.stage != program_.placements[n].stage;
    }
  store_unread();
}

/// A value that nothing reads is stored all the same, because its checks must run.
void ProgramBuilder::store_unread() {
  std::vector<bool> read(program_.nodes.size());
  for (const Node& node : program_.nodes)
    for (const auto& use : node.uses)
      if (const auto producer = program_.node_of.find(use.value); producer != program_.node_of.end())
        read[producer->second] = true;
  for (std::size_t n = 0; n < program_.nodes.size(); ++n)
    if (!program_.nodes[n].copy && !program_.outputs[n] && !read[n])
      program_.placements[n].read_elsewhere = true;
}

bool is_tensors(const dlvm::Type& type) {
  if (type.is_tensor()) return true;
  return type.is_tuple() && std::all_of(type.elements().begin(), type.elements().end(),
                                        [](const dlvm::Type& element) { return element.is_tensor(); });
}

bool check_form(const dlvm::Function& function, dlvm::Diagnostics& diagnostics) {
  const auto refuse = [&](std::string_view what) {
    return kernel::refuse(what, function, nullptr, diagnostics);
  };
  if (!function.has_body()) return refuse("no body");
  for (const auto& argument : function.entry().arguments())
    if (!argument->type().is_tensor()) return refuse("a parameter of type " + argument->type().text());
  for (const auto& instruction : function.entry().instructions())
    if (!check_computed(*instruction, diagnostics)) return false;
  if (!is_tensors(function.type().result()) && !function.type().result().elements().empty())
    return refuse("a result of type " + function.type().result().text());
  return true;
}

std::optional<BuiltBlock> build_block(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                                      const BuildOptions& options, const std::vector<bool>& overwritable) {
  const std::size_t errors = diagnostics.error_count();
  BuiltBlock built = ProgramBuilder(function, diagnostics, options, overwritable).build();
  if (diagnostics.error_count() != errors) return std::nullopt;
  return built;
}

}  // namespace

std::optional<Program> build(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                             const BuildOptions& options) {
  if (!check_form(function, diagnostics) || !check_values(function, diagnostics)) return std::nullopt;
  if (function.is_straight_line()) {
    auto built = build_block(function, diagnostics, options, {});
    if (!built) return std::nullopt;
    return std::move(built->program);
  }
  const BuildBlock build = [&](const dlvm::Function& block, const std::vector<bool>& overwritable) {
    return build_block(block, diagnostics, options, overwritable);
  };
  return build_structure(function, options.dimensions, build, diagnostics);
}

}  // namespace codegen::kernel
