// Values of a body.
#pragma once

#include <optional>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Appends a value to the body.
Node* add_node(BodyContext& context, Node node);
/// Makes the value of a declaration; reports one that cannot be used here.
Node* make_reference(BodyContext& context, Declaration& declaration, Location location);
/// Makes the value of a variable of the body; null where its own value has a mistake.
Node* make_variable(BodyContext& context, std::size_t index, Location location);
Node* make_constant(BodyContext& context, Number value, Element element, Location location);
/// Makes an instruction; its type follows from the instruction table. `element` is given where the result's
/// element type does not follow.
Node* make_operation(BodyContext& context, dlvm::Opcode opcode, std::vector<Node*> operands,
                     std::vector<dlvm::Attribute> attributes, Location location,
                     std::optional<Element> element = {});
/// Makes a dimension or an extent a number, without a type of its own unless `element` is given.
Node* make_extent_value(BodyContext& context, const Extent& extent, Location location,
                        std::optional<Element> element = {});
/// Return `x` with that shape or type; `x` itself if it has it.
Node* make_reshape(BodyContext& context, Node* x, Shape shape, Location location);
Node* make_broadcast(BodyContext& context, Node* x, Shape shape, Location location);
Node* make_conversion(BodyContext& context, Node* x, ElementType to, Location location);

}  // namespace frontend::check
