// Values of structs and enums: how they are made, and the fields of a struct.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/check/calls/call.h"

namespace frontend::check {

/// Returns the struct or enum that the expression names, `Tree` or `trees.Tree`; null where it names none, or
/// a value.
DeclaredType* named_type(BodyContext& context, const ast::Expression& e);
/// Reports the name of a type where a value is wanted.
void report_type_as_value(BodyContext& context, const DeclaredType& type, Location location);

/// Checks `Line(slope: a, offset: b)`.
Node* make_structure(BodyContext& context, DeclaredType& declared, std::vector<Argument>& arguments,
                     Location location);
/// Makes a struct of the values of its fields, in order.
Node* make_structure(BodyContext& context, const DeclaredType& type, std::vector<Node*> values,
                     Location location);
/// Makes the case at that position of an enum, with its payload.
Node* make_case(BodyContext& context, const DeclaredType& type, std::size_t position,
                std::vector<Node*> payload, Location location);
/// Checks `Tree.node(a, b)`, of which `name` is the case. A case without payload has no parentheses.
Node* make_case(BodyContext& context, DeclaredType& type, const ast::Name& name,
                std::vector<Argument>& arguments, Location location);
/// Makes the field of `x`, a value that is no tensor.
Node* make_field(BodyContext& context, Node* x, const ast::Name& name);

/// Returns `x` with that type, if it or the value is declared; tensors are compared elsewhere. The extents of
/// a struct are compared with those that are wanted. Null where it has another type, with a report in which
/// `what` is the place of the value.
Node* require_declared(BodyContext& context, Node* x, const DeclaredType* wanted, std::string_view what,
                       Location place);
/// Gives `x` the type: of a tensor its element type and shape.
Node* conform(BodyContext& context, Node* x, const Type& type, Location declared, std::string_view what);
/// Returns `x` if it is a tensor; reports any other value.
Node* require_tensor(BodyContext& context, Node* x);
/// Reports that two values of one struct or enum are compared, and shows the `match` or the fields that do
/// it.
void report_comparison(BodyContext& context, const Node& left, const Node& right, bool equal);

}  // namespace frontend::check
