// The kernels that every image holds besides those of its network, on the processor.
#include <cstring>

#include "runtime/abi.h"
#include "runtime/support/float16.h"
#include "tests/runtime/cuda/stand_in.h"

namespace stand_in {
namespace {

void run_words(const Grid& grid) {
  const auto count = grid.parameter<int32_t>(1);
  if (grid.blocks != 1 || grid.threads != runtime::argument_chunk_words ||
      count > runtime::argument_chunk_words)
    complain("tel_words is launched otherwise");
  auto* to = at<int64_t>(grid.parameter<Address>(0), count);
  if (to) std::memcpy(to, grid.parameters[2], sizeof(int64_t) * static_cast<size_t>(count));
}

void run_update(const Grid& grid) {
  const auto count = grid.parameter<int64_t>(2);
  if (grid.threads != runtime::update_threads || grid.blocks * grid.threads * runtime::update_bytes < count)
    complain("tel_update: too few threads");
  auto* to = at<char>(grid.parameter<Address>(0), count);
  const auto* from = at<char>(grid.parameter<Address>(1), count);
  const auto* record = at<runtime::IndexRecord>(grid.parameter<Address>(3), 1);
  if (to && from && record && record->site == 0) std::memcpy(to, from, static_cast<size_t>(count));
}

template <typename T, typename S, auto Widen, auto Narrow>
void run_combine(const Grid& grid) {
  const auto count = grid.parameter<int64_t>(2);
  if (grid.threads != runtime::combine_threads || grid.blocks * grid.threads < count)
    complain("tel_combine: too few threads");
  T* to = at<T>(grid.parameter<Address>(0), count);
  const auto a = grid.parameter<S>(3), b = grid.parameter<S>(4);
  const T* from = b == 0 ? to : at<T>(grid.parameter<Address>(1), count);
  for (int64_t i = 0; to && from && i < count; ++i)
    to[i] = Narrow((a == 0 ? 0 : a * Widen(to[i])) + (b == 0 ? 0 : b * Widen(from[i])));
}

}  // namespace

std::vector<Kernel> utilities() {
  using namespace runtime;
  constexpr auto same = [](auto value) { return value; };
  const std::vector<size_t> narrow{8, 8, 8, 4, 4}, wide{8, 8, 8, 8, 8};
  return {{"tel_words", {8, 4, 8 * argument_chunk_words}, run_words},
          {"tel_update", {8, 8, 8, 8}, run_update},
          {"tel_combine_f16", narrow, run_combine<uint16_t, float, float16_to_float, float_to_float16>},
          {"tel_combine_bf16", narrow, run_combine<uint16_t, float, bfloat16_to_float, float_to_bfloat16>},
          {"tel_combine_f32", narrow, run_combine<float, float, same, same>},
          {"tel_combine_f64", wide, run_combine<double, double, same, same>}};
}

}  // namespace stand_in
