// Fixes of syntax errors for expressions that PyTorch and NumPy write in another way.
#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Adds what TEL writes for the expression around the place, as `sum(x, along: 1)` for `x.sum(dim=1)`, to the
/// message. Returns false if nothing is known.
bool add_translation(dlvm::Diagnostic& report, const Place& place);

/// The same for the whole value of the declaration, `a if c else b`.
bool add_translation_of_value(dlvm::Diagnostic& report, const Place& place);

/// Adds advice about a line that is no declaration but a call, `optimizer.step()`, or begins with one behind
/// `with`. The error is at its first token. Returns false if nothing is known.
bool add_advice_of_line(dlvm::Diagnostic& report, const Place& place);

/// Adds what TEL writes for the call around a text in quotation marks, before the tokens `code` have been
/// resolved. Shapes are not known there.
void add_translation_of_text(dlvm::Diagnostic& report, const std::vector<Token>& code);

}  // namespace frontend::syntax
