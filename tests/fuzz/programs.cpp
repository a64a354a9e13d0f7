#include "tests/fuzz/programs.h"

#include <algorithm>

#include "tests/fuzz/draw.h"

namespace fuzz {

using namespace dlvm;

namespace {

constexpr ElementType element = ElementType::f64;
const Extent n = Extent::dimension("N");

class Growth : Draw {
 public:
  Growth(Builder& b, std::uint64_t seed, const std::vector<Value*>& arguments)
      : Draw(seed), b_(b), pool_(arguments) {}

  void step();
  std::vector<Value*> last(std::size_t count) const {
    return {pool_.end() - static_cast<std::ptrdiff_t>(std::min(count, pool_.size())), pool_.end()};
  }

 private:
  /// Later values more often, so that programs are deep.
  Value* any() { return pool_[std::max(below(pool_.size()), below(pool_.size()))]; }
  Value* constant(double v) { return b_.constant(element, v); }
  /// In (-1, 1), and in (0.4, 2.4).
  Value* bounded(Value* x) { return b_.unary(Opcode::tanh, x); }
  Value* positive(Value* x) { return b_.add(bounded(x), constant(1.4)); }
  std::int64_t axis_of(Value* x) { return static_cast<std::int64_t>(below(x->type().rank())); }

  Value* unary();
  Value* binary();
  Value* choice();
  Value* moved();
  Value* joined();
  Value* indexed();
  Value* aggregated();
  Value* sorted(Value* x);
  Value* contracted();
  Value* windowed();
  Value* partner(Value* x);

  Builder& b_;
  std::vector<Value*> pool_;
};

/// A value that broadcasts with `x`.
Value* Growth::partner(Value* x) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    Value* y = any();
    std::string why;
    if (broadcast_shapes(x->type().shape(), y->type().shape(), why)) return y;
  }
  return x;
}

Value* Growth::unary() {
  Value* x = any();
  constexpr Opcode anywhere[]{Opcode::tanh, Opcode::sin,   Opcode::cos, Opcode::atan,
                              Opcode::erf,  Opcode::asinh, Opcode::abs, Opcode::negate};
  constexpr Opcode near_zero[]{Opcode::exp,          Opcode::expm1,  Opcode::sinh,
                               Opcode::cosh,         Opcode::erfc,   Opcode::normalCdf,
                               Opcode::geluTanhOdds, Opcode::square, Opcode::tan};
  constexpr Opcode above_zero[]{Opcode::log, Opcode::sqrt, Opcode::rsqrt, Opcode::log1p, Opcode::lgamma};
  switch (below(3)) {
    case 0:
      return b_.unary(anywhere[below(std::size(anywhere))], x);
    case 1:
      return b_.unary(near_zero[below(std::size(near_zero))], bounded(x));
    default:
      return b_.unary(above_zero[below(std::size(above_zero))], positive(x));
  }
}

Value* Growth::binary() {
  Value *x = any(), *y = partner(x);
  switch (below(9)) {
    case 0:
      return b_.add(x, y);
    case 1:
      return b_.subtract(x, y);
    case 2:
      return b_.multiply(bounded(x), y);
    case 3:
      return b_.divide(x, positive(y));
    case 4:
      return b_.binary(Opcode::max, x, y);
    case 5:
      return b_.binary(Opcode::min, x, y);
    case 6:
      return b_.binary(Opcode::power, positive(x), bounded(y));
    case 7:
      return b_.binary(Opcode::atan2, positive(x), y);
    default:
      return b_.binary(Opcode::power, bounded(x), constant(static_cast<double>(below(5))));
  }
}

Value* Growth::choice() {
  Value *x = any(), *y = partner(x);
  return b_.select(x, y, b_.binary(Opcode::greaterThan, b_.unary(Opcode::sin, y), constant(0.1)));
}

