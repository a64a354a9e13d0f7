#include "codegen/kernel/build/build.h"

#include <algorithm>
#include <set>

#include "codegen/kernel/build/calls.h"
#include "codegen/kernel/build/check_values.h"
#include "codegen/kernel/build/in_place_results.h"
#include "codegen/kernel/build/kernel_builder.h"
#include "codegen/kernel/build/online_reductions.h"
#include "codegen/kernel/build/order_operands.h"
#include "codegen/kernel/build/recompute_products.h"
#include "codegen/kernel/build/refusal.h"
#include "codegen/kernel/build/stages.h"
#include "codegen/kernel/build/streamed_columns.h"
#include "codegen/kernel/build/structure.h"
#include "codegen/kernel/build/updates.h"
#include "codegen/kernel/ir/kernel_table.h"
#include "codegen/kernel/ir/walk.h"
#include "dlvm/analysis/work.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;

/// Builds the kernels of one function: finds its nodes, groups them, and builds a kernel of each group.
class ProgramBuilder {
 public:
  /// `sets`: those of its results that calls use together (phases.h), or none. `unchained`: the values that
  /// no kernel computes that has contractions among other stages; those whose kernels turn out to need whole
  /// rows, which the policy does not allow, are added, and what was built is in vain.
  ProgramBuilder(const dlvm::Function& function, dlvm::Diagnostics& diagnostics, const BuildOptions& options,
                 std::set<const dlvm::Value*>& unchained, const std::vector<bool>& overwritable,
                 const std::vector<ResultSet>& sets = {})
      : function_(function),
        diagnostics_(diagnostics),
        options_(options),
        unchained_(unchained),
        sets_(sets),
        sets_of_(find_result_sets(function, sets)),
        graph_(function, choose_updates(function, overwritable), options.checked_parameters),
        values_(function, graph_, options.dimensions),
        program_{graph_, values_, {}, {}, {}, {}} {}

  BuiltBlock build();
  /// Returns for each launch the result sets that one of its nodes is needed for, as bits.
  const std::vector<std::uint32_t>& sets_of_launches() const { return sets_of_launches_; }

 private:
  Node node_of(const Instruction* i, std::set<const dlvm::Value*> recomputed = {});
  void add_copy(const dlvm::Value* result, std::uint32_t r, std::uint32_t value);
  std::uint32_t sets_of(const Group& group) const;
  void find_nodes();
  void order_updates();
  void order_chains();
  bool recompute_values(const std::vector<Group>& groups);
  std::vector<Group> groups() const;
  void place(const std::vector<Group>& groups);
  void store_unread();
  void combine_rows(const Group& group, Kernel& kernel);

  const dlvm::Function& function_;
  dlvm::Diagnostics& diagnostics_;
  BuildOptions options_;
  std::set<const dlvm::Value*>& unchained_;
  const std::vector<ResultSet>& sets_;
  std::unordered_map<const dlvm::Value*, std::uint32_t> sets_of_;  ///< by value, as bits
  std::map<std::uint32_t, std::uint32_t> sets_of_copies_;          ///< by the output
  std::vector<std::uint32_t> sets_of_launches_;
  Graph graph_;
  ProgramValues values_;
  ProgramNodes program_;
};

BuiltBlock ProgramBuilder::build() {
  find_nodes();
  order_updates();
  if (options_.policy.chains != ProductChains::none) order_chains();
  auto fused = groups();
  // A value that is computed again later would read what was updated in between.
  if (graph_.updates().inputs.empty() && recompute_values(fused)) fused = groups();
  place(fused);
  KernelTable kernels;
  Program& program = values_.program();
  for (std::size_t g = 0; g < fused.size(); ++g) {
    BuiltKernel built = build_kernel(program_, fused[g], g, diagnostics_);
    if (options_.policy.chains == ProductChains::online) combine_rows(fused[g], built.kernel);
    sets_of_launches_.push_back(sets_of(fused[g]));
    program.body.push_back({Launch{kernels.add(std::move(built.kernel)), std::move(built.values)}});
  }
  program.kernels = kernels.take();
  BuiltBlock built{std::move(program), {}};
  for (const dlvm::Value* result : graph_.results())
    built.updated.push_back(updated_parameter(graph_.updates(), result));
  return built;
}

Node ProgramBuilder::node_of(const Instruction* i, std::set<const dlvm::Value*> recomputed) {
  Node node = analyse(graph_, i, false, diagnostics_, std::move(recomputed));
  if (!sets_.empty()) node.phase = phase_of(sets_of_.at(i));
  node.unchained = unchained_.contains(i);
  return node;
}

void ProgramBuilder::add_copy(const dlvm::Value* result, std::uint32_t r, std::uint32_t value) {
  program_.nodes.push_back(analyse(graph_, result, true, diagnostics_));
  program_.outputs.emplace_back(value);
  if (sets_.empty()) return;
  sets_of_copies_[value] = sets_with(r, sets_);
  program_.nodes.back().phase = phase_of(sets_of_copies_[value]);
}

