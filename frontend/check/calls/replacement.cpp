// `replace(x, rows, at: i, along: 0)`: a tensor of which a few rows are others.
#include <fmt/format.h>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check::make {

using dlvm::Opcode;

/// A scatter by the function that gives the new value, which lowering puts in the place of the combinator:
/// the type is that of a scatter by any other.
Node* replace(BodyContext& context, const BuiltinCall& call) {
  Node *x = call.value(0), *rows = call.value(1);
  const BuiltinArgument& along = call.arguments[3];
  const auto axis = counted_axis(context, along.given ? along.integers[0] : 0, x->type.rank(),
                                 along.given ? along.location : call.location);
  if (!axis || !require_same_element(context, x, rows, call.builtin.name, call.location)) return nullptr;
  const auto place = x->type.shape.begin() + *axis;
  Node* index = make_checked_index(context, call.value(2), *place, true, call.arguments[2].location);
  if (index == nullptr) return nullptr;
  Shape replaced(x->type.shape.begin(), place);
  replaced.insert(replaced.end(), index->type.shape.begin(), index->type.shape.end());
  replaced.insert(replaced.end(), place + 1, x->type.shape.end());
  rows = stretched(context, rows, replaced, call.arguments[1].location, [&](dlvm::Diagnostic& report) {
    explain_value(context, report, x, "the tensor");
    explain_value(context, report, call.value(2), "the positions");
    report.note(fmt::format("what is replaced has the shape {}", spelling(replaced)));
  });
  if (rows == nullptr) return nullptr;
  const bool is_condition = dlvm::is_boolean(resolved(context, x->type.element).type);
  const dlvm::Combinator any{is_condition ? Opcode::or_ : Opcode::add, nullptr};
  return make_operation(context, Opcode::scatter, {rows, x, index}, {any, dlvm::Integers{*axis}},
                        call.location);
}

}  // namespace frontend::check::make
