#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dlvm/support/source.h"

namespace dlvm {

enum class Severity { error, warning };

/// One kind of message: declared once, beside its use, as
/// `inline constexpr DiagnosticKind unknown_name{CODE, Severity::error, "unknown name '{name}'", "…"};`
/// and listed in the `diagnostic_kinds()` of its library, so that `telc --explain` and the tests find it.
struct DiagnosticKind {
  std::string_view code;  ///< TEL-E0203, TEL-W0401, DLVM-E0102: never reused, never renumbered
  Severity severity;
  /// The message's first line. A word in braces stands for an argument and says what that is: the first word
  /// for the first argument, the next other word for the second; without a word, always for the next.
  std::string_view format;
  std::string_view explanation;  ///< the long text: what is wrong, an example, how it is mended
};

/// Returns the first line of the message with `arguments` filled in; a placeholder without an argument is
/// printed as `<word>`.
std::string headline(const DiagnosticKind& kind, std::span<const std::string> arguments = {});

/// An argument of a message as its text: a number in decimal digits, or the text that it is.
template <typename T>
std::string argument_text(const T& argument) {
  if constexpr (std::is_arithmetic_v<T>)
    return std::to_string(argument);
  else
    return std::string(argument);
}

/// An exact replacement: the bytes [begin, end) of a source's text become `text`.
struct Edit {
  const Source* source = nullptr;
  std::size_t begin = 0, end = 0;
  std::string text;
};

/// Returns the edit that replaces what stands at the location, which lies within one line.
Edit replacement(const Location& location, std::string text);

/// A likely fix: a sentence for people and, where the fix is an exact replacement, the edit that makes it.
struct Fix {
  std::string text;
  std::optional<Edit> edit;
};

/// A message: where, what, then notes (each may have a place of its own) and likely fixes.
struct Diagnostic {
  struct Note {
    Location location;  ///< may be invalid: then the note has no source line
    std::string text;
  };
  const DiagnosticKind* kind = nullptr;
  Location location;
  std::string text;
  std::vector<Note> notes;
  std::vector<Fix> fixes;

  Diagnostic& note(Location location, std::string text);
  Diagnostic& note(std::string text) { return note(Location{}, std::move(text)); }
  Diagnostic& fix(std::string text);
  Diagnostic& fix(std::string text, Edit edit);
};

/// Collects the messages of one compilation, in the order reported. At most `error_limit` errors are kept;
/// the rest are counted.
class Diagnostics {
 public:
  static constexpr std::size_t error_limit = 100;

  /// Reports `kind` at `location`; the returned diagnostic takes notes and fixes until the next report.
  template <typename... Arguments>
  Diagnostic& report(const DiagnosticKind& kind, Location location, const Arguments&... arguments) {
    const std::array<std::string, sizeof...(arguments)> texts{argument_text(arguments)...};
    return add(kind, location, headline(kind, texts));
  }

  /// Takes over a message that was reported elsewhere.
  void append(Diagnostic diagnostic) {
    add(*diagnostic.kind, diagnostic.location, {}) = std::move(diagnostic);
  }

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  Diagnostic& add(const DiagnosticKind& kind, Location location, std::string text);

  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
  Diagnostic dropped_;
};

/// Returns the messages for people: `FILE:LINE:COLUMN: error CODE: text`, the source line with the span
/// underlined, notes, and fixes.
std::string render(const Diagnostics& diagnostics, bool colour = false);
/// Returns the messages for programs: a JSON array with one object for each message, and a last one, of the
/// severity `note` and without a code, if there are errors that were not kept.
std::string render_json(const Diagnostics& diagnostics);

}  // namespace dlvm