std::uint32_t ProgramBuilder::sets_of(const Group& group) const {
  std::uint32_t sets = 0;
  if (sets_.empty()) return sets;
  for (const FusedStage& stage : group.stages)
    for (const Member& member : stage.members) {
      const Node& node = program_.nodes[member.node];
      sets |= node.copy ? sets_of_copies_.at(*program_.outputs[member.node]) : sets_of_.at(node.value);
    }
  return sets;
}

void ProgramBuilder::find_nodes() {
  const auto first_output = static_cast<std::uint32_t>(function_.entry().arguments().size());
  for (const Instruction* i : graph_.materialized()) {
    program_.node_of[i] = program_.nodes.size();
    program_.nodes.push_back(node_of(i));
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
      add_copy(result, r, value);
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

/// Puts nodes into the order in which contractions are next to those whose rows they read.
void ProgramBuilder::order_chains() {
  std::vector<Node> nodes;
  std::vector<std::optional<std::uint32_t>> outputs;
  for (const std::size_t n : order_operands(program_.nodes, options_.policy.chains)) {
    if (!program_.nodes[n].copy) program_.node_of[program_.nodes[n].value] = nodes.size();
    nodes.push_back(std::move(program_.nodes[n]));
    outputs.push_back(program_.outputs[n]);
  }
  program_.nodes = std::move(nodes);
  program_.outputs = std::move(outputs);
}

/// Lets late users compute values again; what nobody reads then is materialized no longer. False where there
/// are none.
bool ProgramBuilder::recompute_values(const std::vector<Group>& groups) {
  const Recomputed chosen = recompute(graph_, program_.nodes, groups, options_.policy.recompute);
  std::set<const dlvm::Value*> read, recomputed;
  for (const auto& [user, values] : chosen) {
    program_.nodes[program_.node_of.at(user)] = node_of(dlvm::as_instruction(user), values);
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
  if (options_.fuse) return fuse(program_.nodes, options_.policy.chains);
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

/// Returns how many contractions stand before the first maximum in the kernel's stages.
std::size_t contractions_before_maximum(const Kernel& kernel) {
  std::size_t count = 0;
  bool found = false;
  walk<Stage>(kernel.root, [&](const Stage& stage) {
    found = found || (stage.reduction && stage.reduction->named == std::vector{dlvm::Opcode::max});
    count += !found && stage.contraction ? 1 : 0;
  });
  return count;
}

/// Makes a kernel of several contractions one that needs no whole rows. Where that is not possible, what
/// follows the last contraction must not be part of it. Where nothing does, contractions must have kernels of
/// their own; of more than two, those that are not next to the maximum of their rows.
void ProgramBuilder::combine_rows(const Group& group, Kernel& kernel) {
  std::vector<const dlvm::Value*> products, behind;
  for (const FusedStage& stage : group.stages) {
    const Node& node = program_.nodes[stage.members[0].node];
    if (node.product) behind.clear();
    (node.product ? products : behind).push_back(node.value);
  }
  if (products.size() < 2) return;
  auto combined = combine_online(kernel);
  if (!combined) combined = stream_columns(kernel);
  if (combined) {
    kernel = std::move(*combined);
    return;
  }
  if (!behind.empty()) {
    unchained_.insert(behind.begin(), behind.end());
    return;
  }
  const std::size_t before = contractions_before_maximum(kernel);
  const bool is_between = products.size() > 2 && before > 0 && before < products.size();
  for (std::size_t p = 0; p < products.size(); ++p)
    if (!is_between || (p + 1 != before && p != before)) unchained_.insert(products[p]);
}

bool is_tensors(const dlvm::Type& type) {
  if (type.is_tensor()) return true;
  return type.is_tuple() && std::all_of(type.elements().begin(), type.elements().end(),
                                        [](const dlvm::Type& element) { return element.is_tensor(); });
}

bool check_form(const dlvm::Function& function, bool may_call, dlvm::Diagnostics& diagnostics) {
  const auto refuse = [&](std::string_view what) {
    return kernel::refuse(what, function, nullptr, diagnostics);
  };
  if (!function.has_body()) return refuse("no body");
  for (const auto& argument : function.entry().arguments())
    if (!argument->type().is_tensor()) return refuse("a parameter of type " + argument->type().text());
  for (const auto& instruction : function.entry().instructions())
    if (!(may_call && is_expandable_call(*instruction)) && !check_computed(*instruction, diagnostics))
      return false;
  if (!is_tensors(function.type().result()) && !function.type().result().elements().empty())
    return refuse("a result of type " + function.type().result().text());
  return true;
}

/// Returns about how many bytes the values have that the program keeps between kernels.
std::int64_t kept_bytes(const Program& program) {
  std::int64_t bytes = 0;
  for (const Value& value : program.values)
    if (value.place == Value::Place::arena)
      bytes = std::min(bytes + dlvm::typical_bytes(dlvm::Type::tensor(value.element, value.shape)),
                       dlvm::unbounded_count);
  return bytes;
}

/// Builds the function once more as long as contractions have to be taken out of kernels.
template <typename Build>
auto build_unchained(const dlvm::Function& function, dlvm::Diagnostics& diagnostics, Build build)
    -> std::optional<decltype(build(function, std::declval<std::set<const dlvm::Value*>&>()))> {
  const std::size_t errors = diagnostics.error_count();
  std::set<const dlvm::Value*> unchained;
  for (;;) {
    const std::size_t before = unchained.size();
    auto built = build(function, unchained);
    if (diagnostics.error_count() != errors) return std::nullopt;
    if (unchained.size() == before) return built;
  }
}

/// Returns what `build` makes of the function or, if that keeps less between its kernels, of the function
/// that computes products again.
template <typename Build>
auto build_smaller(const dlvm::Function& function, const BuildOptions& options,
                   dlvm::Diagnostics& diagnostics, Build build) {
  auto built = build_unchained(function, diagnostics, build);
  if (!built || !options.fuse || options.policy.chains == ProductChains::none) return built;
  const auto repeated = recompute_products(function, options.policy.chains);
  if (repeated == nullptr) return built;
  auto other = build_unchained(*repeated, diagnostics, build);
  if (!other) return built;
  const std::int64_t kept = kept_bytes(built->program);
  // Kernels that keep no rows compute products again each: they must save a quarter of the memory.
  const std::int64_t most = options.policy.chains == ProductChains::all ? kept : kept / 4 * 3;
  return kept_bytes(other->program) < most ? std::move(other) : std::move(built);
}

std::optional<BuiltBlock> build_block(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                                      const BuildOptions& options, const std::vector<bool>& overwritable) {
  return build_smaller(function, options, diagnostics,
                       [&](const dlvm::Function& each, std::set<const dlvm::Value*>& unchained) {
                         return ProgramBuilder(each, diagnostics, options, unchained, overwritable).build();
                       });
}

std::optional<BuiltCallee> build_callee(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                                        const BuildOptions& options, const std::vector<ResultSet>& sets) {
  if (!check_form(function, false, diagnostics) || !check_values(function, diagnostics)) return std::nullopt;
  return build_smaller(function, options, diagnostics,
                       [&](const dlvm::Function& each, std::set<const dlvm::Value*>& unchained) {
                         ProgramBuilder builder(each, diagnostics, options, unchained, {}, sets);
                         BuiltBlock built = builder.build();
                         return BuiltCallee{std::move(built.program), builder.sets_of_launches()};
                       });
}

bool has_calls(const dlvm::Function& function) {
  return std::ranges::any_of(function.entry().instructions(), [](const auto& instruction) {
    return static_cast<bool>(dlvm::as<dlvm::Apply>(*instruction));
  });
}

/// Builds the program of a function that writes no parameter.
std::optional<Program> build_reading(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                                     const BuildOptions& options) {
  const bool is_straight = function.has_body() && function.is_straight_line();
  if (!check_form(function, is_straight, diagnostics) || !check_values(function, diagnostics))
    return std::nullopt;
  const BuildBlock block = [&](const dlvm::Function& part, const std::vector<bool>& overwritable) {
    return build_block(part, diagnostics, options, overwritable);
  };
  if (!is_straight) return build_structure(function, options.dimensions, block, diagnostics);
  if (has_calls(function)) {
    const BuildCallee callee = [&](const dlvm::Function& of, const std::vector<ResultSet>& sets) {
      return build_callee(of, diagnostics, options, sets);
    };
    return build_with_calls(function, options.dimensions, block, callee);
  }
  auto built = build_block(function, diagnostics, options, {});
  if (!built) return std::nullopt;
  return std::move(built->program);
}

/// Builds the program of a function that was parted. All of the parameters that the second part takes first
/// are updated.
std::optional<Program> build_parts(const dlvm::Function& function, const PartedFunction& parts,
                                   dlvm::Diagnostics& diagnostics, const BuildOptions& options) {
  auto first = build_reading(*parts.first, diagnostics, options);
  if (!first) return std::nullopt;
  std::vector<bool> overwritable(parts.second->entry().arguments().size());
  std::fill_n(overwritable.begin(), parts.updates.size(), true);
  BuildOptions of_second = options;
  of_second.checked_parameters = parts.checked;
  auto second = build_block(*parts.second, diagnostics, of_second, overwritable);
  if (!second) return std::nullopt;
  for (std::size_t u = 0; u < parts.updates.size(); ++u)
    if (second->updated[u] != u)
      dlvm::internal_error("a result that replaces elements of a parameter is not updated in place");
  return join_parts(function, parts, std::move(*first), std::move(second->program));
}

}  // namespace

std::optional<Program> build(const dlvm::Function& function, dlvm::Diagnostics& diagnostics,
                             const BuildOptions& options) {
  if (function.has_body())
    if (const auto parts = part_in_place_results(function, options.next_values))
      return build_parts(function, *parts, diagnostics, options);
  return build_reading(function, diagnostics, options);
}

}  // namespace codegen::kernel
