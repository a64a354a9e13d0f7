#include "tests/runtime/cuda/fixture.h"

#include "runtime/cuda/code.h"

using namespace runtime;
using stand_in::DeviceModel;
using namespace runtime::cuda;

namespace {

int32_t version;

/// Why a call on device 0 fails with this driver.
std::string failure(const Driver& driver, std::vector<DeviceModel> devices = {{90}}) {
  stand_in::reset(std::move(devices));
  process.driver = driver;
  CudaCall call;
  return call.fails(TEL_DEVICE);
}

}  // namespace

TEST_CASE("a machine without a driver") {
  stand_in::reset();
  CudaCall call;
  const std::string text = call.fails(TEL_DEVICE);
  CHECK(text.starts_with("m::f: no driver of an NVIDIA GPU: "));
  CHECK(text.find("libcuda.so.1") != std::string::npos);
  tel_options serial{sizeof serial, nullptr, 40, 0};
  alignas(64) char workspace[64];
  call.arguments.options = &serial;
  call.arguments.workspace = workspace;
  REQUIRE(call.run() == TEL_OK);
  call.check_results();
}

TEST_CASE("a driver that is too old, or has no device") {
  Driver driver = stand_in::table();
  driver.cuDriverGetVersion = [](int32_t* to) { return *to = version, 0; };
  version = 11020;
  CHECK(failure(driver) ==
        "m::f: the driver of the GPU is too old: it is for CUDA 11.2, CUDA 11.4 is needed");
  version = least_version;
  CHECK(failure(stand_in::table(), {}) == "m::f: this machine has no CUDA device");
  driver = stand_in::table();
  driver.cuInit = [](unsigned) { return Code{999}; };
  CHECK(failure(driver) == "m::f: cuInit failed: CUDA_ERROR_UNKNOWN (unspecified)");
  driver.cuGetErrorName = [](Code, const char**) { return Code{1}; };
  driver.cuGetErrorString = [](Code, const char**) { return Code{1}; };
  CHECK(failure(driver) == "m::f: cuInit failed: error 999");
  stand_in::reset();
}

TEST_CASE("devices that are not there") {
  const WithDriver driver(DeviceModel{90}, DeviceModel{80});
  CudaCall call;
  for (const int32_t ordinal : {2, -1, INT32_MAX}) {
    call.execution.device = ordinal;
    CHECK(call.fails(TEL_DEVICE) == "m::f: device " + std::to_string(ordinal) +
                                        ": there is no such device; this machine has 2 (0 to 1)");
  }
}

TEST_CASE("chips without code, and kernels that do not fit") {
  {
    const WithDriver driver(DeviceModel{70});
    CudaCall call;
    CHECK(call.fails(TEL_DEVICE) == "m::f: device 0: it is sm_70, there is code for sm_90, PTX for sm_75");
  }
  const WithDriver driver(DeviceModel{90, 60 << 10});
  CudaCall call;
  CHECK(call.fails(TEL_DEVICE) ==
        "m::f: device 0: add needs 65536 bytes of shared memory, a block has 61440");
}

TEST_CASE("the best image for a device") {
  const Image images[] = {{image_cubin, 80, 0, nullptr, 0},  {image_cubin, 86, 0, nullptr, 0},
                          {image_cubin, 90, 0, nullptr, 0},  {image_cubin, 90, 1, nullptr, 0},
                          {image_cubin, 100, 1, nullptr, 0}, {image_ptx, 75, 0, nullptr, 0},
                          {image_ptx, 90, 1, nullptr, 0},    {image_ptx, 90, 0, nullptr, 0}};
  const DeviceCode code{0, 8, nullptr, images};
  const auto best = [&](int32_t architecture) {
    const Image* image = best_image(code, architecture);
    return image ? static_cast<int>(image - images) : -1;
  };
  CHECK(best(70) == -1);
  CHECK(best(75) == 5);
  CHECK(best(80) == 0);
  CHECK(best(86) == 1);
  CHECK(best(89) == 1);
  CHECK(best(90) == 3);
  CHECK(best(100) == 4);
  CHECK(best(103) == 7);
  CHECK(best(120) == 7);

  const Image hopper[] = {{image_cubin, 90, 1, nullptr, 0}};
  const DeviceCode first{0, 1, nullptr, hopper};
  const DeviceProgram programs[] = {{90, &first, nullptr, 0, 0, nullptr, nullptr},
                                    {80, &code, nullptr, 0, 0, nullptr, nullptr}};
  const Devices devices{2, programs, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  CHECK(best_program(devices, 90) == &programs[0]);
  CHECK(best_program(devices, 100) == &programs[1]);  // nothing of the first runs there
  CHECK(best_program(devices, 86) == &programs[1]);
  CHECK(best_program(devices, 75) == nullptr);
}

TEST_CASE_FIXTURE(WithDriver, "code that the driver refuses") {
  const stand_in::ImageData wrong{1, {}};
  const Image images[] = {{image_ptx, 80, 0, &wrong, sizeof wrong}};
  const DeviceCode code{0, 1, nullptr, images};
  const DeviceProgram programs[] = {{80, &code, nullptr, 0, 0, nullptr, nullptr}};
  const Devices devices{1,
                        programs,
                        network::entry.devices->cuda,
                        nullptr,
                        network::entry.devices->cuda_workspace,
                        nullptr,
                        nullptr,
                        nullptr};
  Entry entry = network::entry;
  entry.devices = &devices;
  CudaCall call;
  CHECK(tel_call(&entry, &call.arguments, &call.error) == TEL_DEVICE);
  CHECK(std::string(call.error.text) ==
        "m::f: device 0: cuModuleLoadDataEx of PTX for sm_80 failed: CUDA_ERROR_OTHER (unspecified); "
        "line 7: what is this");
}

TEST_CASE("no memory says how much was asked for") {
  const WithDriver driver(DeviceModel{90, 100 << 10, 100});
  CudaCall call;
  CHECK(call.fails(TEL_MEMORY) ==
        "m::f: device 0: cuMemAlloc of 256 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
}
