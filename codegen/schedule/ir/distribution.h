#pragma once

#include <optional>
#include <span>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Where an element of a distributed tile is held.
struct Place {
  std::int64_t in_registers = 0;  ///< its number among the thread's
  std::int64_t thread = 0;        ///< of the block: lane + 32 * warp
};

/// The map of a distributed tile, and its inverse. Both are linear over exclusive or, so that they are known
/// by what they do to single bits.
class Placing {
 public:
  /// Nothing unless the tile's extents are powers of two and every element is held by one register of one
  /// thread; a warp has 2^5 lanes.
  static std::optional<Placing> of(const Buffer& tile);

  std::vector<std::int64_t> coordinates(const Place& place) const;
  /// The coordinates are inside of the tile.
  Place place(std::span<const std::int64_t> coordinates) const;

  std::int64_t registers() const { return std::int64_t{1} << register_bits_; }  ///< a thread
  std::int64_t threads() const { return std::int64_t{1} << (vectors_.size() - register_bits_); }
  const std::vector<std::int64_t>& extents() const { return extents_; }

 private:
  std::uint64_t packed(std::span<const std::int64_t> coordinates) const;
  bool invert();

  std::vector<std::int64_t> extents_;
  std::size_t register_bits_ = 0;
  std::vector<std::uint64_t> vectors_;  ///< coordinates, packed, of each bit: registers, lanes, warps
  std::vector<std::uint64_t> inverse_;  ///< the bits that give each bit of packed coordinates
};

/// Instructions of tensor cores multiply 16 x depth by depth x 8 elements, `depth` being those of 32 bytes.
inline constexpr std::int64_t instruction_rows = 16, instruction_columns = 8, instruction_bytes = 32;

/// How these hold a tile of sums, if `down` x `across` warps hold `rows` x `columns` elements, each a part of
/// that together; the instructions' tiles of a warp by columns, then by rows. PTX manual, "Matrix Fragments
/// for mma.m16n8k16 with floating point type": of 16 x 8 sums lane l has elements 2 (l mod 4), + 1 of the
/// rows l / 4 and l / 4 + 8. All are powers of two.
Distribution sums_of_tensor_cores(std::int64_t rows, std::int64_t columns, std::int64_t down,
                                  std::int64_t across);

/// Whether each warp holds whole tiles of sums as the instructions do.
bool is_of_tensor_cores(const Distribution& distribution);

}  // namespace codegen::schedule
