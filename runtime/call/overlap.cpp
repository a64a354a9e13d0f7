// A call writes no memory that it reads: it would read what it has just written. Most states are
// written when all has been read, and may be inputs. An optimizer updates parameters and its memory while
// inputs are read, so no input may be there.
#include "runtime/call/call.h"

namespace runtime {
namespace {

/// Holds where bytes of the caller's are. No bytes overlap nothing.
struct Range {
  uintptr_t begin, end;
};

bool overlap(const Range& a, const Range& b) {
  return a.begin < a.end && b.begin < b.end && a.begin < b.end && b.begin < a.end;
}

Range range_of(const void* pointer, int64_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  return pointer ? Range{begin, begin + static_cast<uintptr_t>(bytes)} : Range{0, 0};
}

/// Returns the memory of an input, or of an output that is the caller's.
Range range_of(const Call& call, const Field& field) {
  int64_t bytes;
  if (field.by_value || (field.output && in_workspace(call, field)) ||
      !bytes_of(field.tensor, call.dims, bytes))
    return {0, 0};
  return range_of(call.member<const void*>(field.offset), bytes);
}

/// Memory that a call uses beside its inputs and outputs, and the words for it in messages.
struct Area {
  const char* name;
  Range range;
};

Area area(const Call& call, const char* name, int64_t offset, const Store& store) {
  return {name, offset < 0 ? Range{0, 0} : range_of(call.member<const void*>(offset), store.size)};
}

int32_t fail(const Call& call, const Field& field, const char* with, const char* name) {
  Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "the " << (field.output ? "output" : "input") << " '" << field.tensor.name
                 << "' overlaps " << with;
  if (name) failure.text() << " '" << name << "'";
  return failure;
}

int32_t fail(const Call& call, const char* overlapping, const Area& with) {
  Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << overlapping << ' ' << with.name;
  return failure;
}

/// Returns the memory of a result that is written while inputs are read.
Area updated_area(const Call& call, const Binding& binding) {
  const bool is_parameter = binding.kind == bind_updated_parameter;
  if (!is_parameter && binding.kind != bind_updated_alone) return {nullptr, {0, 0}};
  const Entry& entry = call.entry;
  const Store& store = is_parameter ? *entry.parameters : *entry.state;
  int64_t bytes = 0;
  bytes_of(store.tensors[binding.index], call.dims, bytes);
  const char* all = call.member<const char*>(is_parameter ? entry.parameters_offset : entry.state_offset);
  return {is_parameter ? "the parameters" : "the state",
          range_of(all ? all + store.offsets[binding.index] : nullptr, bytes)};
}

int32_t check_updates(const Call& call, const Range* ranges) {
  const Entry& entry = call.entry;
  if (!entry.updates_parameters && !entry.updates_state) return TEL_OK;
  for (int64_t r = 0; r < entry.result_count; ++r) {
    const Area updated = updated_area(call, entry.results[r]);
    for (int64_t i = 0; updated.name && i < entry.field_count; ++i)
      if (!entry.fields[i].output && overlap(ranges[i], updated.range))
        return fail(call, entry.fields[i], updated.name, nullptr);
  }
  return TEL_OK;
}

}  // namespace

int32_t check_overlap(const Call& call, int64_t workspace_size) {
  const Entry& entry = call.entry;
  auto* ranges = static_cast<Range*>(__builtin_alloca(sizeof(Range) * (entry.field_count + 1)));
  for (int64_t i = 0; i < entry.field_count; ++i) ranges[i] = range_of(call, entry.fields[i]);
  const Area workspace{"the workspace",
                       range_of(call.member<const void*>(entry.workspace_offset), workspace_size)},
      gradients = area(call, "the gradients", entry.gradients_offset, *entry.parameters);
  const Area frozen{"the frozen parameters",
                    call.code == entry.frozen_code
                        ? range_of(call.member<const void*>(entry.frozen_offset), entry.frozen->size)
                        : Range{0, 0}};
  const Area read[]{area(call, "the parameters", entry.parameters_offset, *entry.parameters),
                    area(call, "the constants", entry.constants_offset, *entry.constants),
                    area(call, "the state", entry.state_offset, *entry.state), frozen};
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (overlap(ranges[i], workspace.range)) return fail(call, field, workspace.name, nullptr);
    if (overlap(ranges[i], gradients.range)) return fail(call, field, gradients.name, nullptr);
    if (!field.output) continue;
    for (int64_t j = 0; j < entry.field_count; ++j) {
      const Field& other = entry.fields[j];
      if ((!other.output || j < i) && overlap(ranges[i], ranges[j]))
        return fail(call, field, other.output ? "the output" : "the input", other.tensor.name);
    }
    for (const Area& store : read)
      if (overlap(ranges[i], store.range)) return fail(call, field, store.name, nullptr);
  }
  if (const int32_t status = check_updates(call, ranges)) return status;
  for (const Area& store : read) {
    if (overlap(workspace.range, store.range)) return fail(call, "the workspace overlaps", store);
    if (overlap(gradients.range, store.range)) return fail(call, "the gradients overlap", store);
  }
  if (overlap(workspace.range, gradients.range)) return fail(call, "the workspace overlaps", gradients);
  return TEL_OK;
}

}  // namespace runtime
