#pragma once

#include <cstddef>

namespace dlvm {

/// The memory that this machine has, in bytes.
std::size_t physical_memory();

}  // namespace dlvm
