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

bool ExtentReader::next(ExtentStep& step) {
  if (!word_ || *word_ == extent_end) return false;
  step.operation = *word_++;
  const bool pushes = step.operation == extent_constant || step.operation == extent_dimension;
  step.operand = pushes ? *word_++ : 0;
  return true;
}

bool evaluate(const Extent& extent, const int64_t* dims, int64_t& value) {
  if (!extent.code) {
    value = extent.constant;
    return true;
  }
  int64_t stack[extent_stack_limit];
  int64_t* top = stack;
  ExtentReader reader(extent);
  for (ExtentStep step; reader.next(step);) {
    if (step.operation == extent_constant) {
      *top++ = step.operand;
    } else if (step.operation == extent_dimension) {
      *top++ = dims[step.operand];
    } else {
      --top;
      if (!combine(step.operation, top[-1], top[0], top[-1])) return false;
    }
  }
  value = stack[0];
  return true;
}

bool mentions(const Extent& extent, int64_t dimension) {
  ExtentReader reader(extent);
  for (ExtentStep step; reader.next(step);)
    if (step.operation == extent_dimension && step.operand == dimension) return true;
  return false;
}

bool add_aligned(int64_t& total, int64_t bytes) {
  int64_t rounded;
  if (__builtin_add_overflow(bytes, buffer_alignment - 1, &rounded)) return false;
  return !__builtin_add_overflow(total, rounded / buffer_alignment * buffer_alignment, &total);
}

}  // namespace runtime
