#include "dlvm/transform/rematerialization_plan.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/minimum_cut.h"
#include "dlvm/analysis/work.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/dead_code_elimination.h"

namespace dlvm {
namespace {

constexpr std::size_t never = SIZE_MAX;
/// The bytes that an operation costs where memory is plentiful: kernels compute again in their users what
/// takes a few operations.
constexpr double cheap_price = 0.5;

}  // namespace

Rematerialization::Rematerialization(Function& function, const MemoryPeak& peak,
                                     const Extent::Bindings& dimensions)
    : function_(function), dimensions_(dimensions) {
  const std::vector<Instruction*> order = straight_line(function);
  const auto first = std::ranges::find(order, peak.first);
  const auto second = std::find(first, order.end(), peak.second);
  second_.assign(second, order.end());
  add_values_from_before({order.begin(), first}, {first, order.end()});
  for (auto each = first; each != second; ++each) add_node(**each);
  find_last_uses();
  needed_.resize(nodes_.size());
  for (const Instruction* instruction : second_) {
    uses_.push_back(instruction->type().is_tensor() ? nodes_of(*instruction) : Indices());
    for (const std::size_t node : uses_.back()) needed_[node] = true;
  }
}

Rematerialization::Indices Rematerialization::nodes_of(const Instruction& instruction) const {
  Indices nodes;
  for (const Value* operand : instruction.operands())
    if (const auto found = number_.find(operand); found != number_.end()) nodes.push_back(found->second);
  return nodes;
}

/// Adds what is defined before the first part, and used by it or later.
void Rematerialization::add_values_from_before(std::span<Instruction* const> before,
                                               std::span<Instruction* const> behind) {
  std::unordered_set<const Value*> used;
  for (const Instruction* instruction : behind)
    used.insert(instruction->operands().begin(), instruction->operands().end());
  for (Instruction* instruction : before) {
    if (!used.contains(instruction)) continue;
    add_node(*instruction);
    nodes_.back().operands.clear();
    nodes_.back().may_be_computed = false;
  }
  first_ = nodes_.size();
}

void Rematerialization::add_node(Instruction& instruction) {
  Node node{&instruction, nodes_of(instruction)};
  node.bytes = typical_bytes(instruction.type(), dimensions_);
  node.moves_elements = moves_elements(instruction);
  node.work = node.moves_elements ? 0 : work(instruction, dimensions_);
  node.may_be_computed =
      !Effects().may_fail(instruction) && !has_effect(instruction) && instruction.opcode() != Opcode::apply;
  node.last_use = nodes_.size();
  number_[&instruction] = nodes_.size();
  nodes_.push_back(std::move(node));
}

void Rematerialization::find_last_uses() {
  const std::size_t count = nodes_.size();
  crossing_.resize(count + 1);
  for (std::size_t i = count; i-- > 0;) {
    const Node& node = nodes_[i];
    for (const std::size_t operand : node.operands)
      nodes_[operand].last_use = std::max(nodes_[operand].last_use, node.moves_elements ? node.last_use : i);
    if (node.moves_elements) continue;
    crossing_[i + 1] += node.bytes;
    crossing_[std::min(node.last_use + 1, count)] -= node.bytes;
  }
  for (std::size_t i = 1; i <= count; ++i) crossing_[i] += crossing_[i - 1];
}

/// Where the segments end but the last: near to where each has the same bytes of what is needed, few bytes
/// cross.
std::vector<std::size_t> Rematerialization::segment_ends(std::size_t segments) const {
  std::vector<std::int64_t> before(nodes_.size() + 1);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    before[i + 1] =
        before[i] + (i >= first_ && needed_[i] && !nodes_[i].moves_elements ? nodes_[i].bytes : 0);
  std::vector<std::size_t> ends;
  const auto place = [&](double share) {
    const auto bytes = static_cast<std::int64_t>(share * static_cast<double>(before.back()));
    return static_cast<std::size_t>(std::ranges::lower_bound(before, bytes) - before.begin());
  };
  for (std::size_t k = 1; k < segments; ++k) {
    const auto share = [&](double at) { return place(at / static_cast<double>(segments)); };
    const std::size_t from =
        std::max(share(static_cast<double>(k) - 0.4), ends.empty() ? first_ + 1 : ends.back() + 1);
    const std::size_t upto = std::min(share(static_cast<double>(k) + 0.4), nodes_.size());
    if (from >= upto) continue;
    const auto first = crossing_.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = crossing_.begin() + static_cast<std::ptrdiff_t>(upto);
    ends.push_back(static_cast<std::size_t>(std::min_element(first, last) - crossing_.begin()));
  }
  return ends;
}

/// The nodes that are computed again where an operation costs as much as `price` bytes, and from node
/// `plenty` on `cheap_price`.
std::vector<bool> Rematerialization::least_cut(const std::vector<bool>& pinned, double price,
                                               std::size_t plenty) const {
  FlowNetwork network;
  std::vector<std::size_t> in, out;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    in.push_back(network.add_node());
    out.push_back(network.add_node());
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const double cost = (i < plenty ? price : cheap_price) * static_cast<double>(node.work);
    const bool may_be_computed = node.may_be_computed && !pinned[i];
    network.add_edge(FlowNetwork::source, in[i],
                     may_be_computed ? static_cast<std::int64_t>(cost) : FlowNetwork::unlimited);
    network.add_edge(in[i], out[i], node.instruction->type().is_tensor() ? node.bytes : unbounded_count);
    for (const std::size_t operand : node.operands)
      network.add_edge(out[operand], in[i], FlowNetwork::unlimited);
    if (needed_[i]) network.add_edge(out[i], FlowNetwork::sink, FlowNetwork::unlimited);
  }
  const std::vector<bool> side = network.sink_side();
  std::vector<bool> computed_again;
  for (const std::size_t node : in) computed_again.push_back(side[node]);
  return computed_again;
}

