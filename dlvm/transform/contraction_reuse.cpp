#include "dlvm/transform/contraction_reuse.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// More factors than products of a few elementwise instructions have, and instructions to find them.
constexpr std::size_t max_factors = 16, max_steps = 64;

bool is_multiplication(const Instruction& instruction) {
  return instruction.opcode() == Opcode::multiply || instruction.opcode() == Opcode::absorbingMultiply;
}

/// The factors of a product, whatever floating-point types they are rounded to.
struct Factors {
  std::vector<Value*> values;
  bool is_negated = false;
  std::size_t steps = 0;  ///< the instructions that were looked at
};

bool is_conversion(const Instruction& instruction) {
  return instruction.opcode() == Opcode::dataTypeCast &&
         is_floating(instruction.operand(0)->type().element()) && is_floating(instruction.type().element());
}

/// Adds the factors of which the value is the product; the value itself where it is none.
void add_factors(Value* value, Factors& factors) {
  Instruction* instruction = as_instruction(value);
  if (instruction == nullptr || factors.values.size() > max_factors || ++factors.steps > max_steps) {
    factors.values.push_back(value);
  } else if (instruction->opcode() == Opcode::negate || is_conversion(*instruction)) {
    factors.is_negated ^= instruction->opcode() == Opcode::negate;
    add_factors(instruction->operand(0), factors);
  } else if (instruction->opcode() == Opcode::square || is_multiplication(*instruction)) {
    add_factors(instruction->operand(0), factors);
    add_factors(instruction->operands().back(), factors);
  } else {
    factors.values.push_back(value);
  }
}
Factors factors_of(Value* value) {
  Factors factors;
  add_factors(value, factors);
  return factors;
}

bool are_equal(const Value* a, const Value* b) {
  const auto number = splat_value(a);
  return a == b || (number && a->type() == b->type() && splat_value(b) == number);
}

/// Removes one occurrence of each of `values`; returns false if one is missing.
bool remove_each(std::vector<Value*>& from, const std::vector<Value*>& values) {
  return std::ranges::all_of(values, [&](Value* value) {
    const auto found = std::ranges::find_if(from, [&](Value* each) { return are_equal(each, value); });
    if (found == from.end()) return false;
    from.erase(found);
    return true;
  });
}

Value* converted(Builder& builder, Value* value, ElementType to) {
  return value->type().element() == to ? value : builder.cast(value, to);
}

/// Returns whether the product is one of matrices, of which the right one has one free axis.
bool is_of_matrices(const DotAxes& axes) { return axes.contract.size() == 1 && axes.right_free.size() == 1; }

/// Returns the right operand's axes of the batch.
std::vector<std::int64_t> right_batch(const DotAxes& axes) {
  std::vector<std::int64_t> batch;
  for (const auto& [left, right] : axes.batch) batch.push_back(right);
  return batch;
}

/// Returns the order of the left operand's axes in which they are those of the product, then the contracted
/// one.
Integers order_of_left(const DotAxes& axes) {
  Integers order;
  for (const auto& [left, right] : axes.batch) order.push_back(left);
  order.insert(order.end(), axes.left_free.begin(), axes.left_free.end());
  order.push_back(axes.contract[0].first);
  return order;
}
bool is_in_order(const Integers& order) { return std::ranges::is_sorted(order); }

/// Rewrites one sum over the last axis.
class Sum {
 public:
  explicit Sum(Instruction& sum) : sum_(sum), others_(factors_of(Reduce(sum).input())) {}

  bool rewrite(const std::unordered_map<const Value*, std::size_t>& places) {
    if (others_.values.size() > max_factors || !take_product()) return false;
    const Dot product(*product_);
    for (Instruction* user : product.right()->users()) {
      const auto place = places.find(user);
      if (place == places.end() || place->second > places.at(&sum_) || !has_same_terms(*user)) continue;
      Factors missing = factors_of(user->operand(0));
      missing.is_negated ^= others_.is_negated;
      if (missing.values.size() <= max_factors && remove_each(missing.values, others_.values) &&
          std::ranges::all_of(missing.values, [&](const Value* each) { return is_of_row(*each); }) &&
          replace(*user, std::move(missing)))
        return true;
    }
    return false;
  }

  /// Rewrites the sum with a product that is not there yet.
  bool rewrite_with_new() {
    if (others_.values.size() > max_factors || !take_product()) return false;
    const auto whole = std::ranges::find(others_.values, product_->type(), &Value::type);
    if (whole == others_.values.end()) return false;
    std::iter_swap(others_.values.begin(), whole);
    Builder builder(*sum_.block(), &sum_);
    builder.set_locations(sum_.locations());
    Value* factor = others_.values.front();
    for (Value* other : std::span(others_.values).subspan(1))
      factor = builder.multiply(factor, converted(builder, other, factor->type().element()));
    const Dot product(*product_);
    const DotAxes axes = product.axes();
    AxisPairs batch;
    for (const std::int64_t right : right_batch(axes))
      batch.emplace_back(static_cast<std::int64_t>(batch.size()), right);
    const auto last = static_cast<std::int64_t>(factor->type().rank()) - 1;
    Value* terms = builder.dot(factor, product.right(), {{last, axes.right_free[0]}}, std::move(batch));
    return replace(*as_instruction(terms), {{}, others_.is_negated});
  }

