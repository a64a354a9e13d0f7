#pragma once

#include <string>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns the text that `parse` reads back: printing a parsed module gives the same text. Values without a
/// name print as `%BLOCK.INSTRUCTION` (arguments as `%BLOCK^ARGUMENT`), blocks without a name as their
/// number. If a function has a name twice, a number follows the later one.
std::string print(const Module& module);
std::string print(const Function& function);
/// Returns the instruction without an end of line, with the names of the whole function. It serves messages
/// about broken instructions too: operands that do not belong to the function print as `%?`.
std::string print(const Instruction& instruction);
/// Returns the block's name in the text of its function, with the `'`.
std::string printed_name(const BasicBlock& block);

}  // namespace dlvm
