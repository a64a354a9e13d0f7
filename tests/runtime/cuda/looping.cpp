#include "tests/runtime/cuda/looping.h"

#include "runtime/cuda/work.h"

namespace looping {
namespace {

using namespace runtime;
using runtime::cuda::Address;
using stand_in::at;
using stand_in::Grid;

/// Words: record, N, arguments 2 … 8, results 9 … 13, slots 14 … 19, literal 20, aliases 21 and 22.
enum : int32_t {
  x = 2,
  label,
  scale,
  w,
  c,
  rows,
  seed,
  y,
  sum,
  token,
  dw,
  dv,
  slot,
  acc,
  next,
  i,
  j,
  condition
};
enum : int32_t { one = 20, acc_alias, next_alias };
constexpr int32_t aliases[] = {acc, next};
enum : int64_t {
  run_scale,
  run_add,
  run_sum,
  run_derivatives,
  zero,
  differs,
  step,
  odd,
  bonus,
  count,
  store
};

template <typename T>
T* buffer(const Grid& grid, int index, int64_t count = 1) {
  const auto* words = at<int64_t>(grid.parameter<Address>(0), 23);
  const auto position = grid.parameter<int32_t>(1 + index);
  return words ? at<T>(static_cast<Address>(words[position]), count) : nullptr;
}

void zero_it(const Grid& grid) {
  if (auto* value = buffer<float>(grid, 0)) *value = 0;
}
/// condition = counter != label[1 or 0], by the number of blocks, less 1.
void compare(const Grid& grid) {
  const auto* counter = buffer<float>(grid, 0);
  const auto* limits = buffer<int32_t>(grid, 1, 2);
  auto* result = buffer<unsigned char>(grid, 2);
  if (counter && limits && result) *result = *counter != static_cast<float>(limits[grid.blocks - 1]);
}
/// to = from + 1, and the counter, too.
void add_one(const Grid& grid) {
  const auto* from = buffer<float>(grid, 0);
  auto *to = buffer<float>(grid, 1), *counter = buffer<float>(grid, 2);
  if (!from || !to || !counter) return;
  if (from == to) stand_in::complain("the exchange was lost");
  *to = *from + 1;
  *counter += 1;
}
void is_odd(const Grid& grid) {
  const auto* counter = buffer<float>(grid, 0);
  auto* result = buffer<unsigned char>(grid, 1);
  if (counter && result) *result = static_cast<int>(*counter) % 2 != 0;
}
/// 10 in one block, 100 in two.
void add_bonus(const Grid& grid) {
  if (auto* value = buffer<float>(grid, 0)) *value += grid.blocks == 1 ? 10 : 100;
}
void count_up(const Grid& grid) {
  if (auto* value = buffer<float>(grid, 0)) *value += 1;
}
void store_it(const Grid& grid) {
  const auto* from = buffer<float>(grid, 0);
  auto* to = buffer<float>(grid, 1, 2);
  if (from && to) to[0] = *from, to[1] = -*from;
}

/// A queue in which a failure ends all that follows.
struct Host {
  tel_queue* queue;
  int32_t status = TEL_OK;

