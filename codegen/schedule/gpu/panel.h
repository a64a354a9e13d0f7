#pragma once

#include <functional>

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// The part of a contraction's operand that is in shared memory (and not in `Space::panel`): `depth` along k
/// times `size` along the operand's other axes (m or n, as one axis).
struct Panel {
  BufferId buffer = 0;  ///< [k, other], or [other, k] if `k_minor`; any layout, also swizzled
  std::int64_t depth = 0, size = 0;
  bool k_minor = false;
};

/// Copies or evaluates the operands of a contraction into panels.
class Staging {
 public:
  /// Builds inside the loops to which `outer` binds the batch axes. `threads` threads of a block fill the
  /// panels, with asynchronous copies if the target has them and the operand allows it.
  Staging(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer, const AxisGroup& k,
          std::int64_t threads)
      : lowering_(lowering), builder_(lowering, stage, outer), stage_(stage), k_(k), threads_(threads) {}

  /// Returns statements that fill the panel with the operand's elements from (`first_k`, `first_other`) on,
  /// and with zeros beyond the operand's ends. Neighbouring threads take neighbours in memory. An operand
  /// that is just an element of a buffer, of the panel's type, is copied in pieces of 16, 8 or 4 bytes, the
  /// most that its strides, its ends and the panel's layout allow. Every other operand is evaluated and
  /// converted to the panel's type, in vectors of 16 bytes of the panel if the same conditions allow them.
  /// `first_k` and `first_other` must be multiples of 16 bytes of elements.
  Body stage(kernel::ScalarId operand, const AxisGroup& others, const Panel& panel, const Index& first_k,
             const Index& first_other);

 private:
  struct Piece;
  bool is_contiguous(kernel::ScalarId operand, const AxisGroup& group) const;
  std::int64_t copy_width(kernel::ScalarId operand, const AxisGroup& others, const Panel& panel) const;
  bool allows_vector(kernel::ScalarId operand, const kernel::Axis& axis, std::int64_t width) const;
  std::int64_t vector_width(kernel::ScalarId operand, const AxisGroup& along, const Panel& panel) const;
  Body copy(kernel::ScalarId operand, const Panel& panel, const Piece& piece) const;
  Body for_each(Piece piece, const std::function<void(Piece& element, Body& body)>& of);
  Body evaluate(kernel::ScalarId operand, const Panel& panel, const Piece& piece);

  GpuLowering& lowering_;
  ContractionBuilder builder_;
  const kernel::Stage& stage_;
  const AxisGroup& k_;
  std::int64_t threads_;
};

/// Returns whether neighbours along the group are adjacent in memory, in the tensor with the most axes of
/// those from which the operand is computed.
bool is_contiguous(const kernel::Stage& stage, Buffers buffers, kernel::ScalarId operand,
                   const AxisGroup& group);

}  // namespace codegen::schedule::gpu
