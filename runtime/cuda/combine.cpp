#include "runtime/cuda/combine.h"

#include "runtime/cuda/work.h"

namespace runtime::cuda {
namespace {

/// The elements of one type in a store, which lie together: false where there are none.
bool range_of(const Store& store, int32_t type, int64_t& begin, int64_t& end) {
  begin = store.size;
  end = 0;
  for (int64_t i = 0; i < store.count; ++i) {
    int64_t bytes;
    if (store.tensors[i].type != type || !bytes_of(store.tensors[i], nullptr, bytes)) continue;
    if (store.offsets[i] < begin) begin = store.offsets[i];
    if (store.offsets[i] + bytes > end) end = store.offsets[i] + bytes;
  }
  return begin < end;
}

}  // namespace

int32_t combine(const Calls& calls, const Loaded& loaded, const Store& store, Address to, double a,
                Address from, double b, Stream stream) {
  auto narrow_a = static_cast<float>(a), narrow_b = static_cast<float>(b);
  for (const CombineKernel& kernel : combine_kernels) {
    int64_t begin, end;
    if (!range_of(store, kernel.type, begin, end)) continue;
    Address first = to + static_cast<Address>(begin), second = from + static_cast<Address>(begin);
    int64_t count = (end - begin) / size_of(kernel.type);
    const bool wide = kernel.type == f64;
    void* parameters[] = {&first, &second, &count, wide ? static_cast<void*>(&a) : &narrow_a,
                          wide ? static_cast<void*>(&b) : &narrow_b};
    const int64_t blocks = (count + combine_threads - 1) / combine_threads;
    if (const int32_t status = check_grid(calls, kernel.name, blocks)) return status;
    if (const int32_t status =
            calls.about(kernel.name, &Driver::cuLaunchKernel, loaded.combine[kernel.type],
                        static_cast<unsigned>(blocks), 1u, 1u, static_cast<unsigned>(combine_threads), 1u, 1u,
                        0u, stream, static_cast<void**>(parameters), nullptr))
      return status;
  }
  return TEL_OK;
}

}  // namespace runtime::cuda
