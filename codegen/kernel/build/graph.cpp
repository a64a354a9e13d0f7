#include "codegen/kernel/build/graph.h"

#include <algorithm>
#include <cmath>

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
         unit_count(operand.type().shape()) != unit_count(user.type().shape());
}

/// Whether other instructions can be computed in its epilogue.
bool has_epilogue(const Graph& graph, const Instruction& i) {
  return i.opcode() != Opcode::concatenate && i.opcode() != Opcode::scatter && must_materialize(graph, i);
}

/// Whether an element is computed from the operand's element at the same point.
bool is_pointwise(const Instruction& i, const Value& operand) {
  if (i.is(Trait::elementwise) || i.opcode() == Opcode::transpose) return !stretches(operand, i);
  return i.is(Trait::reshape) && same_axes(i.type().shape(), operand.type().shape());
}

bool counts_axis(const Graph& graph, const Value* index, std::size_t axis) {
  const Instruction* instruction = as_instruction(graph.resolve(index));
  while (instruction != nullptr &&
         (instruction->opcode() == Opcode::checkIndex || instruction->opcode() == Opcode::detach ||
          instruction->opcode() == Opcode::dataTypeCast))
    instruction = as_instruction(graph.resolve(instruction->operand(0)));
  // Positions wrap in narrow types.
  if (instruction == nullptr || dlvm::info(instruction->type().element()).bytes < 4 ||
      dlvm::info(index->type().element()).bytes < 4)
    return false;
  if (const auto iota = dlvm::as<dlvm::Iota>(instruction)) return iota.axis() == axis;
  if (instruction->opcode() == Opcode::broadcast) {
    const Value* inner = graph.resolve(instruction->operand(0));
    const std::size_t missing = instruction->type().rank() - inner->type().rank();
    return axis >= missing && inner->type().shape()[axis - missing] == instruction->type().shape()[axis] &&
           counts_axis(graph, inner, axis - missing);
  }
  if (const auto padded = dlvm::as<dlvm::PadShape>(instruction))
    return padded.axis() != axis &&
           counts_axis(graph, padded.input(), axis < padded.axis() ? axis : axis - 1);
  return false;
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

std::optional<PointwiseScatter> as_pointwise(const Graph& graph, const Instruction& scatter) {
  const dlvm::Scatter view(scatter);
  const auto indices = view.indices();
  const dlvm::Shape& counted = indices[0]->type().shape();
  const dlvm::Shape& result = scatter.type().shape();
  const auto first = static_cast<std::size_t>(view.axes()[0]);
  PointwiseScatter found;
  std::vector<bool> taken(indices.size());
  for (std::size_t axis = 0; axis < counted.size(); ++axis) {
    std::size_t i = 0;
    while (i < taken.size() &&
           (taken[i] || result[first + i] != counted[axis] || !counts_axis(graph, indices[i], axis)))
      ++i;
    if (i == taken.size()) return std::nullopt;
    taken[i] = true;
    found.counted.push_back(i);
  }
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) found.compared.push_back(i);
  return found;
}

bool is_checked(const Graph& graph, const Value* index, const Extent& end) {
  constexpr int max_steps = 16;
  for (int step = 0; step < max_steps; ++step) {
    const Instruction* i = as_instruction(graph.resolve(index));
    if (i == nullptr) return false;
    if (const auto check = dlvm::as<dlvm::CheckIndex>(i))
      return provably_at_most(0, check.first()) == dlvm::Proof::yes &&
             provably_at_most(check.end(), end) == dlvm::Proof::yes;
    if (i->opcode() == Opcode::select) {
      // select(i < 0, i + n, i), of an i that was checked from -n upto n.
      const Instruction* sum = as_instruction(graph.resolve(i->operand(0)));
      const Instruction* negative = as_instruction(graph.resolve(i->operand(2)));
      const Value* plain = graph.resolve(i->operand(1));
      const auto check = dlvm::as<dlvm::CheckIndex>(plain);
      if (sum == nullptr || negative == nullptr || !check || sum->opcode() != Opcode::add ||
          negative->opcode() != Opcode::lessThan || graph.resolve(negative->operand(0)) != plain ||
          graph.resolve(sum->operand(0)) != plain)
        return false;
      const auto* zero = dlvm::as_literal(negative->operand(1));
      const auto extent = dlvm::as<dlvm::ExtentValue>(graph.resolve(sum->operand(1)));
      const auto* number = dlvm::as_literal(graph.resolve(sum->operand(1)));
      const bool adds_end = (extent && extent.extent() == end) || (number != nullptr && number->is_splat() &&
                                                                   Extent(number->data().integer(0)) == end);
      return adds_end && zero != nullptr && zero->is_splat() && zero->data().integer(0) == 0 &&
             check.first() == Extent(-1) * end && check.end() == end;
    }
    const bool shows = i->is(Trait::view) && i->operands().size() == 1;
    const ElementType from = i->operands().empty() ? i->type().element() : i->operand(0)->type().element();
    const int before = dlvm::info(from).bytes, after = dlvm::info(i->type().element()).bytes;
    const bool widens = i->opcode() == Opcode::dataTypeCast && dlvm::is_integer(from) &&
                        dlvm::is_integer(i->type().element()) &&
                        (after > before || (after == before && after >= 4));
    if (!shows && !widens && i->opcode() != Opcode::detach) return false;
    index = i->operand(0);
  }
  return false;
}

