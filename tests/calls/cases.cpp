// Enums of a network with payloads are structs in C++, with a function that makes a value of each case.
#include "cases.hpp"

#include <string>
#include <vector>

#include "check.h"

namespace {

using cases::Drawn;
using cases::Line;
using cases::Shape;
using cases::ShapeKind;
using cases::Way;

const std::vector<float> two{1, 2}, three{1, 2, 3};

float area_of(const Shape& shape) {
  cases::State state;
  const auto result = cases::forward({.shape = shape, .scene = {two, Drawn::one(Shape::double_(0))}}, state);
  return result.y;
}

void check_values() {
  CHECK(area_of(Shape::double_(3)) == 6);
  CHECK(area_of(Shape::box(two, three)) == 18);
  CHECK(area_of(Shape::kind_()) == 100);
  CHECK(area_of(Shape::line({.slope = 7, .offset = three}, Way::up)) == 7);
  CHECK(area_of(Shape::line({.slope = 7, .offset = three}, Way::down)) == 6);
  static_assert(std::is_same_v<cases::Network::Shape, Shape> && sizeof(ShapeKind) == 4);
}

/// Enums in enums, and results that are the inputs of the next call.
void check_nested() {
  cases::State state;
  const std::vector<tel::float16> by{tel::float16(2.0f), tel::float16(4.0f)};
  const Drawn drawn = Drawn::two(Shape::kind_(), by, Shape::double_(1));
  const auto first = cases::forward({.shape = Shape::box(two, three), .scene = {two, drawn}}, state);
  CHECK(first.y == 18 + 1000 * (200 + 8));
  CHECK(first.both.x(1) == 4 && first.both.drawn.kind == cases::DrawnKind::two);
  CHECK(first.both.drawn.two_0.kind == ShapeKind::box && first.both.drawn.two_0.box_1(2) == 3);
  CHECK(first.both.drawn.two_1(1) == 3 && first.both.drawn.two_2.line_0.slope == 5);
  // What is of other cases is zero.
  CHECK(first.both.drawn.one_0.kind == ShapeKind::double_ && first.both.drawn.one_0.box_0(0) == 0);
  CHECK(first.both.drawn.two_0.double_0 == 0 && first.both.drawn.two_2.box_0(1) == 0);
  const auto second = cases::forward({.shape = first.both.drawn.two_2, .scene = first.both}, state);
  CHECK(second.y == 5 + 1000 * (2 * 18 + 3 * 5));
}

/// A state is the number of its case and the payloads.
void check_states() {
  cases::State state;
  CHECK(state.last.kind() == ShapeKind::box && state.last.box_0(1) == 0.5f);
  const cases::ForwardInputs inputs{.shape = Shape::kind_(), .scene = {two, Drawn::one(Shape::kind_())}};
  const auto first = cases::forward(inputs, state);
  CHECK(first.before.kind == ShapeKind::box && first.before.box_0(1) == 0.5f && first.before.box_1(2) == 1);
  CHECK(state.last.kind() == ShapeKind::kind && state.last.box_0(1) == 0);
  CHECK(cases::forward(inputs, state).before.kind == ShapeKind::kind);

  cases::Constants constants(tel::zeros);
  constants.fixed.kind() = ShapeKind::box;
  constants.fixed.box_0(0) = 3;
  constants.fixed.box_1(2) = 4;
  const auto done = cases::evaluate({.shape = Shape::double_(1), .scene = {two, Drawn::one(Shape::kind_())}},
                                    constants, state);
  CHECK(done.same == 2 + 12 && done.L == 4);
}

void check_gradients() {
  const auto box = cases::by_shape({.shape = Shape::box(two, three)});
  CHECK(box.gradient.shape_box_0(0) == 2 * 18 * 6 && box.gradient.shape_box_1(2) == 2 * 18 * 3);
  CHECK(box.gradient.shape_double_0 == 0 && box.gradient.shape_line_0_offset(1) == 0);
  const auto line = cases::by_shape({.shape = Shape::line({.slope = 7, .offset = three}, Way::up)});
  CHECK(line.gradient.shape_line_0_slope == 14 && line.gradient.shape_line_0_offset(1) == 0);
  CHECK(line.gradient.shape_box_0(0) == 0 && line.gradient.shape_box_1(2) == 0);
}

std::string error_of(const Shape& shape, const Drawn& drawn) {
  cases::State state;
  const auto result = cases::try_forward({.shape = shape, .scene = {two, drawn}}, state);
  CHECK(!result);
  return result.error().text;
}

/// Numbers that no case has, also of an enum in a payload. What is of another case is not looked at.
void check_errors() {
  Shape wrong = Shape::double_(1);
  wrong.kind = static_cast<ShapeKind>(4);
  CHECK(error_of(wrong, Drawn::one(Shape::kind_())) == "cases::forward: shape.kind is 4, expected 0 to 3");
  CHECK(error_of(Shape::kind_(), Drawn::one(wrong)) ==
        "cases::forward: scene.drawn.one_0.kind is 4, expected 0 to 3");
  Drawn hidden = Drawn::one(Shape::double_(3));
  hidden.two_2.kind = static_cast<ShapeKind>(-1);
  cases::State state;
  CHECK(cases::forward({.shape = Shape::kind_(), .scene = {two, hidden}}, state).y == 100 + 1000 * 6);
  CHECK(error_of({.kind = ShapeKind::box, .box_0 = two}, hidden) ==
        "cases::forward: the input 'shape.box_1' is not set: its pointer is null");
}

}  // namespace

int main() {
  check_values();
  check_nested();
  check_states();
  check_gradients();
  check_errors();
}
