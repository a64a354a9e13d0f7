// How a module is laid out:
// 1. Tokens and comments are cut into items: declarations, and comments that stand alone.
// 2. A declaration is written as three columns, `name:`, role and type, `= expression`; what is no such
//    declaration has one.
// 3. Neighbouring items of the same form, with no blank line or lone comment between them, share columns;
// comments
//    at the ends of their lines stand below each other too.
#include "frontend/format/format.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "frontend/format/block_layout.h"
#include "frontend/format/spacing.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/parse.h"
#include "frontend/parse/token.h"
#include "frontend/support/append_messages.h"

namespace frontend {
namespace {

using namespace syntax;

struct Line {
  std::array<std::string, 3> columns;
  std::string comment;       ///< behind it on the same line
  bool typed = false;        ///< `name: …`
  bool declaration = false;  ///< `name: …` or `name = …`
  bool lone_comment = false;
  bool blank_before = false;
  std::size_t indent = 0;
};

std::size_t width(std::string_view text) {
  const auto characters = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), characters));
}

std::string comment_text(const Token& comment) {
  std::string text(comment.text);
  std::erase(text, '\r');
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
  return text;
}

bool ends_line(const Token& comment) { return comment.text.starts_with("//"); }

std::uint32_t last_line(const Token& token) {
  return token.location.line +
         static_cast<std::uint32_t>(std::count(token.text.begin(), token.text.end(), '\n'));
}

class Formatter {
 public:
  Formatter(const Resolved& resolved, const std::vector<Token>& comments)
      : resolved_(resolved), comments_(comments) {}

  std::string run() {
    for (const Chunk& chunk : resolved_.chunks) {
      lone_comments(resolved_.code[chunk.first].begin);
      if (chunk.closes_scope) indent_ -= 2;
      declaration(chunk);
      if (chunk.opens_scope) indent_ += 2;
    }
    lone_comments(static_cast<std::size_t>(-1));
    return layout();
  }

 private:
  bool blank_before(const Token& token) const { return !lines_.empty() && token.location.line > line_ + 1; }

  void lone_comments(std::size_t before) {
    for (; comment_ < comments_.size() && comments_[comment_].begin < before; ++comment_) {
      const Token& comment = comments_[comment_];
      Line line;
      line.columns[0] = comment_text(comment);
      line.lone_comment = true;
      line.indent = indent_;
      line.blank_before = blank_before(comment);
      line_ = last_line(comment);
      lines_.push_back(std::move(line));
    }
  }

