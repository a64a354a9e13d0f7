// Rules of the instructions that move elements: each copies boxes of elements between strided walks.
#include <fmt/format.h>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation {
namespace {

using Kind = InterpretError::Kind;

/// The same bytes in the result's extents.
Outcome reshaped(Evaluation& e) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Tensor& input = e.operand(0);
  if (input.size() != result->size())
    return e.fail(Kind::extent,
                  fmt::format("[{}] has {} elements, [{}] has {}", fmt::join(input.extents(), " x "),
                              input.size(), fmt::join(result->extents(), " x "), result->size()));
  std::copy_n(input.data(), input.byte_count(), result->data());
  return RuntimeValue(std::move(*result));
}

/// The result, each element of which stands at `source` in the operand.
Outcome viewed(const Evaluation& e, Tensor result, const Walk& source) {
  copy(e.operand(0), source, result, {0, strides_of(result.extents())}, result.extents());
  return RuntimeValue(std::move(result));
}

/// Every position of `extents`, in row-major order, is handed to `visit` with its number.
template <typename Visit>
void for_each_position(const Extents& extents, Visit visit) {
  Extents position(extents.size(), 0);
  const std::int64_t count = element_count(extents);
  for (std::int64_t i = 0; i < count; ++i) {
    visit(i, position);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      if (++position[axis] < extents[axis]) break;
      position[axis] = 0;
    }
  }
}

}  // namespace

namespace rules {

RULE(padShape) { return reshaped(e); }
RULE(squeezeShape) { return reshaped(e); }
RULE(shapeCast) { return reshaped(e); }

RULE(transpose) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const auto strides = strides_of(e.operand(0).extents());
  Walk source;
  for (const auto axis : Transpose(e.instruction).permutation())
    source.strides.push_back(strides[static_cast<std::size_t>(axis)]);
  return viewed(e, std::move(*result), source);
}

RULE(reverse) {
  auto result = e.result();
  if (!result) return std::nullopt;
  if (result->size() == 0) return RuntimeValue(std::move(*result));
  Walk source{0, strides_of(result->extents())};
  for (const auto axis : Reverse(e.instruction).axes()) {
    auto& stride = source.strides[static_cast<std::size_t>(axis)];
    source.offset += stride * (result->extents()[static_cast<std::size_t>(axis)] - 1);
    stride = -stride;
  }
  return viewed(e, std::move(*result), source);
}

RULE(slice) {
  const Slice slice(e.instruction);
  const Tensor& input = e.operand(0);
  Walk source{0, strides_of(input.extents())};
  for (std::size_t axis = 0; axis < source.strides.size(); ++axis) {
    const auto from = e.extent(slice.first()[axis]), upto = e.extent(slice.end()[axis]);
    if (!from || !upto) return std::nullopt;
    if (*from < 0 || *upto < *from || *upto > input.extents()[axis])
      return e.fail(Kind::extent, fmt::format("the slice from {} upto {} is outside axis {} of extent {}",
                                              *from, *upto, axis, input.extents()[axis]));
    source.offset += *from * source.strides[axis];
    source.strides[axis] *= slice.step(axis);
  }
  auto result = e.result();
  if (!result) return std::nullopt;
  return viewed(e, std::move(*result), source);
}

RULE(concatenate) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const std::size_t axis = Concatenate(e.instruction).axis();
  Walk target{0, strides_of(result->extents())};
  std::int64_t end = 0;
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const Tensor& part = e.operand(i);
    Extents expected = result->extents();
    expected[axis] = part.extents()[axis];
    end += part.extents()[axis];
    if (part.extents() != expected || end > result->extents()[axis])
      return e.fail(Kind::extent,
                    fmt::format("part {} has extents [{}], the result [{}]", i,
                                fmt::join(part.extents(), " x "), fmt::join(result->extents(), " x ")));
    copy(part, {0, strides_of(part.extents())}, *result, target, part.extents());
    target.offset += part.extents()[axis] * target.strides[axis];
  }
  return RuntimeValue(std::move(*result));
}

RULE(pad) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const Tensor& input = e.operand(0);
  Tensor padded = stretched(e.operand(1), result->extents());
  Walk target{0, strides_of(result->extents())};
  const auto& amounts = Pad(e.instruction).amounts();
  for (std::size_t axis = 0; axis < amounts.size(); ++axis) {
    const auto before = e.extent(amounts[axis].first), after = e.extent(amounts[axis].second);
    if (!before || !after) return std::nullopt;
    if (*before < 0 || *after < 0 || *before + input.extents()[axis] + *after != result->extents()[axis])
      return e.fail(Kind::extent, fmt::format("the amounts ({}, {}) do not fit axis {} of extent {}", *before,
                                              *after, axis, input.extents()[axis]));
    target.offset += *before * target.strides[axis];
  }
  copy(input, {0, strides_of(input.extents())}, padded, target, input.extents());
  return RuntimeValue(std::move(padded));
}

RULE(broadcast) {
  const auto extents = e.extents();
  if (!extents) return std::nullopt;
  if (!stretches(e.operand(0).extents(), *extents))
    return e.fail(Kind::extent,
                  fmt::format("[{}] does not stretch to [{}]", fmt::join(e.operand(0).extents(), " x "),
                              fmt::join(*extents, " x ")));
  return RuntimeValue(stretched(e.operand(0), *extents));
}

RULE(iota) {
  auto result = e.result();
  if (!result) return std::nullopt;
  const std::size_t axis = Iota(e.instruction).axis();
  for_each_position(result->extents(), [&](std::int64_t i, const Extents& position) {
    result->set(static_cast<std::size_t>(i), position[axis]);
  });
  return RuntimeValue(std::move(*result));
}

RULE(rank) {
  return RuntimeValue(
      Tensor::scalar(ElementType::i64, static_cast<std::int64_t>(e.operand(0).extents().size())));
}

RULE(shape) {
  const Extents& extents = e.operand(0).extents();
  Tensor result(ElementType::i64, {static_cast<std::int64_t>(extents.size())});
  assign(result, extents);
  return RuntimeValue(std::move(result));
}

RULE(unitCount) {
  return RuntimeValue(Tensor::scalar(ElementType::i64, static_cast<std::int64_t>(e.operand(0).size())));
}

RULE(extent) {
  const auto value = e.extent(ExtentValue(e.instruction).extent());
  auto result = e.result();
  if (!value || !result) return std::nullopt;
  result->set(0, *value);
  return RuntimeValue(std::move(*result));
}

}  // namespace rules
}  // namespace dlvm::evaluation
