#pragma once

#include <set>
#include <string>
#include <vector>

#include "dlvm/transform/enum_types.h"

namespace dlvm {

/// The pools that a function and those that it gives nodes to read, and those to which they add nodes.
struct PoolUse {
  std::set<std::size_t> all, written;
  /// Whether the function returns the pools to which it adds nodes. A function that is declared a gradient,
  /// and one that is differentiated by it, does not: none of its results is a node.
  bool returns = true;
  friend bool operator==(const PoolUse&, const PoolUse&) = default;
};

/// The functions that take nodes or return them, in which nodes are numbers.
class NumberedFunctions {
 public:
  virtual ~NumberedFunctions() = default;
  /// Returns what the function uses if it takes nodes or returns them, or else null.
  virtual const PoolUse* use_of(const Function& callee) const = 0;
  /// Returns the function with numbers in the place of nodes; see `numbered_function`.
  virtual const Function& numbered(const Function& callee) = 0;
};

/// Returns whether the type is not the empty tuple.
bool has_value(const Type& type);
/// Returns the name of what belongs to a pool: `ENUM_case`.
std::string pool_name(const NodePool& pool);
/// Returns the type of as many rows of one leaf of a pool.
Type rows_type(const Type& leaf, const Extent& capacity);

/// Returns how many rows each pool needs in a function to which it belongs: as many as the function makes
/// nodes; where that is not known, as many as the dimension `FUNCTION_nodes` says.
std::vector<Extent> pool_capacities(const Function& function, const EnumTypes& types,
                                    const NumberedFunctions& functions);

/// Returns the type of a function with numbers in the place of nodes. It also takes the tensors of each pool
/// that it uses, each pool followed by the number of its rows if it adds any; if it adds any to a pool and
/// returns it, its result is a tuple of what it returned and these tensors and numbers.
Type numbered_function(const Function& function, const PoolUse& use, EnumTypes& types);

}  // namespace dlvm
