#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// Runs one block of the worker's grid to its end or to its first fault, which sets `failed` and `text`. Each
/// GPU thread of the block is a fibre (fibre.h), and all fibres of a block share one thread of the processor,
/// so they switch only in calls of the emulator.
void run_block(Worker& worker);

/// Ends the block with the fault that `text` describes. It must be called on a fibre.
[[noreturn]] void leave_block(Worker& worker);

/// Runs other threads until this one is ready again. It must be called on the thread's fibre after its state
/// was set.
void wait(Worker& worker, Thread& thread);

/// Marks the thread as ready to run.
inline void make_ready(Worker& worker, Thread& thread) {
  thread.state = Thread::ready;
  warp_of(worker, thread).ready |= lane_bit(thread);
  worker.ready |= uint32_t{1} << thread.number / warp_size;
}

/// Reports that no thread can run although some have not ended, with what they wait for, and ends the block.
[[noreturn]] void report_stuck(Worker& worker);
/// Reports that the thread has ended while others of its warp wait for it.
[[noreturn]] void report_ended(Worker& worker, const Thread& thread);

}  // namespace runtime::emulator
