// Element types that the context of a number gives: variables for them, and what makes these equal.
#pragma once

#include <string_view>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// A new variable.
Element fresh_element(BodyContext& context);
/// The type, where it is known by now; else the variable that stands for all that are equal to it.
Element resolved(const BodyContext& context, Element element);
/// Makes the two equal; false where they are two types.
bool unify_elements(BodyContext& context, Element a, Element b);
/// Gives `x` the type where it has none yet.
void default_to(BodyContext& context, Node* x, ElementType type);
/// The type of `x` with variables looked up.
inline Type type_of(const BodyContext& context, const Node* x) {
  return {resolved(context, x->type.element), x->type.shape};
}
/// Makes both of one element type; else reports, with both types and where they come from.
bool require_same_element(BodyContext& context, Node* a, Node* b, std::string_view what, Location location);
/// Whether the instruction takes the element type of `x`; else reports. Variables are looked at in
/// `finish_body`.
bool require_accepted(BodyContext& context, dlvm::Opcode opcode, Node* x, std::string_view what,
                      Location location);

}  // namespace frontend::check
