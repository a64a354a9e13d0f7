#pragma once

#include <string_view>

namespace codegen::header {

/// What every header has in common: the folder `shared`, one file behind the other.
std::string_view shared_c_text();
std::string_view shared_cpp_text();

}  // namespace codegen::header
