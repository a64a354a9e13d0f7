#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlvm {

/// A text that the compiler reads: a file, standard input, or an embedded library file. Immutable.
class Source {
 public:
  Source(std::string name, std::optional<std::string> text);

  /// Returns the name as the user wrote it on the command line, or as a location in a `.dl` file gives it.
  const std::string& name() const { return name_; }
  /// Returns the text without the byte-order mark that the file may start with, or nothing if only the name
  /// is known (from a location in a `.dl` file).
  const std::optional<std::string>& text() const { return text_; }
  /// Returns line `line` (from 1) without its end; empty if there is no text or no such line.
  std::string_view line(std::uint32_t line) const;
  /// Returns the position in the text, in bytes, of a character of a line, or that of its end.
  std::size_t offset(std::uint32_t line, std::uint32_t column) const;

 private:
  std::string name_;
  std::optional<std::string> text_;
  std::vector<std::size_t> line_starts_;
};

/// A place between two characters. Lines and columns count from 1, and columns count characters.
struct Position {
  std::uint32_t line = 1, column = 1;
};
/// Returns where the byte `offset` of a text stands.
Position position_of(std::string_view text, std::size_t offset);

/// A span in a source. Lines and columns count from 1, and columns count characters (code points), not bytes.
/// `length` is in characters, at least 1, within the line.
struct Location {
  const Source* source = nullptr;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 1;

  bool valid() const { return source != nullptr; }
  friend bool operator==(const Location&, const Location&) = default;
};

/// Owns the sources of one compilation; addresses stay valid as long as it lives. Not thread-safe.
class Sources {
 public:
  const Source* add(std::string name, std::string text);
  /// Returns the source of that name; if there is none, adds one without a text.
  const Source* named(std::string_view name);
  /// Returns the sources in the order in which they were added.
  const std::vector<std::unique_ptr<Source>>& all() const { return sources_; }

 private:
  std::vector<std::unique_ptr<Source>> sources_;
};

}  // namespace dlvm
