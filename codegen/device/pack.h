#pragma once

#include <string>
#include <string_view>

namespace codegen::device {

/// The bytes in the LZ4 block format, as runtime/support/unpack.h reads them.
std::string pack(std::string_view bytes);

}  // namespace codegen::device
