#include "runtime/cuda/work.h"

#include <string.h>

namespace runtime::cuda {
namespace {

constexpr int64_t grid_limit = INT32_MAX;

int64_t bytes_of(const Work& work, const Field& field) {
  int64_t bytes = 0;
  bytes_of(field.tensor, work.call.dims, bytes);
  return bytes;
}

int32_t copy_to_device(const Work& work, Address to, const void* from, int64_t bytes) {
  if (bytes == 0) return TEL_OK;
  return work.calls(&Driver::cuMemcpyHtoDAsync, to, from, static_cast<size_t>(bytes), work.stream);
}

int32_t copy_from_device(const Work& work, void* to, Address from, int64_t bytes) {
  if (bytes == 0) return TEL_OK;
  return work.calls(&Driver::cuMemcpyDtoHAsync, to, from, static_cast<size_t>(bytes), work.stream);
}

int32_t clear(const Work& work, Address memory, int64_t bytes) {
  if (bytes == 0) return TEL_OK;
  return work.calls(&Driver::cuMemsetD8Async, memory, static_cast<unsigned char>(0),
                    static_cast<size_t>(bytes), work.stream);
}

int32_t copy_fields_in(const Work& work) {
  const Entry& entry = work.call.entry;
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (field.by_value || field.output || work.places.fields[i] != Place::copied) continue;
    const void* from = work.call.member<const void*>(field.offset);
    if (const int32_t status = copy_to_device(work, work.layout.fields[i], from, bytes_of(work, field)))
      return status;
  }
  return TEL_OK;
}

int32_t copy_store_in(const Work& work, int64_t offset, Place place, const Store& store, Address to) {
  if (offset < 0 || place != Place::copied) return TEL_OK;
  return copy_to_device(work, to, work.call.member<const void*>(offset), store.size);
}

/// What is between tensors stays or becomes 0.
int32_t start_gradients(const Work& work) {
  const Entry& entry = work.call.entry;
  if (entry.gradients_offset < 0) return TEL_OK;
  const int64_t size = entry.parameters->size;
  if (!work.call.options.accumulate)
    return work.places.gradients == Place::copied ? clear(work, work.layout.gradients, size)
                                                  : static_cast<int32_t>(TEL_OK);
  if (const int32_t status = clear(work, work.layout.derivatives, size)) return status;
  return copy_store_in(work, entry.gradients_offset, work.places.gradients, *entry.parameters,
                       work.layout.gradients);
}

/// The elements of one type in a store, which lie together: false where there are none.
bool range_of(const Store& store, int32_t type, int64_t& begin, int64_t& end) {
  begin = store.size;
  end = 0;
  for (int64_t i = 0; i < store.count; ++i) {
    int64_t bytes;
    if (store.tensors[i].type != type || !runtime::bytes_of(store.tensors[i], nullptr, bytes)) continue;
    if (store.offsets[i] < begin) begin = store.offsets[i];
    if (store.offsets[i] + bytes > end) end = store.offsets[i] + bytes;
  }
  return begin < end;
}

int32_t add_derivatives(const Work& work) {
  for (const AddKernel& kernel : add_kernels) {
    int64_t begin, end;
    if (!range_of(*work.call.entry.parameters, kernel.type, begin, end)) continue;
    Address to = work.layout.gradients + static_cast<Address>(begin);
    Address from = work.layout.derivatives + static_cast<Address>(begin);
    int64_t count = (end - begin) / size_of(kernel.type);
    void* parameters[] = {&to, &from, &count};
    if (const int32_t status =
            launch_kernel(work.calls, kernel.name, work.ready->loaded->add[kernel.type],
                          (count + add_threads - 1) / add_threads, add_threads, 0, work.stream, parameters))
      return status;
  }
  return TEL_OK;
}

int32_t write_words(const Work& work, int64_t* block) {
  for (int64_t at = 0; at < work.layout.block_words; at += words_limit) {
    const int64_t rest = work.layout.block_words - at;
    Address to = work.layout.record + sizeof(int64_t) * static_cast<Address>(at);
    auto count = static_cast<int32_t>(rest < words_limit ? rest : words_limit);
    void* parameters[] = {&to, &count, block + at};
    if (const int32_t status = launch_kernel(work.calls, words_kernel, work.ready->loaded->words, 1,
                                             words_limit, 0, work.stream, parameters))
      return status;
  }
  return TEL_OK;
}

/// Launches grids in the call's stream.
struct StreamQueue : tel_queue {
  const Work& work;
};

int32_t launch_in_stream(tel_queue* queue, int64_t number, int64_t blocks, const int32_t* positions) {
  const Work& work = static_cast<StreamQueue*>(queue)->work;
  const Kernel& kernel = work.ready->program->code->kernels[number];
  auto** parameters =
      static_cast<void**>(__builtin_alloca(sizeof(void*) * (static_cast<size_t>(kernel.argument_count) + 1)));
  Address words = work.layout.words;
  parameters[0] = &words;
  for (int32_t i = 0; i < kernel.argument_count; ++i) parameters[i + 1] = const_cast<int32_t*>(positions + i);
  return launch_kernel(work.calls, kernel.name, work.ready->loaded->kernels[number], blocks, kernel.threads,
                       kernel.shared, work.stream, parameters);
}

/// Results that are scalars, from behind the record to the caller's struct.
void store_scalars(const Call& call, const int64_t* from) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (field.by_value && field.output)
      memcpy(call.arguments + field.offset, from++, static_cast<size_t>(size_of(field.tensor.type)));
  }
}

