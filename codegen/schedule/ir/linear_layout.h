#pragma once

#include <optional>
#include <span>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// The register of the thread that holds an element of a distributed tile.
struct HardwareIndex {
  std::int64_t register_index = 0;  ///< the index among the thread's registers for this tile
  std::int64_t thread = 0;          ///< the thread in its block: lane + warp_threads * warp
};

/// A linear layout that maps the registers of all threads to the elements of its tile one to one, with its
/// inverse.
class InvertibleLayout {
 public:
  /// Returns nothing unless the tile's extents are powers of two, it has `warp_threads` lanes, and every
  /// element is held by one register of one thread.
  static std::optional<InvertibleLayout> of(const Buffer& tile);

  /// Returns the element that is held there.
  std::vector<std::int64_t> coordinates(const HardwareIndex& at) const;
  /// Returns where the element is held. The coordinates are inside of the tile.
  HardwareIndex holder(std::span<const std::int64_t> coordinates) const;

  std::int64_t registers() const { return std::int64_t{1} << register_bits_; }  ///< for each thread
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

/// The instruction of tensor cores: multiplies rows x depth by depth x columns elements, `depth` being those
/// of `depth_bytes`. Its shape is that of the device operations `multiply_*` (intrinsics/operations.def), so
/// it is the same for every target that has the instruction.
struct MatrixInstruction {
  std::int64_t rows = 16, columns = 8, depth_bytes = 32;
};
inline constexpr MatrixInstruction matrix_instruction;

/// Returns the layout in which the matrix instruction leaves `rows` x `columns` sums if `down` x `across`
/// warps compute them: each warp has one contiguous part, whose tiles of one instruction are ordered by
/// columns, then by rows. In a tile of 16 x 8 sums, lane l has elements 2 (l mod 4) and 2 (l mod 4) + 1 of
/// the rows l / 4 and l / 4 + 8. All arguments must be powers of two.
LinearLayout sums_of_tensor_cores(std::int64_t rows, std::int64_t columns, std::int64_t down,
                                  std::int64_t across);

/// Returns whether each warp holds whole tiles of sums as the matrix instruction does.
bool is_of_tensor_cores(const LinearLayout& linear_layout);

}  // namespace codegen::schedule
