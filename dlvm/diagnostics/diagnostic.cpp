#include "dlvm/diagnostics/diagnostic.h"

#include <utility>

namespace dlvm {

Diagnostic& Diagnostics::add(const DiagnosticKind& kind, Location location, std::string text) {
  if (kind.severity == Severity::error && ++error_count_ > error_limit) {
    dropped_ = {};
    return dropped_;
  }
  all_.push_back({&kind, location, std::move(text), {}, {}});
  return all_.back();
}

}  // namespace dlvm
