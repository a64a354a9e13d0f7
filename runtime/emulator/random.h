#pragma once

#include <stdint.h>

namespace runtime::emulator {

/// Returns the next number of the generator SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014).
inline uint64_t next_random(uint64_t& state) {
  uint64_t value = state += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

/// Returns the i-th element of the permutation of 0 … count - 1 that the seed selects: a Feistel network over
/// the next power of four, applied again to results outside the range.
inline int64_t shuffled(int64_t i, int64_t count, uint64_t seed) {
  int half = 1;
  while (half < 31 && int64_t{1} << 2 * half < count) ++half;
  const uint64_t mask = (uint64_t{1} << half) - 1;
  auto value = static_cast<uint64_t>(i);
  do {
    uint64_t left = value >> half, right = value & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      uint64_t state = seed + (round << 32) + right;
      const uint64_t next = left ^ (next_random(state) & mask);
      left = right;
      right = next;
    }
    value = left << half | right;
  } while (value >= static_cast<uint64_t>(count));
  return static_cast<int64_t>(value);
}

}  // namespace runtime::emulator
