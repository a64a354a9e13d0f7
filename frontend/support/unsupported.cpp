#include "frontend/support/unsupported.h"

namespace frontend::syntax {

void report_unsupported(const Unsupported& what, dlvm::Location location, dlvm::Diagnostics& diagnostics) {
  diagnostics.report(not_supported, location, what.name).fix(std::string(what.advice));
}

}  // namespace frontend::syntax
