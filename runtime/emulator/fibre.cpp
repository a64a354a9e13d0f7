#include "runtime/emulator/fibre.h"

#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
extern "C" void __asan_unpoison_memory_region(const volatile void* start, size_t size);
#endif

namespace runtime::emulator {
namespace {

constexpr size_t guard_bytes = 4096;

/// Fibres that ended leave frames behind, which the address sanitizer takes to be in use.
void forget_frames([[maybe_unused]] char* memory, [[maybe_unused]] size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace

char* map_stacks(int64_t count) {
  const size_t bytes = (static_cast<size_t>(count) + 1) * stack_bytes;  // one more, to align
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

void unmap_stacks(char* stacks, int64_t count) {
  const size_t bytes = (static_cast<size_t>(count) + 1) * stack_bytes;
  if (!stacks) return;
  forget_frames(stacks, bytes);
  munmap(stacks, bytes);
}

Stack* stack_at(char* stacks, int64_t index) {
  const uintptr_t first = (reinterpret_cast<uintptr_t>(stacks) + stack_bytes - 1) & ~(stack_bytes - 1);
  const uintptr_t begin = first + static_cast<uintptr_t>(index) * stack_bytes;
  auto* stack = reinterpret_cast<Stack*>(begin + stack_bytes - sizeof(Stack));
  if (!stack->guarded) {  // where the system refuses, the stack is as good, but an overflow is not noticed
    mprotect(reinterpret_cast<void*>(begin), guard_bytes, PROT_NONE);
    stack->guarded = true;
  }
  return stack;
}

#if defined(__x86_64__)

void* prepare(Stack& stack, void (*start)()) {
  auto* end = reinterpret_cast<char*>(&stack);
  forget_frames(end + sizeof(Stack) - stack_bytes, stack_bytes - sizeof(Stack));
  auto* top = reinterpret_cast<uintptr_t*>(reinterpret_cast<uintptr_t>(&stack) & ~uintptr_t{63});
  top[-1] = 0;  // where `start` would return to; the stack is aligned as after a call
  top[-2] = reinterpret_cast<uintptr_t>(start);
  return top - 2;
}

__attribute__((noinline)) void switch_stack(void** from, void* to) {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // past what a leaf function keeps below its stack pointer
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rsi, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "memory", "cc");
}

#elif defined(__aarch64__)

void* prepare(Stack& stack, void (*start)()) {
  auto* end = reinterpret_cast<char*>(&stack);
  forget_frames(end + sizeof(Stack) - stack_bytes, stack_bytes - sizeof(Stack));
  auto* top = reinterpret_cast<uintptr_t*>(reinterpret_cast<uintptr_t>(&stack) & ~uintptr_t{63});
  top[-2] = reinterpret_cast<uintptr_t>(start);
  return top - 4;
}

__attribute__((noinline)) void switch_stack(void** from, void* to) {
  register void** x0 asm("x0") = from;
  register void* x1 asm("x1") = to;
  asm volatile(
      "sub sp, sp, #32\n\t"
      "str x29, [sp]\n\t"
      "adr x16, 1f\n\t"
      "str x16, [sp, #16]\n\t"
      "mov x17, sp\n\t"
      "str x17, [x0]\n\t"
      "mov sp, x1\n\t"
      "ldr x16, [sp, #16]\n\t"
      "br x16\n"
      "1:\n\t"
      "ldr x29, [sp]\n\t"
      "add sp, sp, #32"
      : "+r"(x0), "+r"(x1)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
        "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2",
        "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
        "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
        "memory", "cc");
}

#else
#error "the emulator's switch of fibres is written for x86-64 and aarch64"
#endif

}  // namespace runtime::emulator
