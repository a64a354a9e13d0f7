#include "codegen/kernel/build/graph.h"

#include <algorithm>
#include <cmath>

#include "codegen/kernel/build/index_facts.h"
#include "codegen/kernel/build/window_parts.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::as_instruction;
using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Trait;
using dlvm::Value;

constexpr std::uint32_t costly_work = 16;  ///< what an instruction of the trait costs
constexpr std::uint32_t max_casts = 2;

/// A power by a small constant integer is multiplications, and of a negative one a division.
std::uint32_t work_of_power(const Instruction& i) {
  const auto* literal = dlvm::as_literal(i.operand(1));
  const auto exponent = literal != nullptr ? literal->splat() : std::nullopt;
  if (!exponent || std::trunc(*exponent) != *exponent || std::abs(*exponent) > dlvm::max_constant_exponent)
    return costly_work;
  return static_cast<std::uint32_t>(std::ilogb(std::abs(*exponent) + 1)) + (*exponent < 0 ? 4 : 0);
}

bool stretches(const Value& operand, const Instruction& user) {
  return operand.type().is_tensor() && user.type().is_tensor() &&
         operand.type().shape() != user.type().shape() &&
         unit_count(operand.type().shape()) != unit_count(user.type().shape());
}

/// Returns whether the instruction is a convolution with several taps along an axis: each of them reads the
/// input, which schedules read as lines of memory (cpu/input_lines.h).
bool has_window(const Instruction& i) {
  const auto convolution = dlvm::as<dlvm::Convolve>(i);
  return convolution && std::ranges::any_of(convolution.axes(),
                                            [](const dlvm::WindowAxis& axis) { return !axis.taps.is(1); });
}

/// Returns whether several windows read the same element.
bool overlaps(const Instruction& window) {
  return std::ranges::any_of(dlvm::ReduceWindow(window).axes(), [](const dlvm::WindowAxis& axis) {
    return provably_at_most(axis.taps, axis.stride) != dlvm::Proof::yes;
  });
}

/// Returns whether other instructions can be computed in its epilogue.
bool has_epilogue(const Graph& graph, const Instruction& i) {
  return i.opcode() != Opcode::concatenate && i.opcode() != Opcode::scatter &&
         i.opcode() != Opcode::argsort && !is_divided_window(graph, i) && must_materialize(graph, i);
}

/// Returns whether an element is computed from the operand's element at the same point.
bool is_pointwise(const Instruction& i, const Value& operand) {
  if (i.is(Trait::elementwise) || i.opcode() == Opcode::transpose) return !stretches(operand, i);
  return i.is(Trait::reshape) && same_axes(i.type().shape(), operand.type().shape());
}

}  // namespace

bool same_axes(const dlvm::Shape& a, const dlvm::Shape& b) {
  dlvm::Shape left = a, right = b;
  const auto single = [](const Extent& extent) { return extent.is(1); };
  std::erase_if(left, single);
  std::erase_if(right, single);
  return left == right;
}

std::uint32_t work(const Instruction& i) {
  return i.opcode() == Opcode::power ? work_of_power(i) : i.definition().cost;
}

bool must_materialize(const Graph& graph, const Instruction& i) {
  if (i.opcode() == Opcode::reduce) return !i.axes().empty();
  if (i.opcode() == Opcode::scan) return !i.type().shape()[dlvm::Scan(i).axis()].is(1);
  if (i.opcode() == Opcode::recurrence) return !i.type().shape()[dlvm::Recurrence(i).axis()].is(1);
  if (i.opcode() == Opcode::dot) return !dlvm::Dot(i).axes().contract.empty();
  if (i.opcode() == Opcode::argsort) return true;
  if (i.opcode() == Opcode::scatter) return graph.is_update(&i) || !as_pointwise(graph, i);
  return i.opcode() == Opcode::argmax || i.opcode() == Opcode::argmin || i.opcode() == Opcode::concatenate ||
         i.opcode() == Opcode::convolve || i.opcode() == Opcode::reduceWindow;
}

Graph::Graph(const dlvm::Function& function, Updates updates, std::vector<bool> checked)
    : updates_(std::move(updates)), checked_(std::move(checked)) {
  resolve_tuples(function);
  const Instruction* end = function.entry().terminator();
  if (end != nullptr && !end->operands().empty()) {
    const Value* result = resolve(end->operand(0));
    const auto tuple = tuples_.find(result);
    if (tuple != tuples_.end())
      for (const Value* element : tuple->second) results_.push_back(element);
    else
      results_.push_back(result);
  }
  count_uses(function);
  for (const Value* result : results_)
    if (as_instruction(result) != nullptr) materialized_.insert(result);
  for (const auto& instruction : function.entry().instructions())
    if (instruction->type().is_tensor() && !instruction->is(Trait::terminator)) decide(*instruction);
  for (const auto& instruction : function.entry().instructions())
    if (materialized_.contains(instruction.get())) materialized_order_.push_back(instruction.get());
}

void Graph::forget(const std::unordered_set<const Value*>& values) {
  for (const Value* value : values) materialized_.erase(value);
  std::erase_if(materialized_order_, [&](const Instruction* i) { return values.contains(i); });
}

