// Rules of windows over axes: convolutions and reductions of windows.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dlvm/interpret/evaluation.h"
#include "dlvm/interpret/monoid.h"
#include "dlvm/interpret/operations.h"
#include "dlvm/interpret/products.h"
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

/// The elements that taps meet from the result's positions, of which some consecutive ones are looked at
/// together.
class Windows {
 public:
  static constexpr std::size_t most = 64;

  /// `input` and `results` are the extents of the operand and the result along these axes.
  Windows(std::vector<Taps> axes, Extents input, Extents results)
      : axes_(std::move(axes)), input_(std::move(input)), results_(std::move(results)), at_(axes_.size()) {
    for (const Taps& axis : axes_) taps_.push_back(axis.taps);
  }

  std::int64_t taps() const { return element_count(taps_); }
  std::int64_t positions() const { return element_count(results_); }
  std::int64_t elements() const { return element_count(input_); }

  /// Calls `visit(first, count)` for up to `most` positions at a time, in row-major order, until it returns
  /// false.
  template <typename Visit>
  bool for_each_positions(Visit visit) {
    Extents next(axes_.size());
    const auto all = static_cast<std::size_t>(positions());
    for (std::size_t first = 0; first < all; first += count_) {
      count_ = std::min(most, all - first);
      for (Extents& along : at_) along.clear();
      for (std::size_t p = 0; p < count_; ++p, advance(next, results_))
        for (std::size_t i = 0; i < at_.size(); ++i) at_[i].push_back(next[i]);
      if (!visit(first, count_)) return false;
    }
    return true;
  }

  /// Calls `visit(tap, p, element)` for every tap in row-major order, and for each tap for every position
  /// that is looked at; the element is -1 outside.
  template <typename Visit>
  void for_each_tap(Visit visit) const {
    if (taps() == 0) return;
    Extents tap(axes_.size());
    std::array<std::int64_t, most> elements{};
    std::size_t number = 0;
    do {
      elements.fill(0);
      for (std::size_t i = 0; i < axes_.size(); ++i)
        for (std::size_t p = 0; p < count_; ++p) {
          const std::int64_t along = axes_[i].at(at_[i][p], tap[i]);
          elements[p] = elements[p] < 0 || along < 0 ? -1 : elements[p] * input_[i] + along;
        }
      for (std::size_t p = 0; p < count_; ++p) visit(number, p, elements[p]);
      ++number;
    } while (advance(tap, taps_));
  }

 private:
  std::vector<Taps> axes_;
  Extents input_, results_, taps_;
  std::size_t count_ = 0;    ///< positions that are looked at
  std::vector<Extents> at_;  ///< where they are along each axis
};

/// The extents of a convolution's operands: [batch, groups, channels, elements] and [groups, filters,
/// channels, taps].
struct Convolution {
  std::size_t batch, groups, channels, filters, elements, taps, positions;
};

/// Returns matrices [rows x columns] as [columns x rows].
template <typename Number>
std::vector<Number> transposed(const std::vector<Number>& x, std::size_t rows, std::size_t columns) {
  std::vector<Number> result;
  result.reserve(x.size());
  for (std::size_t first = 0; first < x.size(); first += rows * columns)
    for (std::size_t column = 0; column < columns; ++column)
      for (std::size_t row = 0; row < rows; ++row) result.push_back(x[first + row * columns + column]);
  return result;
}

/// Returns the taps and channels of some filters from number `first` on.
template <typename Number>
Panel<Number> panel_of(const Convolution& c, const std::vector<Number>& kernel, std::size_t first,
                       std::size_t count) {
  Panel<Number> panel(c.taps * c.channels, count);
  for (std::size_t f = 0; f < count; ++f)
    for (std::size_t k = 0; k < c.channels; ++k)
      for (std::size_t tap = 0; tap < c.taps; ++tap)
        panel.at(tap * c.channels + k, f) = kernel[((first + f) * c.channels + k) * c.taps + tap];
  return panel;
}

/// Each element of the result is summed in the order of the taps, and for each tap of the channels.
template <typename Number>
void convolve(const Convolution& c, Windows& windows, const std::vector<Number>& input,
              const std::vector<Number>& kernel, Tensor& result) {
  constexpr std::size_t widest = Panel<Number>::widest;
  const std::vector<Number> x = transposed(input, c.channels, c.elements);
  std::vector<Number> sums(Windows::most * widest);
  for (std::size_t filter = 0, count = 0; filter < c.groups * c.filters; filter += count) {
    const std::size_t group = filter / c.filters;
    count = std::min(widest, (group + 1) * c.filters - filter);
    const Panel<Number> panel = panel_of(c, kernel, filter, count);
    for (std::size_t n = 0; n < c.batch; ++n) {
      const Number* from = x.data() + (n * c.groups + group) * c.elements * c.channels;
      windows.for_each_positions([&](std::size_t first, std::size_t positions) {
        std::fill(sums.begin(), sums.end(), Number{0});
        windows.for_each_tap([&](std::size_t tap, std::size_t p, std::int64_t element) {
          if (element < 0) return;
          panel.add_products(from + static_cast<std::size_t>(element) * c.channels, tap * c.channels,
                             c.channels, sums.data() + p * widest);
        });
        for (std::size_t f = 0; f < count; ++f)
          for (std::size_t p = 0; p < positions; ++p)
            result.set((n * c.groups * c.filters + filter + f) * c.positions + first + p,
                       sums[p * widest + f]);
        return true;
      });
    }
  }
}

}  // namespace

namespace rules {

RULE(convolve) {
  const Convolve instruction(e.instruction);
  const Tensor &x = e.operand(0), &kernel = e.operand(1);
  auto result = e.result();
  if (!result) return std::nullopt;
  std::vector<Taps> taps;
  Extents input, results;
  const auto axes = instruction.axes();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    input.push_back(x.extents()[i + 2]);
    results.push_back(result->extents()[i + 2]);
    auto along = taps_along(e, axes[i], input.back(), kernel.extents()[i + 2], results.back());
    if (!along) return std::nullopt;
    taps.push_back(std::move(*along));
  }
  if (result->size() == 0) return RuntimeValue(std::move(*result));
  Windows windows(std::move(taps), std::move(input), std::move(results));
  const auto size = [](std::int64_t extent) { return static_cast<std::size_t>(extent); };
  const std::size_t groups = size(instruction.groups());
  const Convolution c{size(x.extents()[0]),      groups,
                      size(kernel.extents()[1]), size(kernel.extents()[0]) / groups,
                      size(windows.elements()),  size(windows.taps()),
                      size(windows.positions())};
  if (is_floating(x.element()))
    convolve(c, windows, reals(x), reals(kernel), *result);
  else
    convolve(c, windows, integers(x), integers(kernel), *result);
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
  Windows windows(std::move(taps), x.extents(), result->extents());
  Accumulators sums(e, window.combinator(), x.element(), Windows::most);
  const bool good = windows.for_each_positions([&](std::size_t first, std::size_t positions) {
    bool good = true;
    for (std::size_t p = 0; p < positions; ++p) sums.start(p, initial, 0);
    windows.for_each_tap([&](std::size_t, std::size_t p, std::int64_t element) {
      good = good &&
             (element < 0 ? sums.step(p, initial, 0) : sums.step(p, x, static_cast<std::size_t>(element)));
    });
    for (std::size_t p = 0; p < positions && good; ++p) sums.write(p, *result, first + p);
    return good;
  });
  if (!good) return std::nullopt;
  return RuntimeValue(std::move(*result));
}

}  // namespace rules
}  // namespace dlvm::evaluation
