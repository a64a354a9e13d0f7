// Structs of a network are structs in C++, in inputs, results, parameters, constants and states.
#include "structs.hpp"

#include <string>
#include <vector>

#include "check.h"

namespace {

bool equal(tel::View<const float, 3> view, float a, float b, float c) {
  return view(0) == a && view(1) == b && view(2) == c;
}

/// The results of a call that owns them are inputs of the next one.
void check_values(const structs::Parameters& parameters, const structs::Constants& constants) {
  const std::vector<float> x(2 * 3, 1), offset{10, 20, 30};
  structs::State state;
  const structs::Line line{.slope = 3, .offset = offset};
  const structs::Fit fit{.line = line, .rounds = 7, .class_ = true};
  const auto first = structs::forward({.x = {x, 2}, .fit = fit}, parameters, state);
  CHECK(first.y(1, 2) == 3 + 3);
  CHECK(first.next.line.slope == 6);
  CHECK(equal(first.next.line.offset, 11, 21, 31));
  CHECK(first.next.rounds == 8 && !first.next.class_);
  CHECK(state.last.slope() == 3 && equal(state.last.offset, 10, 20, 30));
  const auto second = structs::forward({.x = {x, 2}, .fit = first.next}, parameters, state);
  CHECK(second.next.line.slope == 12 && second.next.rounds == 9 && second.next.class_);
  CHECK(equal(second.next.line.offset, 21, 41, 61));
  const auto third =
      structs::evaluate({.x = {x, 2}, .fit = {.line = first.next.line}}, parameters, constants, state);
  CHECK(third.L == 2 * (11 + 21 + 31) + 4 * 6 + 6);
  CHECK(third.both.slope == 6 && equal(third.both.offset, 0, 5, 0));
}

/// Results are written to where the views of a struct point.
void check_views(structs::Parameters& parameters, const structs::Constants& constants) {
  const std::vector<float> x(3, 1), offset{10, 20, 30};
  float written[3] = {};
  structs::State state;
  tel::Workspace workspace(structs::step_workspace(1));
  const auto done = structs::step({.x = {x, 1}, .fit = {.line = {.slope = 1, .offset = offset}}}, parameters,
                                  constants, state, {.next = {.line = {.offset = written}}}, workspace);
  CHECK(written[1] == 21 && done.next.line.offset.data() == written && done.next.rounds == 1);
  CHECK(parameters.start.slope() == 2 - 60 && equal(parameters.start.offset, 1 - 4, 2 - 4, 3 - 4));
  const structs::Line again = done.next.line;
  CHECK(again.slope == 2 && again.offset.data() == written);
}

void check_gradients(const structs::Parameters& parameters, const structs::Constants& constants) {
  const std::vector<float> x(3, 1), offset{10, 20, 30};
  structs::State state;
  const structs::Fit fit{.line = {.slope = 1, .offset = offset}};
  const auto result = structs::gradient({.x = {x, 1}, .fit = fit}, parameters, constants, state);
  CHECK(result.gradient.start.slope() == 60 && equal(result.gradient.start.offset, 4, 4, 4));
  const auto by_fit = structs::by_fit({.fit = fit}, parameters, constants, state);
  CHECK(equal(by_fit.gradient.fit_line_offset, 2, 2, 2));
  CHECK(by_fit.next.rounds == 1);
}

/// A field that is not set is named with its path.
void check_errors(const structs::Parameters& parameters) {
  const std::vector<float> x(3, 1), few(2);
  structs::State state;
  const auto missing = structs::try_forward({.x = {x, 1}, .fit = {.rounds = 1}}, parameters, state);
  CHECK(!missing && missing.status() == tel::Status::invalid_argument);
  CHECK(std::string(missing.error().text) ==
        "structs::forward: the input 'fit.line.offset' is not set: its pointer is null");
  const auto short_ =
      structs::try_forward({.x = {x, 1}, .fit = {.line = {.offset = few}, .rounds = 1}}, parameters, state);
  CHECK(!short_ && std::string(short_.error().text) ==
                       "structs::forward: the input 'fit.line.offset' has 2 elements, expected [3]");
}

}  // namespace

int main() {
  structs::Parameters parameters(1);
  structs::Constants constants(tel::zeros);
  constants.speed.slope() = 4;
  constants.speed.offset(1) = 5;
  static_assert(std::is_same_v<structs::Network::Line, structs::Line>);
  check_values(parameters, constants);
  check_gradients(parameters, constants);
  check_errors(parameters);
  check_views(parameters, constants);
  parameters.save("structs.safetensors");
  CHECK(structs::Parameters::load("structs.safetensors").start.slope() == 2 - 60);
}
