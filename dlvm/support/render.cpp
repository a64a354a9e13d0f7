// How messages look, to people and to programs.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_map>

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

/// Returns the name under the location, `x` or `fc.W`; empty where there is something else.
std::string_view name_at(const Location& location) {
  if (!location.valid() || location.line == 0 || !location.source->text()) return "";
  const std::size_t begin = location.source->offset(location.line, location.column);
  const std::size_t end = location.source->offset(location.line, location.column + location.length);
  const std::string_view text = std::string_view(*location.source->text()).substr(begin, end - begin);
  const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  const bool is_name = std::ranges::all_of(text, in_name) && !text.empty() &&
                       std::isdigit(static_cast<unsigned char>(text[0])) == 0 && text[0] != '.';
  return is_name ? text : "";
}

/// Returns a text that two messages share if they say the same of the same name in a file, at two places:
/// that it is unknown, wherever it is used. Empty for a message about something else.
std::string key_of(const Diagnostic& d) {
  const std::string_view name = name_at(d.location);
  if (name.empty()) return "";
  std::string key = fmt::format("{}{}\n{}\n{}\n", d.kind->code, fmt::ptr(d.location.source), name, d.text);
  for (const auto& note : d.notes) key += place(note.location) + note.text + "\n";
  for (const auto& fix : d.fixes) key += fix.text + "\n";
  return key;
}

/// Returns the messages that are shown, each with the further places where there is the same one.
std::vector<std::pair<const Diagnostic*, std::vector<Location>>> grouped(const Diagnostics& diagnostics) {
  std::vector<std::pair<const Diagnostic*, std::vector<Location>>> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (const Diagnostic& d : diagnostics.all()) {
    if (const std::string key = key_of(d); !key.empty()) {
      const auto [group, added] = known.emplace(key, groups.size());
      if (!added) {
        auto& [first, again] = groups[group->second];
        const Location& last = again.empty() ? first->location : again.back();
        if (!(d.location == last)) again.push_back(d.location);
        continue;
      }
    }
    groups.push_back({&d, {}});
  }
  return groups;
}

/// Returns the places as a note shows them, `9:12, 15:3 and 22:8`; of many the first ones, and how many more
/// there are.
std::string listed(const std::vector<Location>& places) {
  constexpr std::size_t most = 5;
  const std::size_t shown = places.size() > most + 1 ? most : places.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == places.size();
    text += fmt::format("{}{}:{}", i == 0 ? "" : last ? " and " : ", ", places[i].line, places[i].column);
  }
  if (shown < places.size()) text += fmt::format(" and {} more places", places.size() - shown);
  return text;
}

}  // namespace

std::string render(const Diagnostics& diagnostics, bool colour) {
  const Painter paint{colour};
  std::string out;
  for (const auto& [message, again] : grouped(diagnostics)) {
    const Diagnostic& d = *message;
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
    if (!again.empty()) out += fmt::format("  {} {}\n", paint(cyan, "also:"), listed(again));
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
