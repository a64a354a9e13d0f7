// What calls carry from one to the next: the state of the network `mixed`, in memory and in files.
#include "mixed.hpp"

#include <array>
#include <concepts>
#include <string>
#include <utility>

#include "check.h"

namespace states {

bool is(const mixed::State& state, float first, float second, std::int64_t times) {
  return state.average(0) == first && state.average(1) == second && state.copy_() == times;
}

void test_calls() {
  mixed::State state;
  CHECK(is(state, 1, 2, 7));
  const std::array<float, 2> x{3, 4};
  const auto owned = mixed::count({.x = x}, state);
  CHECK(owned.before(0) == 1 && owned.before(1) == 2);
  CHECK(is(state, 2, 3, 8));
  tel::Workspace workspace(mixed::count_workspace());
  CHECK(mixed::count({.x = x}, state, workspace).before(0) == 2);
  CHECK(is(state, 2.5f, 3.5f, 9));
  std::array<float, 2> before{};
  mixed::count({.x = x}, state, {.before = before}, workspace);
  CHECK(before[1] == 3.5f && is(state, 2.75f, 3.75f, 10));
  CHECK(mixed::counted({}, std::as_const(state)).times == 10);
  auto pending = mixed::start_count({.x = x}, state, {.before = before}, workspace);
  CHECK(pending.wait().before(0) == 2.75f && state.copy_() == 11);
  mixed::Network::count({.x = x}, state);
  const mixed::State copied = state.copy();
  CHECK(copied.copy_() == 12);
  state.initialize(3);
  CHECK(is(state, 1, 2, 7) && copied.copy_() == 12);
}

void test_errors() {
  mixed::State state;
  const std::array<float, 2> x{3, 4};
  tel::Workspace small;
  CHECK(mixed::try_count({.x = x}, state, small).status() == tel::Status::workspace);
  CHECK(mixed::try_count({}, state).status() == tel::Status::invalid_argument);
  CHECK(is(state, 1, 2, 7));
}

void test_files() {
  mixed::State state;
  const std::array<float, 2> x{3, 4};
  mixed::count({.x = x}, state);
  state.save("state.safetensors");
  CHECK(is(mixed::State::load("state.safetensors"), 2, 3, 8));

  const mixed::Parameters parameters(1);
  mixed::Constants constants(tel::zeros);
  constants.flat_(1) = tel::float16(0.5f);
  parameters.save("all.safetensors", constants, state);
  CHECK(is(mixed::State::load("all.safetensors"), 2, 3, 8));
  CHECK(mixed::Parameters::load("all.safetensors").scale() == 2.5);
  CHECK(float(mixed::Constants::load("all.safetensors").flat_(1)) == 0.5f);
  parameters.save("two.safetensors", state);
  const auto part = mixed::State::load("two.safetensors", tel::partial, 0);
  CHECK(is(part.value, 2, 3, 8) && part.loaded.size() == 2 && part.kept.empty() &&
        part.passed_over.size() == 3);
  CHECK(mixed::State::try_load("two.safetensors") &&
        mixed::Constants::try_load("two.safetensors").status() == tel::Status::tensors);
}

template <class State>
concept changed_by_count = requires(State& state) { mixed::count({}, state); };
static_assert(changed_by_count<mixed::State> && !changed_by_count<const mixed::State>);

void run() {
  test_calls();
  test_errors();
  test_files();
}

}  // namespace states
