// What a call writes overlaps nothing that it reads: it would read what it has just written.
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

Range range_of(const Call& call, int64_t offset, const Store& store) {
  return offset < 0 ? Range{0, 0} : range_of(call.member<const void*>(offset), store.size);
}

int32_t fail(const Call& call, const Field& field, const char* with, const char* name) {
  Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "the " << (field.output ? "output" : "input") << " '" << field.tensor.name
                 << "' overlaps " << with;
  if (name) failure.text() << " '" << name << "'";
  return failure;
}

}  // namespace

int32_t check_overlap(const Call& call, int64_t workspace_size) {
  const Entry& entry = call.entry;
  auto* ranges = static_cast<Range*>(__builtin_alloca(sizeof(Range) * (entry.field_count + 1)));
  for (int64_t i = 0; i < entry.field_count; ++i) ranges[i] = range_of(call, entry.fields[i]);
  const Range workspace = range_of(call.member<const void*>(entry.workspace_offset), workspace_size);
  const Range gradients = range_of(call, entry.gradients_offset, *entry.parameters);
  for (int64_t i = 0; i < entry.field_count; ++i) {
    const Field& field = entry.fields[i];
    if (overlap(ranges[i], workspace)) return fail(call, field, "the workspace", nullptr);
    if (overlap(ranges[i], gradients)) return fail(call, field, "the gradients", nullptr);
    if (!field.output) continue;
    for (int64_t j = 0; j < entry.field_count; ++j) {
      const Field& other = entry.fields[j];
      if ((!other.output || j < i) && overlap(ranges[i], ranges[j]))
        return fail(call, field, other.output ? "the output" : "the input", other.tensor.name);
    }
    if (overlap(ranges[i], range_of(call, entry.parameters_offset, *entry.parameters)))
      return fail(call, field, "the parameters", nullptr);
    if (overlap(ranges[i], range_of(call, entry.constants_offset, *entry.constants)))
      return fail(call, field, "the constants", nullptr);
    if (overlap(ranges[i], range_of(call, entry.state_offset, *entry.state)))
      return fail(call, field, "the state", nullptr);
  }
  return TEL_OK;
}

}  // namespace runtime
