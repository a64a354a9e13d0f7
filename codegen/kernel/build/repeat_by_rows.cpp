#include "codegen/kernel/build/repeat_by_rows.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/kernel/build/recompute_products.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/dead_code_elimination.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;
using dlvm::Value;

/// Says along which of its axes contractions sum over a matrix.
struct Needs {
  bool rows = false, columns = false;
};

/// The elements of a function that are computed one by one from products of few terms, and these products.
class RowRepetition {
 public:
  explicit RowRepetition(dlvm::Function& function) : function_(function) {
    for (const auto& instruction : function.entry().instructions())
      if (has_few_terms(*instruction) || is_computed(*instruction)) {
        needs_[instruction.get()];
        order_.push_back(instruction.get());
      }
    for (auto each = order_.rbegin(); each != order_.rend(); ++each) needs_[*each] = find_needs(**each);
    for (Instruction* each : order_) {
      are_matrices_[each] = find_matrices(*each);
      is_shared_[each] = find_shared(*each);
    }
  }

  /// Lets contractions whose right operand is such a matrix have it on the left, where the rows of their
  /// kernels come from. Returns whether there were any.
  bool move_to_left() {
    std::vector<Instruction*> contractions;
    for (const auto& instruction : function_.entry().instructions())
      if (instruction->opcode() == dlvm::Opcode::dot && find(instruction->operand(1)) != nullptr &&
          find(instruction->operand(0)) == nullptr) {
        const Needs needs = sums(*instruction, 1);
        if (needs.rows || needs.columns) contractions.push_back(instruction.get());
      }
    for (Instruction* contraction : contractions) {
      dlvm::Builder builder(function_.entry(), contraction);
      builder.set_locations(contraction->locations());
      const dlvm::DotAxes axes = dlvm::Dot(*contraction).axes();
      const std::size_t batch = axes.batch.size(), left = axes.left_free.size();
      dlvm::Integers order(contraction->type().rank());
      std::iota(order.begin(), order.end(), 0);
      std::rotate(order.begin() + static_cast<std::ptrdiff_t>(batch),
                  order.end() - static_cast<std::ptrdiff_t>(left), order.end());
      dlvm::replace_all_uses(*contraction, *builder.transpose(exchanged(*contraction, builder), order));
    }
    return !contractions.empty();
  }

  bool run() {
    std::vector<std::pair<Instruction*, std::size_t>> uses;
    for (const auto& instruction : function_.entry().instructions())
      for (std::size_t i = 0; i < instruction->operands().size(); ++i)
        if (const auto* element = find(instruction->operand(i));
            element != nullptr && sums(*instruction, i).rows && is_shared_.at(element) &&
            are_matrices_.at(element))
          uses.emplace_back(instruction.get(), i);
    for (const auto& [user, operand] : uses) read_transposed(*user, operand);
    return !uses.empty();
  }

 private:
  const Instruction* find(const Value* value) const {
    const Instruction* instruction = dlvm::as_instruction(value);
    return needs_.contains(instruction) ? instruction : nullptr;
  }
  /// Returns whether the instruction computes one element of each of those that it reads.
  bool is_computed(const Instruction& instruction) const {
    return std::ranges::any_of(instruction.operands(), [&](const Value* operand) {
      const Instruction* of = find(operand);
      return of != nullptr && is_elementwise(instruction, *of);
    });
  }

  /// Returns which of the last two axes of the operand the instruction sums over, if it is a contraction.
  static Needs sums(const Instruction& instruction, std::size_t operand) {
    const auto dot = dlvm::as<dlvm::Dot>(instruction);
    if (!dot) return {};
    const dlvm::DotAxes axes = dot.axes();
    if (axes.contract.size() != 1) return {};
    const auto axis = operand == 0 ? axes.contract[0].first : axes.contract[0].second;
    const dlvm::Integers& free = operand == 0 ? axes.left_free : axes.right_free;
    const auto rank = static_cast<std::int64_t>(instruction.operand(operand)->type().rank());
    const auto is_free = [&](std::int64_t other) { return std::ranges::count(free, other) > 0; };
    return {axis == rank - 2 && is_free(rank - 1), axis == rank - 1 && is_free(rank - 2)};
  }

  Needs find_needs(const Instruction& element) const {
    Needs all;
    for (const Instruction* user : element.users()) {
      const bool is_element = find(user) != nullptr && !has_few_terms(*user);
      for (std::size_t i = 0; i < user->operands().size(); ++i) {
        if (user->operand(i) != &element) continue;
        const Needs needs = is_element ? needs_.at(user) : sums(*user, i);
        all.rows = all.rows || needs.rows;
        all.columns = all.columns || needs.columns;
      }
    }
    return all;
  }

  /// Returns whether all products are matrices from which the element is computed.
  bool find_matrices(const Instruction& element) const {
    if (const auto dot = dlvm::as<dlvm::Dot>(element); dot && has_few_terms(element))
      return dot.axes().left_free.size() == 1 && dot.axes().right_free.size() == 1;
    return std::ranges::all_of(element.operands(), [&](const Value* operand) {
      const Instruction* of = find(operand);
      return of == nullptr || are_matrices_.at(of);
    });
  }