  template <typename... Slots>
  void launch(int64_t kernel, int64_t blocks, Slots... slots) {
    const int32_t all[] = {slots...};
    if (status == TEL_OK) status = queue->launch(queue, kernel, blocks, all);
  }
  /// -1 ends the program.
  int32_t read(int32_t argument_slot) {
    int32_t value = -1;
    if (status == TEL_OK) status = queue->read(queue, argument_slot, &value);
    return status == TEL_OK ? value : -1;
  }
  void exchange(int32_t first, int32_t second) {
    if (status == TEL_OK) status = queue->exchange(queue, first, second);
  }
  void decide(tel_decision decision) {
    if (status == TEL_OK) status = queue->decide(queue, &decision);
  }
  void open(int32_t kind, int32_t handle) {
    if (status == TEL_OK) status = queue->open(queue, kind, handle);
  }
  void close() {
    if (status == TEL_OK) status = queue->close(queue);
  }
};

void begin(const int64_t* dims, Host& host) {
  const int64_t blocks = dims[0] / 64 + 1;
  host.launch(run_scale, blocks, x, scale, slot, one);
  host.launch(run_add, blocks, slot, w, c, label, y);
  host.launch(run_sum, 1, y, sum, token, rows, seed);
}

int32_t enqueue(const int64_t* dims, tel_queue* queue) {
  Host host{queue};
  begin(dims, host);
  int32_t now = acc, other = next;
  host.launch(zero, 1, now);
  host.launch(zero, 1, i);
  for (;;) {
    host.launch(differs, 1, i, label, condition);
    const int32_t again = host.read(condition);
    if (again < 0) return host.status;
    if (again == 0) break;
    host.launch(zero, 1, j);
    for (;;) {
      host.launch(differs, 2, j, label, condition);
      const int32_t inner = host.read(condition);
      if (inner < 0) return host.status;
      if (inner == 0) break;
      host.launch(step, 1, now, other, j);
      std::swap(now, other);
    }
    host.launch(odd, 1, i, condition);
    host.launch(bonus, host.read(condition) != 0 ? 1 : 2, now);
    host.launch(count, 1, i);
  }
  host.launch(store, 1, now, dw);
  return host.status;
}

int32_t enqueue_graph(const int64_t* dims, tel_queue* queue) {
  enum : int32_t { outer, inner, is_odd_body, is_even_body };
  Host host{queue};
  begin(dims, host);
  host.launch(zero, 1, acc_alias);
  host.launch(zero, 1, i);
  host.launch(differs, 1, i, label, condition);
  host.decide({outer, condition, 0, 1, 0});
  host.open(TEL_WHILE, outer);
  host.launch(zero, 1, j);
  host.launch(differs, 2, j, label, condition);
  host.decide({inner, condition, 0, 1, 0});
  host.open(TEL_WHILE, inner);
  host.launch(step, 1, acc_alias, next_alias, j);
  host.exchange(acc_alias, next_alias);
  host.launch(differs, 2, j, label, condition);
  host.decide({inner, condition, 0, 1, 0});
  host.close();
  host.launch(odd, 1, i, condition);
  host.decide({is_odd_body, condition, 0, 1, 1});
  host.decide({is_even_body, condition, 1, 0, 0, is_odd_body});
  host.open(TEL_IF, is_odd_body);
  host.launch(bonus, 1, acc_alias);
  host.close();
  host.open(TEL_IF, is_even_body);
  host.launch(bonus, 2, acc_alias);
  host.close();
  host.launch(count, 1, i);
  host.launch(differs, 1, i, label, condition);
  host.decide({outer, condition, 0, 1, 0});
  host.close();
  host.launch(store, 1, acc_alias, dw);
  return host.status;
}

stand_in::ImageData make_image() {
  stand_in::ImageData data;
  data.kernels = network::image_kernels();
  data.kernels.push_back({"zero", {8, 4}, zero_it});
  data.kernels.push_back({"differs", {8, 4, 4, 4}, compare});
  data.kernels.push_back({"step", {8, 4, 4, 4}, add_one});
  data.kernels.push_back({"odd", {8, 4, 4}, is_odd});
  data.kernels.push_back({"bonus", {8, 4}, add_bonus});
  data.kernels.push_back({"count", {8, 4}, count_up});
  data.kernels.push_back({"store", {8, 4, 4}, store_it});
  return data;
}
const stand_in::ImageData image = make_image();

std::vector<Kernel> make_kernels() {
  std::vector<Kernel> all = network::device_kernels();
  for (const auto& [name, arguments] : {std::pair{"zero", 1},
                                        {"differs", 3},
                                        {"step", 3},
                                        {"odd", 2},
                                        {"bonus", 1},
                                        {"count", 1},
                                        {"store", 2}})
    all.push_back({name, arguments, 32, 0, nullptr});
  return all;
}
const std::vector<Kernel> kernels = make_kernels();
const Image images[] = {{image_cubin, 90, 0, &image, sizeof image}};
const DeviceCode code{static_cast<int64_t>(kernels.size()), 1, kernels.data(), images, 13000};
const Extent four[] = {{nullptr, 4}};
const Slot slots[] = {network::slots[0], {1, four}, {1, four}, {1, four}, {1, four}, {1, four}};
const DeviceProgram programs[] = {
    {75, &code, enqueue, 6, 1, slots, network::literals, 1, enqueue_graph, handles, 2, aliases}};
const Devices devices{1,
                      programs,
                      tel_cuda_call,
                      nullptr,
                      tel_cuda_workspace,
                      tel_choose_device,
                      tel_cuda_wait,
                      tel_cuda_combine};

}  // namespace

const Entry entry = network::with_programs(&devices);

float expected(int outer, int inner) {
  float value = 0;
  for (int round = 0; round < outer; ++round)
    value += static_cast<float>(inner + (round % 2 != 0 ? 10 : 100));
  return value;
}

}  // namespace looping
