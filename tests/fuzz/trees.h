#pragma once

#include <cstdint>
#include <string>

/// Random modules with recursive enums: of several cases with payloads of all kinds, also of other enums and
/// of structs, which recursion, loops and stacks make and recursion takes apart. The same seed gives the
/// same.
namespace fuzz {

/// Returns the text of a module whose function `f` takes a number, a row of three and an integer, and returns
/// a number. From order 1 on the module also declares the derivative `first` of `f` by the first two
/// arguments; for order 2 the derivative `second` of the first result of that, and `forward`, the derivative
/// of `f` in forward mode. Calls are at most 12 deep for integers below 4.
std::string random_trees(std::uint64_t seed, int order);

}  // namespace fuzz
