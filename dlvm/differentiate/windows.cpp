// The derivatives of convolutions and of reductions of windows. Each adjoint of a convolution is a
// convolution, so all orders follow from one row. With y[o] = Σ x[(o s + t r - low) / l] k[t] over the taps t
// that meet an element, stride s, left dilation l and right dilation r:
//  - By the input, element i gets Σ y'[o] k[t] over o s = i l + low - t r. With the taps reversed, t = d - 1
//  -
//    t', this is a convolution of y' by stride l, left dilation s, right dilation r and the padding (d - 1) r
//    - low, in which the filters and the channels of a group change places.
//  - By the kernel, tap t gets Σ y'[o] x[(t r + o s - low) / l]: a convolution by stride r, right dilation s
//    and left dilation l of x by y', in which the batch is contracted as the channels are elsewhere.
// The padding behind is what makes the result's extent that of the operand; it is negative where the strides
// left a remainder.
#include <limits>
#include <numeric>
#include <ranges>

#include "dlvm/differentiate/reductions.h"
#include "dlvm/differentiate/transposes.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm::transposes {
namespace {

using reductions::combinator_partials;

/// The axis along which an operand's cotangent is computed from the result's.
WindowAxis by_input(const WindowAxis& axis) {
  WindowAxis adjoint{axis.result(), axis.taps, axis.left_dilation};
  adjoint.left_dilation = axis.stride;
  adjoint.right_dilation = axis.right_dilation;
  adjoint.low = axis.tap_span() - 1 - axis.low;
  adjoint.high = axis.input_span() - adjoint.input_span() + axis.low;
  return adjoint;
}

/// The axis along which a kernel's cotangent is computed from the result's, which is the kernel there.
WindowAxis by_kernel(const WindowAxis& axis) {
  WindowAxis adjoint{axis.input, axis.result(), axis.right_dilation, axis.low};
  adjoint.left_dilation = axis.left_dilation;
  adjoint.right_dilation = axis.stride;
  adjoint.high = axis.tap_span() - 1 + adjoint.tap_span() - axis.input_span() - axis.low;
  return adjoint;
}

std::vector<WindowAxis> map(const std::vector<WindowAxis>& axes, WindowAxis (*adjoint)(const WindowAxis&)) {
  std::vector<WindowAxis> result;
  for (const WindowAxis& axis : axes) result.push_back(adjoint(axis));
  return result;
}

/// `x` with axis `divided` taken as [groups, rest], the axis `other` moved between the two, and both joined
/// to one axis [groups, other]: with two groups, [a, 2 b, …] by `divided` = 1 becomes [b, 2 a, …].
Value* exchange(Builder& b, Value* x, std::size_t divided, const Extent& groups) {
  const std::size_t other = 1 - divided;
  const Shape shape = x->type().shape();
  Integers permutation(shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  if (groups.is(1)) {
    std::swap(permutation[0], permutation[1]);
    return b.transpose(x, std::move(permutation));
  }
  const Extent rest = *Extent::exact_divide(shape[divided], groups);
  Shape split(shape);
  split[divided] = groups;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(divided) + 1, rest);
  // [groups, rest, other] or [other, groups, rest] → [rest, groups, other] or [groups, other, rest].
  permutation.push_back(static_cast<std::int64_t>(shape.size()));
  const Integers front = divided == 0 ? Integers{0, 2, 1} : Integers{2, 1, 0};
  std::copy(front.begin(), front.end(), permutation.begin());
  Shape joined(shape);
  joined[divided] = groups * shape[other];
  joined[other] = rest;
  return b.shape_cast(b.transpose(b.shape_cast(x, std::move(split)), std::move(permutation)),
                      std::move(joined));
}

}  // namespace

Value* convolve(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const Convolve convolution(primal);
  const auto axes = convolution.axes();
  const std::int64_t groups = convolution.groups();
  if (operand == 0) {
    Integers spatial(axes.size());
    std::iota(spatial.begin(), spatial.end(), 2);
    // [groups · filters, channels, …] → [groups · channels, filters, …]
    Value* kernel = b.reverse(convolution.kernel(), std::move(spatial));
    kernel = exchange(b, kernel, 0, groups);
    return b.convolve(cotangent, kernel, map(axes, by_input), groups);
  }
  // [batch, groups · channels, …] → [channels, groups · batch, …], [batch, filters, …] → [filters, batch, …]
  Value* input = exchange(b, convolution.input(), 1, groups);
  Value* result = b.convolve(input, exchange(b, cotangent, 0, 1), map(axes, by_kernel), groups);
  return exchange(b, result, 0, 1);
}

