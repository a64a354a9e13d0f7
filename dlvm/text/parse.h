#pragma once

#include <memory>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// Returns the module of a `.dl` text, or nothing after reporting at least one error. The result has the
/// types that the table gives and is otherwise unverified. Locations written in the text are in `sources`,
/// which must outlive the module. Written types may hold `_` where the value's own type has a dimension of
/// any kind. The function never throws.
std::unique_ptr<Module> parse(const Source& source, Sources& sources, Diagnostics& diagnostics);

}  // namespace dlvm
