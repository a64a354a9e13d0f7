#include "runtime/support/extent.h"

namespace runtime {
namespace {

int64_t floor_divide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// a OP b; false on overflow.
bool combine(int64_t operation, int64_t a, int64_t b, int64_t& result) {
  if (operation == extent_add) return !__builtin_add_overflow(a, b, &result);
  if (operation == extent_multiply) return !__builtin_mul_overflow(a, b, &result);
  if (b == -1) return !__builtin_sub_overflow(int64_t{0}, a, &result);
  result = b == 0 ? 0 : floor_divide(a, b);
  return true;
}

}  // namespace

bool evaluate(const Extent& extent, const int64_t* dims, int64_t& value) {
  if (!extent.code) {
    value = extent.constant;
    return true;
  }
  int64_t stack[extent_stack_limit];
  int64_t* top = stack;
  for (const int64_t* word = extent.code; *word != extent_end; ++word) {
    if (*word == extent_constant) {
      *top++ = *++word;
    } else if (*word == extent_dimension) {
      *top++ = dims[*++word];
    } else {
      --top;
      if (!combine(*word, top[-1], top[0], top[-1])) return false;
    }
  }
  value = stack[0];
  return true;
}

bool add_aligned(int64_t& total, int64_t bytes) {
  int64_t rounded;
  if (__builtin_add_overflow(bytes, buffer_alignment - 1, &rounded)) return false;
  return !__builtin_add_overflow(total, rounded / buffer_alignment * buffer_alignment, &total);
}

}  // namespace runtime
