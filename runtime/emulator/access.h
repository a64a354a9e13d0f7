#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// Finds the region of [address, address + bytes) in the memory that the launch names: the argument buffer,
/// the IndexRecord, the buffers, or the block's shared memory. It reports a fault, which ends the block,
/// unless the access is permitted for `kind` (AccessKind) and aligned. Returns the region, or null for shared
/// memory, and sets `offset` to the offset in it.
const Region* locate(Worker& worker, Thread& thread, const void* address, uint64_t bytes, int32_t alignment,
                     int32_t kind, const Site* site, uint64_t& offset);

/// Records that threads `thread` and `other` (or none) of one warp read bytes of shared memory.
void read_shared(Worker& worker, int thread, uint16_t other, uint64_t offset, uint64_t bytes,
                 const Site* site);
/// Records a write of shared memory. `pending` says that it belongs to a copy that begins.
void write_shared(Worker& worker, int thread, uint64_t offset, uint64_t bytes, bool pending,
                  const Site* site);
/// Records that the thread's copy to these bytes, which `site` began, is complete.
void land_shared(Worker& worker, int thread, uint64_t offset, uint64_t bytes, int32_t site);

/// Records that the thread accesses bytes of the region.
void touch_region(Worker& worker, int thread, const Region& region, uint64_t offset, uint64_t bytes,
                  int32_t kind, const Site* site);

}  // namespace runtime::emulator
