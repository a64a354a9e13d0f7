#pragma once

#include "runtime/cuda/layout.h"

namespace runtime::cuda {

/// Where memory at `pointer` lies, `workspace` excepted. Memory of another device is TEL_INVALID_ARGUMENT.
int32_t find_place(const Calls& calls, const void* pointer, const char* name, Place& place);

/// Of all tensors and stores of the call; a store without a pointer counts as the processor's. Outputs in the
/// caller's workspace are `workspace`, if `in_place`.
int32_t find_places(const Call& call, const Calls& calls, bool in_place, Places& places);

/// What a captured call cannot do: copy the processor's memory.
int32_t check_captured(const Call& call, const Calls& calls, const Places& places);

/// For calls whose tensors are the processor's: all inputs are copied, all outputs in the workspace. Stores
/// are the device's.
void assume_places(const Call& call, Places& places);

}  // namespace runtime::cuda