  /// Returns whether the element, or one from which it is computed, is needed for sums over columns.
  bool find_shared(const Instruction& element) const {
    return needs_.at(&element).columns || std::ranges::any_of(element.operands(), [&](const Value* operand) {
             const Instruction* of = find(operand);
             return of != nullptr && !has_few_terms(element) && is_shared_.at(of);
           });
  }

  /// Lets the contraction sum over the columns of the transposed operand.
  void read_transposed(Instruction& contraction, std::size_t operand) {
    dlvm::DotAxes axes = dlvm::Dot(contraction).axes();
    ++(operand == 0 ? axes.contract[0].first : axes.contract[0].second);
    contraction.set_operand(operand, transposed(contraction.operand(operand), contraction));
    contraction.set_attribute(0, axes.contract);
    contraction.set_attribute(1, axes.batch);
  }

  /// Returns the value with its last two axes exchanged, as it is computed in front of `user`.
  Value* transposed(Value* value, const Instruction& user) {
    const auto known = transposed_.find(value);
    if (known != transposed_.end()) return known->second;
    dlvm::Builder builder(function_.entry(), &user);
    Value* result = value;
    if (const Instruction* element = find(value)) {
      std::vector<Value*> operands;
      if (!has_few_terms(*element))
        for (Value* operand : element->operands()) operands.push_back(transposed(operand, user));
      builder.set_locations(element->locations());
      if (is_weight(*element))
        operands[0] = builder.binary(dlvm::Opcode::min, operands[0],
                                     builder.constant(operands[0]->type().element(), 0));
      result = has_few_terms(*element)
                   ? exchanged(*element, builder)
                   : builder.create(element->opcode(), std::move(operands), element->attributes());
    } else if (const auto rank = static_cast<std::int64_t>(value->type().rank()); rank > 0) {
      Shape shape = value->type().shape();
      if (rank == 1) shape.insert(shape.begin(), Extent(1));
      std::swap(shape.end()[-1], shape.end()[-2]);
      const bool is_vector = shape.end()[-1] == Extent(1) || shape.end()[-2] == Extent(1);
      dlvm::Integers order(value->type().rank());
      std::iota(order.begin(), order.end(), 0);
      if (rank > 1) std::swap(order.end()[-1], order.end()[-2]);
      result = is_vector ? builder.shape_cast(value, shape) : builder.transpose(value, std::move(order));
    }
    return transposed_[value] = result;
  }

  /// Returns whether the instruction is exp(x - maximum of x). The scores that are computed with exchanged
  /// operands may be rounded to more than their maximum, but weights are at most 1.
  static bool is_weight(const Instruction& instruction) {
    const Instruction* difference =
        instruction.opcode() == dlvm::Opcode::exp ? dlvm::as_instruction(instruction.operand(0)) : nullptr;
    if (difference == nullptr || difference->opcode() != dlvm::Opcode::subtract) return false;
    const Instruction* shift = dlvm::as_instruction(difference->operand(1));
    while (shift != nullptr &&
           (shift->opcode() == dlvm::Opcode::select || shift->opcode() == dlvm::Opcode::shapeCast))
      shift = dlvm::as_instruction(shift->operand(0));
    const auto maximum = shift == nullptr ? dlvm::Reduce() : dlvm::as<dlvm::Reduce>(*shift);
    return maximum && maximum.combinator().is(dlvm::Opcode::max) &&
           compute_the_same(difference->operand(0), maximum.input(), max_depth);
  }

  /// Returns whether the same instructions compute both values, as far as that shows after so many.
  static bool compute_the_same(const Value* a, const Value* b, int depth) {
    if (a == b) return true;
    const Instruction *one = dlvm::as_instruction(a), *other = dlvm::as_instruction(b);
    if (one == nullptr || other == nullptr || depth == 0 || one->opcode() != other->opcode() ||
        one->attributes() != other->attributes() || one->operands().size() != other->operands().size())
      return false;
    for (std::size_t i = 0; i < one->operands().size(); ++i)
      if (!compute_the_same(one->operand(i), other->operand(i), depth - 1)) return false;
    return true;
  }
  static constexpr int max_depth = 8;

  /// Returns the product of the operands in the other order.
  static Value* exchanged(const Instruction& product, dlvm::Builder& builder) {
    const dlvm::DotAxes axes = dlvm::Dot(product).axes();
    const auto exchange = [](dlvm::AxisPairs pairs) {
      for (auto& [left, right] : pairs) std::swap(left, right);
      return pairs;
    };
    return builder.dot(product.operand(1), product.operand(0), exchange(axes.contract), exchange(axes.batch));
  }

  dlvm::Function& function_;
  std::vector<Instruction*> order_;  ///< the elements
  std::unordered_map<const Instruction*, Needs> needs_;
  std::unordered_map<const Instruction*, bool> are_matrices_, is_shared_;
  std::unordered_map<const Value*, Value*> transposed_;
};

}  // namespace

bool repeat_by_rows(dlvm::Function& function) {
  const bool moves = RowRepetition(function).move_to_left();
  if (moves) dlvm::remove_dead_instructions(function);
  return RowRepetition(function).run() || moves;
}

}  // namespace codegen::kernel
