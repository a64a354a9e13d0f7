#include <string.h>

#include "runtime/call/call.h"
#include "runtime/support/extent.h"

namespace runtime {
namespace {

constexpr int64_t largest_tensor = int64_t{1} << 47;

/// Copies a struct of options whose first member is its size: a smaller one leaves the rest 0.
template <typename T>
bool copy_struct(T& to, const T* from) {
  to = T{};
  if (!from) return true;
  if (from->size < sizeof from->size || from->size > sizeof to) return false;
  memcpy(&to, from, from->size);
  return true;
}

/// All extents against the caller's; an output that is null gets its extents instead.
int32_t check_extents(const Call& call, const Field& field, bool set) {
  const Tensor& tensor = field.tensor;
  for (int64_t axis = 0; axis < tensor.rank; ++axis) {
    int64_t expected = 0;
    const bool known = evaluate(tensor.extents[axis], call.dims, expected) && expected >= 0;
    int64_t given = expected;
    if (field.extents_offset >= 0 && known && set)
      (&call.member<int64_t>(field.extents_offset))[axis] = expected;
    if (field.extents_offset >= 0) given = extent_given(call, field, axis);
    if (known && given == expected) continue;
    Failure failure = call.fail(TEL_EXTENT);
    failure.text() << "axis " << axis << " of '" << tensor.name << "' ";
    if (!known && expected >= 0) {
      failure.text() << "would be too large";
    } else if (!known) {
      failure.text() << "would be " << expected;
    } else {
      failure.text() << "is " << given << ", expected " << expected;
    }
    list_dimensions(failure.text(), " for ", call, tensor.extents[axis]);
    return failure;
  }
  int64_t bytes;
  if (bytes_of(tensor, call.dims, bytes)) return TEL_OK;
  Failure failure = call.fail(TEL_EXTENT);
  failure.text() << "'" << tensor.name << "' would have more than 2^47 bytes";
  return failure;
}

/// Any pointer is aligned for a tensor without elements.
int32_t check_alignment(const Call& call, const void* pointer, const char* name, int64_t bytes,
                        int64_t alignment) {
  if (bytes == 0 || reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(alignment) == 0)
    return TEL_OK;
  Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "'" << name << "' is not aligned to " << alignment << " bytes";
  return failure;
}

/// Once the extents are checked.
int32_t check_elements(const Call& call, const Field& field) {
  int64_t bytes;
  bytes_of(field.tensor, call.dims, bytes);
  return check_alignment(call, call.member<const void*>(field.offset), field.tensor.name, bytes,
                         size_of(field.tensor.type));
}

int32_t check_store(const Call& call, int64_t offset, const char* name, const Store& store) {
  if (offset < 0) return TEL_OK;
  const void* pointer = call.member<void*>(offset);
  if (pointer) return check_alignment(call, pointer, name, store.size, buffer_alignment);
  Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "the pointer to the " << name << " is null";
  return failure;
}

void write_relation(Text& text, const char* format, int64_t left, int64_t right) {
  while (*format) {
    if (strncmp(format, "{left}", 6) == 0) {
      text << left;
      format += 6;
    } else if (strncmp(format, "{right}", 7) == 0) {
      text << right;
      format += 7;
    } else {
      text << *format++;
    }
  }
}

}  // namespace

bool in_workspace(const Call& call, const Field& output) {
  const auto pointer = reinterpret_cast<uintptr_t>(call.member<void*>(output.offset));
  const auto workspace = reinterpret_cast<uintptr_t>(call.member<void*>(call.entry.workspace_offset));
  const size_t size = call.member<size_t>(call.entry.workspace_size_offset);
  return pointer == 0 || (workspace != 0 && pointer >= workspace && pointer - workspace < size);
}

bool bytes_of(const Tensor& tensor, const int64_t* dims, int64_t& bytes) {
  bytes = size_of(tensor.type);
  bool overflow = false, empty = false;
  for (int64_t axis = 0; axis < tensor.rank; ++axis) {
    int64_t extent;
    if (!evaluate(tensor.extents[axis], dims, extent) || extent < 0) return false;
    empty |= extent == 0;
    overflow |= __builtin_mul_overflow(bytes, extent, &bytes) || bytes > largest_tensor;
  }
  if (empty) bytes = 0;
  return empty || !overflow;
}

bool copy_execution(tel_execution& to, const tel_execution* from) {
  return copy_struct(to, from) && to.kind >= TEL_SERIAL && to.kind <= TEL_PARALLEL_FOR;
}

bool copy_options(Call& call, const tel_options* options) {
  return copy_struct(call.options, options) && copy_execution(call.execution, call.options.execution);
}

int32_t check_struct(Call& call) {
  if (!call.arguments) {
    Failure failure = call.fail(TEL_INVALID_ARGUMENT);
    failure.text() << "the pointer to the arguments is null";
    return failure;
  }
  const auto size = static_cast<int64_t>(call.member<size_t>(0));
  if (size != call.entry.arguments_size) {
    Failure failure = call.fail(TEL_INVALID_ARGUMENT);
    failure.text() << "the argument struct's size is " << size << ", expected " << call.entry.arguments_size
                   << "; set it to the struct's sizeof";
    return failure;
  }
  if (!copy_options(call, call.member<const tel_options*>(call.entry.options_offset))) {
    Failure failure = call.fail(TEL_INVALID_ARGUMENT);
    failure.text() << "the options or their execution have a size or a kind that this object does not know";
    return failure;
  }
  return TEL_OK;
}

int32_t check_execution(const Call& call) {
  if (!is_on_device(call.execution)) return TEL_OK;
  const Devices* devices = call.entry.devices;
  const bool on_gpu = call.execution.kind == TEL_CUDA;
  if (devices && devices->program_count > 0 && (on_gpu ? devices->gpu : devices->emulator)) return TEL_OK;
  Failure failure = call.fail(TEL_DEVICE);
  failure.text() << (on_gpu ? "this object has no code for GPUs; compile it with --target=cpu,cuda"
                            : "this object has no emulator; compile it with --target=cpu,cuda,emulator");
  return failure;
}

int32_t check_set(const Call& call) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (field.output || field.by_value || call.member<const void*>(field.offset)) continue;
    Failure failure = call.fail(TEL_INVALID_ARGUMENT);
    failure.text() << "the input '" << field.tensor.name << "' is not set: its pointer is null";
    return failure;
  }
  return TEL_OK;
}

