#include "dlvm/text/token.h"

#include <algorithm>
#include <optional>

#include "dlvm/ir/instruction_table.h"
#include "dlvm/support/files.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/grammar.h"

namespace dlvm::reading {
namespace {

std::size_t kind_of(const char* literal) {
  static const auto kinds = [] {
    std::unordered_map<std::string, std::size_t> all;
    const Grammar parser(nullptr);
    for (std::size_t kind = 1; kind <= parser.getVocabulary().getMaxTokenType(); ++kind)
      all.emplace(parser.getVocabulary().getLiteralName(kind), kind);
    return all;
  }();
  return kinds.at("'" + std::string(literal) + "'");
}

struct Kinds {
  std::size_t open[4] = {kind_of("("), kind_of("["), kind_of("<"), kind_of("{")};
  std::size_t close[4] = {kind_of(")"), kind_of("]"), kind_of(">"), kind_of("}")};
  std::size_t bang = kind_of("!"), equals = kind_of("="), comma = kind_of(","), arrow = kind_of("->");
  std::size_t items[12] = {kind_of("module"), kind_of("stage"), kind_of("parameter"), kind_of("constant"),
                           kind_of("state"),  kind_of("entry"), kind_of("require"),   kind_of("func"),
                           kind_of("struct"), kind_of("enum"),  kind_of("type"),      kind_of("var")};
  std::size_t declares_members[2] = {kind_of("struct"), kind_of("enum")}, box = kind_of("box");
  std::size_t first_clause = kind_of("to"), last_clause = kind_of("else"), case_ = kind_of("case");
};

/// Length in bytes of the UTF-8 sequence at the start of `text`; 0 where there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
  // Overlong forms, surrogates, beyond U+10FFFF.
  const bool wrong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                     (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : length;
}

bool check_encoding(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = *source.text();
  Location at{&source, 1, 1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i, 4));
    if (length == 0 || text[i] == '\0') {
      diagnostics.report(bad_encoding, at, fmt::format("{:#04x}", static_cast<unsigned char>(text[i])),
                         length == 0 ? "not UTF-8" : "not allowed in a text");
      return false;
    }
    ++at.column;
    if (text[i] == '\n') at = {&source, at.line + 1, 1, 1};
    i += length;
  }
  return true;
}

std::vector<Token> lex(const Source& source) {
  const std::string_view text = *source.text();
  antlr4::ANTLRInputStream input(*source.text());
  dlvm_grammar::DLVMLexer lexer(&input);
  lexer.removeErrorListeners();
  std::vector<Token> tokens;
  std::size_t character = 0, byte = 0;
  const auto byte_at = [&](std::size_t wanted) {
    for (; character < wanted; ++character)
      byte += std::max<std::size_t>(1, sequence_length(text.substr(byte, 4)));
    return byte;
  };
  // The stream leaves a byte order mark out.
  if (text.starts_with("\xEF\xBB\xBF")) byte = 3;
  std::size_t line = 0;
  for (;;) {
    const auto token = lexer.nextToken();
    Token out;
    out.kind = token->getType();
    const bool end = out.kind == antlr4::Token::EOF;
    const std::size_t begin = end ? text.size() : byte_at(token->getStartIndex());
    if (!end) out.text = text.substr(begin, byte_at(token->getStopIndex() + 1) - begin);
    out.location = {&source, static_cast<std::uint32_t>(token->getLine()),
                    static_cast<std::uint32_t>(token->getCharPositionInLine()) + 1,
                    static_cast<std::uint32_t>(end ? 1 : token->getStopIndex() + 1 - token->getStartIndex())};
    out.line_first = token->getLine() != line;
    line = token->getLine();
    tokens.push_back(out);
    if (end) return tokens;
  }
}

class Cutter {
 public:
  Cutter(Cut& cut, Diagnostics& diagnostics)
      : tokens_(cut.tokens), items_(cut.items), diagnostics_(diagnostics) {}

  void run() {
    while (at_ + 1 < tokens_.size()) {
      items_.push_back({take(false), false, {}});
      if (at_ + 1 < tokens_.size() && tokens_[at_].kind == kinds_.open[3]) take_body(items_.back());
    }
  }

 private:
  bool is_item_word(std::size_t i) const {
    return std::find(std::begin(kinds_.items), std::end(kinds_.items), tokens_[i].kind) !=
           std::end(kinds_.items);
  }

  bool starts_item(std::size_t i, std::size_t first) const {
    const Token& token = tokens_[i];
    const bool complete = tokens_[first].kind == kinds_.open[1]
                              ? tokens_[i - 1].kind == kinds_.close[1]
                              : tokens_[first].kind == kinds_.bang && i == first + 2;
    const bool starts = token.kind == kinds_.open[1] || token.kind == kinds_.bang || is_item_word(i);
    return starts && (token.line_first || complete);
  }

