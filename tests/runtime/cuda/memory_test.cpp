// What programs do with GPUs beside calls: devices, their memory, sums of stores.
#include <cmath>
#include <limits>
#include <thread>

#include "runtime/cuda/process.h"
#include "tests/runtime/cuda/fixture.h"

using namespace runtime;
using stand_in::DeviceModel;

namespace {

struct Memory {
  tel_execution execution{sizeof execution, TEL_CUDA, 0, nullptr, 0, 0};
  tel_error error{};

  void* allocate(size_t bytes) {
    void* memory = nullptr;
    CHECK(tel_cuda.allocate(&execution, bytes, &memory, &error) == TEL_OK);
    return memory;
  }
  std::string text(int32_t status, int32_t expected) const {
    CHECK(status == expected);
    CHECK(error.code == expected);
    return error.text;
  }
};

/// Two stores as `network::entry` has parameters, on the device or not.
struct Stores {
  alignas(64) float to[32] = {1, 2}, from[32] = {10, 20};
  Stores() {
    const double values[] = {3, 4}, others[] = {30, 40};
    std::memcpy(to + 16, values, sizeof values);
    std::memcpy(from + 16, others, sizeof others);
  }
  double v(int i) const {
    double value;
    std::memcpy(&value, reinterpret_cast<const char*>(to) + 64 + 8 * i, sizeof value);
    return value;
  }
};

}  // namespace

TEST_CASE("devices and what they are") {
  const WithDriver driver(DeviceModel{90, 100 << 10, 1 << 20}, DeviceModel{75});
  tel_error error;
  int32_t count = 0;
  REQUIRE(tel_cuda.count(&count, &error) == TEL_OK);
  CHECK(count == 2);
  tel_device device{sizeof device, 0, 0, 0, {}};
  REQUIRE(tel_cuda.describe(0, &device, &error) == TEL_OK);
  CHECK(device.architecture == 90);
  CHECK(device.memory == 1 << 20);
  CHECK(std::string(device.name) == "Stand-in 0");
  REQUIRE(tel_cuda.describe(1, &device, &error) == TEL_OK);
  CHECK(device.number == 1);
  CHECK(device.architecture == 75);
  CHECK(tel_cuda.describe(2, &device, &error) == TEL_DEVICE);
  CHECK(std::string(error.text) ==
        "tel::cuda: device 2: there is no such device; this machine has 2 (0 to 1)");
  device.size = 8;
  CHECK(tel_cuda.describe(0, &device, &error) == TEL_INVALID_ARGUMENT);
  CHECK(stand_in::live().contexts == 0);  // asking takes nothing of a device
}

TEST_CASE("no driver") {
  stand_in::reset();
  Memory memory;
  int32_t count = 7;
  CHECK(memory.text(tel_cuda.count(&count, &memory.error), TEL_DEVICE).starts_with("tel::cuda: no driver"));
  CHECK(count == 0);
  void* made = &count;
  CHECK(tel_cuda.allocate(&memory.execution, 4, &made, &memory.error) == TEL_DEVICE);
  CHECK(made == nullptr);
}

TEST_CASE_FIXTURE(WithDriver, "memory goes there, within and back") {
  Memory memory;
  auto* a = static_cast<char*>(memory.allocate(64));
  auto* b = static_cast<char*>(memory.allocate(64));
  REQUIRE(tel_cuda.copy(&memory.execution, a, "to the device", 14, &memory.error) == TEL_OK);
  REQUIRE(tel_cuda.copy(&memory.execution, b + 3, a + 3, 11, &memory.error) == TEL_OK);
  REQUIRE(tel_cuda.clear(&memory.execution, b, 3, &memory.error) == TEL_OK);
  char back[14];
  REQUIRE(tel_cuda.copy(&memory.execution, back, b, 14, &memory.error) == TEL_OK);
  CHECK(std::string(back + 3) == "the device");
  CHECK(back[2] == 0);
  char again[14];
  REQUIRE(tel_cuda.copy(&memory.execution, again, back, 14, &memory.error) == TEL_OK);
  CHECK(std::string(again + 3) == "the device");
  for (void* one : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(nullptr)})
    CHECK(tel_cuda.free(&memory.execution, one, &memory.error) == TEL_OK);
  CHECK(stand_in::live().allocations == 0);
  CHECK(memory.allocate(0) == nullptr);
}

