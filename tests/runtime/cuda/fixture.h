#pragma once

#include <doctest/doctest.h>

#include <concepts>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/entry.h"
#include "tests/runtime/cuda/network.h"

/// Memory of a device, as an application has it.
template <typename T>
struct OnDevice {
  runtime::cuda::Address address;
  size_t count;

  OnDevice(int32_t device, std::vector<T> values)
      : address(stand_in::allocate(device, values.size() * sizeof(T))), count(values.size()) {
    std::memcpy(stand_in::at<T>(address, static_cast<int64_t>(count)), values.data(), count * sizeof(T));
  }
  ~OnDevice() { stand_in::release(address); }
  OnDevice(const OnDevice&) = delete;

  T* pointer() const { return reinterpret_cast<T*>(address); }
  std::vector<T> values() const {
    const T* first = stand_in::at<T>(address, static_cast<int64_t>(count));
    return {first, first + count};
  }
};

/// A call of `network::entry`, or of another entry, with 3 rows, everything in the processor's memory but the
/// workspace.
struct CudaCall {
  const runtime::Entry* entry = &network::entry;
  tel_execution execution{sizeof execution, TEL_CUDA, 0, nullptr, 0, 0};
  tel_options options{sizeof options, &execution, 40, 0};
  alignas(64) float parameters[32] = {10, 20};
  alignas(64) float constants[16] = {100, 200};
  alignas(64) float gradients[32] = {};
  std::vector<float> x{1, 2, 3, 4, 5, 6};
  std::vector<int32_t> label{0, 9, 4};
  std::vector<float> y = std::vector<float>(6);
  OnDevice<char> workspace;
  network::Arguments arguments;
  tel_error error{};

  explicit CudaCall(int32_t device = 0, size_t workspace_size = 2048)
      : workspace(device, std::vector<char>(workspace_size, '\xFF')) {
    execution.device = device;
    arguments.x = x.data();
    arguments.x_extents[0] = arguments.label_extents[0] = arguments.y_extents[0] = 3;
    arguments.x_extents[1] = arguments.y_extents[1] = 2;
    arguments.label = label.data();
    arguments.scale = 2;
    arguments.parameters = parameters;
    arguments.constants = constants;
    arguments.gradients = gradients;
    arguments.y = y.data();
    arguments.workspace = workspace.pointer();
    arguments.workspace_size = workspace.count;
    arguments.options = &options;
  }

  int32_t run() { return tel_call(entry, &arguments, &error); }
  std::string fails(int32_t status) {
    CHECK(run() == status);
    CHECK(error.code == status);
    return error.text;
  }
  double dv(int index) const {
    double value;
    std::memcpy(&value, reinterpret_cast<const char*>(gradients) + 64 + 8 * index, sizeof value);
    return value;
  }
  /// Everything as it must be, derivatives `times` as large.
  void check_results(int times = 1) {
    INFO(std::string(error.text));
    CHECK(y == std::vector<float>{112, 224, 116, 228, 120, 232});
    CHECK(arguments.sum == 1032);
    CHECK(arguments.token == 43);
    CHECK(gradients[0] == float(3 * times));
    CHECK(gradients[1] == float(3 * times));
    CHECK(gradients[2] == 0);
    CHECK(dv(0) == 6 * times);
    CHECK(dv(1) == 6 * times);
  }
};

/// A stand-in driver, whose rules are checked at the end.
struct WithDriver {
  WithDriver() : WithDriver(stand_in::DeviceModel{90}) {}
  template <std::same_as<stand_in::DeviceModel>... Models>
  explicit WithDriver(Models... models) {
    stand_in::reset({models...});
    stand_in::install();
  }
  ~WithDriver() {
    for (const auto& complaint : stand_in::complaints()) FAIL_CHECK(complaint);
    CHECK(stand_in::live().stack == 0);
    stand_in::reset();
  }
};
