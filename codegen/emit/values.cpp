#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"
#include "dlvm/support/overloaded.h"

namespace codegen::emit {

void Emitter::emit(const schedule::Let& let) { values_[let.id] = value(let.scalar); }

EmittedValue Emitter::widened(const EmittedValue& held) {
  if (held.is_vector() || width_ == 1) return held;
  return {vectors_->number(vectors_->splat(held.number.value)), held.type};
}

EmittedValue Emitter::value(const Scalar& scalar) {
  const ElementType type = scalar.type;
  return std::visit(dlvm::Overloaded{
                        [&](const Scalar::Literal& constant) { return literal(constant.value); },
                        [&](const Scalar::Position& place) { return position(place.index, type); },
                        [&](const Scalar::Load& from) { return load(from, type); },
                        [&](const Scalar::Operation& with) { return operation(with, type); },
                        [&](const Scalar::Check& checked) { return check(checked, type); },
                        [&](const Scalar::Random& drawn) { return random(drawn, type); },
                        [](const Scalar::State&) -> EmittedValue {
                          dlvm::internal_error("the state of a reduction in a schedule");
                        },
                    },
                    scalar.definition);
}

EmittedValue Emitter::literal(const dlvm::Tensor& value) {
  return {math::literal(scalars_, value), value.element()};
}

namespace {

/// Applies an operation to numbers of one width.
EmittedValue apply(const Scalar::Operation& operation, ElementType type,
                   std::span<const EmittedValue> operands) {
  if (operation.opcode == dlvm::Opcode::dataTypeCast)
    return {math::convert(operands[0].number, operands[0].type, type), type};
  if (operation.opcode == dlvm::Opcode::bitCast)
    return {math::reinterpret(operands[0].number, operands[0].type, type), type};
  std::vector<math::SimdValue> numbers;
  for (const EmittedValue& operand : operands) numbers.push_back(operand.number);
  return {math::operate(operation.opcode, operands[0].type, numbers), type};
}

}  // namespace

EmittedValue Emitter::operation(const Scalar::Operation& operation, ElementType type) {
  std::vector<EmittedValue> operands;
  bool is_vector = false;
  for (const ValueId id : operation.operands) {
    operands.push_back(values_.at(id));
    is_vector = is_vector || operands.back().is_vector();
  }
  const bool by_scalar = operation.opcode == dlvm::Opcode::divide && math::shares_divisor(type, features_) &&
                         operands[0].is_vector() && !operands[1].is_vector();
  if (is_vector && !by_scalar)
    for (EmittedValue& operand : operands) operand = widened(operand);
  return apply(operation, type, operands);
}

/// Emits a combinator, which is one block of elementwise instructions on scalars.
EmittedValue Emitter::call(const dlvm::Function& function, const EmittedValue& left,
                           const EmittedValue& right) {
  std::map<const dlvm::Value*, EmittedValue> known;
  const auto& arguments = function.entry().arguments();
  known[arguments[0].get()] = left;
  known[arguments[1].get()] = right;
  const auto held = [&](const dlvm::Value* value) {
    const auto* constant = dlvm::as_literal(value);
    return constant ? literal(constant->data()) : known.at(value);
  };
  for (const auto& instruction : function.entry().instructions()) {
    if (instruction->opcode() == dlvm::Opcode::return_) return held(instruction->operand(0));
    std::vector<EmittedValue> operands;
    for (const dlvm::Value* operand : instruction->operands()) operands.push_back(held(operand));
    if (const auto inner = dlvm::as<dlvm::Apply>(*instruction))
      known[instruction.get()] = call(*inner.callee(), operands[0], operands[1]);
    else
      known[instruction.get()] = apply({instruction->opcode(), {}}, instruction->type().element(), operands);
  }
  dlvm::internal_error("a combinator that does not return");
}

EmittedValue Emitter::position(const Index& of, ElementType type) {
  const EmittedIndex place = index(of);
  const math::SimdValue number = place.is_uniform()
                                     ? scalars_.number(place.base)
                                     : vectors_->number(place.vector ? place.vector : vector_of(place));
  return {math::convert(number, ElementType::i64, type), type};
}

EmittedValue Emitter::random(const Scalar::Random& random, ElementType type) {
  const EmittedIndex place = index(random.index);
  const bool is_vector = !place.is_uniform();
  math::SimdBuilder& lanes = is_vector ? *vectors_ : scalars_;
  llvm::Value* at = !is_vector ? place.base : place.vector ? place.vector : vector_of(place);
  const auto operand = [&](ValueId id) {
    const EmittedValue& held = values_.at(id);
    return is_vector ? widened(held).number : held.number;
  };
  return {math::random(lanes.number(at), operand(random.low), operand(random.high), operand(random.key),
                       operand(random.counter), type),
          type};
}

std::vector<EmittedValue> Emitter::combine(const kernel::Reduction& reduction,
                                           std::span<const EmittedValue> left,
                                           std::span<const EmittedValue> right, math::SimdBuilder& lanes) {
  std::vector<EmittedValue> values;
  for (const Scalar& scalar : reduction.combine) {
    if (const auto* state = std::get_if<Scalar::State>(&scalar.definition)) {
      const std::size_t n = left.size();
      values.push_back(state->component < n ? left[state->component] : right[state->component - n]);
    } else if (const auto* constant = std::get_if<Scalar::Literal>(&scalar.definition)) {
      values.push_back({math::literal(lanes, constant->value), scalar.type});
    } else if (const auto* with = std::get_if<Scalar::Operation>(&scalar.definition)) {
      std::vector<EmittedValue> operands;
      for (const ValueId id : with->operands) operands.push_back(values[id]);
      values.push_back(apply(*with, scalar.type, operands));
    } else {
      dlvm::internal_error("a reduction combines by more than operations on its states");
    }
  }
  std::vector<EmittedValue> results;
  for (const ValueId id : reduction.results) results.push_back(values[id]);
  return results;
}

}  // namespace codegen::emit