void Graph::resolve_tuples(const dlvm::Function& function) {
  for (const auto& i : function.entry().instructions()) {
    if (i->opcode() == Opcode::literal) {
      auto& elements = tuples_[i.get()];
      for (const Value* element : i->operands()) elements.push_back(resolve(element));
    } else if (const auto insert = dlvm::as<dlvm::Insert>(*i)) {
      const auto aggregate = tuples_.find(resolve(insert.aggregate()));
      if (aggregate == tuples_.end()) continue;
      auto elements = aggregate->second;
      elements[insert.position()] = resolve(insert.element());
      tuples_[i.get()] = std::move(elements);
    } else if (const auto extract = dlvm::as<dlvm::Extract>(*i)) {
      const auto aggregate = tuples_.find(resolve(extract.aggregate()));
      if (aggregate != tuples_.end()) aliases_[i.get()] = aggregate->second[extract.position()];
    }
  }
}

void Graph::count_uses(const dlvm::Function& function) {
  constexpr std::uint32_t many = 1000;
  const auto& instructions = function.entry().instructions();
  std::uint32_t position = 0;
  for (const auto& instruction : instructions) uses_[instruction.get()].position = ++position;
  for (const Value* result : results_) {
    ++uses_[result].count;
    uses_[result].last = position;  // the terminator
  }
  for (auto i = instructions.rbegin(); i != instructions.rend(); ++i) {
    const Instruction& user = **i;
    if (!user.type().is_tensor() || user.is(Trait::terminator) || user.opcode() == Opcode::extract) continue;
    const Uses uses = uses_[&user];
    if (uses.count == 0 && !user.is(Trait::may_fail)) continue;
    const bool is_view = user.is(Trait::free);
    std::vector<const Value*> seen;
    for (const Value* operand : user.operands()) {
      operand = resolve(operand);
      if (std::find(seen.begin(), seen.end(), operand) != seen.end()) continue;
      if (seen.size() < 8) seen.push_back(operand);
      Uses& used = uses_[operand];
      used.count = std::min(many, used.count + (is_view ? uses.count : 1));
      used.last = std::max(used.last, is_view ? uses.last : uses.position);
    }
  }
}

const Graph::Uses& Graph::uses(const Value* value) const {
  static const Uses none;
  const auto found = uses_.find(value);
  return found == uses_.end() ? none : found->second;
}

/// The number of materialized values of which the instruction reads its own point, and which nothing reads
/// later.
std::uint32_t Graph::count_ended(const Instruction& user) const {
  if (!user.is(Trait::elementwise)) return 0;
  std::vector<const Value*> ended;
  for (const Value* operand : user.operands()) {
    const Instruction* i = is_pointwise(user, *operand) ? as_instruction(resolve(operand)) : nullptr;
    for (std::uint32_t views = 0; i != nullptr && !materialized_.contains(i); ++views)
      i = i->is(Trait::bijective) && views < max_nodes ? as_instruction(resolve(i->operand(0))) : nullptr;
    if (i != nullptr && uses(i).last == uses(&user).position && std::ranges::find(ended, i) == ended.end())
      ended.push_back(i);
  }
  return static_cast<std::uint32_t>(ended.size());
}

const Recomputation& Graph::of(const Value* value) const {
  static const Recomputation memory{.loads = 1}, literal{};
  value = resolve(value);
  if (const auto* constant = dlvm::as_literal(value)) return constant->is_splat() ? literal : memory;
  const auto found = recomputations_.find(value);
  return found == recomputations_.end() ? memory : found->second;
}

Recomputation Graph::recomputation(const Instruction& i) const {
  Recomputation total;
  if (materialized_.contains(&i)) {
    total.loads = 1;
    total.computed = i.opcode() != Opcode::scatter && i.opcode() != Opcode::concatenate &&
                     i.opcode() != Opcode::argsort && !is_divided_window(*this, i);
    total.combined = has_epilogue(*this, i);
    total.latest = uses(&i).position;
    total.latest_is_replaced = total.combined && uses(&i).count == 1;
    return total;
  }
  total.work = work(i);
  total.check = i.is(Trait::may_fail);
  for (const Value* operand : i.operands()) {
    Recomputation part = of(operand);
    if (stretches(*operand, i)) part.loads = 0;
    total.work += part.work;
    total.nodes += part.nodes;
    total.loads += part.loads;
    total.casts = std::max(total.casts, part.casts);
    total.check |= part.check;
    const bool pointwise = is_pointwise(i, *operand);
    if (part.latest > total.latest) {
      total.latest = part.latest;
      total.latest_is_replaced = pointwise && part.latest_is_replaced;
    }
    if (pointwise) {
      total.computed |= part.computed;
      total.combined |= part.combined;
      total.ended += part.ended;
    }
  }
  total.ended += count_ended(i);
  if (i.opcode() == Opcode::shapeCast) ++total.casts;
  if (i.opcode() == Opcode::gather || i.opcode() == Opcode::scatter) total.loads = 2;
  if (i.opcode() == Opcode::scatter) total.work += 2;
  if (i.opcode() == Opcode::pad) total.work += 1;
  total.nodes = std::min(total.nodes, 1u << 20);
  total.work = std::min(total.work, 1u << 20);
  return total;
}

