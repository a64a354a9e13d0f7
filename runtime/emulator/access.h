#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// [address, address + bytes) of the memory that the launch names, with the right to do as `kind` says and
/// aligned: its region, null for the block's shared memory, and the offset in it. A fault otherwise.
const Region* locate(Worker& worker, Thread& thread, const void* address, uint64_t bytes, int32_t alignment,
                     int32_t kind, const Site* site, uint64_t& offset);

/// Threads `thread` and `other` (or none) of one warp touch bytes of shared memory.
void read_shared(Worker& worker, int thread, uint16_t other, uint64_t offset, uint64_t bytes,
                 const Site* site);
/// `pending`: they are written by a copy that begins.
void write_shared(Worker& worker, int thread, uint64_t offset, uint64_t bytes, bool pending,
                  const Site* site);
/// The thread's copy to there, which `site` began, has landed.
void land_shared(Worker& worker, int thread, uint64_t offset, uint64_t bytes, int32_t site);

/// The thread touches bytes of the region.
void touch_region(Worker& worker, int thread, const Region& region, uint64_t offset, uint64_t bytes,
                  int32_t kind, const Site* site);

}  // namespace runtime::emulator
