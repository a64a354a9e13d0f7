#include "dlvm/diagnostic_kinds.h"

#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/support/system_diagnostics.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/transform/diagnostics.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm {

std::vector<const DiagnosticKind*> diagnostic_kinds() {
  std::vector<const DiagnosticKind*> all{&file_failed, &not_text};
  const auto add = [&](const auto& kinds) { all.insert(all.end(), std::begin(kinds), std::end(kinds)); };
  add(reading::kinds);
  add(verification::kinds);
  add(differentiation::kinds);
  add(transformation::kinds);
  return all;
}

}  // namespace dlvm
