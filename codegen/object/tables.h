#pragma once

#include <cstdint>
#include <map>
#include <span>
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

/// Describes the code for one feature level, as the tables of an object name it.
struct LevelCode {
  /// The module's interface, with the workspace and the frozen operands of this code. Those of all levels are
  /// otherwise equal.
  const interface::Interface* interface = nullptr;
  std::string suffix = {};  ///< the names of its functions are those that `interface` gives, with this suffix
  std::int32_t needs = 0;   ///< the level (runtime/abi.h) that a processor needs to run it; 0: not known
};

/// Adds the tables of runtime/abi.h and the C entries that name them: for every entry point its call, its
/// `_prepare`, its `_wait` and its `_workspace`; for the module `initialize`, `combine`, `freeze`, `load` and
/// `save` where it has tensors to keep. The compute functions of all levels are in `module` already. The
/// levels are ordered, the most demanding first. Returns an empty text, or what does not fit.
std::string add_tables(llvm::Module& module, std::span<const LevelCode> levels, const DeviceTables& devices);

}  // namespace codegen::object
