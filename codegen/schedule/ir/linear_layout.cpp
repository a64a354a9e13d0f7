#include "codegen/schedule/ir/linear_layout.h"

#include <algorithm>
#include <bit>

#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule {
namespace {

constexpr std::size_t lane_bits = std::bit_width(static_cast<std::uint64_t>(warp_threads)) - 1, max_bits = 40;

using Bases = LinearLayout::Bases;

/// 2^0 … 2^(n - 1) times `vector`, for n = log2(count).
void append(Bases& basis, std::int64_t count, std::vector<std::int64_t> vector) {
  for (; count > 1; count /= 2) {
    basis.push_back(vector);
    for (std::int64_t& one : vector) one *= 2;
  }
}

/// Steps by instructions' tiles along one axis.
bool is_step(const std::vector<std::int64_t>& vector) {
  const auto sum = static_cast<std::uint64_t>(vector[0] + vector[1]);
  return std::has_single_bit(sum) && vector[0] % matrix_instruction.rows == 0 &&
         vector[1] % matrix_instruction.columns == 0;
}

}  // namespace

std::optional<InvertibleLayout> InvertibleLayout::of(const Buffer& tile) {
  const LinearLayout& from = *tile.linear_layout;
  InvertibleLayout made;
  made.register_bits_ = from.registers.size();
  std::size_t bits = 0;
  for (const Extent& extent : tile.shape) {
    const std::int64_t size = extent.constant().value_or(0);
    if (size <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(size))) return std::nullopt;
    made.extents_.push_back(size);
    bits += static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size)) - 1);
  }
  if (from.lanes.size() != lane_bits || bits > max_bits) return std::nullopt;
  for (const Bases* part : {&from.registers, &from.lanes, &from.warps})
    for (const auto& vector : *part) {
      if (vector.size() != made.extents_.size()) return std::nullopt;
      for (std::size_t axis = 0; axis < vector.size(); ++axis)
        if (vector[axis] < 0 || vector[axis] >= made.extents_[axis]) return std::nullopt;
      made.vectors_.push_back(made.packed(vector));
    }
  if (made.vectors_.size() != bits || !made.invert()) return std::nullopt;
  return made;
}

std::uint64_t InvertibleLayout::packed(std::span<const std::int64_t> coordinates) const {
  std::uint64_t result = 0;
  for (std::size_t axis = 0; axis < extents_.size(); ++axis)
    result =
        result * static_cast<std::uint64_t>(extents_[axis]) + static_cast<std::uint64_t>(coordinates[axis]);
  return result;
}

/// Gauss and Jordan, over exclusive or. False where the vectors do not span all coordinates.
bool InvertibleLayout::invert() {
  const std::size_t n = vectors_.size();
  struct Row {
    std::uint64_t vector, made_of;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back({vectors_[i], std::uint64_t{1} << i});
  for (std::size_t bit = 0; bit < n; ++bit) {
    const auto has = [bit](const Row& row) { return (row.vector >> bit & 1) != 0; };
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(bit);
    const auto pivot = std::find_if(first, rows.end(), has);
    if (pivot == rows.end()) return false;
    std::iter_swap(first, pivot);
    for (Row& row : rows)
      if (&row != &*first && has(row)) row = {row.vector ^ first->vector, row.made_of ^ first->made_of};
  }
  for (const Row& row : rows) inverse_.push_back(row.made_of);
  return true;
}

std::vector<std::int64_t> InvertibleLayout::coordinates(const HardwareIndex& at) const {
  std::uint64_t rest = 0, bits = static_cast<std::uint64_t>(at.register_index) |
                                 static_cast<std::uint64_t>(at.thread) << register_bits_;
  for (std::size_t i = 0; i < vectors_.size(); ++i)
    if ((bits >> i & 1) != 0) rest ^= vectors_[i];
  std::vector<std::int64_t> result(extents_.size());
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(extents_[axis]);
    result[axis] = static_cast<std::int64_t>(rest % extent);
    rest /= extent;
  }
  return result;
}

HardwareIndex InvertibleLayout::holder(std::span<const std::int64_t> coordinates) const {
  const std::uint64_t at = packed(coordinates);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < inverse_.size(); ++i)
    if ((at >> i & 1) != 0) bits ^= inverse_[i];
  return {static_cast<std::int64_t>(bits & (static_cast<std::uint64_t>(registers()) - 1)),
          static_cast<std::int64_t>(bits >> register_bits_)};
}

LinearLayout sums_of_tensor_cores(std::int64_t rows, std::int64_t columns, std::int64_t down,
                                  std::int64_t across) {
  static_assert(lane_bits == 5 && matrix_instruction.rows == 16 && matrix_instruction.columns == 8,
                "the layout below is that of 16 x 8 sums in 32 lanes");
  LinearLayout result{{{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}, {}};
  append(result.registers, columns / across / matrix_instruction.columns, {0, matrix_instruction.columns});
  append(result.registers, rows / down / matrix_instruction.rows, {matrix_instruction.rows, 0});
  append(result.warps, across, {0, columns / across});
  append(result.warps, down, {rows / down, 0});
  return result;
}

bool is_of_tensor_cores(const LinearLayout& linear_layout) {
  const LinearLayout one = sums_of_tensor_cores(matrix_instruction.rows, matrix_instruction.columns, 1, 1);
  if (linear_layout.lanes != one.lanes || linear_layout.registers.size() < one.registers.size()) return false;
  const auto rest = linear_layout.registers.begin() + static_cast<std::ptrdiff_t>(one.registers.size());
  return std::equal(linear_layout.registers.begin(), rest, one.registers.begin()) &&
         std::all_of(rest, linear_layout.registers.end(), is_step) &&
         std::all_of(linear_layout.warps.begin(), linear_layout.warps.end(), is_step);
}

}  // namespace codegen::schedule
