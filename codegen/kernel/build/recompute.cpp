#include "codegen/kernel/build/recompute.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace codegen::kernel {
namespace {

using dlvm::as_instruction;
using dlvm::as_literal;
using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Trait;
using dlvm::Value;

constexpr std::size_t max_instructions = 24;

Extent elements(const Value& value) { return unit_count(value.type().shape()); }

std::size_t axes(const Value& value) {
  const auto& shape = value.type().shape();
  return static_cast<std::size_t>(
      std::count_if(shape.begin(), shape.end(), [](const Extent& extent) { return !extent.is(1); }));
}

/// As a reduction's result a row beside the rows.
bool is_small(const Value& leaf, const Value& beside) {
  if (elements(leaf) == elements(beside)) return false;
  return provably_at_most(8 * elements(leaf), elements(beside)) == dlvm::Proof::yes ||
         (axes(leaf) < axes(beside) &&
          provably_at_most(elements(leaf), elements(beside)) == dlvm::Proof::yes);
}

/// Returns whether an element costs its own computation and no search for where its operands stand.
bool shows_elements(const Instruction& i) {
  if (i.opcode() == Opcode::pad) return false;
  if (i.opcode() == Opcode::shapeCast) return same_axes(i.type().shape(), i.operand(0)->type().shape());
  return i.is(Trait::free) || i.is(Trait::elementwise);
}

/// How an element of a value is computed from elements in memory.
struct Formula {
  bool possible = true;
  std::uint32_t work = 0;
  std::set<const Value*> seen;
  std::vector<const Value*> leaves;  ///< in memory
};

class LateUsers {
 public:
  LateUsers(const Graph& graph, const std::vector<Node>& nodes, const std::vector<Group>& groups,
            const RecomputeLimits& limits)
      : graph_(graph),
        nodes_(nodes),
        limits_(limits),
        results_(graph.results().begin(), graph.results().end()),
        launch_(nodes.size()) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const auto& stage : groups[g].stages)
        for (const Member& member : stage.members)
          launch_[member.node] = g + launches_between_phases * nodes[member.node].phase;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n].copy) node_of_[nodes[n].value] = n;
      for (const auto& use : nodes[n].uses) readers_[use.value].insert({launch_[n], n});
    }
  }

  Recomputed run() {
    for (const Instruction* value : graph_.materialized()) choose(*value);
    return std::move(chosen_);
  }

 private:
  using Reader = std::pair<std::size_t, std::size_t>;  ///< launch, node

  bool is_result(const Value* value) const { return results_.contains(value); }
  bool recomputes(std::size_t node, const Value* value) const {
    const auto found = chosen_.find(nodes_[node].value);
    return found != chosen_.end() && found->second.contains(value);
  }

  /// The readers after the longest time in which nobody reads the value, where that is long.
  std::vector<Reader> late_readers(const Value& value, std::size_t& gap) const {
    const auto found = readers_.find(&value);
    if (found == readers_.end()) return {};
    std::size_t before = launch_[node_of_.at(&value)];
    auto first = found->second.end();
    gap = min_launch_distance - 1;
    for (auto reader = found->second.begin(); reader != found->second.end(); ++reader) {
      if (reader->first - before > gap) gap = reader->first - before, first = reader;
      before = reader->first;
    }
    return {first, found->second.end()};
  }

  void visit(const Value* value, const Value& top, std::size_t reader, Formula& formula) const {
    value = graph_.resolve(value);
    if (!formula.possible || !formula.seen.insert(value).second) return;
    if (const auto* literal = as_literal(value); literal != nullptr && literal->is_splat()) return;
    const Instruction* i = as_instruction(value);
    if (i == nullptr || (value != &top && graph_.is_materialized(value) && !recomputes(reader, value)))
      return formula.leaves.push_back(value);
    formula.work += work(*i);
    formula.possible = shows_elements(*i) && formula.seen.size() <= max_instructions;
    for (const Value* operand : i->operands()) visit(operand, top, reader, formula);
  }

  /// Returns whether a product has the value as an operand, as it is.
  bool is_operand(const Instruction& product, const Value& value) const {
    return std::any_of(product.operands().begin(), product.operands().end(), [&](const Value* operand) {
      operand = graph_.resolve(operand);
      const Instruction* i = as_instruction(operand);
      while (i != nullptr && operand != &value && !graph_.is_materialized(operand) && i->is(Trait::view) &&
             i->operands().size() == 1) {
        operand = graph_.resolve(i->operand(0));
        i = as_instruction(operand);
      }
      return operand == &value;
    });
  }

  bool is_cheap(const Value& value, std::size_t reader, const Formula& formula) const {
    const Node& node = nodes_[reader];
    if (!formula.possible || node.copy || node.divided) return false;
    std::set<const Value*> read;
    for (const auto& use : node.uses) read.insert(use.value);
    std::size_t tensors = 0, others = 0;
    for (const Value* leaf : formula.leaves)
      if (!is_small(*leaf, value)) ++tensors, others += read.contains(leaf) ? 0 : 1;
    const Instruction* i = as_instruction(node.value);
    if (i != nullptr && i->opcode() == Opcode::dot && must_materialize(graph_, *i))
      return formula.work <= limits_.operand_work && tensors <= 2 && is_operand(*i, value);
    Extent points = 1;
    for (const auto& axis : node.axes) points = points * axis.extent;
    for (const Extent& extent : node.reduced) points = points * extent;
    return formula.work <= limits_.work && others <= 1 &&
           provably_at_most(points, elements(value)) == dlvm::Proof::yes;
  }

  /// Returns for how many launches longer the leaf must be kept so that it is there in `launch`; nothing
  /// where it would not be in memory at all.
  std::optional<std::size_t> longer(const Value* leaf, const Value& value, std::size_t launch) const {
    if (as_instruction(leaf) == nullptr || is_result(leaf) || is_small(*leaf, value)) return 0;
    const std::size_t own = launch_[node_of_.at(leaf)];
    const auto found = readers_.find(leaf);
    const std::size_t last =
        found == readers_.end() || found->second.empty() ? own : found->second.rbegin()->first;
    if (last == own) return std::nullopt;
    return last < launch ? launch - last : 0;
  }

  void choose(const Instruction& value) {
    if (must_materialize(graph_, value) || is_result(&value)) return;
    std::size_t gap = 0;
    const auto late = late_readers(value, gap);
    if (late.empty()) return;
    std::map<const Value*, std::size_t> extensions;
    std::vector<Formula> formulas;
    for (const auto& [launch, reader] : late) {
      Formula& formula = formulas.emplace_back();
      visit(&value, value, reader, formula);
      if (!is_cheap(value, reader, formula)) return;
      for (const Value* leaf : formula.leaves) {
        const auto extension = longer(leaf, value, launch);
        if (!extension) return;
        extensions[leaf] = std::max(extensions[leaf], *extension);
      }
    }
    std::size_t all = 0;
    for (const auto& [leaf, extension] : extensions) all += extension;
    if (2 * all > gap) return;
    for (std::size_t i = 0; i < late.size(); ++i) {
      chosen_[nodes_[late[i].second].value].insert(&value);
      readers_[&value].erase(late[i]);
      for (const Value* leaf : formulas[i].leaves) readers_[leaf].insert(late[i]);
    }
  }

  const Graph& graph_;
  const std::vector<Node>& nodes_;
  const RecomputeLimits& limits_;
  std::unordered_set<const Value*> results_;
  std::vector<std::size_t> launch_;  ///< of each node
  std::unordered_map<const Value*, std::size_t> node_of_;
  std::unordered_map<const Value*, std::set<Reader>> readers_;
  Recomputed chosen_;
};

}  // namespace

Recomputed recompute(const Graph& graph, const std::vector<Node>& nodes, const std::vector<Group>& groups,
                     const RecomputeLimits& limits) {
  return LateUsers(graph, nodes, groups, limits).run();
}

}  // namespace codegen::kernel
