// Several names for the results of one call: `p, q = f(x)`.
#pragma once

#include "frontend/check/body_context.h"

namespace frontend::check {

/// Returns whether the declaration may name the results of a call.
bool may_name_results(const ast::Declaration& syntax);
/// Returns whether `name` is the '_' that stands for a result which is not used. Reports one in a declaration
/// of several names that can name no results.
bool is_unused_result(const ast::Declaration& syntax, const ast::Name& name, dlvm::Diagnostics& diagnostics);
/// Makes `results` the value that the names of its syntax share: a struct of the results of the call, if it
/// has several. Otherwise the check of `results` fails, with a report if the names cannot each have the
/// value.
void share_results(Program& program, Declaration& results);
/// Returns the result that `declaration` names.
Node* make_named_result(BodyContext& context, const Declaration& declaration);
/// Returns whether the names stand for one result each; otherwise each of them has the value of the
/// expression. The check of the results has ended.
bool names_results(const Declaration& declaration);

}  // namespace frontend::check
