// Rules of the instructions that take indices computed at run time. One outside is an error that names the
// index, its position and the bound; gather and scatter look at none where they have no element to move.
#include <fmt/format.h>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/monoid.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation {
namespace {

using Kind = InterpretError::Kind;

/// Whether the u64 or signed `index` lies in [first, end).
bool inside(const Tensor& indices, std::int64_t index, std::int64_t first, std::int64_t end) {
  if (indices.element() == ElementType::u64 && index < 0) return false;  // over 2^63
  return index >= first && index < end;
}

std::nullopt_t outside(Evaluation& e, const Tensor& indices, std::size_t at, std::int64_t first,
                       std::int64_t end) {
  const std::int64_t index = indices.integer(at);
  Extents position;
  std::int64_t rest = static_cast<std::int64_t>(at);
  for (const auto stride : strides_of(indices.extents())) {
    position.push_back(stride == 0 ? 0 : rest / stride);
    rest -= position.back() * stride;
  }
  const std::string value = indices.element() == ElementType::u64
                                ? fmt::format("{}", static_cast<std::uint64_t>(index))
                                : fmt::format("{}", index);
  return e.fail(Kind::index, position.empty()
                                 ? fmt::format("index {} is outside {} upto {}", value, first, end)
                                 : fmt::format("index {} at [{}] is outside {} upto {}", value,
                                               fmt::join(position, ", "), first, end));
}

/// A tensor's elements as [outer][joint][inner]: the axes before, at and after the indexed ones.
struct Blocks {
  std::int64_t outer = 1, joint = 1, inner = 1;
};
Blocks blocks(const Extents& extents, const Integers& axes) {
  Blocks blocks;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(extents.size()); ++i) {
    const std::int64_t extent = extents[static_cast<std::size_t>(i)];
    (i < axes.front() ? blocks.outer : i > axes.back() ? blocks.inner : blocks.joint) *= extent;
  }
  return blocks;
}

/// For each position of the index tensors (operands `first` …) the number of the element in the joint axes.
std::optional<std::vector<std::int64_t>> joint_indices(Evaluation& e, std::size_t first,
                                                       const Extents& extents, const Integers& axes) {
  std::vector<std::int64_t> joint(e.operand(first).size(), 0);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Tensor& indices = e.operand(first + k);
    const std::int64_t bound = extents[static_cast<std::size_t>(axes[k])];
    for (std::size_t i = 0; i < joint.size(); ++i) {
      const std::int64_t index = indices.integer(i);
      if (!inside(indices, index, 0, bound)) return outside(e, indices, i, 0, bound);
      joint[i] = joint[i] * bound + index;
    }
  }
  return joint;
}

}  // namespace

namespace rules {

RULE(gather) {
  const Tensor& input = e.operand(0);
  const Integers& axes = Gather(e.instruction).axes();
  auto result = e.result();
  if (!result || result->size() == 0) return result;
  const auto joint = joint_indices(e, 1, input.extents(), axes);
  if (!joint) return std::nullopt;
  const Blocks b = blocks(input.extents(), axes);
  const std::size_t run = static_cast<std::size_t>(b.inner) * info(input.element()).bytes;
  std::byte* to = result->data();
  for (std::int64_t outer = 0; outer < b.outer; ++outer)
    for (const std::int64_t index : *joint)
      to = std::copy_n(input.data() + static_cast<std::size_t>(outer * b.joint + index) * run, run, to);
  return RuntimeValue(std::move(*result));
}

RULE(scatter) {
  const Tensor &updates = e.operand(0), &input = e.operand(1);
  const Scatter scatter(e.instruction);
  const Integers& axes = scatter.axes();
  auto result = e.result();
  if (!result) return std::nullopt;
  if (updates.size() == 0) return e.operands[1];
  const auto joint = joint_indices(e, 2, input.extents(), axes);
  if (!joint) return std::nullopt;
  const Blocks b = blocks(input.extents(), axes);
  Accumulators sums(e, scatter.combinator(), input.element(), input.size());
  for (std::size_t i = 0; i < input.size(); ++i) sums.start(i, input, i);
  std::size_t update = 0;
  for (std::int64_t outer = 0; outer < b.outer; ++outer)
    for (const std::int64_t index : *joint)
      for (std::int64_t inner = 0; inner < b.inner; ++inner)
        if (!sums.step(static_cast<std::size_t>((outer * b.joint + index) * b.inner + inner), updates,
                       update++))
          return std::nullopt;
  for (std::size_t i = 0; i < input.size(); ++i) sums.write(i, *result, i);
  return RuntimeValue(std::move(*result));
}

RULE(checkIndex) {
  const Tensor& indices = e.operand(0);
  const CheckIndex check(e.instruction);
  const auto first = e.extent(check.first()), end = e.extent(check.end());
  if (!first || !end) return std::nullopt;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (inside(indices, indices.integer(i), *first, *end)) continue;
    if (!check.failure()) return outside(e, indices, i, *first, *end);
    return e.fail(Kind::memory, std::string(text_of_failure(*check.failure())));
  }
  return e.operands[0];
}

}  // namespace rules
}  // namespace dlvm::evaluation
