// telc check --fix.
#include "telc/fix.h"

#include <fmt/format.h>

#include "dlvm/support/edits.h"
#include "dlvm/support/files.h"
#include "dlvm/support/system_diagnostics.h"
#include "frontend/frontend.h"
#include "telc/arguments.h"
#include "telc/diagnostics.h"
#include "telc/refuse.h"
#include "telc/streams.h"

namespace telc {
namespace {

/// One error may hide another one, so that fixes are made in rounds.
constexpr int most_rounds = 100;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The fixes of one round, made in `text`, and their description; false where there are none.
bool fix_round(const SourceOptions& options, std::string& text, std::string& changes) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const dlvm::Source& source = *sources.add(options.file, text);
  frontend::Options frontend_options;
  frontend_options.import_folders = options.folders;
  for (const auto& [name, value] : dimensions_of(options.defines))
    frontend_options.dimensions.emplace_back(name, value);
  frontend::check_only(source, sources, frontend_options, diagnostics);
  const auto edits = dlvm::sure_edits(diagnostics, source);
  for (const dlvm::Edit& edit : edits) {
    const dlvm::Position at = dlvm::position_of(*source.text(), edit.begin);
    changes += fmt::format("{}:{}:{}: {} -> {}\n", options.file, at.line, at.column,
                           source.text()->substr(edit.begin, edit.end - edit.begin), edit.text);
  }
  text = dlvm::edited(*source.text(), edits);
  return !edits.empty();
}

int report(const dlvm::DiagnosticKind& kind, const std::string& text, bool json) {
  dlvm::Diagnostics diagnostics;
  diagnostics.report(kind, {}, text);
  return finish(diagnostics, json);
}

}  // namespace

int fix(const SourceOptions& options) {
  if (options.file == "-") return refuse("--fix changes files, not standard input", options.json);
  dlvm::FileError error;
  auto text = dlvm::read_text(options.file, error);
  // The check that follows reports a file that cannot be read.
  if (!text || text->size() > dlvm::text_limit) return done;
  if (is_dlvm(options.file, *text)) return report(needs_source, "telc check --fix", options.json);
  const bool marked = text->starts_with(byte_order_mark);
  std::string changes;
  for (int round = 0; round < most_rounds && fix_round(options, *text, changes); ++round) {
  }
  if (changes.empty()) return done;
  if (!dlvm::write_file(options.file, (marked ? std::string(byte_order_mark) : "") + *text, error))
    return report(dlvm::file_failed, error.text, options.json);
  print(changes);
  return done;
}

}  // namespace telc
