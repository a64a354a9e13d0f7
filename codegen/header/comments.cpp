#include "codegen/header/comments.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace codegen::header {
namespace {

/// Puts a space behind the first of these characters wherever they stand together.
void separate(std::string& text, std::string_view together) {
  for (std::size_t at; (at = text.find(together)) != std::string::npos;) text.insert(at + 1, " ");
}

/// The code point of a mark that changes the direction of text, where the three bytes at `at` are one; else
/// 0.
std::uint32_t direction_mark(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  if (byte(0) == 0xD8 && byte(1) == 0x9C) return 0x061C;
  if (byte(0) != 0xE2) return 0;
  const std::uint32_t code = 0x2000 + (byte(1) & 0x3Fu) * 64 + (byte(2) & 0x3Fu);
  const bool mark = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                    (code >= 0x2066 && code <= 0x2069);
  return mark ? code : 0;
}

/// Without control characters other than line ends, and without marks of direction.
std::string visible(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::uint32_t mark = direction_mark(text, i)) {
      result += fmt::format("U+{:04X}", mark);
      i += mark < 0x800 ? 1 : 2;
    } else {
      const auto c = static_cast<unsigned char>(text[i]);
      result += (c < ' ' && c != '\n') || c == 127 ? ' ' : text[i];
    }
  }
  return result;
}

/// Text without trigraphs, in lines that end neither in a space nor in a backslash.
std::string harmless(const std::string& text) {
  std::string result = visible(text);
  for (const char last : std::string_view("=/'()!<>-")) separate(result, std::string("??") + last);
  const auto end_line = [](std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (line.ends_with('\\')) line += '.';
  };
  std::string lines, line;
  for (const char c : result) {
    if (c != '\n') {
      line += c;
      continue;
    }
    end_line(line);
    lines += line + '\n';
    line.clear();
  }
  end_line(line);
  return lines + line;
}

}  // namespace

std::string doc_comment(const std::string& text, int indent) {
  if (text.empty()) return {};
  const std::string before = std::string(static_cast<std::size_t>(indent), ' ') + "///";
  std::string result = before;
  bool begins = true;
  for (const char c : harmless(text)) {
    if (begins && c != '\n') result += ' ';
    begins = c == '\n';
    result += c;
    if (begins) result += before;
  }
  return result + '\n';
}

std::string one_line(const std::string& text) {
  std::string line = harmless(text);
  for (char& c : line)
    if (c == '\n') c = ' ';
  return line;
}

std::string c_comment_text(const std::string& text) {
  std::string line = one_line(text);
  separate(line, "*/");
  separate(line, "/*");
  return line;
}

std::string dimension_comment(const std::string& doc) {
  return doc.empty() ? "a dimension that no input gives" : doc;
}

}  // namespace codegen::header
