#pragma once

#include <optional>
#include <span>
#include <string>

#include "codegen/kernel/ir/kernel.h"

/// Rules that hold of scalars and indices in kernels and in schedules alike. Each function returns why its
/// argument breaks the rule, or nothing.
namespace codegen::kernel {

/// An operation is an elementwise instruction that gives `result` for operands of these types.
std::optional<std::string> wrong_operation(const Scalar::Operation& operation, ElementType result,
                                           std::span<const ElementType> operands);

/// A store combines by a function of the module, or by an instruction of two elements that gives one.
std::optional<std::string> wrong_combinator(const dlvm::Combinator& combinator, ElementType element);

/// The state of a reduction is combined from two states by literals and operations, into values of its types.
std::optional<std::string> wrong_combine(const Reduction& reduction);

/// An extent is in the range of 64 bits, and not a negative constant.
bool is_extent(const Extent& extent);

/// An index has factors in the range of 64 bits, and divides by extents that are not 0.
std::optional<std::string> wrong_index(const Index& index);

}  // namespace codegen::kernel
