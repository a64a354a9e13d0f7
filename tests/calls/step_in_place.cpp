// A step updates parameters and the optimizer's memory where they are: after an error they are as they were,
// and inputs cannot be parts of them.
#include "step_in_place.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

namespace {

using step_in_place::Gradients;
using step_in_place::Parameters;
using step_in_place::State;

struct Fixture {
  Parameters parameters{3};
  State state;
  std::vector<float> x = std::vector<float>(3 * 40);
  std::vector<std::int32_t> label{0, 299, 7};
  tel::Workspace workspace{step_in_place::step_workspace(3)};

  Fixture() {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i % 7) / 7 - 0.5f;
  }
};

/// The bytes of parameters or of a state.
template <class Store>
std::string bytes_of(const Store& store) {
  return {reinterpret_cast<const char*>(store.data()), store.bytes()};
}

/// No copies of the parameter and its moments, of which each has 48,000 bytes.
void check_workspace() {
  CHECK(step_in_place::step_workspace(3) < step_in_place::gradient_workspace(3) + 48000);
}

/// The first step of Adam goes by the rate against the sign of the derivative.
void check_step(Fixture& f) {
  Parameters before;
  std::memcpy(before.data(), f.parameters.data(), before.bytes());
  Gradients gradients;
  step_in_place::gradient({.x = {f.x, 3}, .label = f.label}, f.parameters, gradients);
  step_in_place::step({.x = {f.x, 3}, .label = f.label}, f.parameters, f.state, f.workspace);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t k = 0; k < 300; ++k) {
      const float g = gradients.W(i, k);
      CHECK(std::fabs(f.parameters.W(i, k) - (before.W(i, k) - 0.1f * g / (std::fabs(g) + 1e-8f))) < 1e-5f);
      CHECK(std::fabs(f.state.optimizer.m.W(i, k) - 0.1f * g) < 1e-6f);
      CHECK(std::fabs(f.state.optimizer.v.W(i, k) - 0.001f * g * g) < 1e-8f);
    }
}

void check_errors(Fixture& f) {
  const std::string parameters = bytes_of(f.parameters), state = bytes_of(f.state);
  std::vector<std::int32_t> bad{0, 1, 300};
  const auto outside =
      step_in_place::try_step({.x = {f.x, 3}, .label = bad}, f.parameters, f.state, f.workspace);
  CHECK(!outside && std::string(outside.error().text).find("label[2] is 300") != std::string::npos);
  CHECK((parameters == bytes_of(f.parameters) && state == bytes_of(f.state)));
  const auto error_of = [&](const float* x) {
    const auto result =
        step_in_place::try_step({.x = {x, 3}, .label = f.label}, f.parameters, f.state, f.workspace);
    return result ? std::string() : std::string(result.error().text);
  };
  CHECK(error_of(f.parameters.W.data() + 300) ==
        "step_in_place::step: the input 'x' overlaps the parameters");
  CHECK(error_of(f.state.optimizer.m.W.data()) == "step_in_place::step: the input 'x' overlaps the state");
  CHECK((parameters == bytes_of(f.parameters) && state == bytes_of(f.state)));
  CHECK(bool(step_in_place::try_evaluate({.x = {f.parameters.W.data(), 3}, .label = f.label}, f.parameters)));
}

}  // namespace

int main() {
  Fixture fixture;
  check_workspace();
  check_step(fixture);
  check_errors(fixture);
}
