#pragma once

#include "runtime/cuda/layout.h"

namespace runtime::cuda {

/// Sets `place` to the kind of the memory at `pointer`, except `workspace`. Returns TEL_INVALID_ARGUMENT for
/// memory of another device.
int32_t find_place(const Calls& calls, const void* pointer, const char* name, Place& place);

/// Sets the places of all tensors and stores of the call. A store without a pointer counts as the
/// processor's. If `in_place` is set, outputs in the caller's workspace are `workspace`.
int32_t find_places(const Call& call, const Calls& calls, bool in_place, Places& places);

/// Returns an error if a captured call would have to copy the processor's memory, which it cannot.
int32_t check_captured(const Call& call, const Calls& calls, const Places& places);

/// Sets the places for a call whose tensors are all in the processor's memory: all inputs are copied, and all
/// outputs are in the workspace. Stores are in the device's memory.
void assume_places(const Call& call, Places& places);

}  // namespace runtime::cuda