Value* Growth::moved() {
  Value* x = any();
  const Shape& shape = x->type().shape();
  const std::size_t rank = shape.size();
  if (rank == 0) return b_.pad_shape(x, 0);
  const auto axis = static_cast<std::size_t>(axis_of(x));
  switch (below(6)) {
    case 0: {
      Integers permutation(rank);
      for (std::size_t i = 0; i < rank; ++i) permutation[i] = static_cast<std::int64_t>(i);
      std::shuffle(permutation.begin(), permutation.end(), random_);
      return b_.transpose(x, permutation);
    }
    case 1:
      return b_.reverse(x, {axis_of(x)});
    case 2: {
      Shape from(rank), upto = shape;
      Integers steps(rank, 1);
      if (shape[axis].constant() && !shape[axis].is(0))
        from[axis] = Extent(static_cast<std::int64_t>(below(2)) % *shape[axis].constant());
      steps[axis] = 1 + static_cast<std::int64_t>(below(3));
      return b_.slice(x, from, upto, steps);
    }
    case 3: {
      ExtentPairs amounts(rank);
      amounts[axis] = {static_cast<std::int64_t>(below(2)), static_cast<std::int64_t>(below(3))};
      return b_.pad(x, amounts, constant(0.5));
    }
    case 4: {
      Shape flat{unit_count(shape)};
      return b_.shape_cast(x, flat);
    }
    default: {
      Shape wide = shape;
      wide.insert(wide.begin(), 2);
      return b_.broadcast(x, wide);
    }
  }
}

Value* Growth::joined() {
  Value* x = any();
  if (x->type().rank() == 0) return x;
  return b_.concatenate({x, b_.unary(Opcode::sin, x)}, axis_of(x));
}

/// Rows of an axis of at least one element, by index: some several times, some never.
Value* Growth::indexed() {
  Value* x = any();
  const Shape& shape = x->type().shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto extent = shape[axis].constant();
    if (!extent || *extent == 0) continue;
    Value* position = b_.iota({4}, 0, ElementType::i32);
    Value* index =
        b_.binary(Opcode::modulo, position,
                  b_.constant(ElementType::i32, static_cast<double>(std::min<std::int64_t>(*extent, 3))));
    Value* rows = b_.gather(x, {index}, {static_cast<std::int64_t>(axis)});
    if (below(2) == 0) return rows;
    constexpr Opcode combinators[]{Opcode::add, Opcode::max, Opcode::min};
    return b_.scatter(b_.unary(Opcode::cos, rows), x, {index}, {combinators[below(3)], nullptr},
                      {static_cast<std::int64_t>(axis)});
  }
  return x;
}

/// In order, or the largest.
Value* Growth::sorted(Value* x) {
  const Integers axis{axis_of(x)};
  const Extent& extent = x->type().shape()[static_cast<std::size_t>(axis[0])];
  if (below(2) == 0)
    return b_.create(
        Opcode::sort, {x},
        {below(2) == 0 ? Attribute() : Attribute(Combinator{Opcode::greaterThan, nullptr}), axis});
  const Extent count = extent.constant() ? Extent(std::min<std::int64_t>(*extent.constant(), 2)) : extent;
  return b_.extract(b_.create(Opcode::topk, {x}, {Shape{count}, axis}), 0);
}

Value* Growth::aggregated() {
  Value* x = any();
  if (x->type().rank() == 0) return x;
  constexpr Opcode combinators[]{Opcode::add, Opcode::multiply, Opcode::max, Opcode::min};
  const Combinator by{combinators[below(std::size(combinators))], nullptr};
  if (below(6) == 0) return sorted(x);
  x = bounded(x);
  if (below(3) == 0) return b_.scan(x, by, axis_of(x));
  if (below(6) == 0)
    return b_.create(Opcode::recurrence, {x, b_.unary(Opcode::cos, x)}, {Integers{axis_of(x)}});
  Integers axes{axis_of(x)};
  for (std::size_t i = 0; i < x->type().rank(); ++i)
    if (below(3) == 0 && static_cast<std::int64_t>(i) != axes[0])
      axes.push_back(static_cast<std::int64_t>(i));
  return b_.reduce(x, by, below(2) == 0 ? constant(0.7) : constant(by.opcode == Opcode::multiply), axes);
}

