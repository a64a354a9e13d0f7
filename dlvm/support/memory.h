#pragma once

#include <cstddef>

namespace dlvm {

/// Returns the size of this machine's memory in bytes.
std::size_t physical_memory();

}  // namespace dlvm
