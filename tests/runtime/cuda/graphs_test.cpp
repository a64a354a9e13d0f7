#include "runtime/cuda/graphs.h"

#include "tests/runtime/cuda/fixture.h"

using namespace runtime;
using namespace runtime::cuda;

namespace {

/// Runs the call, and says whether a graph was launched.
bool runs_as_graph(CudaCall& call) {
  const int64_t before = stand_in::count("cuGraphLaunch");
  REQUIRE(call.run() == TEL_OK);
  call.check_results();
  return stand_in::count("cuGraphLaunch") > before;
}

void set_rows(CudaCall& call, int64_t rows) {
  call.arguments.x_extents[0] = call.arguments.label_extents[0] = call.arguments.y_extents[0] = rows;
}

}  // namespace

TEST_CASE_FIXTURE(WithDriver, "a call that comes again is a graph") {
  CudaCall call;
  CHECK(!runs_as_graph(call));
  CHECK(runs_as_graph(call));
  CHECK(runs_as_graph(call));
  CHECK(stand_in::count("cuGraphInstantiate") == 1);
  CHECK(stand_in::count("cuLaunchKernel") == 1 + network::grid_count);
  CHECK(stand_in::live().executions == 1);
}

TEST_CASE_FIXTURE(WithDriver, "pointers and scalars change between launches of a graph") {
  CudaCall call;
  for (int i = 0; i < 5; ++i) {
    std::vector<float> x(6, static_cast<float>(i)), y(6);
    call.arguments.x = x.data();
    call.arguments.y = y.data();
    call.arguments.scale = 3;
    call.options.seed = static_cast<uint64_t>(100 * i);
    call.label[0] = i == 3 ? 10 : 0;
    CHECK(call.run() == (i == 3 ? TEL_INDEX : TEL_OK));
    CHECK(y[0] == static_cast<float>(3 * i + 110));
    if (i != 3) CHECK(call.arguments.token == static_cast<uint64_t>(100 * i + 3));
  }
  CHECK(stand_in::count("cuGraphLaunch") == 4);
}

TEST_CASE_FIXTURE(WithDriver, "other extents and another workspace are other graphs") {
  CudaCall call, other;
  for (int i = 0; i < 2; ++i) {
    CHECK(runs_as_graph(call) == (i > 0));
    set_rows(call, 2);
    REQUIRE(call.run() == TEL_OK);
    CHECK(call.arguments.sum == 680);
    set_rows(call, 3);
    CHECK(runs_as_graph(other) == (i > 0));
  }
  CHECK(stand_in::live().executions == 3);
}

TEST_CASE_FIXTURE(WithDriver, "a bounded number of graphs, that used longest ago makes room") {
  CudaCall call(0, 8192);
  std::vector<float> x(200 * 2), y(200 * 2);
  std::vector<int32_t> label(200);
  call.arguments.x = x.data();
  call.arguments.y = y.data();
  call.arguments.label = label.data();
  const auto run = [&](int64_t rows) {
    set_rows(call, rows);
    const int64_t before = stand_in::count("cuGraphLaunch");
    REQUIRE(call.run() == TEL_OK);
    return stand_in::count("cuGraphLaunch") > before;
  };
  for (int64_t rows = 1; rows <= 100; ++rows)
    for (int i = 0; i < 2; ++i) CHECK(run(rows) == (i == 1));
  CHECK(stand_in::live().executions == graph_limit);
  CHECK(stand_in::live().graphs == graph_limit);
  CHECK(run(100 - graph_limit + 1));  // the oldest that is left, now the youngest
  CHECK(!run(1));
  CHECK(run(100 - graph_limit + 1));
  CHECK(!run(100 - graph_limit + 2));
  close_process();
  CHECK(stand_in::live().executions == 0);
}

TEST_CASE_FIXTURE(WithDriver, "nothing is allocated in the steady state") {
  CudaCall call;
  for (int i = 0; i < 2; ++i) REQUIRE(call.run() == TEL_OK);
  const stand_in::Live before = stand_in::live();
  stand_in::fail_at(0);
  for (int i = 0; i < 10; ++i) REQUIRE(call.run() == TEL_OK);
  CHECK(stand_in::live() == before);
  for (const char* function : {"cuMemAlloc", "cuModuleLoadDataEx", "cuGraphCreate", "cuGraphAddKernelNode",
                               "cuGraphInstantiate", "cuLaunchKernel"})
    CHECK(stand_in::count(function) == 0);
}

TEST_CASE_FIXTURE(WithDriver, "a graph launched again before it is waited for") {
  CudaCall call;
  call.execution.stream = stand_in::make_stream(0);
  call.execution.later = 1;
  OnDevice<float> x(0, call.x);
  call.arguments.x = x.pointer();
  std::vector<std::vector<float>> y(4, std::vector<float>(6));
  for (size_t i = 0; i < y.size(); ++i) {
    stand_in::lock_pages(y[i].data(), 24);
    call.arguments.y = y[i].data();
    call.arguments.scale = static_cast<float>(i);
    REQUIRE(call.run() == TEL_OK);
  }
  REQUIRE(tel_wait(&network::entry, &call.arguments, &call.error) == TEL_OK);
  CHECK(stand_in::count("cuGraphLaunch") == 3);
  for (size_t i = 0; i < y.size(); ++i) CHECK(y[i][0] == static_cast<float>(110 + i));
}
