#pragma once

#include "runtime/emulator/state.h"

/// Bank conflicts. Shared memory has 32 banks, words of 4 bytes lie in them in turn, and one pass over it, a
/// wavefront, takes a word of each bank, for as many threads as want it. The threads of a warp that come to
/// an instruction together take 32 threads a wavefront at best where each wants up to 4 bytes, 16 where 8, 8
/// where 16: those are the groups in which conflicts are counted.
namespace runtime::emulator {

/// The thread is about to touch shared memory.
void note_banks(Worker& worker, const Thread& thread, uint32_t offset, uint64_t bytes, const Site* site);

/// A warp's threads have met: what was noted since they last did is counted.
void count_banks(Worker& worker, Banks& banks);

/// Nothing was noted.
void forget_banks(Banks& banks);

/// Counts the accesses of `lanes`, each to `bytes` bytes: by several instructions where these are more than
/// the address is a multiple of.
void count_wavefronts(Counters& counters, uint32_t lanes, const uint32_t* offsets, int32_t bytes,
                      int32_t alignment);

}  // namespace runtime::emulator
