// Calls with frozen parameters: the bits of calls without, until the caller's own parameters change.
#include "frozen.hpp"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

namespace {

struct Fixture {
  std::size_t rows;
  std::vector<float> x, picture;
  explicit Fixture(std::size_t count) : rows(count), x(count * 70), picture(count * 1920) {
    for (auto* input : {&x, &picture})
      for (std::size_t i = 0; i < input->size(); ++i) (*input)[i] = static_cast<float>(i % 83) / 83 - 0.4f;
  }

  std::vector<float> results(tel::In<frozen::Parameters> parameters,
                             const tel::Execution& execution = {}) const {
    const auto result = frozen::forward({.x = {x.data(), rows}, .picture = {picture.data(), rows}},
                                        parameters, {.execution = execution});
    std::vector<float> all(result.y.begin(), result.y.end());
    all.insert(all.end(), result.z.begin(), result.z.end());
    all.insert(all.end(), result.c.begin(), result.c.end());
    return all;
  }
};

bool are_equal(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

void check_bits() {
  const frozen::Parameters parameters(5);
  const frozen::Frozen packed = frozen::freeze(parameters);
  for (const std::size_t rows :
       {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{64}, std::size_t{300}}) {
    const Fixture fixture(rows);
    CHECK(are_equal(fixture.results(parameters), fixture.results(packed)));
    CHECK(are_equal(fixture.results(parameters), fixture.results(packed, tel::threads(3))));
  }
}

/// What is frozen is a copy: it keeps its values when those of the caller change.
void check_copy() {
  const Fixture fixture(20);
  frozen::Parameters parameters(5);
  const frozen::Frozen packed = frozen::freeze(parameters);
  const auto before = fixture.results(parameters);
  for (float& element : parameters.flat()) element += 1;
  CHECK(!are_equal(fixture.results(parameters), before));
  CHECK(are_equal(fixture.results(packed), before));
  frozen::Frozen moved = frozen::freeze(std::move(parameters));
  CHECK(!are_equal(fixture.results(moved), before));
  moved = frozen::freeze(frozen::Parameters(5));
  CHECK(are_equal(fixture.results(moved), before));
  CHECK(are_equal(fixture.results(frozen::Network::Frozen(std::move(moved))), before));
}

/// Calls read the matrices from what is frozen, and only there.
void check_memory() {
  const Fixture fixture(20);
  const frozen::Parameters parameters(5);
  const frozen::Frozen packed = frozen::freeze(parameters);
  CHECK(frozen_frozen_size() > 0);
  const auto before = fixture.results(packed);
  std::memset(const_cast<void*>(packed.packed()), 0, frozen_frozen_size());
  CHECK(!are_equal(fixture.results(packed), before));
}

void check_errors() {
  const frozen::Parameters parameters(5);
  alignas(64) static unsigned char memory[1 << 20];
  tel_error error;
  CHECK(frozen_freeze(nullptr, memory, &error) == TEL_INVALID_ARGUMENT);
  CHECK(std::string(error.text) == "frozen::Parameters: the pointer to the parameters is null");
  CHECK(frozen_freeze(parameters.data(), nullptr, &error) == TEL_INVALID_ARGUMENT);
  CHECK(std::string(error.text) == "frozen::Parameters: the pointer to the frozen parameters is null");
  CHECK(frozen_freeze(parameters.data(), memory + 4, &error) == TEL_INVALID_ARGUMENT);
  CHECK(std::string(error.text) ==
        "frozen::Parameters: the pointer to the frozen parameters is not aligned to 64 bytes");
  CHECK(frozen_freeze(parameters.data(), memory, &error) == TEL_OK);

  const Fixture fixture(1);
  frozen_forward_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = fixture.x.data();
  arguments.x_extents[0] = 1, arguments.x_extents[1] = 70;
  arguments.picture = fixture.picture.data();
  arguments.picture_extents[0] = 1, arguments.picture_extents[1] = 32;
  arguments.picture_extents[2] = 6, arguments.picture_extents[3] = 10;
  arguments.parameters = parameters.data();
  arguments.frozen = memory + 4;
  CHECK(frozen_forward(&arguments, &error) == TEL_INVALID_ARGUMENT);
  CHECK(std::string(error.text) == "frozen::forward: 'frozen' is not aligned to 64 bytes");
  arguments.frozen = memory;
  arguments.y = reinterpret_cast<float*>(memory);
  arguments.y_extents[0] = 1, arguments.y_extents[1] = 150;
  tel::Workspace workspace(frozen::forward_workspace(1));
  arguments.workspace = workspace.data(), arguments.workspace_size = workspace.size();
  CHECK(frozen_forward(&arguments, &error) == TEL_INVALID_ARGUMENT);
  CHECK(std::string(error.text) == "frozen::forward: the output 'y' overlaps the frozen parameters");
}

}  // namespace

int main() {
  check_bits();
  check_copy();
  check_memory();
  check_errors();
}
