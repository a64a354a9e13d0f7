// The pass behind `resolve`. One walk over the tokens, each looked at with the tokens before it (already
// resolved) and a few after it (as lexed). Included by this folder's resolve*.cpp only.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/parse/grammar.h"
#include "frontend/parse/token.h"

namespace frontend::syntax {

class Resolver {
 public:
  Resolver(const Tokens& tokens, Diagnostics& diagnostics)
      : in_(tokens.code), comments_(tokens.comments), diagnostics_(diagnostics) {}

  Resolved run();

 private:
  /// A bracket that is open, or (the first) the declaration itself.
  struct Level {
    std::size_t opener = 0;        ///< the index in the output
    std::size_t kind = 0;          ///< the opener's kind; 0 for the declaration
    bool operand = false;          ///< the opener stands where an operand does
    bool shape = false;            ///< holds a separator or `?` directly
    bool comma = false;            ///< holds a comma directly
    bool range = false;            ///< the statement at hand holds a `..` directly
    bool match = false;            ///< the statement at hand is a `match`, whose `{` follows
    bool members = false;          ///< holds the fields of a struct, or the cases of an enum or a `match`
    bool values = false;           ///< holds the cases of a `match` that is an expression
    std::size_t matches = 0;       ///< such `match`es whose `{` has not come
    std::size_t questions = 0;     ///< each `?` of a conditional of C whose `:` has not come
    std::size_t tight = 0;         ///< prefix `-` and `^` that the next operator other than `^` ends
    std::size_t loose = 0;         ///< `not` and `else if`, which end at `,` `;` `:` or `|>`
    std::size_t conditionals = 0;  ///< the other `if`s, which end likewise
  };

  const Token& at(std::size_t ahead) const { return in_[std::min(i_ + ahead, in_.size() - 1)]; }
  /// Returns the previous token of the declaration, or null at its start.
  const Token* previous() const {
    if (out_.chunks.empty() || out_.code.size() == out_.chunks.back().first) return nullptr;
    return &out_.code.back();
  }
  bool operand_before() const { return previous() && ends_operand(*previous()); }
  bool inside(std::size_t kind) const { return open_.back().kind == kind; }

  static Token& mark(Token& token) {
    token.reported = true;
    return token;
  }

  Token& emit(Token token) {
    out_.code.push_back(token);
    return out_.code.back();
  }

  // Declarations (resolve_starts.cpp).
  /// Returns the number of tokens of `name, name …` from here to a token of the kind `end`, a colon or `=`;
  /// 0 if there are no such tokens.
  std::size_t names_before(std::size_t end) const;
  bool role_at(std::size_t ahead) const;
  /// Returns whether `name[…]` followed by `=` or `:` stands here: a declaration with indices on its left.
  bool indexed_name() const;
  bool starts_declaration() const;
  bool starts_here() const;
  /// Returns whether a declaration starts here although a bracket was left open: only a token that is no part
  /// of an expression, at the start of a line, ends the bracket.
  bool starts_within_brackets() const;
  /// Returns whether a declaration starts here although a block was left open.
  bool starts_within_block() const;
  /// Notes the names behind `struct` and `enum`.
  void find_types();
  /// Returns whether the previous token is a word that stands where a role does.
  bool role_before() const;
  /// Returns whether a declaration with the role directly before is wrong without a value, so that no other
  /// declaration starts there.
  bool role_needs_value() const;
  /// Returns whether `name[…] =` behind a role is a declaration, as in `x: in y[i] = …`, and not a type.
  bool starts_behind_role() const;
  /// Returns whether the name behind a role, which a `=` follows, is meant for a type: `y: out float = x`.
  bool stands_for_type() const;
  /// Returns the kind of the word that started the declaration, or 0 if it was a name.
  std::size_t chunk_kind() const;
  void begin_chunk(bool is_start);
  /// Returns whether the `{` that ends the header of a net or a recurrent block stands directly before.
  bool after_header() const;
  /// Takes the `{` or the `}` of a net or a recurrent block.
  bool take_scope_brace();
  /// Reports the nets and recurrent blocks that lack their `}`.
  void close_scopes();
  void close_chunk();
  /// Returns the `///` lines since the previous token, without slashes and one blank.
  std::string doc();

