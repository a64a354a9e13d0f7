#pragma once

#include <vector>

#include "dlvm/ir/builder.h"

/// Aggregates and their leaves, as which derivatives are computed.
namespace dlvm {

/// Returns for each leaf of the parameters, of which parameter i has those from `offsets[i]` on, whether its
/// parameter is one of `chosen`.
std::vector<bool> leaf_mask(const std::vector<std::size_t>& offsets, const Integers& chosen);

/// Returns element `position` of a result that may be a tuple; of another one, the result itself.
Value* element_of(Builder& builder, Value* result, std::size_t position);

/// Appends the leaves of a value.
void append_leaves(Builder& builder, Value* value, std::vector<Value*>& into);

/// Builds a value of `type` from its leaves from number `at` on, zeros where they are null, and moves `at`
/// behind them.
Value* assembled(Builder& builder, const Type& type, const std::vector<Value*>& leaves, std::size_t& at);

}  // namespace dlvm
