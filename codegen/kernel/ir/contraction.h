#pragma once

#include "codegen/kernel/ir/kernel.h"

/// Properties of stages that have a contraction.
namespace codegen::kernel {

/// Returns whether terms of the stage's contraction are masked (Contraction), so that their sum is not that
/// of the products of its operands where it is NaN.
bool has_masked_terms(const Stage& stage);

/// Returns the 16-bit float from which the operand is converted without loss, or the operand itself.
ScalarId source_of(const Stage& stage, ScalarId operand);

/// Returns whether the type is a float of 16 bits.
inline bool is_short_float(ElementType type) {
  return dlvm::is_floating(type) && dlvm::info(type).bytes == 2;
}

}  // namespace codegen::kernel
