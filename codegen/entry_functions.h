#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"
#include "dlvm/ir/module.h"

/// These functions tell what the entry points of a module say of the functions that compute them.
namespace codegen {

/// Return the names of the functions that entry points refer to, and those that initializers do.
std::set<std::string> entry_functions(const dlvm::Module& module);
std::set<std::string> initializer_functions(const dlvm::Module& module);

/// Returns the parameters of the network among the inputs of the function, by position, if the entry points
/// that it computes only read parameters: those that are the same parameter in all of these entry points.
std::map<std::uint32_t, std::string> parameters_to_freeze(const dlvm::Module& module,
                                                          const std::string& function);

/// Returns whether the state is an optimizer's memory, which only `step` reads and no input of a call may be.
bool is_of_optimizer(const std::string& state);

/// Returns the results of the function that take the place of an argument, the next values of states and
/// parameters, in all entry points that it computes. Those of parameters and of an optimizer's memory are
/// updated alone.
std::vector<kernel::NextValue> next_values_of(const dlvm::Module& module, const std::string& function);

}  // namespace codegen
