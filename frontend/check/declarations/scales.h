// The scale of a const that stores integers: `W: const int8[784x256] from "w" scale s`.
#pragma once

#include <functional>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Checks the scale that is written behind the type of the declaration, which is known.
void check_scale(Checker& checker, const Declaration& d, dlvm::Diagnostics& messages);

/// Makes the value of a name.
using MakeNamed = std::function<Node*(const ast::NameReference&)>;
/// Returns what the name of a const means in expressions: its integers, converted to the type of the scale
/// and multiplied by it; `integers` itself where the const has no scale.
Node* scaled(BodyContext& context, const Declaration& d, Node* integers, const MakeNamed& make);

/// Returns the declaration of the value that the scale of `d` names; null where there is none. In a net, it
/// is the one that all instances share.
Declaration* find_scale(const Declaration& d, const ast::NameReference& name);

}  // namespace frontend::check
