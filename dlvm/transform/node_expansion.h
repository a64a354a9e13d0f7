#pragma once

#include <set>

#include "dlvm/transform/enum_types.h"

namespace dlvm {

/// The pools that a function and those that it gives nodes to read, and those to which they add nodes.
struct PoolUse {
  std::set<std::size_t> all, written;
  friend bool operator==(const PoolUse&, const PoolUse&) = default;
};

/// The functions that take nodes or return them, in which nodes are numbers.
class NumberedFunctions {
 public:
  virtual ~NumberedFunctions() = default;
  /// Returns what the function uses if it takes nodes or returns them, or else null.
  virtual const PoolUse* use_of(const Function& callee) const = 0;
  /// Returns the function with numbers in the place of nodes. It also takes the tensors of each pool that it
  /// uses, each followed by the number of its rows if it adds any; if it adds any to a pool, its result is a
  /// tuple of what it returned and these tensors and numbers.
  virtual const Function& numbered(const Function& callee) = 0;
};

/// Changes a body so that nodes are numbers. If `owns_pools`, the pools begin empty in it; otherwise its type
/// must be that of a numbered function, and its entry has the arguments of the original.
void expand_nodes(Function& function, const PoolUse& use, bool owns_pools, EnumTypes& types,
                  NumberedFunctions& functions);

/// Returns the type of a numbered function.
Type numbered_function(const Function& function, const PoolUse& use, EnumTypes& types);

}  // namespace dlvm
