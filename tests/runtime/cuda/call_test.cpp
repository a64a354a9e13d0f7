#include <cstdlib>

#include "tests/runtime/cuda/fixture.h"

using namespace runtime;
using stand_in::DeviceModel;
using namespace runtime::cuda;

namespace {

/// The same with every tensor in the device's memory.
struct DeviceCall : CudaCall {
  OnDevice<float> device_x, device_y, device_parameters, device_constants, device_gradients;
  OnDevice<int32_t> device_label;

  explicit DeviceCall(int32_t device = 0)
      : CudaCall(device),
        device_x(device, x),
        device_y(device, y),
        device_parameters(device, {parameters, parameters + 32}),
        device_constants(device, {constants, constants + 16}),
        device_gradients(device, std::vector<float>(32)),
        device_label(device, label) {
    arguments.x = device_x.pointer();
    arguments.y = device_y.pointer();
    arguments.label = device_label.pointer();
    arguments.parameters = device_parameters.pointer();
    arguments.constants = device_constants.pointer();
    arguments.gradients = device_gradients.pointer();
  }
  void fetch() {
    y = device_y.values();
    std::memcpy(gradients, device_gradients.values().data(), sizeof gradients);
  }
};

struct Environment {
  explicit Environment(const char* device) { setenv("TEL_DEVICE", device, 1); }
  ~Environment() { unsetenv("TEL_DEVICE"); }
};

}  // namespace

TEST_CASE_FIXTURE(WithDriver, "a call on a device, all tensors the processor's") {
  CudaCall call;
  REQUIRE(call.run() == TEL_OK);
  call.check_results();
  CHECK(stand_in::count("cuLaunchKernel") == 1 + network::grid_count);
}

TEST_CASE_FIXTURE(WithDriver, "a call on a device, all tensors the device's, copies nothing but scalars") {
  DeviceCall call;
  REQUIRE(call.run() == TEL_OK);
  call.fetch();
  call.check_results();
  CHECK(stand_in::count("cuMemcpyHtoDAsync") == 1);  // the literal
  CHECK(stand_in::count("cuMemcpyDtoHAsync") == 1);
  stand_in::fail_at(0);
  REQUIRE(call.run() == TEL_OK);
  CHECK(stand_in::count("cuMemcpyHtoDAsync") == 0);
  CHECK(stand_in::count("cuModuleLoadDataEx") == 0);
  CHECK(stand_in::count("cuMemAlloc") == 0);
  CHECK(stand_in::count("cuStreamSynchronize") == 1);
}

TEST_CASE_FIXTURE(WithDriver, "memory of the device that is aligned as its elements only is moved") {
  DeviceCall call;
  const OnDevice<float> x(0, {0, 1, 2, 3, 4, 5, 6}), y(0, std::vector<float>(7));
  call.arguments.x = x.pointer() + 1;
  call.arguments.y = y.pointer() + 1;
  REQUIRE(call.run() == TEL_OK);
  call.fetch();
  call.y.assign(stand_in::at(y.pointer()) + 1, stand_in::at(y.pointer()) + 7);
  call.check_results();
  CHECK(stand_in::count("cuMemcpyDtoDAsync") == 2);
}

TEST_CASE_FIXTURE(WithDriver, "derivatives replace, or are added") {
  for (const bool on_device : {false, true}) {
    CAPTURE(on_device);
    DeviceCall call;
    if (!on_device) call.arguments.gradients = call.gradients;
    for (int times = 1; times <= 3; ++times) {
      call.options.accumulate = times > 1;
      REQUIRE(call.run() == TEL_OK);
      float* gradients = on_device ? stand_in::at(call.arguments.gradients, 32) : call.gradients;
      CHECK(gradients[0] == float(3 * times));
      CHECK(gradients[1] == float(3 * times));
      for (int i = 2; i < 16; ++i) CHECK(gradients[i] == 0);
      double dv[2];
      std::memcpy(dv, gradients + 16, sizeof dv);
      CHECK(dv[0] == 6 * times);
      CHECK(dv[1] == 6 * times);
    }
  }
}

