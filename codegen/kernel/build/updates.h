#pragma once

#include <optional>
#include <vector>

#include "codegen/kernel/build/graph.h"

namespace codegen::kernel {

/// Returns the scatters of a function of one block that write their input in place. `overwritable` says which
/// parameters may be written; an input is one of these, or the result of another such scatter that is no
/// result of the function. All values that read the input are computed before it is written: those that
/// the graph would compute later are materialized, and where that does not help, the scatter copies its
/// input.
Updates choose_updates(const dlvm::Function& function, const std::vector<bool>& overwritable);

/// Returns the parameter in whose memory a value is; nothing if no update in place gives it.
std::optional<std::size_t> updated_parameter(const Updates& updates, const dlvm::Value* value);

}  // namespace codegen::kernel