  // Tokens (resolve.cpp).
  void take();
  static Token part(const Token& token, std::size_t from, std::size_t length, std::size_t kind);
  static Token joined(const Token& a, const Token& b, std::size_t kind);
  void take_number();
  void report_joined(const Token& number, const Token& word);
  void take_name();
  void take_dot();
  void take_caret();
  void take_times();
  void take_unknown();
  void fix_character(dlvm::Diagnostic& report) const;
  static std::string described(const Token& token);

  /// Marks the uses of what was skipped, which are errors no longer.
  void mark_uses_of_skipped();
  /// Returns whether the declaration is one whose braces stand around statements.
  bool has_statements() const { return chunk_kind() == Grammar::FUNC || chunk_kind() == Grammar::CUSTOM; }

  // Bodies of functions (resolve_blocks.cpp).
  bool in_block() const {
    return std::ranges::any_of(open_, [](const Level& level) { return level.kind == Grammar::LEFT_BRACE; });
  }
  /// Returns whether a field of a struct starts here, or a case of an enum or a `match`.
  bool starts_member() const;
  /// Returns whether a statement starts here, within a block.
  bool starts_statement() const;
  /// Marks the first token of a statement, and gives its word the kind that it has there.
  void begin_statement(Token& token);
  /// Closes the brackets that are open within the innermost block, and reports them.
  void close_to_block();
  /// Returns whether the word `match` here starts an expression.
  bool starts_match_value() const;
  void take_open_brace();
  void take_close_brace();
  /// Makes the parenthesis that is closed here one around several results, where it is.
  void mark_results(const Level& level);

  // Texts in quotation marks (resolve_texts.cpp).
  void take_string();
  /// Adds what is written in the place of the text: an equation for einsum, what TEL writes for the call of a
  /// library that the text stands in.
  void fix_text(dlvm::Diagnostic& report, std::string_view text);
  /// Adds the name of a net or an element type, where one is wanted and the text is it.
  void fix_text_for_name(dlvm::Diagnostic& report, std::string_view text) const;
  /// Returns whether a name here is the `scale` behind the type of a declaration, or behind its name in
  /// files.
  bool stands_for_scale() const;
  /// Reports `from fc.weight` and skips it, where a text in quotation marks is meant.
  bool take_unquoted_text();

  // Statements of other languages (statements.cpp).
  /// Skips `def f(x) …`, `for …` and similar statements, and the `let` of `let a = x`.
  bool take_statement();
  void fix_word(dlvm::Diagnostic& report, std::string_view word, std::string_view advice, std::size_t name,
                const std::string& names) const;
  std::string function_header() const;
  /// Returns the number of tokens from here to the next line that is not indented further, or to the last
  /// closing brace.
  std::size_t length_of_statement() const;
  /// Skips `# …`, the rest of the line.
  void take_hash();
  bool take_directive();

  // Brackets and limits (resolve_brackets.cpp).
  void open(const Token& token);
  void close(Token token);
  /// Takes the innermost bracket off, with what is counted in it.
  void pop_level();
  /// Follows how deep the parser will be in nested calls for operators; see the comments at Level.
  void count(Token& token);
  /// Ends what nests to the right on this level.
  void end_operators();
  void check_depth(Token& token);

  const std::vector<Token>& in_;
  const std::vector<Token>& comments_;
  Diagnostics& diagnostics_;
  Resolved out_;
  std::size_t i_ = 0, comment_ = 0;
  mutable std::size_t no_names_until_ = 0;  ///< a list of names up to here is known to end in neither
  std::vector<Level> open_;
  std::size_t crossed_ =
      0;  ///< the kind of the bracket whose place a mismatched one has taken; 0 if none has
  std::size_t right_ = 0, conditionals_ = 0, matches_ = 0;  ///< sums over the open levels
  /// The `{` of each net or recurrent block that is open, and the kind of the word before.
  std::vector<std::pair<Token, std::size_t>> open_scopes_;
  std::set<std::string_view> types_;        ///< names of the structs and enums of the file
  std::set<std::string_view> passed_over_;  ///< names of what was skipped
  bool too_deep_reported_ = false, unknown_reported_ = false, hash_reported_ = false;
};

/// Returns whether the token is a name, a reserved word, or the name of an element type.
inline bool is_word(const Token& token) {
  return !token.text.empty() && token.kind != Grammar::NUMBER && token.kind != Grammar::UNKNOWN &&
         (std::isalpha(static_cast<unsigned char>(token.text[0])) || token.text[0] == '_');
}

/// Returns the token kind of `module`, `type`, `dim` …; 0 for every other word.
std::size_t start_word(const Token& token);

}  // namespace frontend::syntax