TEST_CASE_FIXTURE(WithDriver, "outputs left null lie in the device's workspace, call after call") {
  CudaCall call;
  call.arguments.y = nullptr;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(call.run() == TEL_OK);
    CHECK(call.arguments.y_extents[0] == 3);
    const auto address = reinterpret_cast<Address>(call.arguments.y);
    CHECK(address > call.workspace.address);
    CHECK(address + 24 <= call.workspace.address + call.workspace.count);
    CHECK(*stand_in::at(call.arguments.y + 5) == 232);
  }
}

TEST_CASE_FIXTURE(WithDriver, "the workspace's size is told before, and is enough") {
  for (const int accumulate : {0, 1}) {
    CudaCall call;
    call.options.accumulate = accumulate;
    REQUIRE(tel_prepare(&network::entry, &call.arguments, &call.error) == TEL_OK);
    const size_t all_copied = call.arguments.workspace_size;
    REQUIRE(call.run() == TEL_OK);
    call.check_results();
    --call.arguments.workspace_size;
    CHECK(call.fails(TEL_WORKSPACE) == "m::f: the workspace has " + std::to_string(all_copied - 1) +
                                           " bytes, " + std::to_string(all_copied) + " are needed");

    DeviceCall other;
    other.options.accumulate = accumulate;
    REQUIRE(tel_prepare(&network::entry, &other.arguments, &other.error) == TEL_OK);
    CHECK(other.arguments.workspace_size == all_copied - 3 * 64 - 2 * 128 - 64);
    REQUIRE(other.run() == TEL_OK);
    // Inputs and outputs wherever they are, stores on the device.
    CHECK(tel_workspace(&network::entry, call.arguments.x_extents, &call.options) ==
          all_copied - 2 * 128 - 64);
  }
  const int64_t large[] = {INT64_MAX / 4};
  CudaCall call;
  CHECK(tel_workspace(&network::entry, large, &call.options) == SIZE_MAX);
}

TEST_CASE_FIXTURE(WithDriver, "a workspace in the processor's memory holds outputs; the call takes its own") {
  CudaCall call;
  alignas(64) char memory[64];
  call.arguments.workspace = memory;
  call.arguments.workspace_size = sizeof memory;
  call.arguments.y = nullptr;
  const auto before = stand_in::live().allocations;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(call.run() == TEL_OK);
    CHECK(static_cast<void*>(call.arguments.y) == memory);
    call.y.assign(call.arguments.y, call.arguments.y + 6);
    call.check_results();
    CHECK(stand_in::live().allocations == before + 1);  // the literal
  }
  call.execution.later = 1;
  CHECK(call.fails(TEL_WORKSPACE) ==
        "m::f: device 0: the workspace of a call that returns at once must be in the device's memory");
}

TEST_CASE_FIXTURE(WithDriver, "a workspace that is misaligned or null") {
  CudaCall call;
  call.arguments.workspace = call.workspace.pointer() + 4;
  CHECK(call.fails(TEL_WORKSPACE).find("not aligned") != std::string::npos);
  call.arguments.workspace = nullptr;
  CHECK(call.fails(TEL_WORKSPACE).find("the workspace is null") != std::string::npos);
}

TEST_CASE("memory of another device is not taken for this one's") {
  const WithDriver driver(DeviceModel{90}, DeviceModel{90});
  CudaCall call;
  const OnDevice<float> x(1, call.x);
  call.arguments.x = x.pointer();
  CHECK(call.fails(TEL_INVALID_ARGUMENT) == "m::f: device 0: 'x' is in the memory of device 1");
  CudaCall other(1);
  other.arguments.x = x.pointer();
  CHECK(other.run() == TEL_OK);
  other.check_results();
  other.execution.device = 0;
  other.arguments.x = other.x.data();
  CHECK(other.fails(TEL_INVALID_ARGUMENT) == "m::f: device 0: 'workspace' is in the memory of device 1");
}

TEST_CASE_FIXTURE(WithDriver, "an index outside is named as on the processor") {
  CudaCall call;
  call.label[1] = 10;
  CHECK(call.fails(TEL_INDEX) == "m::f: label[1] is 10, expected 0 to 9");
  tel_error on_processor;
  tel_options serial{sizeof serial, nullptr, 0, 0};
  alignas(64) char workspace[64];
  call.arguments.options = &serial;
  call.arguments.workspace = workspace;
  CHECK(tel_call(&network::plain, &call.arguments, &on_processor) == TEL_INDEX);
  CHECK(std::string(on_processor.text) == call.error.text);
  call.arguments.options = &call.options;
  call.arguments.workspace = call.workspace.pointer();
  call.label[1] = 0;
  REQUIRE(call.run() == TEL_OK);
  call.check_results();
}

