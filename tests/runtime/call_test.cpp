#include <doctest/doctest.h>
#include <xmmintrin.h>

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/call/call.h"
#include "runtime/entry.h"

using namespace runtime;

namespace {

/// y[N x 2] = x[N x 2] * scale + w[2]; z[2*N + 1] are zeros; label[N] is checked against 0 … 9.
struct Arguments {
  size_t size = sizeof(Arguments);
  const float* x = nullptr;
  int64_t x_extents[2] = {};
  const int32_t* label = nullptr;
  int64_t label_extents[1] = {};
  float scale = 0;
  const float* parameters = nullptr;
  float* gradients = nullptr;
  float* y = nullptr;
  int64_t y_extents[2] = {};
  float sum = 0;
  void* workspace = nullptr;
  size_t workspace_size = 0;
  const tel_options* options = nullptr;
};

void compute(void* const* buffers, const int64_t* dims, tel_context* context) {
  const auto* x = static_cast<const float*>(buffers[0]);
  const auto* label = static_cast<const int32_t*>(buffers[1]);
  const float scale = *static_cast<const float*>(buffers[2]);
  const auto* w = static_cast<const float*>(buffers[3]);
  auto* y = static_cast<float*>(buffers[4]);
  auto* sum = static_cast<float*>(buffers[5]);
  auto* dw = static_cast<float*>(buffers[6]);
  auto* slot = static_cast<float*>(buffers[7]);
  *sum = 0;
  dw[0] = dw[1] = 0;
  for (int64_t i = 0; i < dims[0]; ++i) {
    if ((label[i] < -10 || label[i] > 9) && context->site == 0) {
      *context = {1, label[i], i, context->execution};
      return;
    }
    for (int64_t j = 0; j < 2; ++j) {
      slot[2 * i + j] = x[2 * i + j] * scale;
      y[2 * i + j] = slot[2 * i + j] + w[j];
      *sum += y[2 * i + j];
      dw[j] += 1;
    }
  }
}

const int64_t n[] = {extent_dimension, 0, extent_end};
const int64_t eight_n[] = {extent_constant, 8, extent_dimension, 0, extent_multiply, extent_end};
const Extent rows[] = {{n, 0}, {nullptr, 2}};
const Extent two[] = {{nullptr, 2}};
const Field fields[] = {
    {{"x", f32, 2, rows}, offsetof(Arguments, x), offsetof(Arguments, x_extents), 0, 0},
    {{"label", i32, 1, rows}, offsetof(Arguments, label), offsetof(Arguments, label_extents), 0, 0},
    {{"scale", f32, 0, nullptr}, offsetof(Arguments, scale), -1, 1, 0},
    {{"y", f32, 2, rows}, offsetof(Arguments, y), offsetof(Arguments, y_extents), 0, 1},
    {{"sum", f32, 0, nullptr}, offsetof(Arguments, sum), -1, 1, 1},
};
const Dimension dimensions[] = {{"N", 0, 0, 1, {nullptr, 0}, 0}};
const Check checks[] = {{1, {n, 0}, {nullptr, 1000}, "{left} rows are more than {right}"}};
const IndexSite sites[] = {{{"label", i32, 1, rows}, {nullptr, -10}, {nullptr, 10}, 0}};
const Binding inputs[] = {{bind_field, 0}, {bind_field, 1}, {bind_field, 2}, {bind_parameter, 0}};
const Binding results[] = {{bind_field, 3}, {bind_field, 4}, {bind_gradient, 0}};
const Extent sizes[] = {{nullptr, 4}, {eight_n, 0}};
const Slot slots[] = {{2, sizes}};
const Tensor tensors[] = {{"w", f32, 1, two}};
const int64_t offsets[] = {0};
const Store parameters{"m::Parameters", 1, tensors, offsets, 64};
const Store none{"m::Constants", 0, nullptr, nullptr, 0};
const Entry entry{"m::f",
                  {compute, 4, 1, inputs, slots},
                  &parameters,
                  &none,
                  &none,
                  sizeof(Arguments),
                  offsetof(Arguments, parameters),
                  -1,
                  -1,
                  offsetof(Arguments, gradients),
                  -1,
                  offsetof(Arguments, workspace),
                  offsetof(Arguments, workspace_size),
                  offsetof(Arguments, options),
                  0,
                  0,
                  5,
                  1,
                  1,
                  1,
                  3,
                  fields,
                  dimensions,
                  checks,
                  sites,
                  results,
                  nullptr};

int32_t on_device(Call& call) {
  Failure failure = call.fail(TEL_DEVICE);
  failure.text() << "device " << int64_t{call.execution.device} << " with N = " << call.dims[0];
  return failure;
}

const int64_t large_n[] = {extent_constant, 64, extent_dimension, 0, extent_multiply, extent_end};
const Extent large_size[] = {{large_n, 0}};
const Slot large_slots[] = {{1, large_size}, {1, large_size}};
const DeviceProgram programs[] = {{80, nullptr, nullptr, 2, 0, large_slots, nullptr},
                                  {75, nullptr, nullptr, 1, 0, large_slots, nullptr}};
const Devices devices{2, programs, nullptr, on_device, nullptr, nullptr, nullptr, nullptr};

Entry with_devices() {
  Entry result = entry;
  result.devices = &devices;
  return result;
}

/// Everything in order for 3 rows.
struct Fixture {
  alignas(64) float w[16] = {10, 20};
  alignas(64) float dw[16] = {};
  alignas(64) char workspace[1024];
  std::vector<float> x{1, 2, 3, 4, 5, 6};
  std::vector<int32_t> label{0, 9, -10};
  std::vector<float> y = std::vector<float>(6);
  Arguments arguments;
  tel_error error{};

