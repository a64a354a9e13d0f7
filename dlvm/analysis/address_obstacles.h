#pragma once

#include <string>

#include "dlvm/analysis/address_regions.h"

namespace dlvm {

/// Says what the function does with addresses of the regions that numbers cannot do, in words that follow
/// "while": "an address of type *f32 is passed to @f". Empty where there is nothing.
std::string obstacle_to_numbers(const Function& function, const AddressRegions& regions);

}  // namespace dlvm
