#pragma once

#include <string>
#include <string_view>

namespace codegen::target::gpu {

/// The bytes in the LZ4 block format, as runtime/support/unpack.h reads them.
std::string pack(std::string_view bytes);

}  // namespace codegen::target::gpu
