// Texts in quotation marks, which are names in files of weights.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "frontend/ast/type.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/python_fix.h"
#include "frontend/parse/resolver.h"
#include "frontend/python/einsum.h"
#include "frontend/support/other_languages.h"
#include "frontend/support/stdlib.h"

namespace frontend::syntax {

void Resolver::take_string() {
  Token token = at(0);
  if (!previous() || previous()->kind != Grammar::FROM)
    fix_text(diagnostics_.report(text_elsewhere, mark(token).location, quoted(token)), token.text);
  emit(token);
}

namespace {

/// Returns the text without its quotation marks.
std::string_view unquoted(std::string_view text) {
  const auto is_mark = [](char c) { return c == '"' || c == '\''; };
  if (!text.empty() && is_mark(text.front())) text.remove_prefix(1);
  if (!text.empty() && is_mark(text.back())) text.remove_suffix(1);
  return text;
}

/// Returns the net, of the file or of the library, that the text names in capital or small letters.
std::string net_called(std::string_view text, const std::vector<Token>& code) {
  const auto equal_letters = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  for (std::size_t i = 0; i + 1 < code.size(); ++i)
    if (code[i].text == "net" && std::ranges::equal(code[i + 1].text, text, equal_letters))
      return std::string(code[i + 1].text);
  std::string capitals(text), first_capital(text);
  const auto raise = [](char& c) { c = static_cast<char>(std::toupper(static_cast<unsigned char>(c))); };
  std::ranges::for_each(capitals, raise);
  raise(first_capital[0]);
  for (const std::string& name : {std::string(text), capitals, first_capital})
    if (!library_module_with("net", name).empty()) return name;
  return "";
}

/// Returns the element type that the text names here or in another language, in capital or small letters;
/// empty if it names none.
std::string element_type_called(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ast::element_type(small) ? small : std::string(element_type_elsewhere(small));
}

}  // namespace

void Resolver::fix_text_for_name(dlvm::Diagnostic& report, std::string_view text) const {
  if (!previous()) return;
  const std::string_view word = unquoted(text);
  if (word.empty()) return;
  if (previous()->kind == Grammar::IMPORT)
    return void(
        report.fix(fmt::format("a file is imported by its name: import {}", word.substr(0, word.find('.'))),
                   dlvm::replacement(report.location, std::string(word.substr(0, word.find('.'))))));
  const std::size_t before = out_.code.size();
  const bool padding = before > 1 && out_.code[before - 2].text == "padding";
  if (padding && word == "valid") return void(report.fix("no padding is 0, or no argument"));
  if (padding && word == "same")
    return void(
        report.fix("the number of elements before and behind: for a kernel of k with stride 1, (k - 1) / 2 "
                   "keeps the extents, padding: 1 for a kernel of 3"));
  if (inside(Grammar::LEFT_PARENTHESIS)) {
    const std::string net = net_called(word, in_);
    if (!net.empty())
      report.fix("a net is given by its name, without quotation marks: " + net,
                 dlvm::replacement(report.location, net));
  } else if (previous()->kind == Grammar::AS || role_before()) {
    const std::string type = element_type_called(word);
    if (!type.empty())
      report.fix(fmt::format("an element type is given by its name, without quotation marks: {}", type),
                 dlvm::replacement(report.location, type));
  }
}

void Resolver::fix_text(dlvm::Diagnostic& report, std::string_view text) {
  const auto* source = report.location.source;
  if (source == nullptr || !source->text()) return;
  const std::string equation = python::equation_of_einsum(
      *source->text(), source->offset(report.location.line, report.location.column));
  constexpr std::size_t most = 16;  // of many messages, the first are read
  if (!equation.empty())
    report.fix("an equation for each element: " + equation);
  else if (diagnostics_.error_count() <= most)
    add_translation_of_text(report, in_);
  if (report.fixes.empty()) fix_text_for_name(report, text);
}

bool Resolver::stands_for_scale() const {
  if (!previous() || open_.size() != 1 || chunk_kind() != 0) return false;
  const std::size_t first = out_.chunks.back().first;
  for (std::size_t i = first; i < out_.code.size(); ++i)
    if (out_.code[i].kind == Grammar::EQUALS) return false;
  const bool has_colon = std::any_of(out_.code.begin() + static_cast<std::ptrdiff_t>(first), out_.code.end(),
                                     [](const Token& token) { return token.kind == Grammar::COLON; });
  const std::size_t before = previous()->kind, after = at(1).kind;
  const bool behind_type = before == Grammar::RIGHT_BRACKET || before == Grammar::ELEMENT_TYPE ||
                           before == Grammar::STRING || before == Grammar::TRANSPOSE;
  return has_colon && behind_type &&
         (after == Grammar::NAME || after == Grammar::NUMBER || after == Grammar::MINUS ||
          after == Grammar::LEFT_PARENTHESIS);
}

bool Resolver::take_unquoted_text() {
  if (at(0).text != "from" || at(0).line_first || open_.size() != 1) return false;
  if (previous() == nullptr || chunk_kind() != 0) return false;
  const auto& chunk = out_.code;
  const std::size_t first = out_.chunks.back().first;
  if (chunk.size() < first + 3 || chunk[first + 1].kind != Grammar::COLON) return false;
  for (std::size_t i = first; i < chunk.size(); ++i)
    if (chunk[i].kind == Grammar::EQUALS) return false;
  std::size_t n = 1;
  const auto ends = [&](const Token& token) {
    return token.line_first || token.kind == antlr4::Token::EOF || token.kind == Grammar::EQUALS ||
           token.kind == Grammar::CARET;
  };
  while (!ends(at(n))) ++n;
  if (n == 1 || at(1).kind == Grammar::STRING || at(1).text == "\"") return false;
  const char* begin = at(1).text.data();
  const std::string_view last = at(n - 1).text;
  const std::string_view text(begin, static_cast<std::size_t>(last.data() + last.size() - begin));
  Token name = at(1);
  const Source* source = name.location.source;
  const auto from = static_cast<std::size_t>(begin - source->text()->data());
  diagnostics_.report(unquoted_text, mark(name).location)
      .fix(fmt::format("from \"{}\"{}", text,
                       at(n).kind == Grammar::CARET && at(n + 1).text == "T" ? "^T" : ""),
           {source, from, from + text.size(), fmt::format("\"{}\"", text)});
  emit(name);
  i_ += n - 1;
  return true;
}

}  // namespace frontend::syntax