int32_t check_inputs(const Call& call) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (field.output || field.by_value) continue;
    if (const int32_t status = check_extents(call, field, false)) return status;
    if (const int32_t status = check_elements(call, field)) return status;
  }
  return TEL_OK;
}

int32_t check_outputs(const Call& call) {
  for (int64_t i = 0; i < call.entry.field_count; ++i) {
    const Field& field = call.entry.fields[i];
    if (!field.output || field.by_value) continue;
    if (const int32_t status = check_extents(call, field, in_workspace(call, field))) return status;
    if (const int32_t status = check_elements(call, field)) return status;
  }
  return TEL_OK;
}

int32_t check_relations(const Call& call) {
  for (int64_t i = 0; i < call.entry.check_count; ++i) {
    const Check& check = call.entry.checks[i];
    int64_t left = 0, right = 0;
    const bool known = evaluate(check.left, call.dims, left) && evaluate(check.right, call.dims, right);
    if (known && (check.relation == 0 ? left == right : left <= right)) continue;
    Failure failure = call.fail(TEL_EXTENT);
    if (known) {
      write_relation(failure.text(), check.text, left, right);
    } else {
      failure.text() << "the extents are too large to compute with";
    }
    list_dimensions(failure.text(), ", where ", call, check.left, check.right);
    return failure;
  }
  return TEL_OK;
}

int32_t check_stores(const Call& call) {
  const Entry& entry = call.entry;
  if (const int32_t status = check_store(call, entry.parameters_offset, "parameters", *entry.parameters))
    return status;
  if (const int32_t status = check_store(call, entry.constants_offset, "constants", *entry.constants))
    return status;
  if (const int32_t status = check_store(call, entry.state_offset, "state", *entry.state)) return status;
  if (const int32_t status = check_store(call, entry.gradients_offset, "gradients", *entry.parameters))
    return status;
  if (call.code != entry.frozen_code) return TEL_OK;
  return check_alignment(call, call.member<const void*>(entry.frozen_offset), "frozen", entry.frozen->size,
                         buffer_alignment);
}

}  // namespace runtime
