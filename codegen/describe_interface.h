#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/interface/interface.h"
#include "codegen/kernel/ir/program.h"
#include "dlvm/ir/module.h"

namespace codegen {

/// A DLVM function as code generation describes it to callers: its program, and for each workspace slot of
/// its compute function the sizes in bytes that the slot must hold.
struct CompiledFunction {
  kernel::Program program;
  std::vector<std::vector<dlvm::Extent>> slots;
  std::size_t core_slots = 0;            ///< the last slots, which each core has for itself
  bool divides_work = false;             ///< several cores may compute
  std::string frozen_form = {};          ///< the function's frozen form, or empty if it has none
  std::vector<std::size_t> frozen = {};  ///< of a frozen form: positions in the frozen operands that it reads
};

/// Return the names of the functions that entry points refer to, and those that initializers do.
std::set<std::string> entry_functions(const dlvm::Module& module);
std::set<std::string> initializer_functions(const dlvm::Module& module);

/// Returns the symbol of the compute function of a DLVM function, which has this name until it is made
/// internal.
std::string compute_symbol(const std::string& function);

/// A parameter and the function that packs it for frozen forms.
struct FrozenOperandOf {
  std::string parameter, function;
};

/// Returns the interface of a canonical module: the layout of its tensors, its entry points with their inputs
/// and outputs, the dimensions bound to inputs, and the requirements as checks. `functions` must hold every
/// function that an entry point, a frozen operand or another function names. The workspace of initializers
/// that it does not hold is not described.
/// `Entry::dimensions` lists the dimensions that the compute function takes, in that order.
interface::Interface describe(const dlvm::Module& module, const std::string& source,
                              const std::map<std::string, CompiledFunction>& functions,
                              const std::vector<FrozenOperandOf>& frozen = {});

/// Returns the parameters of the network among the inputs of the function, by position, if the entry points
/// that it computes only read parameters: those that are the same parameter in all of these entry points.
std::map<std::uint32_t, std::string> parameters_to_freeze(const dlvm::Module& module,
                                                          const std::string& function);

/// Returns the results of the function that take the place of an argument, the next values of states and
/// parameters, in all entry points that it computes. Those of parameters and of an optimizer's memory are
/// updated alone.
std::vector<kernel::NextValue> next_values_of(const dlvm::Module& module, const std::string& function);

}  // namespace codegen
