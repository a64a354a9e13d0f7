#pragma once

namespace telc {

/// Exit statuses; 70 is a mistake of the compiler (dlvm/support/internal_error.h). `tool_failed` is a
/// program that telc runs, the assembler of the CUDA Toolkit.
enum Status : int { done = 0, wrong_input = 1, wrong_command_line = 2, system_failed = 3, tool_failed = 4 };

}  // namespace telc
