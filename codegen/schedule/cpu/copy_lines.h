#pragma once

#include "codegen/schedule/cpu/input_lines.h"
#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

/// Returns a new buffer for the lines, and statements that allocate it and copy them, inside of loops that
/// bind the axes `around` in the nest's builder. Each line has whole vectors, unless lines adjoin; what is
/// outside of memory is zero. At least `beyond` elements after its last one there are others, of the next
/// line or undefined.
std::pair<BufferId, Body> copy_lines(ProductNest& nest, const InputLines& lines, std::int64_t beyond);

/// Returns the element of the copy that the right operand is, by the axes inside of the copy.
Access copied_element(BufferId copy, const InputLines& lines);

}  // namespace codegen::schedule::cpu
