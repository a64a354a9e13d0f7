#pragma once

#include <string>
#include <string_view>

namespace codegen::target::gpu {

/// Returns the bytes in the LZ4 block format, which runtime/support/unpack.h reads.
std::string compress(std::string_view bytes);

}  // namespace codegen::target::gpu
