#pragma once

#include <set>
#include <string>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns the dimensions in the types and the attributes of a function and its body.
std::set<std::string> dimension_names(const Function& function);
/// Adds the dimensions in the types and the attributes of the block's arguments and instructions.
void collect_dimension_names(const BasicBlock& block, std::set<std::string>& names);

/// Returns the names as a sentence goes on: ` (it has K, N)`; empty where there are none.
std::string list_of(const std::set<std::string>& names);

}  // namespace dlvm
