#pragma once

#include <string>

#include "codegen/interface/interface.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace codegen::object {

/// Adds the function `runtime::Entry::place` (runtime/abi.h) of an entry point under this name, or returns
/// null if the entry point has what the function does not know: seeds, next values, extents with divisions,
/// or very many tensors. `is_for_devices` says whether the object has code for devices: then calls
/// that leave the execution to the environment are none for the function.
llvm::Function* write_placement(llvm::Module& module, const interface::Interface& interface,
                                const interface::Entry& entry, bool is_for_devices, const std::string& name);

}  // namespace codegen::object
