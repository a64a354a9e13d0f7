#pragma once

#include <string>

#include "dlvm/ir/module.h"

namespace dlvm {

/// The text that `parse` reads back: printing what was parsed gives the same text. Values without a name
/// print as `%BLOCK.INSTRUCTION` (arguments `%BLOCK^ARGUMENT`); where a function has a name twice, the later
/// gets a number behind it.
std::string print(const Module& module);
std::string print(const Function& function);
/// Without an end of line, named as in the whole function. Also for broken instructions, in messages: what
/// does not belong to the function is `%?`.
std::string print(const Instruction& instruction);

}  // namespace dlvm
