#pragma once

#include <stddef.h>
#include <stdint.h>

namespace runtime::emulator {

struct Worker;
struct Thread;

/// A fibre's stack: `stack_bytes` of memory aligned to its size. Its lowest page cannot be accessed, and this
/// struct is its end, so code that runs on the stack finds the struct by the stack pointer.
struct Stack {
  Worker* worker;
  Thread* thread;  ///< the thread that runs on it
  Stack* next;     ///< free
  bool guarded;
};

inline constexpr size_t stack_bytes = size_t{1} << 18;

/// Reserves memory for `count` stacks, which the system provides on first access; returns null if there is
/// none.
char* map_stacks(int64_t count);
void unmap_stacks(char* stacks, int64_t count);
Stack* stack_at(char* stacks, int64_t index);

/// Returns the stack that this code runs on. Only a fibre may call it.
inline Stack& current_stack() {
  const auto inside = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return *reinterpret_cast<Stack*>((inside | (stack_bytes - 1)) + 1 - sizeof(Stack));
}
/// Returns whether the address is on the stack.
inline bool on_stack(const Stack& stack, const void* address) {
  return ((reinterpret_cast<uintptr_t>(address) ^ reinterpret_cast<uintptr_t>(&stack)) &
          ~(stack_bytes - 1)) == 0;
}

/// Returns a stack pointer with which `switch_stack` begins `start` on the stack. `start` must not return.
void* prepare(Stack& stack, void (*start)());

/// Suspends the running code, stores its stack pointer in `*from`, and resumes the code suspended at `to`.
void switch_stack(void** from, void* to);

}  // namespace runtime::emulator
