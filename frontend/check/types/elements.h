// Element types that the context of a number gives: variables for them, and what makes these equal.
#pragma once

#include <string_view>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns a new variable.
Element fresh_element(BodyContext& context);
/// Returns the type if it is known by now, or else the variable that stands for all that are equal to it.
Element resolved(const BodyContext& context, Element element);
/// Makes the two equal. Returns false if they are different types.
bool unify_elements(BodyContext& context, Element a, Element b);
/// Gives `x` the type if it has none yet.
void default_to(BodyContext& context, Node* x, ElementType type);
/// Returns the type of `x` with variables resolved.
inline Type type_of(const BodyContext& context, const Node* x) {
  return {resolved(context, x->type.element), x->type.shape, x->type.declared};
}
/// Returns the floating-point type that values have here where nothing else says: what a conversion is
/// advised to.
ElementType floating_element(const BodyContext& context);
/// Makes both have one element type. Otherwise reports both types and where they come from.
bool require_same_element(BodyContext& context, Node* a, Node* b, std::string_view what, Location location);
/// Returns whether the instruction takes the element type of `x`, and reports an error if not. `finish_body`
/// checks variables.
bool require_accepted(BodyContext& context, dlvm::Opcode opcode, Node* x, std::string_view what,
                      Location location);

}  // namespace frontend::check