 private:
  /// Finds the factor that is a product of that shape, whose last axis is one of the right operand.
  bool take_product() {
    const Type& type = Reduce(sum_).input()->type();
    std::vector<Value*>& factors = others_.values;
    const auto found = std::ranges::find_if(factors, [&](Value* each) {
      const auto dot = as<Dot>(each);
      return dot && each->type() == type && is_of_matrices(dot.axes()) && has_no_more_terms(dot);
    });
    if (found == factors.end()) return false;
    product_ = as_instruction(*found);
    factors.erase(found);
    return true;
  }

  /// Returns whether the product is not known to have more terms than the sum.
  bool has_no_more_terms(const Dot& dot) const {
    const auto axis = static_cast<std::size_t>(dot.axes().contract[0].first);
    const auto terms = dot.left()->type().shape()[axis].constant();
    const auto summed = Reduce(sum_).input()->type().shape().back().constant();
    return !terms || !summed || *terms <= *summed;
  }

  /// Returns whether the instruction multiplies something of the sum's shape with the right operand of the
  /// product.
  bool has_same_terms(const Instruction& instruction) const {
    const auto dot = as<Dot>(instruction);
    const Dot product(*product_);
    if (!dot || dot.right() != product.right() || dot.left()->type() != product_->type()) return false;
    const DotAxes here = dot.axes(), there = product.axes();
    return is_of_matrices(here) && is_in_order(order_of_left(here)) &&
           right_batch(here) == right_batch(there) && here.contract[0].second == there.right_free[0] &&
           here.right_free[0] == there.contract[0].second;
  }

  /// Returns whether the factor is the same for all elements that are summed.
  static bool is_of_row(const Value& factor) {
    const Shape& shape = factor.type().shape();
    return shape.empty() || shape.back() == Extent(1);
  }

  /// Replaces the sum, or what it is multiplied to, by the sum of the left operand's elements times those of
  /// `of_terms`, which have the factors in `missing` as well.
  bool replace(Instruction& of_terms, Factors missing) {
    Instruction *root = &sum_, *kept = nullptr;
    Factors rest;
    while (!missing.values.empty()) {
      if (root->users().size() != 1) return false;
      Instruction* user = root->users().front();
      if (user->block() != sum_.block()) return false;
      if (kept == nullptr && user->opcode() == Opcode::shapeCast) {
        kept = root = user;
        continue;
      }
      if (!is_multiplication(*user) || user->type() != root->type()) return false;
      add_factors(user->operand(user->operand(0) == root ? 1 : 0), rest);
      if (rest.values.size() > max_factors) return false;
      root = user;
      std::erase_if(missing.values, [&](Value* each) { return remove_each(rest.values, {each}); });
    }
    Builder builder(*sum_.block(), root);
    builder.set_locations(root->locations());
    const ElementType element = root->type().element();
    const ElementType sum_type = info(element).bytes == 2 ? ElementType::f32 : element;
    const auto multiply = [&](Value* a, Value* b) {
      return builder.binary(Opcode::absorbingMultiply, converted(builder, a, sum_type),
                            converted(builder, b, sum_type));
    };
    const auto last = static_cast<std::int64_t>(of_terms.type().rank()) - 1;
    Value* left = Dot(*product_).left();
    const Integers order = order_of_left(Dot(*product_).axes());
    if (!is_in_order(order)) left = builder.transpose(left, order);
    Value* result = builder.sum(multiply(left, &of_terms), Integers{last});
    if (kept != nullptr) result = builder.shape_cast(result, kept->type().shape());
    for (Value* factor : rest.values) result = multiply(result, factor);
    if (rest.is_negated != missing.is_negated) result = builder.negate(result);
    replace_all_uses(*root, *converted(builder, result, element));
    return true;
  }

  Instruction& sum_;
  Factors others_;                  ///< of what is summed, without the product
  Instruction* product_ = nullptr;  ///< dot(A, B)
};

/// Returns whether the instruction adds up the last axis of floating-point elements.
bool is_sum_of_rows(const Instruction& instruction) {
  const auto sum = as<Reduce>(instruction);
  return sum && sum.combinator().is(Opcode::add) && is_splat(sum.initial(), 0) &&
         is_floating(sum.input()->type().element()) &&
         sum.axes() == Integers{static_cast<std::int64_t>(sum.input()->type().rank()) - 1};
}

}  // namespace

bool contraction_reuse(Function& function, bool creates) {
  bool changed = false;
  for (const auto& block : function.blocks()) {
    std::unordered_map<const Value*, std::size_t> places;
    std::vector<Instruction*> sums;
    for (const auto& instruction : block->instructions()) {
      places[instruction.get()] = places.size();
      if (is_sum_of_rows(*instruction)) sums.push_back(instruction.get());
    }
    for (Instruction* sum : sums)
      changed = Sum(*sum).rewrite(places) || (creates && Sum(*sum).rewrite_with_new()) || changed;
  }
  return changed;
}

}  // namespace dlvm
