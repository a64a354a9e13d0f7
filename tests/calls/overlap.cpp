// The memory of outputs overlaps nothing that the call reads, and inputs are not where it writes.
#include "overlap.hpp"

#include <string>
#include <vector>

#include "check.h"

namespace {

using Rows = tel::View<const float, tel::dynamic, 3>;
using Results = tel::View<float, tel::dynamic, 3>;

struct Fixture {
  overlap::Parameters parameters{1};
  overlap::State state;
  tel::Workspace workspace{overlap::forward_workspace(4)};
  std::vector<float> memory = std::vector<float>(30, 1.0f), other = std::vector<float>(30, 1.0f);

  Rows rows(std::size_t first) const { return {memory.data() + 3 * first, 2}; }
  Results results(std::size_t first) { return {memory.data() + 3 * first, 2}; }
  Results others() { return {other.data(), 2}; }

  std::string error_of(Rows x, Results y, Results z) {
    const auto result = overlap::try_forward({.x = x}, parameters, state, {.y = y, .z = z}, workspace);
    return result ? "" : result.error().text;
  }
};

void check_inputs(Fixture& f) {
  CHECK(f.error_of(f.rows(0), f.results(2), f.others()).empty());  // neighbours
  CHECK(f.error_of(f.rows(2), f.results(0), f.others()).empty());
  CHECK(f.error_of(f.rows(0), f.results(0), f.others()) ==
        "overlap::forward: the output 'y' overlaps the input 'x'");
  CHECK(f.error_of(f.rows(0), f.others(), f.results(1)) ==
        "overlap::forward: the output 'z' overlaps the input 'x'");
  CHECK(f.error_of(f.rows(1), f.results(0), f.others()) ==
        "overlap::forward: the output 'y' overlaps the input 'x'");
  CHECK(f.error_of({f.memory.data(), 0}, {f.memory.data(), 0}, {f.memory.data(), 0}).empty());
}

void check_outputs(Fixture& f) {
  CHECK(f.error_of(f.rows(0), f.results(3), f.results(4)) ==
        "overlap::forward: the output 'z' overlaps the output 'y'");
  CHECK(f.error_of(f.rows(0), {f.parameters.W.data(), 2}, f.others()) ==
        "overlap::forward: the output 'y' overlaps the parameters");
  CHECK(f.error_of(f.rows(0), {f.state.h.data(), 2}, f.others()) ==
        "overlap::forward: the output 'y' overlaps the state");
}

/// Results in the workspace are there until its next use. States are read, and written when all is computed.
void check_workspace(Fixture& f) {
  const auto first = overlap::forward({.x = f.rows(0)}, f.parameters, f.state, f.workspace);
  const auto again = overlap::try_forward({.x = first.y}, f.parameters, f.state, f.workspace);
  CHECK(!again && again.status() == tel::Status::invalid_argument);
  CHECK(again.error().text == std::string("overlap::forward: the input 'x' overlaps the workspace"));
  tel::Workspace second(overlap::forward_workspace(4));
  CHECK(bool(overlap::try_forward({.x = first.y}, f.parameters, f.state, second)));
  CHECK(bool(overlap::try_forward({.x = {f.state.h.data(), 2}}, f.parameters, f.state, second)));
}

/// A cotangent cannot be in the gradients that are computed from it.
void check_gradients(Fixture& f) {
  overlap::Gradients gradients;
  tel::Workspace workspace(overlap::gradient_workspace(2));
  const Rows inside{gradients.W.data(), 2};
  const auto result = overlap::try_gradient({.x = f.rows(0), .cotangent = {.y = inside, .z = f.others()}},
                                            f.parameters, f.state, gradients, workspace);
  CHECK(!result && std::string(result.error().text) ==
                       "overlap::gradient: the input 'cotangent.y' overlaps the gradients");
}

}  // namespace

int main() {
  Fixture fixture;
  check_inputs(fixture);
  check_outputs(fixture);
  check_workspace(fixture);
  check_gradients(fixture);
}
