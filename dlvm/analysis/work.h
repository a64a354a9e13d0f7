#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns the value of the extent, in which every dimension that `dimensions` does not name is
/// `typical_dimension`; `unbounded_count` where it is larger than that.
std::int64_t typical_count(const Extent& extent, const Extent::Bindings& dimensions = {});

/// The value that a dimension without one is taken to have where a choice needs a number.
inline constexpr std::int64_t typical_dimension = 128;
inline constexpr std::int64_t unbounded_count = std::int64_t{1} << 48;

/// Returns the bytes of a tensor under `dimensions`, as for `typical_count`; 0 for a value of another type.
std::int64_t typical_bytes(const Type& type, const Extent::Bindings& dimensions = {});

/// Returns the work of an instruction: the additions and multiplications of a contraction or a reduction, and
/// for others the cost of each element by the table. An instruction that only moves elements takes none if
/// it is an index map in its users, and else one for each element.
std::int64_t work(const Instruction& instruction, const Extent::Bindings& dimensions = {});

/// Returns whether the users of the value compute its elements from where its operands stand.
bool moves_elements(const Instruction& instruction);

}  // namespace dlvm
