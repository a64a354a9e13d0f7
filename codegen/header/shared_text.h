#pragma once

#include <string_view>

namespace codegen::header {

/// What every header has in common: `tel_c.h` and `tel.hpp` of this folder.
std::string_view shared_c_text();
std::string_view shared_cpp_text();

}  // namespace codegen::header
