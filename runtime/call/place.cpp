#include <string.h>

#include "runtime/call/call.h"
#include "runtime/support/extent.h"
#include "runtime/support/float16.h"

namespace runtime {
namespace {

/// Takes `bytes` of the workspace; `pointer` is null where only the size is wanted.
bool take(const Call& call, Placement& placement, int64_t bytes, void*& pointer) {
  pointer = placement.workspace ? placement.workspace + placement.size : nullptr;
  return add_aligned(placement.size, bytes) &&
         (call.execution.kind != TEL_EMULATOR || add_aligned(placement.size, emulator_gap));
}

void* store_member(const Call& call, int64_t offset, const Store& store, int64_t index) {
  return call.member<char*>(offset) + store.offsets[index];
}

/// Workspace for the outputs that the caller left null.
bool place_outputs(const Call& call, Placement& placement) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (!field.output || field.by_value) continue;
    if (!placement.every_output && !in_workspace(call, field)) continue;
    int64_t bytes;
    void* pointer;
    if (!bytes_of(field.tensor, call.dims, bytes) || !take(call, placement, bytes, pointer)) return false;
    if (placement.workspace) call.member<void*>(field.offset) = pointer;
  }
  return true;
}

bool place_slots(const Call& call, Placement& placement) {
  const int64_t first = call.code->argument_count + call.entry.result_count;
  for (int64_t i = 0; i < placement.slot_count; ++i) {
    int64_t bytes;
    void* pointer;
    const Slot& slot = placement.slots[i];
    if (!bytes_of(slot, call.dims, bytes)) return false;
    if (slot.of_cores && call.cores > 1) {
      int64_t all = 0;
      for (int64_t core = 0; core < call.cores; ++core)
        if (!add_aligned(all, bytes)) return false;
      bytes = all;
    }
    if (!take(call, placement, bytes, pointer)) return false;
    if (placement.buffers) placement.buffers[first + i] = pointer;
  }
  return true;
}

/// Derivatives go to the caller's gradients, or to the workspace if they are to be added.
bool place_gradients(const Call& call, Placement& placement) {
  for (int64_t i = 0; i < call.entry.result_count; ++i) {
    const Binding& binding = call.entry.results[i];
    if (binding.kind != bind_gradient) continue;
    const Store& store = *call.entry.parameters;
    void* pointer = nullptr;
    if (call.options.accumulate) {
      int64_t bytes;
      if (!bytes_of(store.tensors[binding.index], call.dims, bytes) || !take(call, placement, bytes, pointer))
        return false;
    } else if (placement.buffers) {
      pointer = store_member(call, call.entry.gradients_offset, store, binding.index);
    }
    if (placement.buffers) placement.buffers[call.code->argument_count + i] = pointer;
  }
  return true;
}

/// The store whose tensor a result becomes, the state or the parameters; null for any other result.
const Store* updated_store(const Entry& entry, const Binding& binding) {
  if (binding.kind == bind_next) return entry.state;
  return binding.kind == bind_trained ? entry.parameters : nullptr;
}

/// Next values stay in the workspace until everything has been read and the call has succeeded.
bool place_next_values(const Call& call, Placement& placement) {
  if (!call.entry.updates_state && !call.entry.updates_parameters) return true;
  for (int64_t i = 0; i < call.entry.result_count; ++i) {
    const Binding& binding = call.entry.results[i];
    const Store* store = updated_store(call.entry, binding);
    if (!store) continue;
    int64_t bytes;
    void* pointer;
    if (!bytes_of(store->tensors[binding.index], call.dims, bytes) || !take(call, placement, bytes, pointer))
      return false;
    if (placement.buffers) placement.buffers[call.code->argument_count + i] = pointer;
  }
  return true;
}

void* bound(const Call& call, const uint64_t& seed, const Binding& binding) {
  const Entry& entry = call.entry;
  switch (static_cast<BindingKind>(binding.kind)) {
    case bind_field: {
      const Field& field = entry.fields[binding.index];
      return field.by_value ? call.arguments + field.offset : call.member<char*>(field.offset);
    }
    case bind_parameter:
    case bind_updated_parameter:
      return store_member(call, entry.parameters_offset, *entry.parameters, binding.index);
    case bind_constant:
      return store_member(call, entry.constants_offset, *entry.constants, binding.index);
    case bind_state:
    case bind_updated:
    case bind_updated_alone:
      return store_member(call, entry.state_offset, *entry.state, binding.index);
    case bind_frozen:
      return call.member<char*>(entry.frozen_offset) + entry.frozen->operands[binding.index].offset;
    case bind_dimension:
      return &call.dims[binding.index];
    case bind_seed:
      return const_cast<uint64_t*>(&seed);
    case bind_gradient:
    case bind_next:
    case bind_trained:
      break;  // they have places of their own
  }
  return nullptr;
}

