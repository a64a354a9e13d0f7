#pragma once

#include <stddef.h>
#include <stdint.h>

namespace runtime::emulator {

struct Worker;
struct Thread;

/// A fibre's stack: `stack_bytes` of memory aligned to as much, of which the lowest page cannot be touched
/// and this struct is the end. So whoever runs on it finds it by the stack pointer.
struct Stack {
  Worker* worker;
  Thread* thread;  ///< that runs on it
  Stack* next;     ///< free
  bool guarded;
};

inline constexpr size_t stack_bytes = size_t{1} << 18;

/// Memory for `count` stacks, taken when touched; null where there is none.
char* map_stacks(int64_t count);
void unmap_stacks(char* stacks, int64_t count);
Stack* stack_at(char* stacks, int64_t index);

/// The stack that this code runs on: of a fibre, nothing else.
inline Stack& current_stack() {
  const auto inside = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return *reinterpret_cast<Stack*>((inside | (stack_bytes - 1)) + 1 - sizeof(Stack));
}
inline bool on_stack(const Stack& stack, const void* address) {
  return ((reinterpret_cast<uintptr_t>(address) ^ reinterpret_cast<uintptr_t>(&stack)) &
          ~(stack_bytes - 1)) == 0;
}

/// A stack pointer that begins `start` on the stack when it is switched to. `start` does not return.
void* prepare(Stack& stack, void (*start)());

/// Leaves off here, writing where to `*from`, and goes on where `to` left off.
void switch_stack(void** from, void* to);

}  // namespace runtime::emulator
