#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// The function that the last thread of a warp to arrive runs for all of them. `rendezvous.operands[lane]`
/// are their operands, and `thread` is the last thread itself.
using Complete = void (*)(Worker& worker, Thread& thread, Warp& warp);

/// Returns when all threads of the warp have reached this operation and `complete` was called. It reports a
/// fault if one of them is at another operation or has ended.
void warp_rendezvous(const char* operation, const Site* site, void* operand, Complete complete);

}  // namespace runtime::emulator