int32_t check_record(const Work& work, const int64_t* block) {
  IndexRecord record;
  memcpy(&record, block, sizeof record);
  if (record.site == 0) return TEL_OK;
  if (record.site > 0 && record.site <= work.call.entry.site_count)
    return index_failure(work.call, record.site, record.value, record.position);
  Failure failure = work.calls.fail(TEL_DEVICE);
  failure.text() << "the workspace was changed during the call";
  return failure;
}

}  // namespace

int32_t launch_kernel(const Calls& calls, const char* name, Function function, int64_t grid, int64_t threads,
                      int64_t shared, Stream stream, void** parameters) {
  if (grid > grid_limit) {
    Failure failure = calls.fail(TEL_EXTENT);
    failure.text() << name << " needs " << grid << " blocks, a grid has at most " << grid_limit;
    return failure;
  }
  return calls.about(name, &Driver::cuLaunchKernel, function, static_cast<unsigned>(grid), 1u, 1u,
                     static_cast<unsigned>(threads), 1u, 1u, static_cast<unsigned>(shared), stream,
                     parameters, nullptr);
}

int32_t copy_in(const Work& work) {
  const Entry& entry = work.call.entry;
  if (const int32_t status = copy_fields_in(work)) return status;
  if (const int32_t status = copy_store_in(work, entry.parameters_offset, work.places.parameters,
                                           *entry.parameters, work.layout.parameters))
    return status;
  if (const int32_t status = copy_store_in(work, entry.constants_offset, work.places.constants,
                                           *entry.constants, work.layout.constants))
    return status;
  return start_gradients(work);
}

int32_t launch(const Work& work, int64_t* block) {
  fill_block(work.call, *work.ready, work.layout, block);
  if (const int32_t status = write_words(work, block)) return status;
  StreamQueue queue{{launch_in_stream}, work};
  return work.ready->program->enqueue(work.call.dims, &queue);
}

int32_t copy_out(const Work& work) {
  const Entry& entry = work.call.entry;
  const bool gradients = entry.gradients_offset >= 0;
  if (gradients && work.call.options.accumulate)
    if (const int32_t status = add_derivatives(work)) return status;
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (field.by_value || !field.output || work.places.fields[i] != Place::copied) continue;
    void* to = work.call.member<void*>(field.offset);
    if (const int32_t status = copy_from_device(work, to, work.layout.fields[i], bytes_of(work, field)))
      return status;
  }
  if (!gradients || work.places.gradients != Place::copied) return TEL_OK;
  return copy_from_device(work, work.call.member<void*>(entry.gradients_offset), work.layout.gradients,
                          entry.parameters->size);
}

int32_t finish(const Work& work) {
  const int64_t words = record_words + work.layout.scalar_results;
  auto* block = static_cast<int64_t*>(__builtin_alloca(sizeof(int64_t) * static_cast<size_t>(words)));
  if (const int32_t status =
          copy_from_device(work, block, work.layout.record, static_cast<int64_t>(sizeof(int64_t)) * words))
    return status;
  if (const int32_t status = work.calls(&Driver::cuStreamSynchronize, work.stream)) return status;
  if (const int32_t status = check_record(work, block)) return status;
  store_scalars(work.call, block + record_words);
  return TEL_OK;
}

}  // namespace runtime::cuda
