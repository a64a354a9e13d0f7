#pragma once

#include <cstdint>
#include <map>
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

}  // namespace codegen
