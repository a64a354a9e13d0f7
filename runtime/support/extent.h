#pragma once

#include "runtime/abi.h"

namespace runtime {

/// The extent's value under `dims`. False where 64 bits do not hold it or a value on the way.
bool evaluate(const Extent& extent, const int64_t* dims, int64_t& value);

/// `bytes` rounded up to the buffers' alignment and added to `total`; false where 64 bits do not hold it.
bool add_aligned(int64_t& total, int64_t bytes);

}  // namespace runtime
