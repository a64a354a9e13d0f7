#include "tests/runtime/cuda/network.h"

#include <cstddef>

#include "runtime/call/call.h"
#include "runtime/cuda/work.h"

namespace network {
namespace {

using namespace runtime;
using runtime::cuda::Address;
using stand_in::at;
using stand_in::Grid;

void compute(void* const* buffers, const int64_t* dims, tel_context* context) {
  const auto* x = static_cast<const float*>(buffers[0]);
  const auto* label = static_cast<const int32_t*>(buffers[1]);
  const float scale = *static_cast<const float*>(buffers[2]);
  const auto* w = static_cast<const float*>(buffers[3]);
  const auto* c = static_cast<const float*>(buffers[4]);
  auto* y = static_cast<float*>(buffers[7]);
  auto* sum = static_cast<float*>(buffers[8]);
  *static_cast<uint64_t*>(buffers[9]) =
      *static_cast<uint64_t*>(buffers[6]) + *static_cast<uint64_t*>(buffers[5]);
  auto* dw = static_cast<float*>(buffers[10]);
  auto* dv = static_cast<double*>(buffers[11]);
  *sum = 0;
  for (int64_t i = 0; i < dims[0]; ++i) {
    if ((label[i] < 0 || label[i] > 9) && context->site == 0) *context = {1, label[i], i, context->execution};
    for (int64_t j = 0; j < 2; ++j) *sum += y[2 * i + j] = x[2 * i + j] * scale + w[j] + c[j];
  }
  for (int64_t j = 0; j < 2; ++j)
    dw[j] = static_cast<float>(dims[0]), dv[j] = 2.0 * static_cast<double>(dims[0]);
}

/// The words of a grid's call, and what its positions lead to.
struct Words {
  const Grid& grid;
  const int64_t* words = at<int64_t>(grid.parameter<Address>(0), 16);