/// With itself or another, over an axis of equal extents; rank stays small.
Value* Growth::contracted() {
  Value *x = any(), *y = any();
  AxisPairs contract, batch;
  for (std::size_t i = 0; i < x->type().rank(); ++i)
    for (std::size_t j = 0; j < y->type().rank(); ++j) {
      if (x->type().shape()[i] != y->type().shape()[j]) continue;
      const auto used = [&](const AxisPairs& pairs) {
        return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
          return pair.first == static_cast<std::int64_t>(i) || pair.second == static_cast<std::int64_t>(j);
        });
      };
      if (used(contract) || used(batch)) continue;
      (below(3) == 0 ? batch : contract)
          .emplace_back(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
    }
  if (contract.empty() && batch.empty()) return b_.multiply(bounded(x), x);
  return b_.dot(bounded(x), bounded(y), contract, batch);
}

/// A reduction of windows over all axes, or a convolution by another value of as many axes, of one channel
/// and one filter. The padding behind leaves a window also where an axis is empty.
Value* Growth::windowed() {
  Value *x = any(), *y = any();
  const std::size_t rank = x->type().rank();
  if (rank == 0) return x;
  std::vector<WindowAxis> axes;
  const bool convolves = rank <= 3 && y->type().rank() == rank;
  for (std::size_t i = 0; i < rank; ++i) {
    const Extent taps = convolves ? y->type().shape()[i] : Extent(static_cast<std::int64_t>(1 + below(2)));
    WindowAxis axis{x->type().shape()[i], taps, static_cast<std::int64_t>(1 + below(2))};
    axis.low = static_cast<std::int64_t>(below(2));
    axis.high = taps;
    axis.left_dilation = static_cast<std::int64_t>(1 + below(4) / 3);
    if (axis.left_dilation > 1) axis.high = axis.high + axis.left_dilation;
    axes.push_back(std::move(axis));
  }
  if (!convolves) {
    constexpr Opcode combinators[]{Opcode::add, Opcode::max, Opcode::min, Opcode::multiply};
    const Combinator by{combinators[below(std::size(combinators))], nullptr};
    return b_.reduce_window(by.is(Opcode::multiply) ? bounded(x) : x, by, constant(0.5), axes);
  }
  const auto with_channel = [&](Value* v) { return b_.pad_shape(b_.pad_shape(v, 0), 0); };
  Value* result = b_.convolve(with_channel(bounded(x)), with_channel(bounded(y)), axes);
  return b_.squeeze_shape(b_.squeeze_shape(result, 0), 0);
}

void Growth::step() {
  using Grow = Value* (Growth::*)();
  constexpr Grow kinds[]{&Growth::unary,   &Growth::unary,      &Growth::binary,     &Growth::binary,
                         &Growth::choice,  &Growth::moved,      &Growth::moved,      &Growth::joined,
                         &Growth::indexed, &Growth::aggregated, &Growth::aggregated, &Growth::contracted,
                         &Growth::windowed};
  Value* made = (this->*kinds[below(std::size(kinds))])();
  // What would be large is left where it is: 48 elements at N = 3.
  if (unit_count(made->type().shape()).evaluate({{"N", 3}}).value_or(1000) <= 48 && made->type().rank() <= 4)
    pool_.push_back(made);
}

}  // namespace

Program random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  Program program;
  program.seed = seed;
  program.steps = 4 + static_cast<int>(below(9));
  const auto actual = static_cast<std::int64_t>(below(4));
  const std::size_t count = 1 + below(3);
  for (std::size_t i = 0; i < count; ++i) {
    Shape shape;
    std::vector<std::int64_t> extents;
    for (std::size_t axis = below(4); axis > 0; --axis) {
      const std::size_t kind = below(4);
      shape.push_back(kind == 0 ? n : kind == 1 ? Extent(1) : Extent(static_cast<std::int64_t>(kind)));
      extents.push_back(kind == 0 ? actual : static_cast<std::int64_t>(kind));
    }
    program.parameters.push_back(Type::tensor(element, shape));
    program.extents.push_back(extents);
  }
  return program;
}

Value* build(const Program& program, Builder& b, const std::vector<Value*>& arguments) {
  Growth growth(b, program.seed ^ 0x9e3779b97f4a7c15U, arguments);
  for (int i = 0; i < program.steps; ++i) growth.step();
  return b.tuple(growth.last(2));
}

}  // namespace fuzz