TEST_CASE_FIXTURE(WithDriver, "nobody asks where inputs without rows are; outputs need no pointer") {
  CudaCall call;
  call.arguments.x = reinterpret_cast<const float*>(uintptr_t{1});
  call.arguments.y = nullptr;
  call.arguments.x_extents[0] = call.arguments.label_extents[0] = call.arguments.y_extents[0] = 0;
  CHECK(call.run() == TEL_OK);
  CHECK(call.arguments.sum == 0);
  call.arguments.label = nullptr;
  CHECK(call.fails(TEL_INVALID_ARGUMENT) == "m::f: the input 'label' is not set: its pointer is null");
}

TEST_CASE_FIXTURE(WithDriver, "work in a stream is waited for, unless the caller does so") {
  DeviceCall call;
  const Stream stream = stand_in::make_stream(0);
  call.execution.stream = stream;
  REQUIRE(call.run() == TEL_OK);
  call.fetch();
  call.check_results();

  DeviceCall later;
  later.execution.stream = stream;
  later.execution.later = 1;
  REQUIRE(later.run() == TEL_OK);
  later.fetch();
  CHECK(later.y == std::vector<float>(6));
  CHECK(later.arguments.sum == 0);
  REQUIRE(tel_wait(&network::entry, &later.arguments, &later.error) == TEL_OK);
  later.fetch();
  later.check_results();

  *stand_in::at(later.device_label.pointer()) = -1;
  REQUIRE(later.run() == TEL_OK);
  CHECK(tel_wait(&network::entry, &later.arguments, &later.error) == TEL_INDEX);
  CHECK(std::string(later.error.text) == "m::f: label[0] is -1, expected 0 to 9");
  std::memset(stand_in::at(later.workspace.pointer(), 64), 0x7F, 64);
  CHECK(tel_wait(&network::entry, &later.arguments, &later.error) == TEL_DEVICE);
  CHECK(std::string(later.error.text) == "m::f: device 0: the workspace was changed during the call");
}

TEST_CASE_FIXTURE(WithDriver, "page-locked memory is read and written late") {
  CudaCall call;
  call.execution.stream = stand_in::make_stream(0);
  call.execution.later = 1;
  stand_in::lock_pages(call.x.data(), 24);
  stand_in::lock_pages(call.y.data(), 24);
  stand_in::lock_pages(call.gradients, sizeof call.gradients);
  REQUIRE(call.run() == TEL_OK);
  CHECK(call.y == std::vector<float>(6));
  REQUIRE(tel_wait(&network::entry, &call.arguments, &call.error) == TEL_OK);
  call.check_results();
}

TEST_CASE_FIXTURE(WithDriver, "a captured call runs as often as its graph") {
  DeviceCall call;
  const Stream stream = stand_in::make_stream(0);
  call.execution.stream = stream;
  std::function<void()> replay;
  const auto capture = [&] {
    stand_in::begin_capture(stream);
    const int32_t status = call.run();
    CHECK(stand_in::end_capture(stream, replay));
    return status;
  };
  CHECK(capture() == TEL_INVALID_ARGUMENT);
  CHECK(std::string(call.error.text) ==
        "m::f: device 0: the stream is being captured, and a call that waits cannot be: make it one that "
        "returns at once");
  call.execution.later = 1;
  CHECK(capture() == TEL_DEVICE);
  CHECK(std::string(call.error.text) ==
        "m::f: device 0: the code is not loaded yet, and cannot be while the stream is captured: make one "
        "call before");
  REQUIRE(call.run() == TEL_OK);
  REQUIRE(tel_wait(&network::entry, &call.arguments, &call.error) == TEL_OK);

  call.options.accumulate = 1;
  REQUIRE(capture() == TEL_OK);
  for (int i = 0; i < 3; ++i) {
    *stand_in::at(call.device_x.pointer()) = static_cast<float>(i);
    std::memset(stand_in::at(call.workspace.pointer(), 512), 0xFF, 512);
    replay();
    call.fetch();
    CHECK(call.y[0] == 110 + 2 * static_cast<float>(i));
    CHECK(call.gradients[0] == static_cast<float>(6 + 3 * i));
  }
  call.arguments.x = call.x.data();
  CHECK(capture() == TEL_INVALID_ARGUMENT);
  CHECK(std::string(call.error.text) ==
        "m::f: device 0: 'x' is in the processor's memory, but a captured call can use the device's alone");
  call.arguments.x_extents[0] = call.arguments.label_extents[0] = call.arguments.y_extents[0] = 0;
  CHECK(capture() == TEL_OK);
}