/// Keeps what a view shows rather than the view; then the views on the way are cheap.
void Graph::materialize(const Value* value) {
  std::vector<const Instruction*> views;
  const Instruction* instruction = as_instruction(resolve(value));
  while (instruction != nullptr && instruction->is(Trait::bijective) &&
         !materialized_.contains(instruction) && views.size() < max_nodes) {
    views.push_back(instruction);
    instruction = as_instruction(resolve(instruction->operand(0)));
  }
  if (instruction != nullptr) {
    materialized_.insert(instruction);
    recomputations_[instruction] = recomputation(*instruction);
  }
  for (auto view = views.rbegin(); view != views.rend(); ++view)
    recomputations_[*view] = recomputation(**view);
}

/// Keeps operands that the instruction would compute too often.
void Graph::prepare_operands(const Instruction& user) {
  const auto keep_if = [&](const Value* operand, auto&& condition) {
    operand = resolve(operand);
    const Instruction* instruction = as_instruction(operand);
    if (instruction == nullptr || materialized_.contains(operand)) return;
    const Recomputation& r = of(operand);
    if (r.work > 0 && condition(r)) materialize(operand);
  };
  const auto& operands = user.operands();
  if (user.opcode() == Opcode::dot || user.opcode() == Opcode::convolve) {
    if (has_window(user)) keep_if(operands[0], [](const Recomputation&) { return true; });
    for (const Value* operand : operands)
      keep_if(operand, [](const Recomputation& r) {
        return r.work > 3 || r.check || r.computed || r.nodes > 8 || r.loads > 2 || r.casts > 1;
      });
    return;
  }
  if (user.opcode() == Opcode::reduceWindow) {
    keep_if(operands[0], [&](const Recomputation& r) {
      return r.work >= 4 || r.check || r.nodes > 8 || (r.computed && overlaps(user));
    });
    return;
  }
  if (user.opcode() == Opcode::gather) {
    keep_if(operands[0], [](const Recomputation& r) { return r.work >= costly_work || r.check; });
    for (std::size_t i = 1; i < operands.size(); ++i)
      keep_if(operands[i], [](const Recomputation& r) { return r.work > 8; });
    return;
  }
  if (user.opcode() == Opcode::slice) {
    keep_if(operands[0], [](const Recomputation& r) { return r.check; });
    return;
  }
  if (user.opcode() == Opcode::pad) {
    keep_if(operands[0], [](const Recomputation& r) { return r.check || r.nodes > 16; });
    return;
  }
  if (user.opcode() == Opcode::random) {
    for (const Value* operand : operands)
      keep_if(operand, [](const Recomputation& r) { return r.work >= 4; });
    return;
  }
  // A single element that no kernel computes costs nothing in a loop.
  const auto single = [](const Value* operand, const Recomputation& r) {
    return unit_count(operand->type().shape()).is(1) && !r.computed && r.work <= 2 * costly_work;
  };
  const bool spreads = user.is(Trait::elementwise) || user.opcode() == Opcode::broadcast;
  if (!spreads) return;
  for (const Value* operand : operands)
    if (stretches(*operand, user))
      keep_if(operand, [&](const Recomputation& r) {
        return r.check || (!single(operand, r) && (r.work >= 4 || r.combined));
      });
}

/// Keeps operands that end the memory of several values before another operand is there.
void Graph::end_lifetimes(const Instruction& user) {
  if (!user.is(Trait::elementwise)) return;
  for (const Value* operand : user.operands()) {
    operand = resolve(operand);
    const Recomputation r = of(operand);
    const auto is_later = [&](const Value* other) { return of(other).latest > r.latest; };
    const bool frees = (r.ended >= 2 && r.loads == r.ended && r.latest_is_replaced) || r.ended >= max_ended;
    if (frees && r.work > 0 && is_pointwise(user, *operand) && !unit_count(user.type().shape()).is(1) &&
        std::ranges::any_of(user.operands(), is_later))
      materialize(operand);
  }
}

void Graph::decide(const Instruction& i) {
  const std::uint32_t uses = this->uses(&i).count;
  if (i.opcode() == Opcode::extract || (uses == 0 && !i.is(Trait::may_fail))) return;
  prepare_operands(i);
  end_lifetimes(i);
  Recomputation r = recomputation(i);
  bool materialized = materialized_.contains(&i) || must_materialize(*this, i) || r.nodes > max_nodes ||
                      r.casts > max_casts || uses == 0 || updates_.read_before.contains(&i);
  const bool single =
      unit_count(i.type().shape()).is(1) && !r.computed && !r.check && r.work <= 2 * costly_work;
  if (uses > 1 && !i.is(Trait::free) && !single)
    materialized = materialized || r.work >= 4 || r.loads > 1 || r.check || (r.combined && r.work > 0);
  if (materialized) {
    materialized_.insert(&i);
    r = recomputation(i);
  }
  recomputations_[&i] = r;
}

}  // namespace codegen::kernel
