// How messages look, to people and to programs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dlvm/support/diagnostic.h"

namespace dlvm {
namespace {

constexpr std::string_view reset = "\033[0m", bold = "\033[1m", red = "\033[1;31m", magenta = "\033[1;35m",
                           cyan = "\033[36m", green = "\033[1;32m";

struct Painter {
  bool colour;
  std::string operator()(std::string_view style, std::string_view text) const {
    return colour ? fmt::format("{}{}{}", style, text, reset) : std::string(text);
  }
};

std::string place(const Location& location) {
  if (!location.valid()) return "";
  if (location.line == 0) return location.source->name() + ": ";
  return fmt::format("{}:{}:{}: ", location.source->name(), location.line, location.column);
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The source line and, below it, `^~~~` under the span. Tabs are kept above and below, so that both align;
/// control characters are shown as '?'. A very long line is cut to the part around the span.
std::string excerpt(const Location& location, const Painter& paint) {
  if (!location.valid() || !location.source->text()) return "";
  const std::string_view line = location.source->line(location.line);
  if (line.empty()) return "";
  constexpr std::size_t widest = 160, lead = 60;
  const std::size_t column = location.column > 0 ? location.column - 1 : 0;
  const std::size_t first = column > widest - lead ? column - lead : 0;

  std::string shown, below;
  std::size_t character = 0;
  for (const char byte : line) {
    if (is_continuation(byte)) {
      if (character > first && character <= first + widest) shown += byte;
      continue;
    }
    if (character >= first && character < first + widest) {
      const bool control = static_cast<unsigned char>(byte) < 0x20 && byte != '\t';
      shown += control ? '?' : byte;
      if (character < column) below += byte == '\t' ? '\t' : ' ';
    }
    ++character;
  }
  const std::size_t last = std::min(
      {column + std::max<std::size_t>(location.length, 1), std::max(character, column + 1), first + widest});
  const std::string marks = "^" + std::string(last > column + 1 ? last - column - 1 : 0, '~');
  return fmt::format("  {}\n  {}{}\n", shown, below, paint(green, marks));
}

std::string of_more_errors(const Diagnostics& diagnostics) {
  if (diagnostics.error_count() <= Diagnostics::error_limit) return "";
  return fmt::format("the first {} errors are shown; there are more", Diagnostics::error_limit);
}

}  // namespace

std::string render(const Diagnostics& diagnostics, bool colour) {
  const Painter paint{colour};
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    const bool error = d.kind->severity == Severity::error;
    out += fmt::format(
        "{}{} {}\n", paint(bold, place(d.location)),
        paint(error ? red : magenta, fmt::format("{} {}:", error ? "error" : "warning", d.kind->code)),
        paint(bold, d.text));
    out += excerpt(d.location, paint);
    for (const auto& note : d.notes)
      out += fmt::format("{}{} {}\n{}", place(note.location), paint(cyan, "note:"), note.text,
                         excerpt(note.location, paint));
    for (const auto& fix : d.fixes) out += fmt::format("  {} {}\n", paint(green, "fix:"), fix.text);
  }
  if (const std::string more = of_more_errors(diagnostics); !more.empty()) out += more + "\n";
  return out;
}

std::string render_json(const Diagnostics& diagnostics) {
  using nlohmann::json;
  const auto where = [](const Location& location) -> json {
    if (!location.valid()) return nullptr;
    return {{"file", location.source->name()},
            {"line", location.line},
            {"column", location.column},
            {"length", location.length}};
  };
  const auto range = [](const Edit& edit) -> json {
    const std::string_view text = *edit.source->text();
    const Position begin = position_of(text, edit.begin), end = position_of(text, edit.end);
    return {{"file", edit.source->name()},
            {"begin", {{"line", begin.line}, {"column", begin.column}}},
            {"end", {{"line", end.line}, {"column", end.column}}},
            {"text", edit.text}};
  };
  json all = json::array();
  for (const Diagnostic& d : diagnostics.all()) {
    json notes = json::array();
    for (const auto& note : d.notes)
      notes.push_back({{"location", where(note.location)}, {"text", note.text}});
    json fixes = json::array(), edits = json::array();
    for (const Fix& fix : d.fixes) {
      fixes.push_back(fix.text);
      edits.push_back(fix.edit ? range(*fix.edit) : json(nullptr));
    }
    all.push_back({{"code", d.kind->code},
                   {"severity", d.kind->severity == Severity::error ? "error" : "warning"},
                   {"location", where(d.location)},
                   {"text", d.text},
                   {"notes", notes},
                   {"fixes", fixes},
                   {"edits", edits}});
  }
  if (const std::string more = of_more_errors(diagnostics); !more.empty())
    all.push_back({{"code", nullptr},
                   {"severity", "note"},
                   {"location", nullptr},
                   {"text", more},
                   {"notes", json::array()},
                   {"fixes", json::array()},
                   {"edits", json::array()}});
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace dlvm