TEST_CASE_FIXTURE(WithDriver, "what a condition leads to runs after its value is there, and is no graph") {
  CudaCall call;
  call.entry = &network::reading;
  for (const int32_t first : {0, 5, 0, 5}) {
    call.label[0] = first;
    call.gradients[0] = -1;
    REQUIRE(call.run() == TEL_OK);
    CHECK(call.gradients[0] == (first == 0 ? 0 : 3));
  }
  CHECK(stand_in::count("cuGraphLaunch") == 0);
}

TEST_CASE_FIXTURE(WithDriver, "an index outside its range ends the program where it reads a condition") {
  CudaCall call;
  call.entry = &network::reading;
  call.label[0] = 12;
  const int64_t launched = stand_in::count("cuLaunchKernel");
  CHECK(call.fails(TEL_INDEX).find("label[0] is 12") != std::string::npos);
  CHECK(stand_in::count("cuLaunchKernel") == launched + 1 + network::grid_count - 1);
}

TEST_CASE_FIXTURE(WithDriver, "a call that reads conditions cannot be captured") {
  DeviceCall call;
  call.entry = &network::reading;
  call.execution.later = 1;
  REQUIRE(call.run() == TEL_OK);
  const Stream stream = stand_in::make_stream(0);
  call.execution.stream = stream;
  stand_in::begin_capture(stream);
  CHECK(call.fails(TEL_INVALID_ARGUMENT) ==
        "m::f: device 0: the stream is being captured, and the function has branches or loops that wait for "
        "values");
  std::function<void()> replay;
  CHECK(stand_in::end_capture(stream, replay));
}

TEST_CASE_FIXTURE(WithDriver, "where the caller says nothing, the environment does") {
  CudaCall call;
  alignas(64) char workspace[128];
  call.arguments.workspace = workspace;
  call.arguments.workspace_size = 64;
  call.options.execution = nullptr;
  REQUIRE(call.run() == TEL_OK);
  call.check_results();
  CHECK(stand_in::count("cuLaunchKernel") == 0);

  const Environment environment("cuda:0");
  CHECK(tel_workspace(&network::entry, call.arguments.x_extents, &call.options) == 64);
  const auto before = stand_in::live().allocations;
  for (const bool in_workspace : {false, true}) {
    call.y.assign(6, 0);
    if (in_workspace) call.arguments.y = nullptr;
    REQUIRE(tel_prepare(&network::entry, &call.arguments, &call.error) == TEL_OK);
    CHECK(call.arguments.workspace_size == (in_workspace ? 64 : 0));
    REQUIRE(call.run() == TEL_OK);
    if (in_workspace) CHECK(reinterpret_cast<char*>(call.arguments.y) == workspace);
    if (in_workspace) call.y.assign(call.arguments.y, call.arguments.y + 6);
    call.check_results();
  }
  CHECK(stand_in::count("cuLaunchKernel") == 2 * (1 + network::grid_count));
  CHECK(stand_in::live().allocations == before + 1);  // the literal

  call.arguments.workspace_size = 63;
  CHECK(call.fails(TEL_WORKSPACE) == "m::f: the workspace has 63 bytes, 64 are needed");
  call.arguments.workspace_size = 64;
  for (const char* wrong : {"gpu", "cuda:", "cuda:x", "cuda:12345", "cuda0"}) {
    const Environment other(wrong);
    CHECK(call.fails(TEL_INVALID_ARGUMENT) == "m::f: the environment's TEL_DEVICE is '" + std::string(wrong) +
                                                  "', expected cpu, cuda, cuda:NUMBER or emulator");
  }
  const Environment second("cuda:1");
  CHECK(call.fails(TEL_DEVICE) == "m::f: device 1: there is no such device; this machine has 1 (0)");
  const Environment emulator("emulator");
  CHECK(call.fails(TEL_DEVICE) ==
        "m::f: this object has no emulator; compile it with --target=cpu,cuda,emulator");
}
