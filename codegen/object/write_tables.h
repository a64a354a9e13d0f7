#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/object/constant.h"
#include "codegen/object/tables.h"

namespace runtime {
struct Entry;
struct Frozen;
struct Initializers;
struct Levels;
struct Store;
}  // namespace runtime

namespace codegen::object {

/// The tables of runtime/abi.h that describe one module, as constants of an LLVM module. What depends on the
/// feature level has one table for each level, in the order of the levels.
struct Tables {
  Constant<const runtime::Levels*> levels;
  /// The stores of the module.
  Constant<const runtime::Store*> parameters, constants, state;
  std::vector<std::vector<Constant<const runtime::Entry*>>> entries;  ///< by entry point, then by level
  std::vector<Constant<const runtime::Frozen*>> frozen;               ///< none if there are no parameters
  /// Their values are null if there are no parameters, or no states.
  Constant<const runtime::Initializers*> initial_parameters, initial_state;
};

/// Writes the tables. The functions that they name are in `module` already. Initial values are computed by
/// the code of the last level, so that they have the same bits on every processor. Returns an empty text, or
/// the first thing that does not fit.
std::string write_tables(llvm::Module& module, std::span<const LevelCode> levels, const DeviceTables& devices,
                         Tables& tables);

}  // namespace codegen::object
