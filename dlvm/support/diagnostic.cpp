#include "dlvm/support/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dlvm {

std::string headline(const DiagnosticKind& kind, std::span<const std::string> arguments) {
  std::string text;
  std::vector<std::string_view> words;
  std::string_view rest = kind.format;
  for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    const std::size_t close = std::min(rest.find('}', open), rest.size() - 1);
    const std::string_view word = rest.substr(open + 1, close - open - 1);
    const auto known = word.empty() ? words.end() : std::find(words.begin(), words.end(), word);
    const auto index = static_cast<std::size_t>(known - words.begin());
    if (known == words.end()) words.push_back(word);
    text += rest.substr(0, open);
    text += index < arguments.size() ? arguments[index] : fmt::format("<{}>", word);
    rest.remove_prefix(close + 1);
  }
  return text.append(rest);
}

Diagnostic& Diagnostic::note(Location location, std::string text) {
  notes.push_back({location, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::fix(std::string text) {
  fixes.push_back({std::move(text), std::nullopt});
  return *this;
}

Diagnostic& Diagnostic::fix(std::string text, Edit edit) {
  fixes.push_back({std::move(text), std::move(edit)});
  return *this;
}

Edit replacement(const Location& location, std::string text) {
  return {location.source, location.source->offset(location.line, location.column),
          location.source->offset(location.line, location.column + location.length), std::move(text)};
}

Diagnostic& Diagnostics::add(const DiagnosticKind& kind, Location location, std::string text) {
  if (kind.severity == Severity::error && ++error_count_ > error_limit) {
    dropped_ = {};
    return dropped_;
  }
  all_.push_back({&kind, location, std::move(text), {}, {}});
  return all_.back();
}

}  // namespace dlvm