  void declaration(const Chunk& chunk) {
    code_.assign(resolved_.code.begin() + static_cast<std::ptrdiff_t>(chunk.first),
                 resolved_.code.begin() + static_cast<std::ptrdiff_t>(chunk.last));
    Line line;
    line.indent = indent_;
    line.blank_before = blank_before(code_.front());
    const auto [colon, equals] = columns_end();
    line.typed = colon > 0;
    line.declaration = colon > 0 || code_.front().kind == Grammar::NAME;
    Spacing spacing(code_);
    const BlockLayout blocks(code_, indent_);
    std::uint32_t at_line = code_.front().location.line;
    bool fresh = true;  // the next token starts its line
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::size_t column = colon > 0 ? (i <= colon ? 0 : i < equals ? 1 : 2) : (i < equals ? 0 : 2);
      std::string& out = line.columns[column];
      fresh = inner_comments(i, out, at_line, spacing, blocks) || fresh;
      const bool breaks = code_[i].location.line > at_line && !blocks.joins(i);
      if (i > 0 && !fresh && (breaks || blocks.is_boundary(i))) {
        out += blocks.is_boundary(i) ? blocks.before(i, spacing.depth(), code_[i].location.line > at_line + 1)
                                     : continuation(spacing, i);
        fresh = true;
      }
      const bool starts_column = out.empty() && !fresh;
      out += fresh || starts_column ? spacing.first(i) : spacing.next(i);
      fresh = false;
      at_line = last_line(code_[i]);
    }
    line_ = at_line;
    if (comment_ < comments_.size() && comments_[comment_].location.line == line_ && follows(chunk)) {
      line.comment = comment_text(comments_[comment_]);
      line_ = last_line(comments_[comment_++]);
    }
    lines_.push_back(std::move(line));
  }

  /// The comment at hand stands before the next declaration.
  bool follows(const Chunk& chunk) const {
    return comments_[comment_].begin < resolved_.code[chunk.last].begin ||
           chunk.last + 1 == resolved_.code.size();
  }

  /// The indices of the `:` that ends the first column (0: there is none) and of the `=`.
  std::pair<std::size_t, std::size_t> columns_end() const {
    std::size_t colon = 0, depth = 0;
    if (code_.front().kind != Grammar::NAME) return {0, code_.size()};
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::size_t kind = code_[i].kind;
      if (kind == Grammar::LEFT_BRACKET || kind == Grammar::SHAPE_OPEN || kind == Grammar::LEFT_PARENTHESIS)
        ++depth;
      if (kind == Grammar::RIGHT_BRACKET || kind == Grammar::RIGHT_PARENTHESIS) --depth;
      if (depth > 0) continue;
      if (kind == Grammar::COLON && colon == 0) colon = i;
      if (kind == Grammar::EQUALS) return {colon, i};
    }
    return {colon, code_.size()};
  }

  std::string continuation(const Spacing& spacing, std::size_t i) const {
    const std::size_t kind = code_[i].kind;
    const bool closes = kind == Grammar::RIGHT_BRACKET || kind == Grammar::RIGHT_PARENTHESIS;
    const std::size_t depth = spacing.depth() - (closes && spacing.depth() > 0 ? 1 : 0);
    return line_with_indent(indent_ + (closes && depth == 0 ? 0 : 2 + 2 * depth));
  }

  /// Writes the comments before token `i`; true where the token then starts a line.
  bool inner_comments(std::size_t i, std::string& out, std::uint32_t& at_line, const Spacing& spacing,
                      const BlockLayout& blocks) {
    const Token& token = code_[i];
    bool any = false, ended = false;
    while (comment_ < comments_.size() && comments_[comment_].begin < token.begin) {
      const Token& comment = comments_[comment_++];
      const bool breaks = ended || comment.location.line > at_line;
      out += breaks ? blocks.before_comment(i, spacing.depth(), comment.location.line > at_line + 1) : " ";
      out += comment_text(comment);
      at_line = last_line(comment);
      ended = ends_line(comment);
      any = true;
    }
    if (!any) return false;
    if (!ended && token.location.line == at_line)
      out += " ";
    else
      out += blocks.after_comment(i, spacing.depth(), token.location.line > at_line + 1);
    return true;
  }

  // ------------------------------------------------------------------------------------------ columns

  std::string layout() {
    std::string out;
    for (std::size_t first = 0; first < lines_.size();) {
      std::size_t last = first + 1;
      while (last < lines_.size() && together(lines_[last - 1], lines_[last])) ++last;
      write(first, last, out);
      first = last;
    }
    return out;
  }

  static bool together(const Line& a, const Line& b) {
    return !b.blank_before && (a.declaration || a.lone_comment) && (b.declaration || b.lone_comment);
  }

  /// The text of a line with its columns at the places given, without the comment.
  static std::string text_of(const Line& line, std::size_t role, std::size_t equals) {
    std::string text = line.columns[0];
    for (const auto& [column, place] : {std::pair{1, role}, std::pair{2, equals}}) {
      if (line.columns[static_cast<std::size_t>(column)].empty()) continue;
      const std::size_t at = width(text.substr(text.rfind('\n') + 1));
      text.append(std::max(place, at + 1) - at, ' ');
      text += line.columns[static_cast<std::size_t>(column)];
    }
    return text;
  }

  static bool single_line(const std::string& text) { return text.find('\n') == std::string::npos; }

  void write(std::size_t first, std::size_t last, std::string& out) {
    std::size_t role = 0, equals = 0, comment = 0;
    for (std::size_t i = first; i < last; ++i)
      if (lines_[i].typed && single_line(lines_[i].columns[0]))
        role = std::max(role, width(lines_[i].columns[0]) + 1);
    for (std::size_t i = first; i < last; ++i) {
      const Line& line = lines_[i];
      if (line.columns[2].empty() || !single_line(line.columns[0] + line.columns[1])) continue;
      const std::size_t header =
          line.columns[1].empty() ? width(line.columns[0]) : role + width(line.columns[1]);
      equals = std::max(equals, header + 1);
    }
    std::vector<std::string> texts;
    for (std::size_t i = first; i < last; ++i) texts.push_back(text_of(lines_[i], role, equals));
    for (std::size_t i = first; i < last; ++i)
      if (!lines_[i].comment.empty() && single_line(texts[i - first]))
        comment = std::max(comment, width(texts[i - first]) + 2);
    for (std::size_t i = first; i < last; ++i) {
      std::string& text = texts[i - first];
      if (lines_[i].blank_before) out += '\n';
      if (!lines_[i].comment.empty()) {
        const std::size_t at = width(text.substr(text.rfind('\n') + 1));
        text.append(std::max(comment, at + 2) - at, ' ');
        text += lines_[i].comment;
      }
      out.append(lines_[i].indent, ' ');
      out += text + '\n';
    }
  }

  const Resolved& resolved_;
  const std::vector<Token>& comments_;
  std::size_t comment_ = 0;
  std::size_t indent_ = 0;   ///< of a declaration
  std::uint32_t line_ = 0;   ///< of the source, where the last item ended
  std::vector<Token> code_;  ///< of the declaration at hand
  std::vector<Line> lines_;
};

}  // namespace

std::optional<std::string> format(const dlvm::Source& source, dlvm::Diagnostics& diagnostics) {
  dlvm::Diagnostics found;
  const auto module = parse(source, found);
  for (const auto& each : found.all()) diagnostics.append(each);
  count_dropped(found, diagnostics);
  if (!module || found.has_errors()) return std::nullopt;
  const Tokens tokens = lex(source, found);
  const Resolved resolved = resolve(tokens, found);
  return Formatter(resolved, tokens.comments).run();
}

}  // namespace frontend
