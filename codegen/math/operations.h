#pragma once

#include <span>

#include "codegen/math/simd.h"
#include "dlvm/ir/instruction_table.h"
#include "dlvm/ir/tensor.h"

/// The elementwise instructions of DLVM on lanes. A 16-bit float is held as the float of its value, a bool as
/// i1, everything else as its own type; every instruction rounds once to its type.
namespace codegen::math {

/// How lanes of the element type are held.
llvm::Type* held_type(SimdBuilder& lanes, dlvm::ElementType type);
/// An element in memory.
llvm::Type* memory_type(llvm::LLVMContext& context, dlvm::ElementType type);
/// Between the two.
SimdValue from_memory(SimdBuilder& lanes, llvm::Value* value, dlvm::ElementType type);
llvm::Value* to_memory(SimdValue value, dlvm::ElementType type);

/// A constant in every lane.
SimdValue literal(SimdBuilder& lanes, const dlvm::Tensor& scalar);

/// `dataTypeCast`: to an integer towards zero, saturating, NaN gives 0; between integers wrapping.
SimdValue convert(SimdValue value, dlvm::ElementType from, dlvm::ElementType to);

/// Any elementwise instruction but `dataTypeCast`. `type` is the element type of the operands (of `select`,
/// of the first).
SimdValue operate(dlvm::Opcode opcode, dlvm::ElementType type, std::span<const SimdValue> operands);

/// Whether the divisor of `divide` may be given to `operate` as a scalar that all lanes share. Vectors of
/// floats are divided in no more time than a product and its correction take.
bool shares_divisor(dlvm::ElementType type, const Features& features);

/// Elements of `random`'s stream: one for each lane of `position` (i64), between `low` and `high`.
SimdValue random(SimdValue position, SimdValue low, SimdValue high, SimdValue key, SimdValue counter,
                 dlvm::ElementType type);

}  // namespace codegen::math
