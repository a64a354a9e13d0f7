// Rules of windows over axes: convolutions and reductions of windows.
#include <fmt/format.h>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/monoid.h"
#include "dlvm/interpret/operations.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::evaluation {
namespace {

/// The element of the operand that each tap of each result position meets along one axis; -1 outside.
struct Taps {
  std::int64_t results = 0, taps = 0;
  std::vector<std::int64_t> elements;
  std::int64_t at(std::int64_t result, std::int64_t tap) const {
    return elements[static_cast<std::size_t>(result * taps + tap)];
  }
};

/// `input`, `taps` and `results` are the extents that the tensors have.
std::optional<Taps> taps_along(Evaluation& e, const WindowAxis& axis, std::int64_t input, std::int64_t taps,
                               std::int64_t results) {
  const auto low = e.extent(axis.low), high = e.extent(axis.high);
  if (!low || !high) return std::nullopt;
  const std::int64_t free =
      (input - 1) * axis.left_dilation + *low + *high - (taps - 1) * axis.right_dilation;
  const std::int64_t expected = FloorDivide()(free, axis.stride) + 1;
  if (expected != results)
    return e.fail(
        InterpretError::Kind::extent,
        fmt::format("the windows over an axis of extent {} are {}, not {}", input, expected, results));
  Taps found{results, taps, {}};
  for (std::int64_t o = 0; o < results; ++o)
    for (std::int64_t t = 0; t < taps; ++t) {
      const std::int64_t position = o * axis.stride + t * axis.right_dilation - *low;
      const std::int64_t element = position / axis.left_dilation;
      const bool inside = position >= 0 && position % axis.left_dilation == 0 && element < input;
      found.elements.push_back(inside ? element : -1);
    }
  return found;
}

/// Advances a position in row-major order; false after the last one.
bool advance(Extents& position, const Extents& extents) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (++position[axis] < extents[axis]) return true;
    position[axis] = 0;
  }
  return false;
}

/// Calls `visit(tap, element)` with the numbers, in row-major order, of every tap of a window and of the
/// element that it meets, or -1.
template <typename Visit>
void for_each_tap(const std::vector<Taps>& axes, const Extents& input, const Extents& result, Visit visit) {
  Extents tap(axes.size()), taps;
  for (const Taps& axis : axes) taps.push_back(axis.taps);
  if (element_count(taps) == 0) return;
  std::int64_t number = 0;
  do {
    std::int64_t element = 0;
    for (std::size_t i = 0; i < axes.size() && element >= 0; ++i) {
      const std::int64_t at = axes[i].at(result[i], tap[i]);
      element = at < 0 ? -1 : element * input[i] + at;
    }
    visit(number++, element);
  } while (advance(tap, taps));
}

/// The operands of a convolution as [batch, groups, channels, positions] and [groups, filters, channels,
/// taps].
struct Convolution {
  std::vector<Taps> axes;
  Extents input, result;  ///< the spatial extents
  std::int64_t batch, groups, channels, filters;
};

template <typename Number>
void convolve(const Convolution& c, const std::vector<Number>& x, const std::vector<Number>& kernel,
              Tensor& result) {
  const std::int64_t area = element_count(c.input);
  std::int64_t taps = 1;
  for (const Taps& axis : c.axes) taps *= axis.taps;
  std::size_t to = 0;
  for (std::int64_t n = 0; n < c.batch; ++n)
    for (std::int64_t f = 0; f < c.groups * c.filters; ++f) {
      const std::int64_t first = (n * c.groups + f / c.filters) * c.channels;
      Extents at(c.result.size());
      do {
        Number sum{0};
        for_each_tap(c.axes, c.input, at, [&](std::int64_t tap, std::int64_t element) {
          for (std::int64_t k = 0; element >= 0 && k < c.channels; ++k)
            sum = Add()(sum, Multiply()(x[static_cast<std::size_t>((first + k) * area + element)],
                                        kernel[static_cast<std::size_t>((f * c.channels + k) * taps + tap)]));
        });
        result.set(to++, sum);
      } while (advance(at, c.result));
    }
}

}  // namespace

namespace rules {

RULE(convolve) {
  const Convolve instruction(e.instruction);
  const Tensor &x = e.operand(0), &kernel = e.operand(1);
  auto result = e.result();
  if (!result) return std::nullopt;
  const std::int64_t groups = instruction.groups();
  Convolution c{{}, {}, {}, x.extents()[0], groups, kernel.extents()[1], kernel.extents()[0] / groups};
  const auto axes = instruction.axes();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto taps = taps_along(e, axes[i], x.extents()[i + 2], kernel.extents()[i + 2], result->extents()[i + 2]);
    if (!taps) return std::nullopt;
    c.axes.push_back(std::move(*taps));
    c.input.push_back(x.extents()[i + 2]);
    c.result.push_back(result->extents()[i + 2]);
  }
  if (result->size() == 0) return RuntimeValue(std::move(*result));
  if (is_floating(x.element()))
    convolve(c, reals(x), reals(kernel), *result);
  else
    convolve(c, integers(x), integers(kernel), *result);
  return RuntimeValue(std::move(*result));
}

RULE(reduceWindow) {
  const ReduceWindow window(e.instruction);
  const Tensor &x = e.operand(0), &initial = e.operand(1);
  auto result = e.result();
  if (!result) return std::nullopt;
  const auto axes = window.axes();
  std::vector<Taps> taps;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto along = taps_along(e, axes[i], x.extents()[i], *axes[i].taps.constant(), result->extents()[i]);
    if (!along) return std::nullopt;
    taps.push_back(std::move(*along));
  }
  if (result->size() == 0) return RuntimeValue(std::move(*result));
  Accumulators sum(e, window.combinator(), x.element(), 1);
  Extents at(axes.size());
  std::size_t to = 0;
  bool good = true;
  do {
    sum.start(0, initial, 0);
    for_each_tap(taps, x.extents(), at, [&](std::int64_t, std::int64_t element) {
      good =
          good && (element < 0 ? sum.step(0, initial, 0) : sum.step(0, x, static_cast<std::size_t>(element)));
    });
    if (!good) return std::nullopt;
    sum.write(0, *result, to++);
  } while (advance(at, result->extents()));
  return RuntimeValue(std::move(*result));
}

}  // namespace rules
}  // namespace dlvm::evaluation
