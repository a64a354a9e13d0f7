// Operators on checked operands.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns the operator or function that computes the instruction, as TEL writes it.
std::string_view name_of(dlvm::Opcode opcode);
/// Returns whether numbers of this length may still be computed with, and reports an error if the module's
/// numbers have taken too many steps.
bool may_compute(BodyContext& context, std::size_t length, Location location);

Node* make_binary(BodyContext& context, ast::BinaryOperator op, Node* a, Node* b, Location location);
Node* make_power(BodyContext& context, Node* base, Node* exponent, Location location);
/// Builds an elementwise instruction of broadcast operands. `what` is the operator as a message names it.
Node* make_elementwise(BodyContext& context, dlvm::Opcode opcode, Node* a, Node* b, std::string_view what,
                       Location location);
Node* make_unary(BodyContext& context, dlvm::Opcode opcode, Node* x, std::string_view what,
                 Location location);

Node* make_product(BodyContext& context, Node* a, Node* b, Location location);  // product.cpp
Node* swap_last_axes(BodyContext& context, Node* x, Location location);         // product.cpp
/// Returns whether it is better not to compute the value where it is not used: a call that costs much or may
/// call itself, an index that may be outside, and what is more than an operation for each element.
bool is_costly(const Node& x);  // conditional.cpp
Node* make_select(BodyContext& context, Node* condition, Node* where_true, Node* where_false,
                  Location location);  // conditional.cpp
Node* make_concatenation(BodyContext& context, std::vector<Node*> parts, std::int64_t axis,
                         Location location);  // concatenate.cpp
/// Builds an index tensor that is checked and counts from 0.
Node* make_checked_index(BodyContext& context, Node* index, const Extent& extent, bool negative,
                         Location location);  // index.cpp

}  // namespace frontend::check
