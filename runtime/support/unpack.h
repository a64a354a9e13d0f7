#pragma once

#include <stdint.h>

namespace runtime {

/// Decompresses `packed` bytes in the LZ4 block format to `to`. Returns false if the result does not have
/// exactly `size` bytes or the input is not in that format. It accesses nothing outside of either memory.
bool unpack(const void* from, int64_t packed, void* to, int64_t size);

}  // namespace runtime
