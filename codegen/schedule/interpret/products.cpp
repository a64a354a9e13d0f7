// Products whose sums are distributed over a block's threads, as one of these runs them.
#include <bit>
#include <cmath>
#include <map>

#include "codegen/schedule/interpret/thread.h"

namespace codegen::schedule::machine {

using dlvm::Tensor;

namespace {

/// Rounds to 10 bits of mantissa, to the nearest and in a tie away from zero, as tensor cores' tf32 does.
float to_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::isnan(x) ? x : std::bit_cast<float>((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace

/// The thread's own sums, each in the order of k.
void Thread::multiply_distributed(const MultiplyAccumulate& multiply) {
  const BufferId to = multiply.to.buffer;
  const InvertibleLayout& layout = *placement(to).layout();
  const std::int64_t depth = run_.extents(multiply.left.sizes)[multiply.left.sizes.size() - 2];
  using Line = std::vector<float>;
  const auto line_of = [&](const Tile& tile, std::int64_t other,
                           std::map<std::int64_t, Line>& known) -> Line& {
    const auto [found, added] = known.emplace(other, Line());
    if (!added) return found->second;
    const bool rounds =
        multiply.arithmetic == Arithmetic::tensor && buffer(tile.buffer).element == ElementType::f32;
    const Corner first = corner(tile);
    std::vector<std::int64_t> inside(tile.sizes.size(), 0);
    inside.back() = other;
    for (std::int64_t& k = inside[inside.size() - 2]; k < depth && !run_.error; ++k) {
      const auto one = element(first, inside);
      const auto value = static_cast<float>(one ? read(*one).real(0) : 0);
      found->second.push_back(rounds ? to_tf32(value) : value);
    }
    return found->second;
  };
  std::map<std::int64_t, Line> rows, columns;
  for (std::int64_t i = 0; i < layout.registers() && !run_.error; ++i) {
    const auto at = layout.coordinates({i, number_});
    const Line &left = line_of(multiply.left, at[0], rows), &right = line_of(multiply.right, at[1], columns);
    const Element element{to, static_cast<std::size_t>(i) * sizeof(float)};
    const auto before = static_cast<float>(read(element).real(0));
    const bool apart = multiply.arithmetic == Arithmetic::tensor_split;
    float sum = apart ? 0 : before;
    for (std::size_t k = 0; k < left.size() && k < right.size(); ++k) sum = std::fma(left[k], right[k], sum);
    write(element, Tensor::scalar(ElementType::f32, double{apart ? before + sum : sum}));
  }
}

/// Each thread its own.
void Thread::fill_distributed(const Fill& fill) {
  const InvertibleLayout& layout = *placement(fill.to.buffer).layout();
  const std::size_t bytes = dlvm::info(buffer(fill.to.buffer).element).bytes;
  for (std::int64_t i = 0; i < layout.registers(); ++i)
    write({fill.to.buffer, static_cast<std::size_t>(i) * bytes}, fill.value);
}

/// The thread holds it (verify.h).
Element Thread::own_element(BufferId id, std::span<const std::int64_t> indices) {
  const auto register_index =
      static_cast<std::size_t>(placement(id).layout()->holder(indices).register_index);
  return {id, register_index * dlvm::info(buffer(id).element).bytes};
}

}  // namespace codegen::schedule::machine
