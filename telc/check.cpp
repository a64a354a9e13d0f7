// telc check, --explain.
#include <fmt/format.h>

#include "telc/commands.h"
#include "telc/explain.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {

int check(const SourceOptions& options) {
  Session session(options);
  session.check();
  return session.finish();
}

int explain(const std::string& code, bool json) {
  const dlvm::DiagnosticKind* kind = kind_of(code);
  if (kind == nullptr) return refuse(fmt::format("there is no message with the code {}", code), json);
  print(explanation(*kind));
  return done;
}

}  // namespace telc
