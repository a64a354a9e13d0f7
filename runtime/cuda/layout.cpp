#include "runtime/cuda/layout.h"

#include <string.h>

#include "runtime/support/extent.h"

namespace runtime::cuda {
namespace {

constexpr Address word = sizeof(int64_t);

static_assert(sizeof(IndexRecord) % address_alignment == 0);

/// Takes the workspace's memory, piece by piece.
struct Taker {
  Address base;
  int64_t& size;

  bool take(int64_t bytes, Address& address) {
    address = base + static_cast<Address>(size);
    return add_aligned(size, bytes);
  }
};

int64_t address_words(const Entry& entry, const DeviceProgram& program) {
  return entry.code.argument_count + entry.result_count + program.slot_count + program.literal_count +
         program.alias_count;
}

/// Takes words of the block, from the workspace's start.
struct Words {
  Address base;
  int64_t count;

  Address take(int64_t words) {
    const Address address = base + word * static_cast<Address>(count);
    count += words;
    return address;
  }
};

/// The record, scalars and words; they are at the start.
bool place_block(const Call& call, const DeviceProgram& program, Layout& layout, Taker& taker) {
  const Entry& entry = call.entry;
  Words words{taker.base, 0};
  const auto take_scalars = [&](int32_t output) {
    const int64_t before = words.count;
    for (int64_t i = 0; i < entry.field_count; ++i)
      if (entry.fields[i].by_value && entry.fields[i].output == output)
        layout.fields[i] = words.take(scalar_words);
    return words.count - before;
  };
  layout.record = words.take(record_words);
  layout.result_words = record_words + take_scalars(1);
  take_scalars(0);
  layout.dimensions = words.take(scalar_words * entry.dimension_count);
  layout.seed = words.take(scalar_words);
  layout.argument_buffer = words.take(1 + entry.dimension_count + address_words(entry, program));
  layout.block_words = words.count;
  Address block;
  return taker.take(static_cast<int64_t>(word) * words.count, block);
}

/// Tensors that are left to the workspace, or those that are not.
bool place_fields(const Call& call, const Places& places, bool in_workspace, Layout& layout, Taker& taker) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (field.by_value || (places.fields[i] == Place::workspace) != in_workspace) continue;
    if (places.fields[i] == Place::direct || places.fields[i] == Place::empty) {
      layout.fields[i] = places.fields[i] == Place::empty ? 0 : call.member<Address>(field.offset);
      continue;
    }
    int64_t bytes;
    if (!bytes_of(field.tensor, call.dims, bytes) || !taker.take(bytes, layout.fields[i])) return false;
  }
  return true;
}

bool place_slots(const Call& call, const DeviceProgram& program, Layout& layout, Taker& taker) {
  for (int64_t i = 0; i < program.slot_count; ++i) {
    int64_t bytes;
    if (!bytes_of(program.slots[i], call.dims, bytes) || !taker.take(bytes, layout.slots[i])) return false;
  }
  return true;
}

bool place_store(const Call& call, int64_t offset, const Store& store, Place place, Address& address,
                 Taker& taker) {
  address = 0;
  if (offset < 0) return true;
  if (place == Place::copied) return taker.take(store.size, address);
  if (call.arguments) address = call.member<Address>(offset);
  return true;
}

bool place_stores(const Call& call, const Places& places, Layout& layout, Taker& taker) {
  const Entry& entry = call.entry;
  return place_store(call, entry.parameters_offset, *entry.parameters, places.parameters, layout.parameters,
                     taker) &&
         place_store(call, entry.constants_offset, *entry.constants, places.constants, layout.constants,
                     taker) &&
         place_store(call, entry.state_offset, *entry.state, places.state, layout.state, taker) &&
         place_store(call, entry.gradients_offset, *entry.parameters, places.gradients, layout.gradients,
                     taker);
}

bool place_next_values(const Call& call, Layout& layout, Taker& taker) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < call.entry.result_count; ++i)
    if (!add_aligned(bytes, size_of_next_value(call.entry, i))) return false;
  return taker.take(bytes, layout.next_values);
}

