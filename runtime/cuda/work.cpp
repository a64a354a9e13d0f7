#include "runtime/cuda/work.h"

#include <string.h>

#include "runtime/cuda/combine.h"
#include "runtime/cuda/graphs.h"
#include "runtime/support/extent.h"

namespace runtime::cuda {
namespace {

constexpr int64_t grid_limit = INT32_MAX;

int64_t bytes_of(const Work& work, const Field& field) {
  int64_t bytes = 0;
  bytes_of(field.tensor, work.call.dims, bytes);
  return bytes;
}

/// Into the workspace's copy of what the caller has at `from`.
int32_t copy_to_workspace(const Work& work, Place place, Address to, const void* from, int64_t bytes) {
  const auto size = static_cast<size_t>(bytes);
  if (bytes == 0 || place == Place::direct || place == Place::workspace) return TEL_OK;
  if (place == Place::copied) return work.calls(&Driver::cuMemcpyHtoDAsync, to, from, size, work.stream);
  return work.calls(&Driver::cuMemcpyDtoDAsync, to, reinterpret_cast<Address>(from), size, work.stream);
}

/// And from there.
int32_t copy_from_workspace(const Work& work, Place place, void* to, Address from, int64_t bytes) {
  const auto size = static_cast<size_t>(bytes);
  if (bytes == 0 || place == Place::direct || place == Place::workspace) return TEL_OK;
  if (place == Place::copied) return work.calls(&Driver::cuMemcpyDtoHAsync, to, from, size, work.stream);
  return work.calls(&Driver::cuMemcpyDtoDAsync, reinterpret_cast<Address>(to), from, size, work.stream);
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
    if (field.by_value || field.output) continue;
    const void* from = work.call.member<const void*>(field.offset);
    if (const int32_t status = copy_to_workspace(work, work.places.fields[i], work.layout.fields[i], from,
                                                 bytes_of(work, field)))
      return status;
  }
  return TEL_OK;
}

int32_t copy_store_in(const Work& work, int64_t offset, Place place, const Store& store, Address to) {
  if (offset < 0) return TEL_OK;
  return copy_to_workspace(work, place, to, work.call.member<const void*>(offset), store.size);
}

/// The bytes between tensors stay or become 0.
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

int32_t launch_node(const Work& work, const char* name, const KernelNode& node) {
  return work.calls.about(name, &Driver::cuLaunchKernel, node.function, node.grid_x, node.grid_y, node.grid_z,
                          node.block_x, node.block_y, node.block_z, node.shared, work.stream, node.parameters,
                          nullptr);
}

int32_t add_derivatives(const Work& work) {
  return combine(work.calls, *work.ready->loaded, *work.call.entry.parameters, work.layout.gradients, 1,
                 work.layout.derivatives, 1, work.stream);
}

/// A store of the caller that takes next values.
struct UpdatedStore {
  const Store& store;
  int32_t kind;  ///< of the bindings of its results
  int64_t offset;
  Place place;
  Address current;
};

/// Copies next values to the store, unless an index was outside its range: the store then stays as it was.
int32_t update_store(const Work& work, const UpdatedStore& updated) {
  const Entry& entry = work.call.entry;
  int64_t next_values = 0;
  for (int64_t i = 0; i < entry.result_count; ++i) {
    const Binding& binding = entry.results[i];
    int64_t bytes = size_of_next_value(entry, i);
    Address from = work.layout.next_values + static_cast<Address>(next_values);
    add_aligned(next_values, bytes);
    if (binding.kind != updated.kind) continue;
    const auto offset = static_cast<Address>(updated.store.offsets[binding.index]);
    Address to = updated.current + offset, record = work.layout.record;
    void* parameters[] = {&to, &from, &bytes, &record};
    const int64_t blocks = (bytes + update_threads * update_bytes - 1) / (update_threads * update_bytes);
    if (const int32_t status = check_grid(work.calls, update_kernel, blocks)) return status;
    if (const int32_t status = launch_node(
            work, update_kernel, simple_node(work.ready->loaded->update, blocks, update_threads, parameters)))
      return status;
  }
  return updated.place != Place::copied
             ? static_cast<int32_t>(TEL_OK)
             : copy_from_workspace(work, updated.place, work.call.member<void*>(updated.offset),
                                   updated.current, updated.store.size);
}

int32_t update_stores(const Work& work) {
  const Entry& entry = work.call.entry;
  const Layout& layout = work.layout;
  if (entry.updates_state)
    if (const int32_t status = update_store(
            work, {*entry.state, bind_next, entry.state_offset, work.places.state, layout.state}))
      return status;
  if (!entry.updates_parameters) return TEL_OK;
  return update_store(work, {*entry.parameters, bind_trained, entry.parameters_offset, work.places.parameters,
                             layout.parameters});
}

/// Launches grids in the call's stream.
struct StreamQueue : tel_queue {
  const Work& work;
  const int64_t* block;
};

int32_t launch_in_stream(tel_queue* queue, int64_t number, int64_t blocks, const int32_t* argument_slots) {
  const Work& work = static_cast<StreamQueue*>(queue)->work;
  const Kernel& kernel = work.ready->program->code->kernels[number];
  if (const int32_t status = check_grid(work.calls, kernel.name, blocks)) return status;
  auto** parameters =
      static_cast<void**>(__builtin_alloca(sizeof(void*) * (static_cast<size_t>(kernel.argument_count) + 1)));
  Address argument_buffer = work.layout.argument_buffer;
  fill_parameters(kernel, argument_buffer, argument_slots, parameters);
  return launch_node(work, kernel.name,
                     grid_node(work.ready->loaded->kernels[number], blocks, kernel, parameters));
}

int32_t read_from_stream(tel_queue* queue, int32_t argument_slot, int32_t* value) {
  const auto& stream = *static_cast<StreamQueue*>(queue);
  const Work& work = stream.work;
  const Address place =
      static_cast<Address>(stream.block[(work.layout.argument_buffer - work.layout.record) / sizeof(int64_t) +
                                        static_cast<size_t>(argument_slot)]);
  unsigned char condition = 0;
  int64_t site = 0;
  if (const int32_t status =
          work.calls(&Driver::cuMemcpyDtoHAsync, &condition, place, sizeof condition, work.stream))
    return status;
  if (const int32_t status =
          work.calls(&Driver::cuMemcpyDtoHAsync, &site, work.layout.record + offsetof(IndexRecord, site),
                     sizeof site, work.stream))
    return status;
  if (const int32_t status = work.calls(&Driver::cuStreamSynchronize, work.stream)) return status;
  *value = site != 0 ? -1 : condition != 0 ? 1 : 0;
  return TEL_OK;
}

int32_t launch_directly(const Work& work, int64_t* block) {
  for (int64_t i = 0; i < argument_grid_count(work.layout); ++i) {
    ArgumentGrid grid(work, block, i);
    if (const int32_t status = launch_node(work, argument_kernel, grid.node())) return status;
  }
  StreamQueue queue{{launch_in_stream, read_from_stream}, work, block};
  return work.ready->program->enqueue(work.call.dims, &queue);
}

/// Results that are scalars, from behind the record to the caller's struct.
void store_scalars(const Call& call, const int64_t* from) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (!field.by_value || !field.output) continue;
    memcpy(call.arguments + field.offset, from, static_cast<size_t>(size_of(field.tensor.type)));
    from += scalar_words;
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

int32_t check_grid(const Calls& calls, const char* name, int64_t blocks) {
  if (blocks <= grid_limit) return TEL_OK;
  Failure failure = calls.fail(TEL_EXTENT);
  failure.text() << name << " needs " << blocks << " blocks, but a grid has at most " << grid_limit;
  return failure;
}

void fill_parameters(const Kernel& kernel, Address& argument_buffer, const int32_t* argument_slots,
                     void** parameters) {
  parameters[0] = &argument_buffer;
  for (int32_t i = 0; i < kernel.argument_count; ++i)
    parameters[i + 1] = const_cast<int32_t*>(argument_slots + i);
}

KernelNode simple_node(Function function, int64_t blocks, int64_t threads, void** parameters) {
  return {function, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(threads), 1, 1, 0, parameters,
          nullptr};
}

KernelNode grid_node(Function function, int64_t blocks, const Kernel& kernel, void** parameters) {
  KernelNode node = simple_node(function, blocks, kernel.threads, parameters);
  node.shared = static_cast<unsigned>(kernel.shared);
  return node;
}

int64_t argument_grid_count(const Layout& layout) {
  return (layout.block_words + argument_chunk_words - 1) / argument_chunk_words;
}

ArgumentGrid::ArgumentGrid(const Work& work, int64_t* block, int64_t number)
    : function_(work.ready->loaded->copy_words),
      to_(work.layout.record + sizeof(int64_t) * static_cast<Address>(number * argument_chunk_words)) {
  const int64_t rest = work.layout.block_words - number * argument_chunk_words;
  count_ = static_cast<int32_t>(rest < argument_chunk_words ? rest : argument_chunk_words);
  parameters_[2] = block + number * argument_chunk_words;
}

KernelNode ArgumentGrid::node() {
  parameters_[0] = &to_;
  parameters_[1] = &count_;
  return simple_node(function_, 1, argument_chunk_words, parameters_);
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
  if (const int32_t status =
          copy_store_in(work, entry.state_offset, work.places.state, *entry.state, work.layout.state))
    return status;
  return start_gradients(work);
}

int32_t launch(const Work& work, int64_t* block, bool repeats) {
  fill_block(work.call, *work.ready, work.layout, block);
  const DeviceProgram& program = *work.ready->program;
  CachedGraph* cached = repeats && (!program.reads || program.enqueue_graph) ? take_graph(work) : nullptr;
  bool launched = false;
  int32_t status = TEL_OK;
  if (cached) {
    status = launch_graph(work, *cached, block, launched);
    give_back(*cached);
  }
  return status != TEL_OK || launched ? status : launch_directly(work, block);
}

int32_t copy_out(const Work& work) {
  const Entry& entry = work.call.entry;
  if (const int32_t status = update_stores(work)) return status;
  const bool gradients = entry.gradients_offset >= 0;
  if (gradients && work.call.options.accumulate)
    if (const int32_t status = add_derivatives(work)) return status;
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (field.by_value || !field.output) continue;
    void* to = work.call.member<void*>(field.offset);
    if (const int32_t status = copy_from_workspace(work, work.places.fields[i], to, work.layout.fields[i],
                                                   bytes_of(work, field)))
      return status;
  }
  if (!gradients) return TEL_OK;
  return copy_from_workspace(work, work.places.gradients, work.call.member<void*>(entry.gradients_offset),
                             work.layout.gradients, entry.parameters->size);
}

int32_t finish(const Work& work) {
  const size_t bytes = sizeof(int64_t) * static_cast<size_t>(work.layout.result_words);
  auto* block = static_cast<int64_t*>(__builtin_alloca(bytes));
  if (const int32_t status =
          work.calls(&Driver::cuMemcpyDtoHAsync, block, work.layout.record, bytes, work.stream))
    return status;
  if (const int32_t status = work.calls(&Driver::cuStreamSynchronize, work.stream)) return status;
  if (const int32_t status = check_record(work, block)) return status;
  store_scalars(work.call, block + record_words);
  return TEL_OK;
}

}  // namespace runtime::cuda