/// Counts what is in memory at each instruction of the second part.
RematerializationPlan Rematerialization::plan(const std::vector<bool>& computed_again) const {
  constexpr std::int64_t cheap = 3;  // an operand of a contraction that costs more is in memory
  const std::size_t count = nodes_.size();
  std::vector<std::size_t> first(count, never), last(count, 0), uses(count, 0);
  std::vector<bool> contracted(count), in_memory(count);
  const auto use = [&](std::size_t node, const Instruction& user, std::size_t time) {
    first[node] = std::min(first[node], time);
    last[node] = std::max(last[node], time);
    ++uses[node];
    if (!user.is(Trait::elementwise) && !moves_elements(user) && user.opcode() != Opcode::reduce)
      contracted[node] = true;
  };
  for (std::size_t time = 0; time < second_.size(); ++time)
    for (const std::size_t node : uses_[time]) use(node, *second_[time], time);
  for (std::size_t i = count; i-- > 0;)
    if (computed_again[i] && first[i] != never)
      for (const std::size_t operand : nodes_[i].operands) use(operand, *nodes_[i].instruction, first[i]);

  RematerializationPlan plan;
  std::vector<std::int64_t> cost(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Node& node = nodes_[i];
    if (first[i] == never) continue;
    if (i >= first_) (computed_again[i] ? plan.computed_again : plan.kept).push_back(node.instruction);
    if (!computed_again[i]) continue;
    plan.work += node.work;
    cost[i] = node.instruction->definition().cost;
    for (const std::size_t operand : node.operands) cost[i] += cost[operand];
    in_memory[i] = !node.moves_elements && (!node.instruction->is(Trait::elementwise) ||
                                            (cost[i] > cheap && (uses[i] > 1 || contracted[i])));
    if (in_memory[i]) cost[i] = 0;
  }
  // A value that is not in memory is computed by its users, which read its operands then.
  for (std::size_t i = count; i-- > 0;)
    if (computed_again[i] && first[i] != never && !in_memory[i])
      for (const std::size_t operand : nodes_[i].operands) last[operand] = std::max(last[operand], last[i]);
  std::vector<std::int64_t> change(second_.size() + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (first[i] == never || (computed_again[i] && !in_memory[i])) continue;
    change[computed_again[i] ? first[i] : 0] += nodes_[i].bytes;
    change[last[i] + 1] -= nodes_[i].bytes;
  }
  std::int64_t now = 0;
  for (const std::int64_t each : change) plan.bytes = std::max(plan.bytes, now += each);
  if (!plan.computed_again.empty()) plan.second = second_.front();
  return plan;
}

