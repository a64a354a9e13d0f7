#pragma once

#include <functional>

#include "codegen/schedule/common/contraction_nest.h"

namespace codegen::schedule::gpu {

/// A part of a contraction's operand in shared memory: `depth` along k times `size` along the operand's other
/// axes (m or n, as one).
struct Panel {
  BufferId buffer = 0;  ///< [k, other], or [other, k] where `k_minor`; any layout, also swizzled
  std::int64_t depth = 0, size = 0;
  bool k_minor = false;
};

/// Brings the operands of a contraction into panels.
class Staging : ContractionNest {
 public:
  /// In the loops that `outer` binds the batch axes to, by `threads` threads of a block; by asynchronous
  /// copies where the chip has these and the operand allows.
  Staging(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const AxisGroup& k,
          std::int64_t threads)
      : ContractionNest(lowering, stage, outer), k_(k), threads_(threads) {}

  /// Whether neighbours along k lie together in memory.
  bool is_along_k(kernel::ScalarId operand) const { return is_contiguous(operand, k_); }

  /// Statements that fill the panel; its first element is that of the operand at (`first_k`, `first_other`);
  /// zeros beyond the operand's ends. Neighbouring threads take what lies together in memory. An operand that
  /// is just an element of a buffer, of the panel's type, is copied in pieces of 16, 8 or 4 bytes, the most
  /// that its strides, its ends and the panel's layout allow; every other is evaluated and converted to the
  /// panel's type, as vectors of 16 bytes of the panel where the same allow these. Both firsts are multiples
  /// of 16 bytes of elements.
  Body stage(kernel::ScalarId operand, const AxisGroup& others, const Panel& panel, const Index& first_k,
             const Index& first_other);

 private:
  struct Piece;
  std::vector<const Scalar::Load*> loads_of(kernel::ScalarId operand) const;
  bool is_contiguous(kernel::ScalarId operand, const AxisGroup& group) const;
  std::int64_t copy_width(kernel::ScalarId operand, const AxisGroup& others, const Panel& panel) const;
  bool allows_vector(kernel::ScalarId operand, const kernel::Axis& axis, std::int64_t width) const;
  std::int64_t vector_width(kernel::ScalarId operand, const AxisGroup& along, const Panel& panel) const;
  Body copy(kernel::ScalarId operand, const Panel& panel, const Piece& piece) const;
  Body for_each(Piece piece, const std::function<void(Piece& element, Body& body)>& of);
  Body evaluate(kernel::ScalarId operand, const Panel& panel, const Piece& piece);

  const AxisGroup& k_;
  std::int64_t threads_;
};

}  // namespace codegen::schedule::gpu