template <typename T>
void add(T* to, const T* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

template <float (*widen)(uint16_t), uint16_t (*narrow)(float)>
void add_16(uint16_t* to, const uint16_t* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = narrow(widen(to[i]) + widen(from[i]));
}

void add(int32_t type, void* to, const void* from, int64_t bytes) {
  const int64_t count = bytes / size_of(type);
  const auto* bits = static_cast<const uint16_t*>(from);
  if (type == f32) add(static_cast<float*>(to), static_cast<const float*>(from), count);
  if (type == f64) add(static_cast<double*>(to), static_cast<const double*>(from), count);
  if (type == f16) add_16<float16_to_float, float_to_float16>(static_cast<uint16_t*>(to), bits, count);
  if (type == bf16) add_16<bfloat16_to_float, float_to_bfloat16>(static_cast<uint16_t*>(to), bits, count);
}

bool measure(const Call& call, int64_t slot_count, const Slot* slots, bool every_output, int64_t& largest) {
  Placement placement{slot_count, slots, nullptr, 0, nullptr, every_output};
  if (!place(call, call.options.seed, placement)) return false;
  if (placement.size > largest) largest = placement.size;
  return true;
}

}  // namespace

bool bytes_of(const Slot& slot, const int64_t* dims, int64_t& bytes) {
  bytes = 0;
  for (int64_t i = 0; i < slot.count; ++i) {
    int64_t size;
    if (!evaluate(slot.sizes[i], dims, size)) return false;
    if (size > bytes) bytes = size;
  }
  return true;
}

bool measure_workspace(const Call& call, bool every_output, int64_t& size) {
  const Entry& entry = call.entry;
  size = 0;
  if (!is_on_device(call.execution) || !entry.devices)
    return measure(call, call.code->slot_count, call.code->slots, every_output, size);
  for (int64_t i = 0; i < entry.devices->program_count; ++i) {
    const DeviceProgram& program = entry.devices->programs[i];
    if (!measure(call, program.slot_count, program.slots, every_output, size)) return false;
  }
  return true;
}

bool place(const Call& call, const uint64_t& seed, Placement& placement) {
  if (!place_outputs(call, placement) || !place_slots(call, placement) || !place_gradients(call, placement) ||
      !place_next_values(call, placement))
    return false;
  if (!placement.buffers) return true;
  const Entry& entry = call.entry;
  for (int64_t i = 0; i < call.code->argument_count; ++i)
    placement.buffers[i] = bound(call, seed, call.code->arguments[i]);
  for (int64_t i = 0; i < entry.result_count; ++i)
    if (entry.results[i].kind == bind_field || is_updated(entry.results[i]))
      placement.buffers[call.code->argument_count + i] = bound(call, seed, entry.results[i]);
  return true;
}

void add_gradients(const Call& call, void* const* buffers) {
  for (int64_t i = 0; i < call.entry.result_count; ++i) {
    const Binding& binding = call.entry.results[i];
    if (binding.kind != bind_gradient) continue;
    const Store& store = *call.entry.parameters;
    int64_t bytes;
    bytes_of(store.tensors[binding.index], call.dims, bytes);
    add(store.tensors[binding.index].type,
        store_member(call, call.entry.gradients_offset, store, binding.index),
        buffers[call.code->argument_count + i], bytes);
  }
}

void update_stores(const Call& call, void* const* buffers) {
  const Entry& entry = call.entry;
  if (!entry.updates_state && !entry.updates_parameters) return;
  for (int64_t i = 0; i < entry.result_count; ++i) {
    const Binding& binding = entry.results[i];
    const Store* store = updated_store(entry, binding);
    if (!store) continue;
    int64_t bytes;
    bytes_of(store->tensors[binding.index], call.dims, bytes);
    const int64_t offset = binding.kind == bind_next ? entry.state_offset : entry.parameters_offset;
    memcpy(store_member(call, offset, *store, binding.index), buffers[call.code->argument_count + i],
           static_cast<size_t>(bytes));
  }
}

}  // namespace runtime
