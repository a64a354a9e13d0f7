// Branches and loops on a device, decided by the host and by conditional nodes of a graph: the same bits, and
// an index outside its range ends the loops. On a GPU TEL_CONDITIONS says who decides, so it is a failure if
// the driver takes no graph with conditions. Built by scripts/gpu-bundle.
#include <doctest/doctest.h>

#include <cstdlib>
#include <vector>

#include "control_flow.hpp"
#include "tests/gpu/device.h"

namespace {

using namespace gpu_test;

constexpr std::size_t n = 5000;

std::vector<float> numbers() {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = float(i % 7) / 1024;
  return x;
}

/// Says who decides conditions from now on.
void decide_by(const char* who) { setenv("TEL_CONDITIONS", who, 1); }

/// A call of an entry with all tensors and the workspace on the device, made again and again.
template <typename Arguments>
struct Repeated {
  Bytes x{numbers()}, y{n * sizeof(float)}, table{std::vector<std::int32_t>{0, 1, 2, 3}};
  tel_execution where = execution();
  tel_options options{sizeof(tel_options), &where, 0, 0};
  Bytes workspace;
  Arguments arguments{};
  tel_error error{};

  explicit Repeated(std::size_t bytes) : workspace(bytes) {
    arguments.size = sizeof arguments;
    arguments.x = x.template as<float>(), arguments.x_extents[0] = n;
    arguments.y = y.template as<float>(), arguments.y_extents[0] = n;
    arguments.workspace = workspace.template as<void>(), arguments.workspace_size = bytes;
    arguments.options = &options;
  }
};

struct Repeat : Repeated<control_flow_repeat_arguments> {
  Repeat() : Repeated(control_flow_repeat_workspace(n, &options_of_device())) {}
  static const tel_options& options_of_device() {
    static const tel_execution where = execution();
    static const tel_options options{sizeof(tel_options), &where, 0, 0};
    return options;
  }
  std::vector<float> run(std::int32_t count) {
    arguments.count = count;
    control_flow_repeat(&arguments, &error);
    REQUIRE_MESSAGE(error.code == TEL_OK, error.text);
    return y.get<float>();
  }
};

struct Search : Repeated<control_flow_search_arguments> {
  Search() : Repeated(control_flow_search_workspace(n, &Repeat::options_of_device())) {
    arguments.table = table.as<std::int32_t>();
  }
  std::int32_t run(std::int32_t index, float limit) {
    arguments.index = index;
    arguments.limit = limit;
    return control_flow_search(&arguments, &error);
  }
};

/// `repeat`, on the processor.
std::vector<float> expected(std::int32_t count) {
  std::vector<float> x = numbers(), y(n);
  control_flow_repeat_arguments a{};
  const tel_execution serial{sizeof serial, TEL_SERIAL, 0, nullptr, 0, 0};
  const tel_options options{sizeof options, &serial, 0, 0};
  tel::Workspace workspace(control_flow_repeat_workspace(n, &options));
  a.size = sizeof a;
  a.x = x.data(), a.x_extents[0] = n;
  a.y = y.data(), a.y_extents[0] = n;
  a.count = count;
  a.workspace = workspace.data(), a.workspace_size = workspace.size(), a.options = &options;
  tel_error error{};
  control_flow_repeat(&a, &error);
  REQUIRE_MESSAGE(error.code == TEL_OK, error.text);
  return y;
}

}  // namespace

TEST_CASE("a loop with a branch gives the same bits, whoever decides") {
  for (const std::int32_t count : {0, 1, 2, 17, 40}) {
    CAPTURE(count);
    decide_by("host");
    Repeat by_host;
    const std::vector<float> first = by_host.run(count);
    CHECK(first == by_host.run(count));
    decide_by("graph");
    Repeat call;
    for (int i = 0; i < 4; ++i) CHECK(first == call.run(count));
    const std::vector<float> meant = expected(count);  // sums of multiples of 1/1024 are exact
    CHECK(first == meant);
  }
}

TEST_CASE("one graph has as many rounds as each call asks for") {
  decide_by("graph");
  Repeat call;
  for (const std::int32_t count : {3, 0, 1, 12, 2, 30, 0, 5}) {
    CAPTURE(count);
    CHECK(call.run(count) == expected(count));
  }
}

TEST_CASE("a loop in a loop that is left from inside ends at the same round, whoever decides") {
  for (const std::int32_t index : {1, 2, 3}) {
    CAPTURE(index);
    decide_by("host");
    Search by_host;
    REQUIRE_MESSAGE(by_host.run(index, 150) == TEL_OK, by_host.error.text);
    decide_by("graph");
    Search call;
    for (int i = 0; i < 3; ++i) {
      REQUIRE_MESSAGE(call.run(index, 150) == TEL_OK, call.error.text);
      CHECK(call.arguments.rounds == by_host.arguments.rounds);
      CHECK(call.arguments.rounds > 2);
      CHECK(call.y.get<float>() == by_host.y.get<float>());
    }
  }
}

TEST_CASE("an index outside its range ends loops of a graph, and the next call works") {
  decide_by("graph");
  Search call;
  REQUIRE_MESSAGE(call.run(1, 150) == TEL_OK, call.error.text);
  const std::int32_t rounds = call.arguments.rounds;
  for (int i = 0; i < 3; ++i) {
    CHECK(call.run(7, 1e30f) == TEL_INDEX);  // its sum never is above this
    CHECK(std::string(call.error.text).find("is 7") != std::string::npos);
    REQUIRE_MESSAGE(call.run(1, 150) == TEL_OK, call.error.text);
    CHECK(call.arguments.rounds == rounds);
  }
}