  bool declares_members(std::size_t first) const {
    return std::find(std::begin(kinds_.declares_members), std::end(kinds_.declares_members),
                     tokens_[first].kind) != std::end(kinds_.declares_members);
  }

  /// Whether a `{` at the place opens a body, not a type's members or contents.
  bool opens_body(std::size_t i, std::size_t first) const {
    return tokens_[i].kind == kinds_.open[3] && !declares_members(first) &&
           (i == 0 || tokens_[i - 1].kind != kinds_.box);
  }

  bool starts_statement(std::size_t i) const {
    const Token& token = tokens_[i];
    if (token.kind == Grammar::VALUE) return tokens_[i + 1].kind == kinds_.equals;
    if (!token.line_first) return false;
    const Token& before = tokens_[i - 1];
    const bool continues = before.kind == kinds_.comma || before.kind == kinds_.equals ||
                           (before.kind >= kinds_.first_clause && before.kind <= kinds_.last_clause) ||
                           (before.kind == Grammar::CASE && tokens_[i - 2].kind == kinds_.case_);
    return !continues && (token.kind == Grammar::LABEL || opcode_named(token.text));
  }

  /// The tokens up to the start of the next item (or a `{`), or of the next statement (or the `}`).
  Chunk take(bool statement) {
    const std::size_t first = at_;
    std::size_t deepest = 0, stars = 0;    // `**T` points to a pointer
    std::size_t arrows = 0, braces = 0;    // `(A) -> (B) -> C` returns a function
    std::vector<std::size_t> open_arrows;  // those before each open bracket
    for (; at_ + 1 < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      const bool margin = token.line_first && token.location.column == 1 && at_ > first;
      const std::size_t depth = open_arrows.size();
      const bool ends_body = token.kind == kinds_.close[3] && !declares_members(first) && braces == 0;
      if (margin && (is_item_word(at_) || ends_body)) break;
      if (depth == 0 && (statement ? token.kind == kinds_.close[3] : opens_body(at_, first))) break;
      if (at_ > first && (depth == 0 || token.line_first) &&
          (statement ? starts_statement(at_) : depth == 0 && starts_item(at_, first)))
        break;
      stars = token.text == "*" ? stars + 1 : 0;
      if (token.kind == kinds_.arrow) ++arrows;
      if (token.kind == kinds_.comma) arrows = depth > 0 ? open_arrows.back() : 0;
      if (std::find(std::begin(kinds_.open), std::end(kinds_.open), token.kind) != std::end(kinds_.open)) {
        open_arrows.push_back(arrows);
        braces += token.kind == kinds_.open[3] ? 1 : 0;
      } else if (depth > 0 && std::find(std::begin(kinds_.close), std::end(kinds_.close), token.kind) !=
                                  std::end(kinds_.close)) {
        arrows = open_arrows.back();
        open_arrows.pop_back();
        braces -= token.kind == kinds_.close[3] && braces > 0 ? 1 : 0;
      }
      deepest = std::max(deepest, open_arrows.size() + stars + arrows);
    }
    if (deepest <= nesting_limit) return {first, at_};
    diagnostics_.report(too_deep, tokens_[first].location, nesting_limit);
    return {at_, at_};
  }

  void take_body(Item& item) {
    const Location open = tokens_[at_++].location;
    item.has_body = true;
    while (at_ + 1 < tokens_.size() && tokens_[at_].kind != kinds_.close[3]) {
      const Token& token = tokens_[at_];
      if (token.line_first && token.location.column == 1 && is_item_word(at_)) break;
      item.statements.push_back(take(true));
    }
    if (tokens_[at_].kind == kinds_.close[3])
      ++at_;
    else
      diagnostics_.report(syntax, tokens_[at_].location, "'}'", "another item or the end of the text")
          .note(open, "the body starts here");
  }

  const std::vector<Token>& tokens_;
  std::vector<Item>& items_;
  Diagnostics& diagnostics_;
  Kinds kinds_;
  std::size_t at_ = 0;
};

}  // namespace

Cut cut(const Source& source, Diagnostics& diagnostics) {
  Cut result;
  if (!source.text()) return result;
  if (source.text()->size() > text_limit) {
    diagnostics.report(too_large, Location{&source, 0, 0, 1}, text_limit >> 20);
    return result;
  }
  if (!check_encoding(source, diagnostics)) return result;
  result.tokens = lex(source);
  Cutter(result, diagnostics).run();
  return result;
}

}  // namespace dlvm::reading
