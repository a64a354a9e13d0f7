// Figures of modules that people can read and compare: how many instructions of which kind, what they cost,
// and what the analyses find.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dlvm/ir/module.h"

namespace pipeline {

/// What functions cost. Dimensions that are no numbers count as `dlvm::typical_dimension`.
struct Figures {
  std::int64_t products = 0, aggregations = 0, elementwise = 0, moves = 0, control = 0, others = 0;
  std::int64_t work = 0;   ///< as dlvm/analysis/work.h counts it
  std::int64_t bytes = 0;  ///< of all results that are not computed where they are used
  std::int64_t peak = 0;   ///< the most bytes that one function needs at a time, if blocks run in their order
  /// Changes with the functions' text, except for locations in other files than that of the program. Where it
  /// alone changes, names, the order of instructions or their operands have changed, at the same cost.
  std::string fingerprint;

  std::int64_t instructions() const {
    return products + aggregations + elementwise + moves + control + others;
  }
};
/// Returns the figures of all functions of the module that have a body and for which `counts` holds. `file`
/// is the program's.
Figures figures_of(const dlvm::Module& module, const std::string& file,
                   const std::function<bool(const dlvm::Function&)>& counts);

/// Return the line of a table, and the line above all.
std::string row(const std::string& name, const Figures& figures);
std::string columns();

/// Returns what the analyses know of the module's bodies: which loops, integers and blocks have bounds, what
/// may fail, how results depend on parameters, and where memory has its peaks.
std::string analyses(const dlvm::Module& module);

/// Returns eight hexadecimal digits that differ where texts do (FNV-1a).
std::string fingerprint(const std::string& text);

}  // namespace pipeline
