#pragma once

#include <span>

#include "codegen/math/simd.h"
#include "dlvm/ir/instruction_table.h"
#include "dlvm/ir/tensor.h"

/// Emits the elementwise instructions of DLVM on lanes. A lane holds a 16-bit float as the float of its
/// value, a bool as i1, and every other element as its own type. Every instruction rounds once, to its type.
namespace codegen::math {

/// Returns the type in which lanes of the element type are held.
llvm::Type* held_type(SimdBuilder& lanes, dlvm::ElementType type);
/// Returns the type of an element in memory.
llvm::Type* memory_type(llvm::LLVMContext& context, dlvm::ElementType type);
/// Convert between the form in memory and the form in lanes.
SimdValue from_memory(SimdBuilder& lanes, llvm::Value* value, dlvm::ElementType type);
llvm::Value* to_memory(SimdValue value, dlvm::ElementType type);

/// Returns the constant in every lane.
SimdValue literal(SimdBuilder& lanes, const dlvm::Tensor& scalar);

/// Emits `dataTypeCast`. A conversion to an integer rounds towards zero and saturates, and gives 0 for NaN; a
/// conversion between integers wraps.
SimdValue convert(SimdValue value, dlvm::ElementType from, dlvm::ElementType to);

/// Emits `bitCast`: the bits of an element in memory as an element of another type.
SimdValue reinterpret(SimdValue value, dlvm::ElementType from, dlvm::ElementType to);

/// Emits any elementwise instruction except `dataTypeCast` and `bitCast`. `type` is the element type of the
/// operands (for `select`, of the first one).
SimdValue operate(dlvm::Opcode opcode, dlvm::ElementType type, std::span<const SimdValue> operands);

/// Returns whether `operate` accepts the divisor of `divide` as a scalar that all lanes share. It does not
/// where vectors are divided in no more time than a product and its correction take, as vectors of floats
/// are.
bool shares_divisor(dlvm::ElementType type, const Features& features);

/// Returns one element of `random`'s stream for each lane of `position` (i64), between `low` and `high`.
SimdValue random(SimdValue position, SimdValue low, SimdValue high, SimdValue key, SimdValue counter,
                 dlvm::ElementType type);

}  // namespace codegen::math
