#pragma once

namespace telc {

/// The exit statuses of telc and dlopt. Status 70 says that the compiler has a mistake
/// (dlvm/support/internal_error.h); `tool_failed` says that a program failed which telc runs, the assembler
/// of a GPU target.
enum Status : int { done = 0, wrong_input = 1, wrong_command_line = 2, system_failed = 3, tool_failed = 4 };

}  // namespace telc
