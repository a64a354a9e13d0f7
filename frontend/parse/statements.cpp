// Statements and declarations of other languages, where a declaration of TEL would start. Each gets one
// message that says what TEL has in its place.
#include <algorithm>
#include <iterator>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"
#include "frontend/support/other_languages.h"

namespace frontend::syntax {
namespace {

enum class Form {
  word,       ///< the word alone is too much: a declaration follows
  function,   ///< a function with its body
  statement,  ///< up to the next line that is not indented further, or the end of its braces
};

struct Statement {
  std::string_view word;
  Form form;
  std::string_view advice;  ///< of a word: `{}` is the name that follows it
};

constexpr Statement statements[]{
    {"let", Form::word, "a value needs no word before its name: {} = ..."},
    {"var", Form::word, "a value needs no word before its name: {} = ..."},
    {"val", Form::word, "a value needs no word before its name: {} = ..."},
    {"auto", Form::word, "a value needs no word before its name: {} = ..."},
    {"const", Form::word, "the role stands behind the name: {} = ..."},
    {"def", Form::function, ""},
    {"fn", Form::function, ""},
    {"fun", Form::function, ""},
    {"function", Form::function, ""},
    {"for", Form::statement,
     "operators and functions take whole tensors, sum(a * b, along: 0); a loop stands in a function, func "
     "f(x: "
     "[n]) -> [] { for i in 0..n { ... } }"},
    {"while", Form::statement,
     "a loop stands in a function: func f(x: [n]) -> [n] { while condition { ... } return y }; or compile "
     "one "
     "step, with h: state[...] and h' = ..., and call it in a loop"},
    {"if", Form::statement,
     "a condition chooses between two values: y = if condition then a else b; statements stand in a "
     "function"},
    {"match", Form::statement,
     "a match gives a value: y = match t { leaf(v) => sum(v) ... }; with blocks it stands in a function"},
    {"return", Form::statement,
     "a module returns its outs: y: out = ...; a function its result: { return y }"},
    {"print", Form::statement, "there is no output: declare what is to be seen an out, y: out = ..."},
    {"assert", Form::statement,
     "shapes that are declared are checked when telc compiles, and free dimensions by each call"},
    {"from", Form::statement, "a file of functions is imported whole: import layers"},
    {"class", Form::statement,
     "the module itself has the parameters; what it computes is a func of them, and a part of it that occurs "
     "several times is a net, net Block(n) { W: param[n x n] = glorot() ... }"},
};

/// Returns whether the token may stand between a word such as `let` and the `=`.
bool is_name_or_type(const Token& token) {
  return token.kind == Grammar::NAME || token.kind == Grammar::ELEMENT_TYPE;
}

/// Returns the element type that the word means, here or in another language; empty if it means none.
std::string_view type_of(const Token& word) {
  return word.kind == Grammar::ELEMENT_TYPE ? word.text : element_type_elsewhere(word.text);
}

const Statement* find(std::string_view word) {
  const auto found = std::find_if(std::begin(statements), std::end(statements),
                                  [&](const Statement& each) { return each.word == word; });
  return found == std::end(statements) ? nullptr : &*found;
}

}  // namespace

bool Resolver::take_statement() {
  const Token& token = at(0);
  const Token* before = previous();
  const bool is_start =
      before == nullptr ||
      (token.line_first && (ends_operand(*before) || after_header() || before->kind == Grammar::IN));
  if (open_.size() != 1 || !is_start) return false;
  const Statement* statement = find(token.text);
  if (statement == nullptr) return false;
  const bool name_follows = is_name_or_type(at(1));
  if (statement->form != Form::statement && !name_follows) return false;
  const bool is_call = statement->form == Form::statement && at(1).kind == Grammar::LEFT_PARENTHESIS;
  if (token.kind == Grammar::NAME && !name_follows && !is_call) return false;
  for (const std::size_t kind : {Grammar::EQUALS, Grammar::COLON, Grammar::COMMA})
    if (at(1).kind == kind) return false;  // the word is taken for a name
  auto& report = diagnostics_.report(foreign_statement, token.location, token.text);
  if (statement->form == Form::word) {
    std::size_t name = 1;  // behind `mut` and types
    while (is_name_or_type(at(name + 1)) && !at(name + 1).line_first) ++name;
    std::string names(at(name).text);
    for (std::size_t n = name; at(n + 1).kind == Grammar::COMMA && is_name_or_type(at(n + 2)); n += 2)
      names += fmt::format(", {}", at(n + 2).text);
    fix_word(report, statement->word, statement->advice, name, names);
    if (!at(name + 1).line_first && at(name + 1).kind != antlr4::Token::EOF) {
      if (name == 2 && !type_of(at(1)).empty()) passed_over_.insert(at(2).text);  // it has another type
      i_ += name - 1;
      return true;
    }
    passed_over_.insert(at(name).text);
  } else {
    report.fix(statement->form == Form::function ? function_header() : std::string(statement->advice));
  }
  begin_chunk(true);
  mark(emit(token)).kind = Grammar::RESERVED;  // another declaration may follow
  if (statement->form == Form::function) passed_over_.insert(at(1).text);
  i_ += length_of_statement() - 1;
  return true;
}

/// Shows the declaration without the word before its name, which is the token `name`. Types may stand
/// between.
void Resolver::fix_word(dlvm::Diagnostic& report, std::string_view word, std::string_view advice,
                        std::size_t name, const std::string& names) const {
  const bool constant = word == "const", typed = at(name + 1).kind == Grammar::COLON;
  const std::string_view type = name < 2 ? std::string_view() : type_of(at(1));
  std::string written = fmt::format("{}{}", at(name).text, constant ? ": const" : "");
  if (constant && !type.empty()) written += fmt::format(" {}", type);
  report.fix(typed ? fmt::format("a name needs no word before it: {}: ...", names)
                   : fmt::format(fmt::runtime(advice), constant ? written : names));
  const bool known = name == 1 || (constant && name == 2 && !type.empty());
  if (!known || !(at(name + 1).kind == Grammar::EQUALS || (typed && !constant))) return;
  dlvm::Edit edit = dlvm::replacement(at(name).location, written);
  edit.begin = dlvm::replacement(at(0).location, "").begin;
  report.fixes.back().edit = edit;
}

/// `func f(x: [s...], w: [s...]) = ...` for `def f(x, w)`.
std::string Resolver::function_header() const {
  std::string parameters;
  bool method = false;  // of a class
  const auto ends = [&](std::size_t n) {
    return at(n).kind == Grammar::RIGHT_PARENTHESIS || at(n).kind == antlr4::Token::EOF ||
           at(n + 1).line_first;
  };
  for (std::size_t n = 2; !ends(n); ++n)
    if (at(n + 1).text == "self")
      method = true;
    else if (at(n + 1).kind == Grammar::NAME &&
             (at(n).kind == Grammar::LEFT_PARENTHESIS || at(n).kind == Grammar::COMMA))
      parameters += fmt::format("{}{}: [s...]", parameters.empty() ? "" : ", ", at(n + 1).text);
  return fmt::format(
      "a function is an expression, func {0}({1}) = ..., or a block, func {0}({1}) {{ ... return y }}",
      method && at(1).text == "forward" ? "apply" : at(1).text, parameters);
}

std::size_t Resolver::length_of_statement() const {
  std::size_t n = 1, depth = 0;
  for (; at(n).kind != antlr4::Token::EOF; ++n) {
    const bool outside = at(n).line_first && at(n).location.column <= at(0).location.column;
    const bool goes_on =
        at(n).kind == Grammar::LEFT_BRACE || at(n).kind == Grammar::ELSE || at(n).text == "elif";
    if (depth == 0 && outside && !goes_on) return n;
    if (at(n).kind == Grammar::LEFT_BRACE) ++depth;
    if (at(n).kind == Grammar::RIGHT_BRACE && depth > 0) --depth;
  }
  return n;
}

}  // namespace frontend::syntax
