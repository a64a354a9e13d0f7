// What the rewriting passes share.
#pragma once

#include <optional>
#include <span>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// One rewrite: a value of the same type in place of the instruction, or null where the pattern does not
/// match. New instructions are built before it, with its locations. A rule looks at the instruction and its
/// operands to a fixed depth and must lower a measure (instructions, or the cost of one), so that rules
/// applied again and again come to an end.
using RewriteRule = Value* (*)(Instruction&, Builder&);

/// Each instruction, in order, through the rules; then what nothing uses any more is removed.
bool rewrite(Function& function, std::span<const RewriteRule> rules);

/// Calls `pass` on every function with a body.
bool for_each_body(Module& module, bool (*pass)(Function&));

/// `x` with that type: itself, or broadcast; null where the shape does not stretch.
Value* stretched(Builder& builder, Value* x, const Type& type);

/// The value that every element of a numeric literal has, where it is a splat.
std::optional<double> splat_value(const Value* value);
/// Whether `value` is a splat of exactly this number; 0 and -0 differ.
bool is_splat(const Value* value, double number);

/// Adds what is merged into `kept`; no more than a few are kept, so that chains stay linear.
void merge_locations(Instruction& kept, const Instruction& merged);

}  // namespace dlvm