bool must_materialize(const Graph& graph, const Instruction& i) {
  if (i.opcode() == Opcode::reduce) return !i.axes().empty();
  if (i.opcode() == Opcode::scan) return !i.type().shape()[dlvm::Scan(i).axis()].is(1);
  if (i.opcode() == Opcode::dot) return !dlvm::Dot(i).axes().contract.empty();
  if (i.opcode() == Opcode::scatter) return !as_pointwise(graph, i);
  return i.opcode() == Opcode::argmax || i.opcode() == Opcode::argmin || i.opcode() == Opcode::concatenate;
}

Graph::Graph(const dlvm::Function& function) {
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
      for (const Value* element : i->operands()) tuples_[i.get()].push_back(resolve(element));
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

/// Uses by instructions that compute; a use by a view counts as the view's uses.
void Graph::count_uses(const dlvm::Function& function) {
  constexpr std::uint32_t many = 1000;
  const auto& instructions = function.entry().instructions();
  for (const Value* result : results_) ++uses_[result];
  for (auto i = instructions.rbegin(); i != instructions.rend(); ++i) {
    const Instruction& user = **i;
    if (!user.type().is_tensor() || user.is(Trait::terminator) || user.opcode() == Opcode::extract) continue;
    const auto found = uses_.find(&user);
    const std::uint32_t uses = found == uses_.end() ? 0 : found->second;
    if (uses == 0 && !user.is(Trait::may_fail)) continue;
    const std::uint32_t own = user.is(Trait::free) ? uses : 1;
    std::vector<const Value*> seen;
    for (const Value* operand : user.operands()) {
      operand = resolve(operand);
      if (std::find(seen.begin(), seen.end(), operand) != seen.end()) continue;
      if (seen.size() < 8) seen.push_back(operand);
      uses_[operand] = std::min(many, uses_[operand] + own);
    }
  }
}

const Recomputation& Graph::of(const Value* value) const {
  static const Recomputation memory{0, 1, 1, 0, false, false, false}, literal{};
  value = resolve(value);
  if (const auto* constant = dlvm::as_literal(value)) return constant->is_splat() ? literal : memory;
  const auto found = recomputations_.find(value);
  return found == recomputations_.end() ? memory : found->second;
}

Recomputation Graph::recomputation(const Instruction& i) const {
  Recomputation total;
  if (materialized_.contains(&i)) {
    total.loads = 1;
    total.computed = i.opcode() != Opcode::scatter && i.opcode() != Opcode::concatenate;
    total.combined = has_epilogue(*this, i);
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
    if (is_pointwise(i, *operand)) {
      total.computed |= part.computed;
      total.combined |= part.combined;
    }
  }
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
  if (user.opcode() == Opcode::dot) {
    for (const Value* operand : operands)
      keep_if(operand, [](const Recomputation& r) {
        return r.work > 3 || r.check || r.computed || r.nodes > 8 || r.loads > 2 || r.casts > 1;
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

void Graph::decide(const Instruction& i) {
  const auto found = uses_.find(&i);
  const std::uint32_t uses = found == uses_.end() ? 0 : found->second;
  if (i.opcode() == Opcode::extract || (uses == 0 && !i.is(Trait::may_fail))) return;
  prepare_operands(i);
  Recomputation r = recomputation(i);
  bool materialized = materialized_.contains(&i) || must_materialize(*this, i) || r.nodes > max_nodes ||
                      r.casts > max_casts || uses == 0;
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