namespace {

/// The elements of an operand that the taps of a window meet, made of views.
class Windows {
 public:
  /// `fill` counts outside of the operand.
  Windows(Builder& b, const ReduceWindow& window, Value* fill)
      : b_(b), input_(window.input()), axes_(window.axes()), padded_(input_) {
    for (std::size_t i = 0; i < axes_.size(); ++i) spread(i, fill);
    pad(fill);
  }

  /// Returns the number of taps of a window.
  std::size_t count() const {
    std::size_t taps = 1;
    for (const WindowAxis& axis : axes_) taps *= static_cast<std::size_t>(*axis.taps.constant());
    return taps;
  }
  /// Returns the elements that the tap of this number, in row-major order, meets; of the result's shape.
  Value* tap(std::size_t number) {
    Shape from, upto;
    Integers steps;
    for (const WindowAxis& axis : std::views::reverse(axes_)) {
      const auto taps = static_cast<std::size_t>(*axis.taps.constant());
      from.emplace_back(static_cast<std::int64_t>(number % taps));
      upto.push_back(from.back() + axis.result() * Extent(axis.stride));
      steps.push_back(axis.stride);
      number /= taps;
    }
    for (Shape* bounds : {&from, &upto}) std::ranges::reverse(*bounds);
    std::ranges::reverse(steps);
    return b_.slice(padded_, std::move(from), std::move(upto), std::move(steps));
  }
  /// Adds the cotangent, if it is not null, of a value that `tap` returned.
  void add(Value* tap, Value* cotangent) {
    if (cotangent == nullptr) return;
    Value* padded = slice(b_, *as_instruction(tap), 0, cotangent);
    total_ = total_ == nullptr ? padded : b_.add(total_, padded);
  }
  /// Returns the operand's cotangent from what was added, or null; adds that of the fill to `*fill`, if
  /// given.
  Value* finish(Value** fill = nullptr) {
    Value* cotangent = total_;
    for (Instruction* view : std::views::reverse(views_)) {
      if (cotangent == nullptr) return nullptr;
      if (view->opcode() == Opcode::pad && fill != nullptr) {
        Value* part = transposes::pad(b_, *view, 1, cotangent);
        *fill = *fill == nullptr ? part : b_.add(*fill, part);
      }
      cotangent = std::get<Linear>(derivative_row(view->opcode()).rule).transpose(b_, *view, 0, cotangent);
    }
    return cotangent;
  }

 private:
  void take(Value* view) {
    if (view != padded_) views_.push_back(as_instruction(view));
    padded_ = view;
  }
  /// Elements `left_dilation` apart: a matrix of rows of an element and the fill. `pad` takes the last row's
  /// fill away.
  void spread(std::size_t i, Value* fill) {
    const std::int64_t spacing = axes_[i].left_dilation;
    if (spacing == 1) return;
    const auto at = static_cast<std::int64_t>(i) + 1;
    take(b_.pad_shape(padded_, at));
    ExtentPairs rows(axes_.size() + 1);
    rows[i + 1].second = spacing - 1;
    take(b_.pad(padded_, std::move(rows), fill));
    Shape flat = padded_->type().shape();
    flat[i] = flat[i] * Extent(spacing);
    flat.erase(flat.begin() + at);
    take(b_.shape_cast(padded_, std::move(flat)));
  }
  /// The padding, and as much behind as lets a slice end a whole stride after its last element. What is
  /// negative is cut off afterwards: there may be less of the input.
  void pad(Value* fill) {
    ExtentPairs amounts;
    Shape from, upto;
    bool cuts = false;
    for (const WindowAxis& axis : axes_) {
      const Extent low = axis.low, high = axis.high + axis.stride - 1;
      const bool cuts_low = low.constant().value_or(0) < 0, cuts_high = high.constant().value_or(0) < 0;
      amounts.emplace_back(cuts_low ? Extent(0) : low, cuts_high ? Extent(0) : high);
      from.push_back(cuts_low ? Extent(-1) * low : Extent(0));
      upto.push_back((cuts_high ? high : Extent(0)) - (axis.left_dilation - 1));
      cuts = cuts || cuts_low || cuts_high || axis.left_dilation > 1;
    }
    take(b_.pad(padded_, std::move(amounts), fill));
    if (!cuts) return;
    for (std::size_t i = 0; i < axes_.size(); ++i) upto[i] = upto[i] + padded_->type().shape()[i];
    take(b_.slice(padded_, std::move(from), std::move(upto)));
  }