TEST_CASE("what cannot be done with memory") {
  const WithDriver driver(DeviceModel{90, 100 << 10, 1000}, DeviceModel{90});
  Memory memory;
  void* made;
  CHECK(memory.text(tel_cuda.allocate(&memory.execution, 1001, &made, &memory.error), TEL_MEMORY) ==
        "tel::cuda: device 0: cuMemAlloc of 1001 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
  CHECK(memory.text(tel_cuda.allocate(&memory.execution, SIZE_MAX, &made, &memory.error), TEL_MEMORY) != "");
  void* on_first = memory.allocate(8);
  memory.execution.device = 1;
  void* on_second = memory.allocate(8);
  CHECK(memory.text(tel_cuda.copy(&memory.execution, on_second, on_first, 8, &memory.error),
                    TEL_INVALID_ARGUMENT) == "tel::cuda: device 1: 'from' is in the memory of device 0");
  memory.execution.kind = TEL_SERIAL;
  CHECK(memory.text(tel_cuda.allocate(&memory.execution, 8, &made, &memory.error), TEL_INVALID_ARGUMENT) ==
        "tel::cuda: the execution is not on a GPU");
  CHECK(tel_cuda.wait(nullptr, &memory.error) == TEL_INVALID_ARGUMENT);
  stand_in::reset();
}

TEST_CASE_FIXTURE(WithDriver, "what goes into a stream is done in its order, waited for or later") {
  Memory memory;
  memory.execution.stream = stand_in::make_stream(0);
  auto* a = static_cast<char*>(memory.allocate(4));
  memory.execution.later = 1;
  REQUIRE(tel_cuda.copy(&memory.execution, a, "abc", 4, &memory.error) == TEL_OK);
  REQUIRE(tel_cuda.clear(&memory.execution, a + 1, 1, &memory.error) == TEL_OK);
  CHECK(stand_in::live().pending == 2);
  REQUIRE(tel_cuda.wait(&memory.execution, &memory.error) == TEL_OK);
  CHECK(stand_in::live().pending == 0);
  CHECK(std::string(stand_in::at<char>(reinterpret_cast<stand_in::Address>(a), 4)) == "a");
}

TEST_CASE_FIXTURE(WithDriver, "sums of stores have the processor's bits, and wait if they are to") {
  const Store& store = *network::entry.parameters;
  tel_execution execution{sizeof execution, TEL_CUDA, 0, stand_in::make_stream(0), 0, 0};
  tel_error error;
  for (const auto& [a, b] : {std::pair(1.0, -0.1), {0.9, 1.0}, {0.0, 1.0}, {0.3, 0.0}, {0.0, 0.0}}) {
    CAPTURE(a);
    CAPTURE(b);
    Stores host;
    host.to[0] = a == 0 ? std::numeric_limits<float>::quiet_NaN() : 1;
    host.from[1] = b == 0 ? std::numeric_limits<float>::infinity() : 20;
    const OnDevice<float> to(0, {host.to, host.to + 32}), from(0, {host.from, host.from + 32});
    const float* second = b == 0 ? nullptr : from.pointer();
    CHECK(tel_combine(&store, network::entry.devices, to.pointer(), a, second, b, &execution, &error) ==
          TEL_OK);
    CHECK(stand_in::live().pending == 0);
    CHECK(tel_combine(&store, nullptr, host.to, a, b == 0 ? nullptr : host.from, b, nullptr, &error) ==
          TEL_OK);
    CHECK(host.to[1] == float(a) * 2 + (b == 0 ? 0 : float(b) * 20));
    CHECK(host.v(1) == a * 4 + b * 40);
    CHECK(std::memcmp(to.values().data(), host.to, sizeof host.to) == 0);
  }
  execution.later = 1;
  Stores host;
  const OnDevice<float> to(0, {host.to, host.to + 32});
  CHECK(tel_combine(&store, network::entry.devices, to.pointer(), 2, nullptr, 0, &execution, &error) ==
        TEL_OK);
  CHECK(stand_in::live().pending == 2);  // float32 and float64
  stand_in::wait(static_cast<stand_in::Stream>(execution.stream));
  CHECK(to.values()[1] == 4);
}

TEST_CASE("sums of 16-bit floats round once") {
  const runtime::Extent three[] = {{nullptr, 3}};
  const Tensor tensors[] = {{"h", f16, 1, three}, {"b", bf16, 1, three}};
  const int64_t offsets[] = {0, 64};
  const Store store{"m::Parameters", 2, tensors, offsets, 128};
  alignas(64) uint16_t to[64] = {0x3C00, 0x7BFF, 0x0001}, from[64] = {0x1001, 0x7BFF, 0x0001};
  to[32] = 0x3F80, from[32] = 0x3B80;
  tel_error error;
  REQUIRE(tel_combine(&store, nullptr, to, 1, from, 1, nullptr, &error) == TEL_OK);
  CHECK(to[0] == 0x3C01);  // 1 + 2^-11 (1 + 2^-10): above the middle
  CHECK(to[1] == 0x7C00);
  CHECK(to[2] == 0x0002);
  CHECK(to[32] == 0x3F80);  // 1 + 2^-8: the middle, to even
}

TEST_CASE("what sums are not taken") {
  stand_in::reset();
  const Store& store = *network::entry.parameters;
  alignas(64) float memory[32] = {};
  tel_error error;
  tel_execution execution{sizeof execution, TEL_CUDA, 0, nullptr, 0, 0};
  const auto fails = [&](int32_t status, const Devices* devices, void* to, const void* from) {
    CHECK(tel_combine(&store, devices, to, 1, from, 1, &execution, &error) == status);
    return std::string(error.text);
  };
  CHECK(fails(TEL_INVALID_ARGUMENT, nullptr, nullptr, memory) ==
        "m::Parameters: a pointer to parameters or gradients is null");
  CHECK(fails(TEL_INVALID_ARGUMENT, nullptr, memory, nullptr) ==
        "m::Parameters: a pointer to parameters or gradients is null");
  CHECK(fails(TEL_DEVICE, nullptr, memory, memory) ==
        "m::Parameters: this object has no code for GPUs; compile it with --target=cpu,cuda");
  CHECK(fails(TEL_DEVICE, network::entry.devices, memory, memory).starts_with("tel::cuda: no driver"));
  execution.kind = 9;
  CHECK(fails(TEL_INVALID_ARGUMENT, nullptr, memory, memory) ==
        "m::Parameters: the execution has a size or a kind that this object does not know");
}

TEST_CASE("every call of the driver fails once, in what programs do with memory") {
  const auto all = [](Memory& memory) -> int32_t {
    tel_device device{sizeof device, 0, 0, 0, {}};
    int32_t count;
    void *a = nullptr, *b = nullptr;
    char bytes[256] = {};
    tel_error* error = &memory.error;
    int32_t status = tel_cuda.count(&count, error);
    if (!status) status = tel_cuda.describe(0, &device, error);
    if (!status) status = tel_cuda.allocate(&memory.execution, 128, &a, error);
    if (!status) status = tel_cuda.allocate(&memory.execution, 128, &b, error);
    if (!status) status = tel_cuda.copy(&memory.execution, a, bytes, 128, error);
    if (!status) status = tel_cuda.copy(&memory.execution, b, a, 128, error);
    if (!status) status = tel_cuda.copy(&memory.execution, bytes, b, 128, error);
    if (!status) status = tel_cuda.clear(&memory.execution, b, 128, error);
    if (!status)
      status = tel_combine(network::entry.parameters, network::entry.devices, a, 1, b, 1, &memory.execution,
                           error);
    const tel_error first = memory.error;
    int32_t freed = TEL_OK;
    for (void* one : {a, b})
      if (const int32_t failed = tel_cuda.free(&memory.execution, one, error)) {
        freed = failed;
        tel_cuda.free(&memory.execution, one, nullptr);  // again, where the memory is still there
      }
    if (status) memory.error = first;
    return status ? status : freed;
  };
  for (int64_t call = 1;; ++call) {
    WithDriver driver;
    Memory memory;
    stand_in::fail_at(call);
    const int32_t status = all(memory);
    const std::string function = stand_in::failed_function();
    stand_in::fail_at(0);
    if (function.empty()) {
      CHECK(status == TEL_OK);
      CHECK(call > 40);
      break;
    }
    CAPTURE(call);
    CAPTURE(function);
    // What fails behind the first failure is not seen.
    if (status == TEL_OK) continue;
    CHECK(status == TEL_DEVICE);
    CHECK(stand_in::live().stack == 0);
    CHECK(all(memory) == TEL_OK);
    runtime::cuda::close_process();
    CHECK(stand_in::live() == stand_in::Live{0, 0, 0, 0, 0, 0, 0});
  }
}
