#include "dlvm/support/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
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

namespace {

/// Makes room for an error whose text is not among the messages: takes away the last error whose text an
/// earlier one has. Returns whether there was one.
bool take_away_repeated(std::vector<Diagnostic>& all, std::string_view text) {
  std::unordered_set<std::string_view> texts;
  auto repeated = all.end();
  for (auto each = all.begin(); each != all.end(); ++each) {
    if (each->kind->severity != Severity::error) continue;
    if (each->text == text) return false;
    if (!texts.insert(each->text).second) repeated = each;
  }
  if (repeated == all.end()) return false;
  all.erase(repeated);
  return true;
}

}  // namespace

Diagnostic& Diagnostics::add(const DiagnosticKind& kind, Location location, std::string text) {
  if (kind.severity == Severity::error && ++error_count_ > error_limit) {
    // With many warnings as well, the search would take long for each of many errors.
    const bool few = all_.size() <= 10 * error_limit;
    if (text.empty() || !few || !take_away_repeated(all_, text)) {
      dropped_ = {};
      return dropped_;
    }
  }
  all_.push_back({&kind, location, std::move(text), {}, {}});
  return all_.back();
}

}  // namespace dlvm