Address argument(const Call& call, const Layout& layout, const Binding& binding) {
  const Entry& entry = call.entry;
  const auto stored = [&](Address base, const Store& store) {
    return base + static_cast<Address>(store.offsets[binding.index]);
  };
  switch (static_cast<BindingKind>(binding.kind)) {
    case bind_field:
      return layout.fields[binding.index];
    case bind_parameter:
    case bind_updated_parameter:
      return stored(layout.parameters, *entry.parameters);
    case bind_constant:
      return stored(layout.constants, *entry.constants);
    case bind_gradient:
      return stored(call.options.accumulate ? layout.derivatives : layout.gradients, *entry.parameters);
    case bind_state:
    case bind_updated:
    case bind_updated_alone:
      return stored(layout.state, *entry.state);
    case bind_dimension:
      return layout.dimensions + address_alignment * static_cast<Address>(binding.index);
    case bind_seed:
    case bind_next:
    case bind_trained:  // these have places of their own
    case bind_frozen:   // only the processor reads it
      break;
  }
  return layout.seed;
}

}  // namespace

bool lay_out(const Call& call, const DeviceProgram& program, const Places& places, Address base,
             Layout& layout) {
  layout.size = 0;
  Taker taker{base, layout.size};
  const bool adds = call.options.accumulate && call.entry.gradients_offset >= 0;
  return place_block(call, program, layout, taker) && place_fields(call, places, true, layout, taker) &&
         place_slots(call, program, layout, taker) &&
         taker.take(adds ? call.entry.parameters->size : 0, layout.derivatives) &&
         place_next_values(call, layout, taker) && place_fields(call, places, false, layout, taker) &&
         place_stores(call, places, layout, taker);
}

int64_t size_of_next_value(const Entry& entry, int64_t number) {
  const Binding& binding = entry.results[number];
  if (binding.kind != bind_next && binding.kind != bind_trained) return 0;
  const Store& store = binding.kind == bind_next ? *entry.state : *entry.parameters;
  int64_t bytes = 0;
  bytes_of(store.tensors[binding.index], nullptr, bytes);
  return bytes;
}

void fill_block(const Call& call, const Ready& ready, const Layout& layout, int64_t* block) {
  const Entry& entry = call.entry;
  const DeviceProgram& program = *ready.program;
  memset(block, 0, sizeof(int64_t) * static_cast<size_t>(layout.block_words));
  const auto at = [&](Address address) { return block + (address - layout.record) / word; };
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (field.by_value && !field.output)
      memcpy(at(layout.fields[i]), call.arguments + field.offset,
             static_cast<size_t>(size_of(field.tensor.type)));
  }
  for (int64_t i = 0; i < entry.dimension_count; ++i) at(layout.dimensions)[scalar_words * i] = call.dims[i];
  *at(layout.seed) = static_cast<int64_t>(call.options.seed);

  int64_t* next = at(layout.argument_buffer);
  const auto put = [&](Address address) { *next++ = static_cast<int64_t>(address); };
  put(layout.record);
  for (int64_t i = 0; i < entry.dimension_count; ++i) *next++ = call.dims[i];
  for (int64_t i = 0; i < entry.code.argument_count; ++i)
    put(argument(call, layout, entry.code.arguments[i]));
  int64_t next_values = 0;
  for (int64_t i = 0; i < entry.result_count; ++i) {
    const bool is_next = entry.results[i].kind == bind_next || entry.results[i].kind == bind_trained;
    put(is_next ? layout.next_values + static_cast<Address>(next_values)
                : argument(call, layout, entry.results[i]));
    add_aligned(next_values, size_of_next_value(entry, i));
  }
  for (int64_t i = 0; i < program.slot_count; ++i) put(layout.slots[i]);
  for (int64_t i = 0; i < program.literal_count; ++i) put(ready.literals[i]);
  for (int64_t i = 0; i < program.alias_count; ++i) *next++ = at(layout.argument_buffer)[program.aliases[i]];
}

}  // namespace runtime::cuda
