// Enums that hold themselves and that callers give: `t: in Tree`. Outside of the module such a value is
// tables of nodes; outer_parts.h has its parts. Nodes stand behind those that they hold.
#pragma once

#include "frontend/check/declarations/structured_values.h"

namespace frontend::check {

/// Makes the value of the enum from its tables, which `tensor` makes from `first` on. Numbers of cases and
/// nodes that are outside, tables with other rows than one for each node of their case, and a node that holds
/// one that does not stand before it end the call with an error.
Node* make_tree(BodyContext& context, const DeclaredType& type, std::size_t first, Location location,
                const MakeTensor& tensor);
/// Makes the value that the node at hand holds; `number`, which is gathered from a table, is the number of
/// its node.
Node* make_node_of_number(BodyContext& context, const DeclaredType& type, Node* number, Location location);

}  // namespace frontend::check
