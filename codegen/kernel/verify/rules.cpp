#include "codegen/kernel/verify/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace codegen::kernel {

std::optional<std::string> wrong_operation(const Scalar::Operation& operation, ElementType result,
                                           std::span<const ElementType> operands) {
  const auto& definition = dlvm::definition(operation.opcode);
  if (!definition.is(dlvm::Trait::elementwise)) return "is not elementwise";
  const auto parts =
      std::ranges::count_if(definition.parts, [](const auto& part) { return dlvm::is_operand(part.kind); });
  if (static_cast<std::size_t>(parts) != operands.size()) return "has too many or too few operands";
  std::vector<dlvm::Type> types;
  for (const ElementType operand : operands) types.push_back(dlvm::Type::scalar(operand));
  std::vector<dlvm::Attribute> attributes;
  if (operation.opcode == dlvm::Opcode::dataTypeCast || operation.opcode == dlvm::Opcode::bitCast)
    attributes.emplace_back(result);
  std::string why;
  const auto inferred = dlvm::infer_type(operation.opcode, {types, attributes}, why);
  if (!inferred) return ": " + why;
  return inferred->element() == result ? std::nullopt : std::optional<std::string>(": another type");
}

std::optional<std::string> wrong_combinator(const dlvm::Combinator& combinator, ElementType element) {
  if (combinator.function != nullptr) return std::nullopt;
  return wrong_operation({combinator.opcode, {}}, element, std::array{element, element});
}

namespace {

/// Returns why a scalar of a reduction's `combine` is wrong; `types` are those of the scalars before it.
std::optional<std::string> wrong_scalar(const Scalar& scalar, const Reduction& reduction,
                                        const std::vector<ElementType>& types) {
  if (const auto* state = std::get_if<Scalar::State>(&scalar.definition)) {
    const std::size_t n = reduction.types.size();
    if (state->component >= 2 * n) return "is no state";
    return reduction.types[state->component % n] == scalar.type
               ? std::nullopt
               : std::optional<std::string>("is a state of another type");
  }
  if (const auto* literal = std::get_if<Scalar::Literal>(&scalar.definition))
    return literal->value.element() == scalar.type
               ? std::nullopt
               : std::optional<std::string>("is a literal of another type");
  const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition);
  if (operation == nullptr) return "is neither a state nor a literal nor an operation";
  std::vector<ElementType> operands;
  for (const ScalarId id : operation->operands) {
    if (id >= types.size()) return fmt::format("uses %{}, which is not defined there", id);
    operands.push_back(types[id]);
  }
  return wrong_operation(*operation, scalar.type, operands);
}

}  // namespace

std::optional<std::string> wrong_combine(const Reduction& reduction) {
  std::vector<ElementType> types;
  for (const Scalar& scalar : reduction.combine) {
    if (const auto wrong = wrong_scalar(scalar, reduction, types))
      return fmt::format("%{} of the combine {}", types.size(), *wrong);
    types.push_back(scalar.type);
  }
  if (reduction.results.size() != reduction.types.size())
    return "the combine has too many or too few results";
  for (std::size_t i = 0; i < reduction.results.size(); ++i)
    if (reduction.results[i] >= types.size() || types[reduction.results[i]] != reduction.types[i])
      return fmt::format("%{} is no result of the combine", reduction.results[i]);
  return std::nullopt;
}

bool is_extent(const Extent& extent) { return extent.valid() && extent.constant().value_or(0) >= 0; }

std::optional<std::string> wrong_index(const Index& index) {
  if (!index.constant.valid()) return "an index is out of the range of 64 bits";
  for (const Index::Term& term : index.terms) {
    if (!term.coefficient.valid()) return "an index is out of the range of 64 bits";
    const auto* quotient = std::get_if<std::shared_ptr<const Index::Quotient>>(&term.atom);
    if (quotient == nullptr) continue;
    const Extent& divisor = (*quotient)->divisor;
    if (!divisor.valid() || divisor.constant().value_or(1) < 1) return "an index is divided by less than 1";
    if (auto wrong = wrong_index((*quotient)->index)) return wrong;
  }
  return std::nullopt;
}

}  // namespace codegen::kernel
