#include <antlr4-runtime.h>

#include <fmt/format.h>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/token.h"

namespace frontend::syntax {
namespace {

/// Bytes of the UTF-8 sequence that starts here; 0 where none does (overlong forms, surrogates, too large).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0)) return 0;
    return 3;
  }
  if (first > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90)) return 0;
  return 4;
}

/// Converts positions in characters to positions in bytes; they must be asked in rising order.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view text) : text_(text) {}
  std::size_t at(std::size_t character) {
    for (; character_ < character; ++character_)
      byte_ += std::max<std::size_t>(1, sequence_length(text_.substr(byte_, 4)));
    return byte_;
  }

 private:
  std::string_view text_;
  std::size_t character_ = 0, byte_ = 0;
};

std::uint32_t characters_of_first_line(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text.substr(0, text.find_first_of("\r\n")))
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++count;
  return std::max(count, 1u);
}

}  // namespace

bool check_encoding(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = *source.text();
  if (text.size() > source_limit) {
    diagnostics.report(source_too_large, Location{&source, 0, 0, 1}, source_limit >> 20);
    return false;
  }
  Location here{&source, 1, 1, 1};
  std::uint32_t reported_line = 0;
  constexpr int most = 5;  // a binary file has too many to list
  int lines = 0;
  bool good = true;
  const auto report = [&](const DiagnosticKind& kind, unsigned byte) {
    if (reported_line != here.line) diagnostics.report(kind, here, fmt::format("0x{:02X}", byte)), ++lines;
    reported_line = here.line;
    good = false;
  };
  for (std::size_t i = 0; i < text.size() && lines < most;) {
    const std::size_t length = sequence_length(text.substr(i, 4));
    const auto byte = static_cast<unsigned>(static_cast<unsigned char>(text[i]));
    if (length == 0) report(invalid_utf8, byte);
    if (byte == 0) report(nul_byte, byte);
    // A stray continuation byte is no character of its own: the source counts it to the one before.
    if (length > 0 || (byte & 0xC0) != 0x80) ++here.column;
    if (byte == '\n') ++here.line, here.column = 1;
    i += std::max<std::size_t>(1, length);
  }
  return good;
}

Tokens lex(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = *source.text();
  // ANTLR drops one byte-order mark at the start, so that it gets one to drop.
  antlr4::ANTLRInputStream input(fmt::format("\xEF\xBB\xBF{}", text));
  tel_grammar::TELLexer lexer(&input);
  lexer.removeErrorListeners();

  Tokens tokens;
  ByteCursor bytes(text);
  std::uint32_t last_line = 0;
  while (true) {
    const std::unique_ptr<antlr4::Token> read = lexer.nextToken();
    const bool at_end = read->getType() == antlr4::Token::EOF;
    Token token;
    token.kind = read->getType();
    token.begin = read->getStartIndex();
    token.end = at_end ? token.begin : read->getStopIndex() + 1;
    const std::size_t first = bytes.at(token.begin);
    token.text = text.substr(first, bytes.at(token.end) - first);
    token.location = {&source, static_cast<std::uint32_t>(read->getLine()),
                      static_cast<std::uint32_t>(read->getCharPositionInLine() + 1),
                      characters_of_first_line(token.text)};
    token.line_first = token.location.line != last_line;
    last_line = token.location.line;
    if (read->getChannel() == antlr4::Token::HIDDEN_CHANNEL) {
      tokens.comments.push_back(token);
      continue;
    }
    if (token.kind == Grammar::OPEN_COMMENT) {
      diagnostics.report(unterminated_comment, token.location).fix("close it with */");
      token.reported = true;
    }
    tokens.code.push_back(token);
    if (at_end) return tokens;
    if (token.kind != Grammar::OPEN_COMMENT) continue;
    // What follows is inside the comment.
    Token end = token;
    end.kind = antlr4::Token::EOF;
    end.text = {};
    end.reported = false;
    tokens.code.push_back(end);
    return tokens;
  }
}

bool ends_operand(const Token& token) {
  switch (token.kind) {
    case Grammar::NAME:
    case Grammar::NUMBER:
    case Grammar::TRUE:
    case Grammar::FALSE:
    case Grammar::ELEMENT_TYPE:
    case Grammar::AUTO:
    case Grammar::RESERVED:
    case Grammar::RIGHT_PARENTHESIS:
    case Grammar::RIGHT_BRACKET:
    case Grammar::RIGHT_BRACE:
    case Grammar::TRANSPOSE:
    case Grammar::NEXT:
    case Grammar::QUESTION:
    case Grammar::ELLIPSIS:
    case Grammar::STRING:
    case Grammar::SEEDABLE:
      return true;
    default:
      return false;
  }
}

std::string quoted(const Token& token) {
  if (token.kind == antlr4::Token::EOF) return "the end of the file";
  constexpr std::size_t longest = 40;
  if (token.text.size() <= longest) return fmt::format("'{}'", token.text);
  std::size_t cut = longest;
  while (cut > 0 && (static_cast<unsigned char>(token.text[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("'{}…'", token.text.substr(0, cut));
}

}  // namespace frontend::syntax
