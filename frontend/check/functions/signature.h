// Signatures of functions: how they are written, which arguments they can take, which of them overlap.
#pragma once

#include <string>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns the signature as a message quotes it: `cross_entropy(logits: [s... x c], target: int[s...]) ->
/// []`.
std::string signature(const ast::Function& function);
std::string signature(const ast::Type& type);

/// Returns whether a value of this element type (or a number without one) can be an argument of the declared
/// type.
bool fits_element(const ast::Type& declared, const Element& element);
bool fits_rank(const ast::Type& declared, std::size_t rank);
/// Returns whether some call fits both functions.
bool overlap(const ast::Function& a, const ast::Function& b);

}  // namespace frontend::check
