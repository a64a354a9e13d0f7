#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// Runs one block of the worker's grid to its end, or to its first fault: then `failed` is set and `text`
/// says it.
void run_block(Worker& worker);

/// Leaves the block for good, as `text` says why. On a fibre.
[[noreturn]] void leave_block(Worker& worker);

/// Lets other threads run until this one is ready again. On its fibre; the caller has set its state.
void wait(Worker& worker, Thread& thread);

/// The thread may go on, when its turn comes.
inline void make_ready(Worker& worker, Thread& thread) {
  thread.state = Thread::ready;
  warp_of(worker, thread).ready |= lane_bit(thread);
  worker.ready |= uint32_t{1} << thread.number / warp_size;
}

/// No thread can go on, yet some have not ended: says what they wait for, and leaves the block.
[[noreturn]] void report_stuck(Worker& worker);
/// The thread has ended while others of its warp wait for it.
[[noreturn]] void report_ended(Worker& worker, const Thread& thread);

}  // namespace runtime::emulator
