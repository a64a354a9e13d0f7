#pragma once

#include <map>
#include <string>

#include "codegen/interface/interface.h"
#include "codegen/object/constant.h"

namespace llvm {
class Module;
}

namespace runtime {
struct Devices;
}

namespace codegen::object {

/// The device tables of entry points, by the names of their compute functions.
using DeviceTables = std::map<std::string, Constant<const runtime::Devices*>>;

/// Adds the tables of runtime/abi.h and the C entries that name them: for every entry point its call, its
/// `_prepare`, its `_wait` and its `_workspace`; for the module `initialize`, `combine`, `freeze`, `load` and
/// `save` where it has tensors to keep. The compute functions are in `module` already. Returns an empty text,
/// or what does not fit.
std::string add_tables(llvm::Module& module, const interface::Interface& interface,
                       const DeviceTables& devices);

}  // namespace codegen::object
