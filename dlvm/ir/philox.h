#pragma once

#include <array>
#include <cstdint>

namespace dlvm {

/// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011): four
/// random words from block number `block` of the stream that `key` and `counter` name.
constexpr std::array<std::uint32_t, 4> philox(std::uint64_t key, std::uint64_t counter, std::uint64_t block) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
  std::uint32_t k0 = low(key), k1 = high(key);
  std::array<std::uint32_t, 4> c{low(block), high(block), low(counter), high(counter)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = multiplier0 * c[0], p1 = multiplier1 * c[2];
    c = {high(p1) ^ c[1] ^ k0, low(p1), high(p0) ^ c[3] ^ k1, low(p0)};
    k0 += weyl0;
    k1 += weyl1;
  }
  return c;
}

}  // namespace dlvm
