#pragma once

#include "runtime/emulator/state.h"

/// Counts bank conflicts. Shared memory has 32 banks, over which words of 4 bytes are distributed in turn.
/// One pass over it, a wavefront, reads or writes one word of each bank, for any number of threads that
/// access that word. When the threads of a warp come to an instruction together, a wavefront serves at best
/// 32 threads that access up to 4 bytes each, 16 that access 8, or 8 that access 16. Conflicts are counted in
/// groups of these sizes.
namespace runtime::emulator {

/// Notes that the thread is about to access shared memory.
void note_banks(Worker& worker, const Thread& thread, uint32_t offset, uint64_t bytes, const Site* site);

/// Counts the accesses noted since the threads of a warp last met; it is called when they meet.
void count_banks(Worker& worker, Banks& banks);

/// Forgets all noted accesses.
void forget_banks(Banks& banks);

/// Counts the accesses of `lanes`, each to `bytes` bytes. An access to more bytes than the address's
/// alignment counts as several instructions.
void count_wavefronts(Counters& counters, uint32_t lanes, const uint32_t* offsets, int32_t bytes,
                      int32_t alignment);

}  // namespace runtime::emulator
