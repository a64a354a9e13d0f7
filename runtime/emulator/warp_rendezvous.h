#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// What the last thread of a warp to come does for all of them: `rendezvous.operands[lane]` are theirs,
/// `thread` is itself.
using Complete = void (*)(Worker& worker, Thread& thread, Warp& warp);

/// Returns when all threads of the warp have come to this operation and `complete` was called. A fault where
/// one of them is at another or has ended.
void warp_rendezvous(const char* operation, const Site* site, void* operand, Complete complete);

}  // namespace runtime::emulator
