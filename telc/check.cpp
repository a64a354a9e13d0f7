// telc check, --explain.
#include <fmt/format.h>

#include <algorithm>

#include "telc/commands.h"
#include "telc/explain.h"
#include "telc/fix.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {

namespace {

int check_one(const SourceOptions& options) {
  Session session(options);
  session.check();
  return session.finish();
}

}  // namespace

int check(const CheckOptions& options) {
  if (!options.more.empty() && options.source.json)
    return refuse("--diagnostics=json takes one FILE", options.source.json);
  std::vector<std::string> files{options.source.file};
  files.insert(files.end(), options.more.begin(), options.more.end());
  int status = done;
  for (const std::string& file : files) {
    SourceOptions source = options.source;
    source.file = file;
    const int fixed = options.fix ? fix(source) : done;
    status = std::max(status, fixed != done ? fixed : check_one(source));
  }
  return status;
}

int explain(const std::string& code, bool json) {
  const dlvm::DiagnosticKind* kind = kind_of(code);
  if (kind == nullptr) return refuse(fmt::format("there is no message with the code {}", code), json);
  print(explanation(*kind));
  return done;
}

}  // namespace telc
