#pragma once

#include <cstdint>
#include <string>

namespace test {

/// A program of TEL that nobody wrote: layers, normalisations, reductions, scans, products, gathers and moves
/// of elements in a random order, over extents on both sides of every tile's edge, in a random element type,
/// with a free batch `N`. The same seed gives the same text. Its values stay of moderate size.
std::string random_network(std::uint64_t seed);

}  // namespace test
