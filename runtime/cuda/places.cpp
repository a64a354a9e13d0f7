#include "runtime/cuda/places.h"

namespace runtime::cuda {
namespace {

int32_t find_store(const Call& call, const Calls& calls, int64_t offset, const char* name, Place& place) {
  place = Place::copied;
  const void* pointer = offset < 0 ? nullptr : call.member<const void*>(offset);
  return pointer ? find_place(calls, pointer, name, place) : static_cast<int32_t>(TEL_OK);
}

/// Whether a field is a tensor without elements: nobody asks where its memory is.
bool is_empty(const Call& call, const Field& field) {
  int64_t bytes = 0;
  return bytes_of(field.tensor, call.dims, bytes) && bytes == 0;
}

int32_t not_captured(const Calls& calls, const char* name) {
  Failure failure = calls.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "'" << name
                 << "' is in the processor's memory, but a captured call can use the device's alone";
  return failure;
}

}  // namespace

int32_t find_place(const Calls& calls, const void* pointer, const char* name, Place& place) {
  place = Place::direct;
  if (!pointer) return TEL_OK;
  uint32_t type = unregistered_memory, managed = 0;
  int32_t ordinal = calls.ordinal();
  const PointerAttribute attributes[] = {memory_type, is_managed, device_ordinal};
  void* values[] = {&type, &managed, &ordinal};
  if (const int32_t status =
          calls(&Driver::cuPointerGetAttributes, 3u, attributes, values, reinterpret_cast<Address>(pointer)))
    return status;
  place = type != device_memory && !managed                             ? Place::copied
          : reinterpret_cast<Address>(pointer) % address_alignment == 0 ? Place::direct
                                                                        : Place::moved;
  if (place == Place::copied || managed || ordinal == calls.ordinal()) return TEL_OK;
  Failure failure = calls.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "'" << name << "' is in the memory of device " << int64_t{ordinal};
  return failure;
}

int32_t find_places(const Call& call, const Calls& calls, bool in_place, Places& places) {
  const Entry& entry = call.entry;
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (field.by_value) continue;
    if (in_place && field.output && in_workspace(call, field)) {
      places.fields[i] = Place::workspace;
      continue;
    }
    if (is_empty(call, field)) {
      places.fields[i] = Place::empty;
      continue;
    }
    const void* pointer = call.member<const void*>(field.offset);
    if (const int32_t status = find_place(calls, pointer, field.tensor.name, places.fields[i])) return status;
  }
  if (const int32_t status =
          find_store(call, calls, entry.parameters_offset, "parameters", places.parameters))
    return status;
  if (const int32_t status = find_store(call, calls, entry.constants_offset, "constants", places.constants))
    return status;
  if (const int32_t status = find_store(call, calls, entry.state_offset, "state", places.state))
    return status;
  return find_store(call, calls, entry.gradients_offset, "gradients", places.gradients);
}

int32_t check_captured(const Call& call, const Calls& calls, const Places& places) {
  const Entry& entry = call.entry;
  for (int64_t i = 0; i < entry.field_count; ++i)
    if (!entry.fields[i].by_value && places.fields[i] == Place::copied)
      return not_captured(calls, entry.fields[i].tensor.name);
  if (entry.parameters_offset >= 0 && places.parameters == Place::copied)
    return not_captured(calls, "parameters");
  if (entry.constants_offset >= 0 && places.constants == Place::copied)
    return not_captured(calls, "constants");
  if (entry.state_offset >= 0 && places.state == Place::copied) return not_captured(calls, "state");
  if (entry.gradients_offset >= 0 && places.gradients == Place::copied)
    return not_captured(calls, "gradients");
  return TEL_OK;
}

void assume_places(const Call& call, Places& places) {
  for (int64_t i = 0; i < call.entry.field_count; ++i)
    places.fields[i] = call.entry.fields[i].output ? Place::workspace : Place::copied;
  places.parameters = places.constants = places.state = places.gradients = Place::direct;
}

}  // namespace runtime::cuda
