#pragma once

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// A part of an operand that is packed together: `block` elements along the other axes (m or n, as one axis)
/// from `first` on, and `depth` elements along k from `first_k` on.
struct PackedOperand {
  kernel::ScalarId operand;
  const AxisGroup& other;
  Index first;
  std::int64_t size, block;
  /// [part, k, size], `block` / `size` parts, and maybe room for more than `depth` terms. Where the operand
  /// is packed row by row, there is room for whole vectors of `size`.
  BufferId panel;
  Index first_k;
  Extent depth;
  bool whole = false;  ///< whole parts are read, which are zero beyond the other axes' extent
  /// The axes of k, where these are traversed one by one so that no index is a quotient inside; `first_k` is
  /// a multiple of the inner part's size.
  const SplitAxes* split = nullptr;
  /// The part and the term of the panel that are the first ones.
  Index first_part = {}, first_term = {};
  /// The end of the elements along the other axes that are packed; absent if it is the axes' extent.
  std::optional<LoopId> range_end = {};
};

/// Packs the operands of a contraction into panels of the accumulator's type.
class OperandPacker {
 public:
  /// Packs inside the loops to which `outer` binds the batch axes. `has_blocks` says that k has several
  /// blocks of `depth`, the last of which may be shorter.
  OperandPacker(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer, const AxisGroup& k,
                bool has_blocks)
      : lowering_(lowering), builder_(lowering, stage, outer), k_(k), has_blocks_(has_blocks) {}

  /// Returns the statements that evaluate the operand into the panel, in the order of memory.
  Body pack(const PackedOperand& p);

 private:
  /// Where the elements of a row are: on any line of memory, or all known to be on the one of the first.
  enum class Rows { anywhere, on_a_line };
  Body pack_part(const PackedOperand& p, LoopId part, const Index& first);
  static std::vector<Index> place(const PackedOperand& p, LoopId part, const Index& k, const Index& inside) {
    return {p.first_part + variable(part), p.first_term + k, inside};
  }
  bool runs_along_k(const PackedOperand& p) const;
  bool runs_across_k(const PackedOperand& p) const;
  bool runs_row_by_row(const PackedOperand& p) const;
  Body clear_rest(const PackedOperand& p, LoopId part, const Index& first);
  template <typename RowOf>
  Body pack_rows(const PackedOperand& p, RowOf row_of);
  bool has_lines(const PackedOperand& p) const;
  Body fetch_row(const PackedOperand& p, const Index& k, const Index& first);
  Body pack_row(const PackedOperand& p, LoopId part, const Index& k, const Index& first, Rows rows);
  Body pack_along_k(const PackedOperand& p, LoopId part, const Index& first);
  Body pack_lines(const PackedOperand& p, LoopId part, const Index& first);
  Body pack_axes(const PackedOperand& p, LoopId part, const Index& first);
  bool is_denser_across(const PackedOperand& p) const;
  bool has_lines_along_k(const PackedOperand& p) const;
  Body pack_staged(const PackedOperand& p, LoopId part, const Index& first);
  std::int64_t contiguous_terms(const Access& access) const;
  std::optional<Extent> step_of_rows(const Access& access, const AxisGroup& other) const;
  bool is_in_one_step(const PackedOperand& p) const;
  Bound together(const PackedOperand& p, const Index& first) const;
  bool is_padded(const PackedOperand& p) const;
  bool can_transpose(const PackedOperand& p) const;
  Body transpose(const PackedOperand& p, LoopId part, const Index& first);
  bool is_computed_along_k(kernel::ScalarId operand) const;
  bool can_compute_squares(const PackedOperand& p) const;
  Body compute_squares(const PackedOperand& p, LoopId part, const Index& first);
  std::int64_t whole_vectors(std::int64_t count) const;
  Body pack_element(const PackedOperand& p, LoopId part, const Index& k, const Index& inside,
                    const Index& first, Rows rows);
  void bound_k(const PackedOperand& p, Loop& loop, const Index& k) const;

  CpuLowering& lowering_;
  ContractionBuilder builder_;
  const AxisGroup& k_;
  bool has_blocks_;
};

}  // namespace codegen::schedule::cpu
