#pragma once

#include <string_view>

namespace dlvm {

/// Reports a mistake of the compiler: prints the text and how to report it, and ends the process with status
/// 70. Nothing that a user writes may lead here.
[[noreturn]] void internal_error(std::string_view text);

}  // namespace dlvm
