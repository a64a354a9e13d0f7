#pragma once

#include <stdint.h>

namespace runtime {

/// Writes what `packed` bytes in the LZ4 block format stand for to `to`. False where that is not just `size`
/// bytes, or the bytes are not in that format; nothing outside of either memory is touched.
bool unpack(const void* from, int64_t packed, void* to, int64_t size);

}  // namespace runtime
