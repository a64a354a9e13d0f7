// Every call of the driver fails once: a status and a message, nothing left over, and the next call works.
#include <cstdlib>
#include <set>

#include "runtime/cuda/process.h"
#include "tests/runtime/cuda/fixture.h"

using namespace runtime;
using stand_in::DeviceModel;

namespace {

/// Runs `prepare` and `action` on fresh drivers; in the n-th round the n-th call of `action` fails. `action`
/// gives a status. Returns the functions that have failed.
template <typename Prepare, typename Action>
std::set<std::string> fail_everywhere(int32_t code, Prepare prepare, Action action) {
  std::set<std::string> failed;
  for (int64_t call = 1;; ++call) {
    WithDriver driver(DeviceModel{90}, DeviceModel{90});
    CudaCall state;
    prepare(state);
    const stand_in::Live before = stand_in::live();
    stand_in::fail_at(call, code);
    const int32_t status = action(state);
    const std::string function = stand_in::failed_function();
    stand_in::fail_at(0);
    if (function.empty()) {
      CHECK(status == TEL_OK);
      return failed;
    }
    failed.insert(function);
    CAPTURE(call);
    CAPTURE(function);
    CHECK(status == (code == 2 ? TEL_MEMORY : TEL_DEVICE));
    CHECK(state.error.code == status);
    CHECK(std::string(state.error.text).find(function) != std::string::npos);
    CHECK(std::string(state.error.text).find("CUDA_ERROR_") != std::string::npos);
    // What is loaded stays; nothing else does.
    const stand_in::Live after = stand_in::live();
    CHECK(after.stack == 0);
    CHECK(after.pending == 0);
    CHECK(after.contexts <= 1);
    CHECK(after.modules <= 1);
    CHECK(after.graphs == after.executions);
    CHECK(after.allocations <= before.allocations + 1);
    const int32_t again = action(state);
    INFO(std::string(state.error.text));
    CHECK(again == TEL_OK);
    state.check_results();
    runtime::cuda::close_process();
    CHECK(stand_in::live() == stand_in::Live{1, 0, 0, 0, 0, 0, 0});  // the test's own workspace
  }
}

}  // namespace

TEST_CASE("every call of the driver fails once, on the first call of a network") {
  for (const int32_t code : {719, 2}) {
    const auto failed = fail_everywhere(code, [](CudaCall&) {}, [](CudaCall& state) { return state.run(); });
    for (const char* function :
         {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetAttribute",
          "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuModuleLoadDataEx",
          "cuModuleGetFunction", "cuFuncSetAttribute", "cuMemAlloc", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync",
          "cuMemsetD8Async", "cuPointerGetAttributes", "cuStreamSynchronize", "cuLaunchKernel"}) {
      CAPTURE(function);
      CHECK(failed.count(function) == 1);
    }
  }
}

TEST_CASE("every call of the driver fails once, in the steady state") {
  const auto failed = fail_everywhere(
      719,
      [](CudaCall& state) {
        for (int i = 0; i < 2; ++i) REQUIRE(state.run() == TEL_OK);
      },
      [](CudaCall& state) { return state.run(); });
  CHECK(failed.count("cuModuleLoadDataEx") == 0);
  CHECK(failed.count("cuMemAlloc") == 0);
  CHECK(failed.count("cuGraphLaunch") == 1);
  CHECK(failed.count("cuGraphExecKernelNodeSetParams") == 1);
}

TEST_CASE("every call of the driver fails once, while a graph is made") {
  const auto failed = fail_everywhere(
      719, [](CudaCall& state) { REQUIRE(state.run() == TEL_OK); },
      [](CudaCall& state) { return state.run(); });
  for (const char* function : {"cuGraphCreate", "cuGraphAddKernelNode", "cuGraphInstantiate"})
    CHECK(failed.count(function) == 1);
}

TEST_CASE("every call of the driver fails once, where derivatives are added") {
  fail_everywhere(
      719, [](CudaCall&) {},
      [](CudaCall& state) {
        std::memset(state.gradients, 0, sizeof state.gradients);
        state.options.accumulate = 1;
        return state.run();
      });
}

TEST_CASE("every call of the driver fails once, in a stream that is waited for later") {
  const auto failed = fail_everywhere(
      719,
      [](CudaCall& state) {
        state.execution.stream = stand_in::make_stream(0);
        state.execution.later = 1;
      },
      [](CudaCall& state) {
        const int32_t status = state.run();
        return status != TEL_OK ? status : tel_wait(&network::entry, &state.arguments, &state.error);
      });
  CHECK(failed.count("cuStreamIsCapturing") == 1);
}

TEST_CASE("every call of the driver fails once, on the device of the environment") {
  setenv("TEL_DEVICE", "cuda", 1);
  alignas(64) char workspace[64];
  const auto failed = fail_everywhere(
      719, [](CudaCall&) {},
      [&](CudaCall& state) {
        state.options.execution = nullptr;
        state.arguments.workspace = workspace;
        return state.run();
      });
  CHECK(failed.count("cuMemFree") == 1);
  unsetenv("TEL_DEVICE");
}

TEST_CASE("every call of the driver fails once, when the workspace is measured") {
  fail_everywhere(
      719, [](CudaCall&) {},
      [&](CudaCall& state) {
        state.arguments.workspace_size = 0;
        if (const int32_t status = tel_prepare(&network::entry, &state.arguments, &state.error))
          return status;
        return state.run();
      });
}
