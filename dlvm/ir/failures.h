// Checks that lowering puts in the place of instructions that fail. The check of an index names the index
// where it fails; a check that lowering makes says what its instruction would have said.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dlvm/ir/function.h"

namespace dlvm {

enum class Failure : std::uint8_t {
  null_pointer,
  deallocated,
  released,
  ended,  ///< deallocated or released
  no_values,
  outside_allocation,
  outside_copy,
  not_allocated,
};

/// Returns the name that makes a `checkIndex` a check of this kind. It stays when the check is moved or
/// copied, and in text.
std::string name_of_check(Failure failure);

/// Returns what is wrong where the `checkIndex` of that name fails. Empty for a name of another kind.
std::string_view text_of_failure(std::string_view name);

}  // namespace dlvm
