// States that calls write in place: after an error they are as they were, and inputs may be parts of them.
#include "in_place.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "check.h"

namespace {

using in_place::State;

std::vector<float> values(float first) {
  std::vector<float> x(8);
  for (std::size_t k = 0; k < 8; ++k) x[k] = first + float(k);
  return x;
}

/// Neither the rows nor the marks are copied, so that calls take no memory for them.
void check_workspace() { CHECK(in_place::forward_workspace(2) < 4096); }

void check_rows(const in_place::Parameters& parameters, State& state) {
  const std::vector<float> x = values(1);
  const std::vector<std::int32_t> i{0, -1}, j{7, 7};
  const auto result = in_place::forward({.x = {x, 2}, .i = i, .j = j}, parameters, state);
  CHECK(result.first[0] == 0);
  CHECK(state.rows(0, 0) == 1 && state.rows(0, 3) == 4);
  CHECK(state.rows(999999, 0) == 5 && state.rows(999999, 3) == 8);
  CHECK(state.marks(7, 0) == 10 && state.marks(7, 3) == 16);  // the last of equal positions
  CHECK(state.rows(1, 0) == 0 && state.marks(0, 0) == 0);
  CHECK(state.count() == 2);
}

/// The marks are checked behind the rows, which stay as they are all the same.
void check_error(const in_place::Parameters& parameters, State& state) {
  const std::vector<float> x = values(100);
  for (const bool in_marks : {false, true}) {
    const std::vector<std::int32_t> good{0, 1}, bad{2, 1000000};
    const auto result = in_place::try_forward(
        {.x = {x, 2}, .i = in_marks ? good : bad, .j = in_marks ? bad : good}, parameters, state);
    CHECK(!result);
    CHECK(std::string(result.error().text) == std::string("in_place::forward: ") + (in_marks ? "j" : "i") +
                                                  "[1] is 1000000, expected -1000000 to 999999");
    CHECK(state.rows(0, 0) == 1 && state.rows(1, 0) == 0 && state.rows(2, 0) == 0);
    CHECK(state.marks(0, 0) == 0 && state.marks(1, 0) == 0 && state.marks(7, 0) == 10);
    CHECK(state.count() == 2);
  }
}

/// The input is where the rows are written.
void check_input_in_state(const in_place::Parameters& parameters, State& state) {
  for (std::size_t k = 0; k < 12; ++k) state.rows.data()[k] = float(k);
  const std::vector<std::int32_t> i{1, 0}, j{0, 1};
  const auto result = in_place::forward({.x = {state.rows.data(), 2}, .i = i, .j = j}, parameters, state);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(state.rows(1, k) == float(k) && state.rows(0, k) == float(k + 4));
    CHECK(result.y(0, k) == float(k) && result.first[k] == float(k));
  }
}

}  // namespace

int main() {
  const in_place::Parameters parameters;
  State state;
  check_workspace();
  check_rows(parameters, state);
  check_error(parameters, state);
  check_input_in_state(parameters, state);
  std::vector<float> x = values(1);
  const std::vector<std::int32_t> i{3, 4}, j{5, 6};
  for (const int threads : {2, 3}) {
    in_place::forward({.x = {x, 2}, .i = i, .j = j}, parameters, state, {.execution = tel::threads(threads)});
    CHECK(state.rows(3, 1) == 2 && state.rows(4, 1) == 6 && state.marks(6, 0) == 10);
  }
}
