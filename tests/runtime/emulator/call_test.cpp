#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "grids.h"
#include "runtime/entry.h"

using namespace runtime;

namespace {

/// y[N] = table[label[N]] * w[2][0] + w[1]; dw are sums of x … of as many as there are; by two kernels and
/// one slot of N. `table` is a literal of 4.
struct Arguments {
  size_t size = sizeof(Arguments);
  const std::int32_t* label = nullptr;
  std::int64_t label_extents[1] = {};
  float scale = 0;
  const float* parameters = nullptr;
  float* gradients = nullptr;
  float* y = nullptr;
  std::int64_t y_extents[1] = {};
  void* workspace = nullptr;
  size_t workspace_size = 0;
  const tel_options* options = nullptr;
};

// Words: 0 the record, 1 N, then arguments label, scale, w; results y, dw; the slot; the literal.
enum Position { p_label = 2, p_scale, p_w, p_y, p_dw, p_slot, p_table };

using test::at;
using test::buffer;
using test::load;
using test::store;

int fault = 0;  ///< planted by the tests

/// slot[i] = table[label[i]], which is checked.
void gather(const std::int64_t* words, const std::int32_t* positions) {
  const int i = 32 * tel_device_block() + tel_device_thread();
  if (i >= words[1]) return;
  const std::int32_t label = load<10>(buffer<std::int32_t>(words, positions, 0) + i);
  if (label < 0 || label > 3) {
    auto* record = reinterpret_cast<IndexRecord*>(words[0]);
    static constexpr Site site{"kernel.tel", 11, access_atomic, 8, 8};
    tel_emulator_access(&record->lock, &site);
    while (__atomic_exchange_n(&record->lock, 1, __ATOMIC_ACQUIRE)) {
    }
    if (load<12>(&record->site) == 0 || load<12>(&record->position) > i) {
      store<13>(&record->site, std::int64_t{1});
      store<13>(&record->value, std::int64_t{label});
      store<13>(&record->position, std::int64_t{i});
    }
    __atomic_store_n(&record->lock, 0, __ATOMIC_RELEASE);
    return;
  }
  const float value = load<14>(buffer<float>(words, positions, 1) + label);
  store<15>(buffer<float>(words, positions, 2) + i + (fault == 1 && i == 5 ? 3 * words[1] : 0), value);
}

/// y = slot * scale + w[1], and the derivative: dw = {0, N}.
void scale(const std::int64_t* words, const std::int32_t* positions) {
  const int i = 32 * tel_device_block() + tel_device_thread();
  if (i < words[1]) {
    const float value = load<20>(buffer<float>(words, positions, 0) + i);
    const float scale = load<21>(buffer<float>(words, positions, 1));
    store<23>(buffer<float>(words, positions, 3) + i,
              value * scale + load<22>(buffer<float>(words, positions, 2) + 1));
  }
  if (i < 2 && fault != 2)
    store<24>(buffer<float>(words, positions, 4) + i, i ? static_cast<float>(words[1]) : 0.0f);
}

const Kernel kernels[] = {{"gather", 3, 32, 0, gather}, {"scale", 5, 32, 0, scale}};
const DeviceCode code{2, 0, kernels, nullptr, 0};

std::int32_t enqueue(const std::int64_t* dims, tel_queue* queue) {
  const std::int64_t blocks = (dims[0] + 31) / 32;
  const std::int32_t first[] = {p_label, p_table, p_slot}, second[] = {p_slot, p_scale, p_w, p_y, p_dw};
  if (blocks > 0)
    if (const std::int32_t status = queue->launch(queue, 0, blocks, first)) return status;
  return queue->launch(queue, 1, blocks > 0 ? blocks : 1, second);
}

void compute(void* const*, const std::int64_t*, tel_context*) {}

const std::int64_t n[] = {extent_dimension, 0, extent_end};
const std::int64_t four_n[] = {extent_constant, 4, extent_dimension, 0, extent_multiply, extent_end};
const Extent rows[] = {{n, 0}}, two[] = {{nullptr, 2}}, sizes[] = {{four_n, 0}};
const Field fields[] = {
    {{"label", i32, 1, rows}, offsetof(Arguments, label), offsetof(Arguments, label_extents), 0, 0},
    {{"scale", f32, 0, nullptr}, offsetof(Arguments, scale), -1, 1, 0},
    {{"y", f32, 1, rows}, offsetof(Arguments, y), offsetof(Arguments, y_extents), 0, 1}};
const Dimension dimensions[] = {{"N", 0, 0, 1, {nullptr, 0}, 0}};
const IndexSite sites[] = {{{"label", i32, 1, rows}, {nullptr, 0}, {nullptr, 4}, 0}};
const Binding inputs[] = {{bind_field, 0}, {bind_field, 1}, {bind_parameter, 0}};
const Binding results[] = {{bind_field, 2}, {bind_gradient, 0}};
const Slot slots[] = {{1, sizes}};
const Tensor tensors[] = {{"w", f32, 1, two}};
const std::int64_t offsets[] = {0};
const Store parameters{"m::Parameters", 1, tensors, offsets, 64};
const Store none{"m::Constants", 0, nullptr, nullptr, 0};
const float table[] = {0.5f, 1.5f, 2.5f, 3.5f};
const Literal literals[] = {{table, sizeof table}};
const DeviceProgram programs[] = {{80, &code, enqueue, 1, 1, slots, literals},
                                  {75, nullptr, nullptr, 0, 0, nullptr, nullptr}};
const Devices devices{2, programs, nullptr, tel_emulator_call, nullptr, nullptr, nullptr, nullptr};
const Entry entry{"m::f",
                  {compute, 3, 0, inputs, nullptr},
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
                  3,
                  1,
                  0,
                  1,
                  2,
                  fields,
                  dimensions,
                  nullptr,
                  sites,
                  results,
                  &devices};

struct Fixture {
  alignas(64) float w[16] = {10, 20};
  alignas(64) float dw[16] = {5, 5};
  alignas(64) char workspace[4096];
  std::vector<std::int32_t> label = std::vector<std::int32_t>(50);
  std::vector<float> y = std::vector<float>(50);
  Arguments arguments;
  tel_execution execution{sizeof execution, TEL_EMULATOR, 0, nullptr, 0, 0};
  tel_options options{sizeof options, &execution, 0, 0};
  tel_error error{};

