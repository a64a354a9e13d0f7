#pragma once

#include <string_view>

namespace dlvm {

/// Returns the kind of a binary file by the bytes with which it begins, as "a NumPy array (.npy)"; empty if
/// it is none that people take for a module.
std::string_view binary_kind(std::string_view contents);

}  // namespace dlvm
