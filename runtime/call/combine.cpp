#include "runtime/call/call.h"
#include "runtime/entry.h"
#include "runtime/support/arithmetic.h"
#include "runtime/support/float16.h"

namespace runtime {
namespace {

template <typename T>
struct Plain {
  static T widen(T value) { return value; }
  static T narrow(T value) { return value; }
};
struct Float16 {
  static float widen(uint16_t bits) { return float16_to_float(bits); }
  static uint16_t narrow(float value) { return float_to_float16(value); }
};
struct Bfloat16 {
  static float widen(uint16_t bits) { return bfloat16_to_float(bits); }
  static uint16_t narrow(float value) { return float_to_bfloat16(value); }
};

template <typename Form, bool first, bool second, typename T, typename S>
void combine(T* to, S a, const T* from, S b, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = Form::narrow((first ? a * Form::widen(to[i]) : 0) + (second ? b * Form::widen(from[i]) : 0));
}

template <typename Form, typename T, typename S>
void combine(void* to, double a, const void* from, double b, int64_t count) {
  const auto narrow_a = static_cast<S>(a), narrow_b = static_cast<S>(b);
  const auto run = [&](auto form) {
    form(static_cast<T*>(to), narrow_a, static_cast<const T*>(from), narrow_b, count);
  };
  if (narrow_a != 0 && narrow_b != 0) return run(combine<Form, true, true, T, S>);
  if (narrow_a != 0) return run(combine<Form, true, false, T, S>);
  if (narrow_b != 0) return run(combine<Form, false, true, T, S>);
  run(combine<Form, false, false, T, S>);
}

void combine_tensor(int32_t type, void* to, double a, const void* from, double b, int64_t count) {
  if (type == f32) combine<Plain<float>, float, float>(to, a, from, b, count);
  if (type == f64) combine<Plain<double>, double, double>(to, a, from, b, count);
  if (type == f16) combine<Float16, uint16_t, float>(to, a, from, b, count);
  if (type == bf16) combine<Bfloat16, uint16_t, float>(to, a, from, b, count);
}

int32_t combine_serially(const Combination& combination) {
  const DefaultArithmetic arithmetic;
  const Store& store = combination.store;
  const auto* from = static_cast<const char*>(combination.from);
  for (int64_t i = 0; i < store.count; ++i) {
    const Tensor& tensor = store.tensors[i];
    int64_t bytes = 0;
    bytes_of(tensor, nullptr, bytes);
    combine_tensor(tensor.type, static_cast<char*>(combination.to) + store.offsets[i], combination.a,
                   from ? from + store.offsets[i] : nullptr, combination.b, bytes / size_of(tensor.type));
  }
  return success(combination.error);
}

}  // namespace
}  // namespace runtime

using namespace runtime;

extern "C" int32_t tel_combine(const Store* store, const Devices* devices, void* to, double a,
                               const void* from, double b, const tel_execution* execution, tel_error* error) {
  Combination combination{*store, devices, to, a, from, b, {}, error};
  const auto fail = [&](tel_status status, const char* text) {
    Failure failure(error, status, store->name);
    failure.text() << text;
    return static_cast<int32_t>(failure);
  };
  if (!copy_execution(combination.execution, execution))
    return fail(TEL_INVALID_ARGUMENT, "the execution has a size or a kind that this object does not know");
  if (!to || (!from && b != 0))
    return fail(TEL_INVALID_ARGUMENT, "a pointer to parameters or gradients is null");
  if (combination.execution.kind != TEL_CUDA) return combine_serially(combination);
  if (devices && devices->combine) return devices->combine(combination);
  return fail(TEL_DEVICE, "this object has no code for GPUs; compile it with --target=cpu,cuda");
}