  Fixture() {
    for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<std::int32_t>(i % 4);
    arguments.label = label.data();
    arguments.label_extents[0] = arguments.y_extents[0] = 50;
    arguments.scale = 2;
    arguments.parameters = w;
    arguments.gradients = dw;
    arguments.y = y.data();
    arguments.workspace = workspace;
    arguments.workspace_size = sizeof workspace;
    arguments.options = &options;
    fault = 0;
  }
  std::int32_t call() { return tel_call(&entry, &arguments, &error); }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "emulator: a call computes, in every order") {
  for (execution.order = 0; execution.order < 10; ++execution.order) {
    std::fill(y.begin(), y.end(), -1.0f);
    REQUIRE_MESSAGE(call() == TEL_OK, error.text);
    for (std::size_t i = 0; i < 50; ++i) CHECK(y[i] == table[i % 4] * 2 + 20);
    CHECK(dw[0] == 0);
    CHECK(dw[1] == 50);
  }
}

TEST_CASE_FIXTURE(Fixture,
                  "emulator: derivatives are added, outputs lie in the workspace, its size is told") {
  options.accumulate = 1;
  arguments.y = nullptr;
  REQUIRE(tel_prepare(&entry, &arguments, &error) == TEL_OK);
  CHECK(arguments.workspace_size == 256 + 256 + 64 + 3 * 64);  // y, the slot, dw, and gaps
  CHECK(tel_workspace(&entry, arguments.label_extents, &options) == arguments.workspace_size);
  REQUIRE_MESSAGE(call() == TEL_OK, error.text);
  CHECK(arguments.y[49] == table[1] * 2 + 20);
  CHECK(static_cast<void*>(arguments.y) == workspace);
  CHECK(dw[0] == 5);
  CHECK(dw[1] == 55);
  --arguments.workspace_size;
  arguments.y = nullptr;
  CHECK(call() == TEL_WORKSPACE);
}

TEST_CASE_FIXTURE(Fixture, "emulator: an index outside its range is the error that the processor gives") {
  label[41] = 4;
  label[7] = -1;
  label[33] = 9;
  for (execution.order = 0; execution.order < 10; ++execution.order) {
    CHECK(call() == TEL_INDEX);
    CHECK(std::string(error.text) == "m::f: label[7] is -1, expected 0 to 3");
  }
}

TEST_CASE_FIXTURE(Fixture, "emulator: a fault is the call's error, by the names of the tables") {
  fault = 1;
  CHECK(call() == TEL_DEVICE);
  CHECK(std::string(error.text) ==
        "emulator: gather, block 0, thread 5, kernel.tel:15: writes 4 bytes outside of the kernel's memory: "
        "420 past the end of slot 0 (200 bytes)");
  CHECK(tel_call(&entry, &arguments, nullptr) == TEL_DEVICE);
  fault = 2;
  CHECK(call() == TEL_DEVICE);
  CHECK(std::string(error.text) == "emulator: m::f: no kernel writes byte 0 of result 'w'");
  fault = 0;
  CHECK(call() == TEL_OK);
}

TEST_CASE_FIXTURE(Fixture, "emulator: memory that is not aligned as a device's is copied there and back") {
  label.insert(label.begin(), -1);
  y.push_back(-1.0f);
  for (const std::size_t shift : {0, 1}) {
    std::fill(y.begin(), y.end(), -1.0f);
    arguments.label = label.data() + 1;
    arguments.y = y.data() + shift;
    REQUIRE_MESSAGE(call() == TEL_OK, error.text);
    for (std::size_t i = 0; i < 50; ++i) CHECK(y[i + shift] == table[i % 4] * 2 + 20);
    CHECK(y[shift == 0 ? 50 : 0] == -1.0f);
  }
}

TEST_CASE_FIXTURE(Fixture, "emulator: no rows") {
  arguments.label_extents[0] = arguments.y_extents[0] = 0;
  REQUIRE_MESSAGE(call() == TEL_OK, error.text);
  CHECK(dw[1] == 0);
}

TEST_CASE_FIXTURE(Fixture, "emulator: what kernels did is written to a file, and TEL_THREADS is heeded") {
  const std::string path = "emulator-counts.txt";
  std::remove(path.c_str());
  setenv("TEL_EMULATOR_COUNTS", path.c_str(), 1);
  setenv("TEL_THREADS", "3", 1);
  CHECK(call() == TEL_OK);
  unsetenv("TEL_EMULATOR_COUNTS");
  unsetenv("TEL_THREADS");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() ==
        "m::f gather: grids 1, blocks 2, bytes read 400, bytes written 200, wavefronts 0, conflicts 0, "
        "uncounted 0, "
        "products 0\n"
        "m::f scale: grids 1, blocks 2, bytes read 600, bytes written 208, wavefronts 0, conflicts 0, "
        "uncounted 0, "
        "products 0\n");
  std::remove(path.c_str());
}