  int64_t rows() const { return words[1]; }
  template <typename T>
  T* buffer(int index, int64_t count) const {
    const auto address = static_cast<Address>(words[grid.parameter<int32_t>(1 + index)]);
    if (address % 16 != 0) stand_in::complain("an address in the words is not aligned");
    return at<T>(address, count);
  }
};

/// slot = x * scale, with the literal 1 as a factor.
void run_scale(const Grid& grid) {
  const Words call{grid};
  const int64_t count = 2 * call.rows();
  const auto* x = call.buffer<float>(0, count);
  const auto* scale = call.buffer<float>(1, 1);
  auto* slot = call.buffer<float>(2, count);
  const auto* one = call.buffer<float>(3, 1);
  for (int64_t i = 0; x && scale && slot && one && i < count; ++i) slot[i] = x[i] * *scale * *one;
}

/// y = slot + w + c, and the labels.
void run_add(const Grid& grid) {
  const Words call{grid};
  const int64_t rows = call.rows();
  const auto* slot = call.buffer<float>(0, 2 * rows);
  const auto* w = call.buffer<float>(1, 2);
  const auto* c = call.buffer<float>(2, 2);
  const auto* label = call.buffer<int32_t>(3, rows);
  auto* y = call.buffer<float>(4, 2 * rows);
  auto* record = at<IndexRecord>(static_cast<Address>(call.words[0]));
  for (int64_t i = 0; slot && w && c && label && y && record && i < rows; ++i) {
    if ((label[i] < 0 || label[i] > 9) && record->site == 0) *record = {1, label[i], i, 0};
    for (int64_t j = 0; j < 2; ++j) y[2 * i + j] = slot[2 * i + j] + w[j] + c[j];
  }
}

void run_sum(const Grid& grid) {
  const Words call{grid};
  const auto* y = call.buffer<float>(0, 2 * call.rows());
  auto* sum = call.buffer<float>(1, 1);
  auto* token = call.buffer<uint64_t>(2, 1);
  const auto* rows = call.buffer<int64_t>(3, 1);
  const auto* seed = call.buffer<uint64_t>(4, 1);
  if (!y || !sum || !token || !rows || !seed) return;
  *sum = 0;
  for (int64_t i = 0; i < 2 * call.rows(); ++i) *sum += y[i];
  *token = *seed + static_cast<uint64_t>(*rows);
}

void run_derivatives(const Grid& grid) {
  const Words call{grid};
  auto* dw = call.buffer<float>(0, 2);
  auto* dv = call.buffer<double>(1, 2);
  for (int64_t j = 0; dw && dv && j < 2; ++j)
    dw[j] = static_cast<float>(call.rows()), dv[j] = 2.0 * static_cast<double>(call.rows());
}

/// Words: record, N, arguments 2 … 8, results 9 … 13, slot 14, literal 15.
enum : int32_t { x = 2, label, scale, w, c, rows, seed, y, sum, token, dw, dv, slot, one };

int32_t enqueue_values(const int64_t* dims, tel_queue* queue) {
  const int64_t blocks = dims[0] / 64 + 1;
  const int32_t a[] = {x, scale, slot, one}, b[] = {slot, w, c, label, y}, d[] = {y, sum, token, rows, seed};
  if (const int32_t status = queue->launch(queue, 0, blocks, a)) return status;
  if (const int32_t status = queue->launch(queue, 1, blocks, b)) return status;
  return queue->launch(queue, 2, 1, d);
}

int32_t enqueue_derivatives(tel_queue* queue) {
  const int32_t arguments[] = {dw, dv};
  return queue->launch(queue, 3, 1, arguments);
}

int32_t enqueue(const int64_t* dims, tel_queue* queue) {
  const int32_t status = enqueue_values(dims, queue);
  return status != TEL_OK ? status : enqueue_derivatives(queue);
}

/// The same, but the derivatives are computed only if the first label is not 0.
int32_t enqueue_reading(const int64_t* dims, tel_queue* queue) {
  if (const int32_t status = enqueue_values(dims, queue)) return status;
  int32_t condition = 0;
  if (const int32_t status = queue->read(queue, label, &condition)) return status;
  return condition > 0 ? enqueue_derivatives(queue) : static_cast<int32_t>(TEL_OK);
}

const Kernel kernels[] = {{"scale", 4, 128, 0, nullptr},
                          {"add", 5, 128, 64 << 10, nullptr},
                          {"sum", 5, 32, 0, nullptr},
                          {"derivatives", 2, 32, 0, nullptr}};

std::vector<stand_in::Kernel> make_kernels() {
  std::vector<stand_in::Kernel> all = stand_in::utilities();
  all.push_back({"scale", {8, 4, 4, 4, 4}, run_scale});
  all.push_back({"add", {8, 4, 4, 4, 4, 4}, run_add});
  all.push_back({"sum", {8, 4, 4, 4, 4, 4}, run_sum});
  all.push_back({"derivatives", {8, 4, 4}, run_derivatives});
  return all;
}
const stand_in::ImageData image{.kernels = make_kernels()};

const int64_t n[] = {extent_dimension, 0, extent_end};
const int64_t eight_n[] = {extent_constant, 8, extent_dimension, 0, extent_multiply, extent_end};
const Extent by_two[] = {{n, 0}, {nullptr, 2}};
const Extent two[] = {{nullptr, 2}};
const Field fields[] = {
    {{"x", f32, 2, by_two}, offsetof(Arguments, x), offsetof(Arguments, x_extents), 0, 0},
    {{"label", i32, 1, by_two}, offsetof(Arguments, label), offsetof(Arguments, label_extents), 0, 0},
    {{"scale", f32, 0, nullptr}, offsetof(Arguments, scale), -1, 1, 0},
    {{"y", f32, 2, by_two}, offsetof(Arguments, y), offsetof(Arguments, y_extents), 0, 1},
    {{"sum", f32, 0, nullptr}, offsetof(Arguments, sum), -1, 1, 1},
    {{"token", u64, 0, nullptr}, offsetof(Arguments, token), -1, 1, 1},
};
const Dimension dimensions[] = {{"N", 0, 0, 1, {nullptr, 0}, 0}};
const IndexSite sites[] = {{{"label", i32, 1, by_two}, {nullptr, 0}, {nullptr, 10}, 0}};
const Binding inputs[] = {{bind_field, 0},    {bind_field, 1},     {bind_field, 2}, {bind_parameter, 0},
                          {bind_constant, 0}, {bind_dimension, 0}, {bind_seed, 0}};
const Binding results[] = {
    {bind_field, 3}, {bind_field, 4}, {bind_field, 5}, {bind_gradient, 0}, {bind_gradient, 1}};
/// w is a state, and dw, dv are its next values.
const Binding updating_inputs[] = {{bind_field, 0},    {bind_field, 1},     {bind_field, 2}, {bind_state, 0},
                                   {bind_constant, 0}, {bind_dimension, 0}, {bind_seed, 0}};
const Binding updating_results[] = {
    {bind_field, 3}, {bind_field, 4}, {bind_field, 5}, {bind_next, 0}, {bind_next, 1}};
const Binding training_results[] = {
    {bind_field, 3}, {bind_field, 4}, {bind_field, 5}, {bind_trained, 0}, {bind_trained, 1}};
const Extent sizes[] = {{nullptr, 4}, {eight_n, 0}};
}  // namespace
const Slot slots[1] = {{2, sizes}};
namespace {
const Tensor tensors[] = {{"w", f32, 1, two}, {"v", f64, 1, two}};
const int64_t offsets[] = {0, 64};
const Store parameters{"m::Parameters", 2, tensors, offsets, 128};
const Store constants{"m::Constants", 1, tensors, offsets, 64};
const Store no_state{"m::State", 0, nullptr, nullptr, 0};

const float one_data[] = {1};
}  // namespace
const Literal literals[1] = {{one_data, sizeof one_data}};
namespace {
const Image images[] = {{image_cubin, 90, 0, &image, sizeof image}, {image_ptx, 75, 0, &image, sizeof image}};
const DeviceCode code{4, 2, kernels, images, 13000};
const DeviceProgram programs[] = {{75, &code, enqueue, 1, 1, slots, literals}};
const DeviceProgram reading_programs[] = {{75, &code, enqueue_reading, 1, 1, slots, literals, 1}};

constexpr Devices make_devices(const DeviceProgram* programs) {
  return {1,
          programs,
          tel_cuda_call,
          nullptr,
          tel_cuda_workspace,
          tel_choose_device,
          tel_cuda_wait,
          tel_cuda_combine};
}
const Devices devices = make_devices(programs), reading_devices = make_devices(reading_programs);

constexpr Entry make_entry(const Devices* devices) {
  return {"m::f",
          {compute, 7, 1, inputs, slots},
          &parameters,
          &constants,
          &no_state,
          sizeof(Arguments),
          offsetof(Arguments, parameters),
          offsetof(Arguments, constants),
          -1,
          offsetof(Arguments, gradients),
          -1,
          offsetof(Arguments, workspace),
          offsetof(Arguments, workspace_size),
          offsetof(Arguments, options),
          0,
          0,
          6,
          1,
          0,
          1,
          5,
          fields,
          dimensions,
          nullptr,
          sites,
          results,
          devices};
}

Entry make_updating() {
  Entry made = make_entry(&devices);
  made.state = &parameters;
  made.state_offset = made.parameters_offset;
  made.parameters_offset = made.gradients_offset = -1;
  made.updates_state = 1;
  made.code.arguments = updating_inputs;
  made.results = updating_results;
  return made;
}

Entry make_training() {
  Entry made = make_entry(&devices);
  made.gradients_offset = -1;
  made.updates_parameters = 1;
  made.results = training_results;
  return made;
}

}  // namespace

Entry with_programs(const Devices* devices) { return make_entry(devices); }
std::vector<stand_in::Kernel> image_kernels() { return make_kernels(); }
std::vector<Kernel> device_kernels() { return {std::begin(kernels), std::end(kernels)}; }

const Entry plain = make_entry(nullptr);
const Entry entry = make_entry(&devices);
const Entry reading = make_entry(&reading_devices);
const Entry updating = make_updating();
const Entry training = make_training();

}  // namespace network
