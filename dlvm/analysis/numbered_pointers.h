// The pointers and boxes of a function that can be numbers: see dlvm/transform/pointer_numbering.h.
#pragma once

#include <string>
#include <vector>

#include "dlvm/analysis/address_regions.h"
#include "dlvm/ir/function.h"

namespace dlvm {

/// An allocation whose address is a number.
struct NumberedAllocation {
  Instruction* instruction = nullptr;
  AddressRegions::Place place = {};
  Extent count = 1;      ///< of values, at most
  bool is_exact = true;  ///< it always makes so many, and one at least
  Extent values = 1;     ///< that all its runs in a call of the function make, at most
  bool repeats = false;  ///< it is in a loop
};

/// Decides whether the addresses of the function's regions are numbers, and finds their allocations.
class NumberedPointers {
 public:
  explicit NumberedPointers(const Function& function);

  /// Returns whether no address is a number: none goes such ways, the function does something with them that
  /// numbers cannot do, or there may be too many values.
  bool empty() const { return regions_.regions().empty() || !obstacle_.empty(); }
  /// Says why there are no numbers although addresses go such ways, in words that follow "while": "an address
  /// of type *f32 is passed to @f". Empty where no addresses do.
  const std::string& obstacle() const { return obstacle_; }
  const AddressRegions& regions() const { return regions_; }
  const std::vector<NumberedAllocation>& allocations() const { return allocations_; }

 private:
  std::string find_allocations();

  const Function& function_;
  const AddressRegions regions_;
  std::vector<NumberedAllocation> allocations_;
  std::string obstacle_;
};

}  // namespace dlvm