  Fixture() {
    arguments.x = x.data();
    arguments.x_extents[0] = 3;
    arguments.x_extents[1] = 2;
    arguments.label = label.data();
    arguments.label_extents[0] = 3;
    arguments.scale = 2;
    arguments.parameters = w;
    arguments.gradients = dw;
    arguments.y = y.data();
    arguments.y_extents[0] = 3;
    arguments.y_extents[1] = 2;
    arguments.workspace = workspace;
    arguments.workspace_size = sizeof workspace;
  }
  std::string fails(int32_t status) {
    CHECK(tel_call(&entry, &arguments, &error) == status);
    CHECK(error.code == status);
    CHECK(tel_call(&entry, &arguments, nullptr) == status);
    return error.text;
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a call computes") {
  REQUIRE(tel_call(&entry, &arguments, &error) == TEL_OK);
  CHECK(y == std::vector<float>{12, 24, 16, 28, 20, 32});
  CHECK(arguments.sum == 132);
  CHECK(dw[0] == 3);
  CHECK(error.code == TEL_OK);
}

TEST_CASE_FIXTURE(Fixture, "arithmetic has the usual settings, and the caller's are left alone") {
  x[0] = 3e38f;  // overflows, which may trap nothing
  x[1] = 1e-40f;
  const unsigned before = _mm_getcsr();
  constexpr unsigned subnormals_are_zero = 0x40;  // and no exception is masked
  const unsigned unusual = _MM_ROUND_UP | _MM_FLUSH_ZERO_ON | subnormals_are_zero | _MM_EXCEPT_INEXACT;
  _mm_setcsr(unusual);
  const int32_t status = tel_call(&entry, &arguments, &error);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  REQUIRE(status == TEL_OK);
  CHECK(after == unusual);
  CHECK(*reinterpret_cast<const float*>(workspace + 4) == 2 * 1e-40f);
}

TEST_CASE_FIXTURE(Fixture, "derivatives replace, or are added") {
  dw[0] = 5;
  REQUIRE(tel_call(&entry, &arguments, &error) == TEL_OK);
  CHECK(dw[0] == 3);
  tel_options options{sizeof options, nullptr, 0, 1};
  arguments.options = &options;
  REQUIRE(tel_call(&entry, &arguments, &error) == TEL_OK);
  CHECK(dw[0] == 6);
  CHECK(dw[1] == 6);
}

TEST_CASE_FIXTURE(Fixture, "outputs left null lie in the workspace, call after call") {
  for (int call = 0; call < 2; ++call) {
    if (call == 0) arguments.y = nullptr;
    REQUIRE(tel_call(&entry, &arguments, &error) == TEL_OK);
    CHECK(static_cast<void*>(arguments.y) == workspace);
    CHECK(arguments.y_extents[0] == 3);
    CHECK(arguments.y[5] == 32);
  }
}

TEST_CASE_FIXTURE(Fixture, "the workspace's size is told before") {
  CHECK(tel_workspace(&entry, arguments.x_extents, nullptr) == 128);  // y, and one slot
  tel_options options{sizeof options, nullptr, 0, 1};
  CHECK(tel_workspace(&entry, arguments.x_extents, &options) == 192);
  const int64_t negative[] = {-1}, large[] = {INT64_MAX / 4};
  CHECK(tel_workspace(&entry, negative, nullptr) == SIZE_MAX);
  CHECK(tel_workspace(&entry, large, nullptr) == SIZE_MAX);
  arguments.workspace_size = 0;
  REQUIRE(tel_prepare(&entry, &arguments, &error) == TEL_OK);
  CHECK(arguments.workspace_size == 64);
  REQUIRE(tel_call(&entry, &arguments, &error) == TEL_OK);
  arguments.workspace_size = 63;
  CHECK(fails(TEL_WORKSPACE) == "m::f: the workspace has 63 bytes, 64 are needed");
  arguments.workspace = workspace + 4;
  arguments.workspace_size = 512;
  CHECK(fails(TEL_WORKSPACE) == "m::f: the workspace is not aligned to 64 bytes");
  arguments.workspace = nullptr;
  CHECK(fails(TEL_WORKSPACE) == "m::f: the workspace is null, 64 bytes are needed");
}

TEST_CASE_FIXTURE(Fixture, "inputs without rows have pointers, whatever these are; outputs need none") {
  arguments.x = reinterpret_cast<const float*>(workspace + 1);
  arguments.label = label.data();
  arguments.y = nullptr;
  arguments.x_extents[0] = arguments.label_extents[0] = 0;
  CHECK(tel_call(&entry, &arguments, &error) == TEL_OK);
  CHECK(arguments.y_extents[0] == 0);
}

TEST_CASE_FIXTURE(Fixture, "an input that is null is not set, and named") {
  arguments.label = nullptr;
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: the input 'label' is not set: its pointer is null");
  arguments.label_extents[0] = 0;
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: the input 'label' is not set: its pointer is null");
  CHECK(tel_prepare(&entry, &arguments, &error) == TEL_INVALID_ARGUMENT);
  arguments = {};
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: the input 'x' is not set: its pointer is null");
}

TEST_CASE_FIXTURE(Fixture, "extents that disagree are named with both values") {
  arguments.label_extents[0] = 4;
  CHECK(fails(TEL_EXTENT) == "m::f: axis 0 of 'label' is 4, expected 3 for N = 3 (axis 0 of 'x')");
  arguments.label_extents[0] = 3;
  arguments.x_extents[1] = 5;
  CHECK(fails(TEL_EXTENT) == "m::f: axis 1 of 'x' is 5, expected 2");
  arguments.x_extents[1] = 2;
  arguments.y_extents[0] = 2;
  CHECK(fails(TEL_EXTENT) == "m::f: axis 0 of 'y' is 2, expected 3 for N = 3 (axis 0 of 'x')");
  arguments.x_extents[0] = -3;
  CHECK(fails(TEL_EXTENT) == "m::f: axis 0 of 'x' is -3, but an extent is at least 0");
}

TEST_CASE_FIXTURE(Fixture, "extents that are too large are errors, not overflows") {
  arguments.y = nullptr;
  arguments.x_extents[0] = arguments.label_extents[0] = INT64_MAX;
  CHECK(fails(TEL_EXTENT) == "m::f: 'x' would have more than 2^47 bytes");
  arguments.x_extents[0] = arguments.label_extents[0] = int64_t{1} << 45;  // no overflow, but 2^48 bytes
  CHECK(fails(TEL_EXTENT) == "m::f: 'x' would have more than 2^47 bytes");
  arguments.x_extents[0] = arguments.label_extents[0] = 1001;
  CHECK(fails(TEL_EXTENT) == "m::f: 1001 rows are more than 1000, where N = 1001 (axis 0 of 'x')");
}

TEST_CASE_FIXTURE(Fixture, "an index outside is named with its position and bound") {
  label[1] = 10;
  CHECK(fails(TEL_INDEX) == "m::f: label[1] is 10, expected -10 to 9");
}

TEST_CASE_FIXTURE(Fixture, "pointers and sizes of structs are checked") {
  arguments.x = reinterpret_cast<const float*>(workspace + 2);
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: 'x' is not aligned to 4 bytes");
  arguments.x = x.data();
  arguments.parameters = nullptr;
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: the pointer to the parameters is null");
  arguments.parameters = w + 1;
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: 'parameters' is not aligned to 64 bytes");
  arguments.parameters = w;
  tel_options options{sizeof options + 1, nullptr, 0, 0};
  arguments.options = &options;
  CHECK(fails(TEL_INVALID_ARGUMENT) ==
        "m::f: the options or their execution have a size or a kind that this object does not know");
  const tel_execution execution{sizeof execution, 7, 0, nullptr, 0, 0};
  options = {sizeof options, &execution, 0, 0};
  CHECK(fails(TEL_INVALID_ARGUMENT) ==
        "m::f: the options or their execution have a size or a kind that this object does not know");
  arguments.size = 8;
  CHECK(fails(TEL_INVALID_ARGUMENT) == "m::f: the argument struct's size is 8, expected " +
                                           std::to_string(sizeof(Arguments)) +
                                           "; set it to the struct's sizeof");
  CHECK(tel_call(&entry, nullptr, &error) == TEL_INVALID_ARGUMENT);
}

TEST_CASE_FIXTURE(Fixture, "a device that the object has no code for is a status of its own") {
  tel_execution execution{sizeof execution, TEL_EMULATOR, 0, nullptr, 0, 0};
  tel_options options{sizeof options, &execution, 0, 0};
  arguments.options = &options;
  CHECK(fails(TEL_DEVICE) == "m::f: this object has no emulator; compile it with --target=cpu,cuda,emulator");
  CHECK(tel_prepare(&entry, &arguments, &error) == TEL_DEVICE);
  execution.kind = TEL_CUDA;
  CHECK(fails(TEL_DEVICE) == "m::f: this object has no code for GPUs; compile it with --target=cpu,cuda");
  const Entry other = with_devices();
  CHECK(tel_call(&other, &arguments, &error) == TEL_DEVICE);
  execution.kind = TEL_PARALLEL_FOR + 1;
  CHECK(fails(TEL_INVALID_ARGUMENT) ==
        "m::f: the options or their execution have a size or a kind that this object does not know");
}

TEST_CASE_FIXTURE(Fixture, "a call reaches its device after all checks, with that device's workspace") {
  const Entry entry = with_devices();
  tel_execution execution{sizeof execution, TEL_EMULATOR, 7, nullptr, 0, 0};
  tel_options options{sizeof options, &execution, 0, 0};
  arguments.options = &options;
  CHECK(tel_call(&entry, &arguments, &error) == TEL_DEVICE);
  CHECK(std::string(error.text) == "m::f: device 7 with N = 3");
  CHECK(tel_prepare(&entry, &arguments, &error) == TEL_OK);
  CHECK(arguments.workspace_size == 512);  // two slots of 64 N bytes, each with room behind it
  CHECK(tel_workspace(&entry, arguments.x_extents, &options) == 640);
  CHECK(tel_workspace(&entry, arguments.x_extents, nullptr) == 128);
  arguments.workspace_size = 511;
  CHECK(tel_call(&entry, &arguments, &error) == TEL_WORKSPACE);
  arguments.label_extents[0] = 4;
  CHECK(tel_call(&entry, &arguments, &error) == TEL_EXTENT);
  execution.kind = TEL_PARALLEL_FOR + 1;
  CHECK(tel_workspace(&entry, arguments.x_extents, &options) == SIZE_MAX);
}
