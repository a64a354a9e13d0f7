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

  /// As the user wrote it on the command line, or the name that a location in a `.dl` file gives.
  const std::string& name() const { return name_; }
  /// Without the byte-order mark that the file may start with. Absent where only the name is known (a
  /// location read from a `.dl` file).
  const std::optional<std::string>& text() const { return text_; }
  /// Line `line` (from 1) without its end; empty where the text or the line is not there.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string name_;
  std::optional<std::string> text_;
  std::vector<std::size_t> line_starts_;
};

/// Where something stands. Lines and columns count from 1, columns in characters (code points), not bytes.
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
  /// The source of that name; one without a text is made where there is none.
  const Source* named(std::string_view name);
  /// In the order in which they were added.
  const std::vector<std::unique_ptr<Source>>& all() const { return sources_; }

 private:
  std::vector<std::unique_ptr<Source>> sources_;
};

}  // namespace dlvm