  Builder& b_;
  Value* input_;
  std::vector<WindowAxis> axes_;
  Value* padded_;
  std::vector<Instruction*> views_;  ///< from the operand to the padded one
  Value* total_ = nullptr;
};

/// The initial value counts once, and once for each position of a window that is outside.
Value* sum_by_initial(Builder& b, const ReduceWindow& window, Value* cotangent) {
  const auto axes = window.axes();
  const ElementType element = cotangent->type().element();
  double taps = 1;
  for (const WindowAxis& axis : axes) taps *= static_cast<double>(*axis.taps.constant());
  Value* inside =
      b.reduce_window(ones(b, window.input()->type()), window.combinator(), b.constant(element, 0), axes);
  Value* times = b.subtract(b.constant(element, taps + 1), inside);
  return unbroadcast(b, scaled(b, cotangent, Expression{&b, times}), window.initial()->type());
}

/// As for a reduction: each element of a window that equals the extremum has an equal share, and so has the
/// initial value, unless it is the identity.
Value* window_extremum(Builder& b, const ReduceWindow& window, Value* result, std::size_t operand,
                       Value* cotangent) {
  const ElementType element = cotangent->type().element();
  Value *one = b.constant(element, 1), *zero = b.constant(element, 0), *count = nullptr;
  Windows windows(b, window, b.constant(element, std::numeric_limits<double>::quiet_NaN()));
  std::vector<std::pair<Value*, Value*>> taps;
  for (std::size_t i = 0; i < windows.count(); ++i) {
    Value* tap = windows.tap(i);
    taps.emplace_back(tap, b.binary(Opcode::equal, tap, result));
    Value* attains = b.select(one, zero, taps.back().second);
    count = count == nullptr ? attains : b.add(count, attains);
  }
  Value* initial = b.binary(Opcode::equal, window.initial(), result);
  if (!reductions::is_identity(window.combinator(), window.initial()))
    count = b.add(count, b.select(one, zero, initial));
  Value* share = b.divide(cotangent, count);
  if (operand == 1) return unbroadcast(b, b.select(share, zero, initial), window.initial()->type());
  for (const auto& [tap, attains] : taps) windows.add(tap, b.select(share, zero, attains));
  return windows.finish();
}

/// The elements of each window taken one by one, s(k) = f(s(k - 1), x(k)), backwards.
Value* window_steps(Builder& b, const ReduceWindow& window, std::size_t operand, Value* cotangent) {
  const Combinator& by = window.combinator();
  Windows windows(b, window, window.initial());
  std::vector<Value*> taps, states{stretched(b, window.initial(), cotangent->type().shape())};
  for (std::size_t i = 0; i < windows.count(); ++i) {
    taps.push_back(windows.tap(i));
    states.push_back(reductions::combine(b, by, states.back(), taps.back()));
  }
  for (std::size_t i = taps.size(); i-- > 0 && cotangent != nullptr;) {
    const auto [by_state, by_tap] = combinator_partials(b, by, states[i], taps[i]);
    windows.add(taps[i], scaled(b, cotangent, Expression{&b, by_tap}));
    cotangent = scaled(b, cotangent, Expression{&b, by_state});
  }
  if (operand == 0) return windows.finish();
  Value* initial = cotangent == nullptr ? nullptr : unbroadcast(b, cotangent, window.initial()->type());
  windows.finish(&initial);
  return initial;
}

}  // namespace

Value* reduce_window(Builder& b, Instruction& primal, std::size_t operand, Value* cotangent) {
  const ReduceWindow window(primal);
  const Combinator& by = window.combinator();
  if (reductions::is_extremum(by)) return window_extremum(b, window, &primal, operand, cotangent);
  if (!reductions::is_sum(by)) return window_steps(b, window, operand, cotangent);
  if (operand == 1) return sum_by_initial(b, window, cotangent);
  return b.reduce_window(cotangent, by, b.constant(cotangent->type().element(), 0),
                         map(window.axes(), by_input));
}

}  // namespace dlvm::transposes
