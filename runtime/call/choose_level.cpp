#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/entry.h"
#include "runtime/support/text.h"

namespace runtime {
namespace {

/// The registers that CPUID sets.
struct Registers {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// Returns zeros if the processor does not have the leaf.
Registers cpuid(uint32_t leaf) {
  Registers r;
  if (!__get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx)) return {};
  return r;
}

/// Returns the parts of the registers that the system keeps for each thread. The processor must have OSXSAVE.
uint32_t kept_by_system() {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

constexpr bool has(uint32_t bits, uint32_t wanted) { return (bits & wanted) == wanted; }

/// Returns the highest level whose features the processor and the system have. The levels are those of the
/// x86-64 psABI, section "Micro-Architecture Levels"; the bits those of Intel's manual, CPUID and XGETBV.
int32_t level_of_processor() {
  constexpr uint32_t lahf = 1, lzcnt = 1 << 5;
  constexpr uint32_t avx_state = 0x6, avx512_state = 0xE6;
  const Registers basic = cpuid(1), more = cpuid(7), extended = cpuid(0x80000001);
  const bool is_v2 =
      has(basic.ecx, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B) &&
      has(extended.ecx, lahf);
  if (!is_v2) return 1;
  const bool is_v3 = has(basic.ecx, bit_AVX | bit_FMA | bit_F16C | bit_MOVBE | bit_OSXSAVE) &&
                     has(more.ebx, bit_AVX2 | bit_BMI | bit_BMI2) && has(extended.ecx, lzcnt) &&
                     has(kept_by_system(), avx_state);
  if (!is_v3) return 2;
  const bool is_v4 = has(more.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) &&
                     has(kept_by_system(), avx512_state);
  return is_v4 ? 4 : 3;
}

/// These values of `known_level` are no levels.
enum : int32_t { unread = 0, unknown = -1, too_high = -2 };
int32_t known_level = unread;

constexpr const char* level_names[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

/// Returns the level that the environment pins, or else that of the processor.
int32_t read_level() {
  const int32_t has = level_of_processor();
  const char* text = getenv("TEL_CPU_LEVEL");
  if (!text || !*text) return has;
  for (int32_t level = 1; level <= 4; ++level)
    if (strcmp(text, level_names[level - 1]) == 0) return level <= has ? level : too_high;
  return unknown;
}

/// The processor and the environment are asked once.
int32_t level_of_calls() {
  int32_t level = __atomic_load_n(&known_level, __ATOMIC_RELAXED);
  if (level != unread) return level;
  level = read_level();
  __atomic_store_n(&known_level, level, __ATOMIC_RELAXED);
  return level;
}

int32_t fail_with_environment(int32_t level, const char* who, tel_error* error) {
  Failure failure(error, TEL_INVALID_ARGUMENT, who);
  failure.text() << "the environment's TEL_CPU_LEVEL is '";
  const char* text = getenv("TEL_CPU_LEVEL");
  if (text) failure.text().quoted(text, strlen(text));
  if (level == too_high)
    failure.text() << "', but this processor is of level " << level_names[level_of_processor() - 1];
  else
    failure.text() << "', expected x86-64, x86-64-v2, x86-64-v3 or x86-64-v4";
  return failure;
}

}  // namespace
}  // namespace runtime

using namespace runtime;

extern "C" int32_t tel_choose_level(const Levels* levels, const char* who, int64_t* level, tel_error* error) {
  const int32_t has = level_of_calls();
  if (has < 1) return fail_with_environment(has, who, error);
  for (*level = 0; *level < levels->count; ++*level)
    if (levels->needs[*level] <= has) return TEL_OK;
  const int32_t least = levels->needs[levels->count - 1];
  const bool is_pinned = least <= level_of_processor();
  Failure failure(error, TEL_DEVICE, who);
  failure.text() << "the code needs a processor of level " << level_names[least - 1] << ", and "
                 << (is_pinned ? "the environment's TEL_CPU_LEVEL is " : "this one is of level ")
                 << level_names[has - 1];
  if (!is_pinned) failure.text() << "; compile it with --mcpu=" << level_names[has - 1];
  return failure;
}
