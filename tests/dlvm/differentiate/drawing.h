#pragma once

#include <span>

#include "tests/dlvm/differentiate/derivatives.h"

/// Random functions of one differentiable instruction: element types, ranks 0 to 5 over constants, 1 and
/// named dimensions, every broadcast and every combination of attributes. The same seed gives the same.
namespace derivatives {

using Values = std::vector<Value*>;

/// An axis of a random tensor: its extent in the type, and in the run.
struct Axis {
  Extent extent;
  std::int64_t actual = 0;
};
using Axes = std::vector<Axis>;

/// A function of one instruction, and a point at which it is differentiated. Floating inputs are f64,
/// whatever the parameters' types: nothing is rounded.
struct Draw {
  std::vector<Type> parameters;
  std::vector<Tensor> inputs;
  std::function<Value*(Module&, Builder&, const Values&)> body;
};

/// What the functions that draw share: random choices, and the inputs of the draw that they make.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed);

  std::mt19937_64& random() { return random_; }
  std::int64_t below(std::int64_t end) {
    return std::uniform_int_distribution(std::int64_t{0}, end - 1)(random_);
  }
  bool one_in(std::int64_t count) { return below(count) == 0; }
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  template <typename List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(list))))];
  }
  ElementType floating();

  /// Returns axes of few elements; at least `min_rank` of them.
  Axes axes(std::size_t min_rank = 0, std::size_t max_rank = 5);
  Axis axis();
  /// Returns axes that broadcast to `whole`: some are missing, and some have extent 1.
  Axes stretching(const Axes& whole);
  std::int64_t axis_of(const Axes& axes) { return below(static_cast<std::int64_t>(axes.size())); }
  /// Returns some of the positions 0 to rank - 1, at least one, in any order.
  Integers some_axes(std::size_t rank);

  void add_input(const Axes& axes, double low = -1.2, double high = 1.2);
  void add_input(ElementType element, const Axes& axes, double low, double high);
  /// Adds an input without a derivative that gives the extents of dimensions.
  void add_dimensions(const Axes& axes);

  ElementType element;  ///< of the operands
  Draw draw;

 private:
  std::mt19937_64 random_;
  std::int64_t n_, m_;
};

Shape shape_of(const Axes& axes);
std::vector<std::int64_t> actual_extents(const Axes& axes);
std::int64_t element_count(const Axes& axes);

/// How to draw functions of an instruction.
struct Drawer {
  Opcode opcode;
  void (*draw)(Drawing&, Opcode);
};
/// Returns a row for each instruction that has a derivative, in parts by kind.
std::vector<Drawer> drawers();
std::span<const Drawer> elementwise_drawers();
std::span<const Drawer> shape_drawers();
std::span<const Drawer> aggregation_drawers();

}  // namespace derivatives
