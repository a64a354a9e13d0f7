#include "dlvm/transform/constant_folding.h"

#include <algorithm>

#include "dlvm/interpret/interpret.h"

namespace dlvm {
namespace {

constexpr std::int64_t small = 16;      ///< elements that a result may always have
constexpr std::int64_t most = 1 << 16;  ///< elements of a literal that is looked at

std::optional<std::int64_t> count(const Type& type) {
  return type.is_tensor() ? unit_count(type.shape()).constant() : std::nullopt;
}

std::int64_t bytes(const Type& type) { return static_cast<std::int64_t>(info(type.element()).bytes); }

/// Elementwise on splats: computed once, on scalars.
Literal* fold_splats(const Instruction& i, std::span<const Literal* const> operands, Function& function) {
  if (operands.empty() || !i.is(Trait::elementwise)) return nullptr;
  std::vector<Value*> scalars;
  std::vector<Tensor> data;
  std::vector<Type> types;
  for (const Literal* operand : operands) {
    if (!operand->is_splat()) return nullptr;
    types.push_back(Type::scalar(operand->type().element()));
    scalars.push_back(function.literal(types.back(), operand->data()));
    data.push_back(operand->data());
  }
  std::string why;
  const auto type = infer_type(i.opcode(), {types, i.attributes()}, why);
  if (!type) return nullptr;
  const Instruction scalar(i.opcode(), *type, scalars, i.attributes());
  auto result = fold(scalar, data);
  return result ? function.literal(i.type(), std::move(*result)) : nullptr;
}

/// The literal with all its elements.
Tensor whole(const Literal& literal) {
  if (!literal.is_splat() || literal.type().is_scalar()) return literal.data();
  std::vector<std::int64_t> extents;
  for (const Extent& extent : literal.type().shape()) extents.push_back(extent.constant().value_or(0));
  Tensor tensor(literal.type().element(), std::move(extents));
  const std::size_t bytes = info(literal.type().element()).bytes;
  for (std::size_t at = 0; at < tensor.byte_count(); at += bytes)
    std::copy_n(literal.data().data(), bytes, tensor.data() + at);
  return tensor;
}

Literal* fold_literals(const Instruction& i, std::span<const Literal* const> operands, Function& function) {
  if (operands.empty() && i.opcode() != Opcode::extent) return nullptr;
  std::int64_t given = 0;
  for (const Literal* operand : operands) {
    const auto elements = count(operand->type());
    if (!elements || *elements > most) return nullptr;
    given = std::max(given, *elements * bytes(operand->type()));
  }
  const auto wanted = count(i.type());
  if (!wanted || (*wanted > small && *wanted * bytes(i.type()) > given)) return nullptr;
  std::vector<Tensor> data;
  for (const Literal* operand : operands) data.push_back(whole(*operand));
  auto result = fold(i, data);
  return result ? function.literal(i.type(), std::move(*result)) : nullptr;
}

}  // namespace

Literal* folded(const Instruction& instruction, std::span<const Literal* const> operands,
                Function& function) {
  if (Literal* splat = fold_splats(instruction, operands, function)) return splat;
  return fold_literals(instruction, operands, function);
}

}  // namespace dlvm