RematerializationPlan Rematerialization::keep_all() const {
  const std::vector<bool> none(nodes_.size());
  return plan(least_cut(none, cheap_price, 0));
}

RematerializationPlan Rematerialization::choose(std::int64_t budget) const {
  constexpr std::size_t most_segments = 64;
  constexpr double lowest_price = 0x1p-14;
  RematerializationPlan best = keep_all();
  // Takes the plan if it is better than the best one so far, and returns whether it fits.
  const auto consider = [&](const std::vector<bool>& computed_again) {
    RematerializationPlan next = plan(computed_again);
    const bool fits = next.bytes <= budget;
    const bool is_better = best.bytes <= budget ? fits && next.work < best.work : next.bytes < best.bytes;
    if (is_better) best = std::move(next);
    return fits;
  };
  if (best.bytes <= budget) return best;
  for (std::size_t segments = 1; segments <= std::min(most_segments, nodes_.size());
       segments += 1 + segments / 3) {
    const std::vector<std::size_t> ends = segment_ends(segments);
    std::vector<bool> pinned(nodes_.size());
    for (const std::size_t end : ends)
      for (std::size_t i = 0; i < end; ++i)
        if (!nodes_[i].moves_elements && nodes_[i].last_use >= end) pinned[i] = true;
    double price = cheap_price;
    while (!consider(least_cut(pinned, price, nodes_.size())) && price > 0)
      price = price > lowest_price ? price / 2 : 0;
    // The memory of the last segments is free again when the first ones are computed again.
    for (auto end = ends.rbegin(); end != ends.rend(); ++end)
      if (!consider(least_cut(pinned, price, *end))) break;
  }
  return best;
}

void Rematerialization::apply(const RematerializationPlan& plan) {
  if (plan.second == nullptr) return;
  BasicBlock& before = *second_.front()->block();
  BasicBlock* block = function_.add_block("second", &before);
  block->take_from(before, second_.front());
  Builder(before).branch(*block, {});
  std::vector<Instruction*> made(nodes_.size());
  std::vector<bool> is_computed(nodes_.size()), is_wanted(nodes_.size());
  for (const Instruction* instruction : plan.computed_again) is_computed[number_.at(instruction)] = true;
  const auto use_made = [&](Instruction& user) {
    for (std::size_t i = 0; i < user.operands().size(); ++i)
      if (const auto found = number_.find(user.operand(i));
          found != number_.end() && is_computed[found->second])
        user.set_operand(i, made[found->second]);
  };
  for (std::size_t time = 0; time < second_.size(); ++time) {
    Indices wanted, open = uses_[time];
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (!is_computed[node] || is_wanted[node]) continue;
      is_wanted[node] = true;
      wanted.push_back(node);
      open.insert(open.end(), nodes_[node].operands.begin(), nodes_[node].operands.end());
    }
    std::ranges::sort(wanted);
    for (const std::size_t node : wanted) {
      const Instruction& from = *nodes_[node].instruction;
      auto copy =
          std::make_unique<Instruction>(from.opcode(), from.type(), from.operands(), from.attributes());
      copy->set_locations(from.locations());
      use_made(*copy);
      made[node] = second_[time]->block()->insert(std::move(copy), second_[time]);
    }
    if (!uses_[time].empty()) use_made(*second_[time]);
  }
  remove_dead_instructions(function_);
}

}  // namespace dlvm
