#include "runtime/entry.h"
#include "runtime/support/arithmetic.h"
#include "runtime/support/extent.h"
#include "runtime/support/text.h"
#include "runtime/weights/compute_tensor.h"

using namespace runtime;

namespace {

bool is_buffer(const void* pointer) {
  return pointer && reinterpret_cast<uintptr_t>(pointer) % buffer_alignment == 0;
}

}  // namespace

extern "C" int32_t tel_freeze(const Frozen* frozen, const void* parameters, void* to, tel_error* error) {
  const Store& store = *frozen->parameters;
  const auto fail = [&](const void* memory, const char* name) {
    Failure failure(error, TEL_INVALID_ARGUMENT, store.name);
    failure.text() << name << (memory ? " is not aligned to 64 bytes" : " is null");
    return failure;
  };
  if (!is_buffer(parameters)) return fail(parameters, "the pointer to the parameters");
  if (frozen->size > 0 && !is_buffer(to)) return fail(to, "the pointer to the frozen parameters");
  const DefaultArithmetic arithmetic;
  for (int64_t i = 0; i < frozen->count; ++i) {
    const FrozenOperand& operand = frozen->operands[i];
    const char* parameter = static_cast<const char*>(parameters) + store.offsets[operand.parameter];
    if (compute_tensor({operand.compute, parameter, static_cast<char*>(to) + operand.offset,
                        operand.slot_count, operand.slots}))
      continue;
    Failure failure(error, TEL_MEMORY, store.name);
    failure.text() << "no memory to freeze '" << store.tensors[operand.parameter].name << "'";
    return failure;
  }
  return success(error);
}
