#include "frontend/parse/python_fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/parse/grammar.h"
#include "frontend/python/translate.h"

namespace frontend::syntax {
namespace {

/// The names that a module's tokens declare.
struct Declared {
  std::set<std::string_view> values, functions;

  explicit Declared(const std::vector<Token>& code) {
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
      if (code[i].kind == Grammar::FUNC) functions.insert(code[i + 1].text);
      if (code[i].kind != Grammar::NAME) continue;
      const std::size_t next = code[i + 1].kind;
      if (next == Grammar::COLON || next == Grammar::EQUALS || next == Grammar::COMMA)
        values.insert(code[i].text);
    }
  }
};

std::string text_of(const std::vector<Token>& code, std::size_t first, std::size_t last) {
  const char* from = code[first].text.data();
  return {from, code[last - 1].text.data() + code[last - 1].text.size()};
}

/// The extents of the shape that opens at `open`; nothing where one has no name.
std::optional<std::vector<std::string>> extents(const std::vector<Token>& code, std::size_t open) {
  std::vector<std::string> all;
  std::size_t first = open + 1, depth = 0;
  for (std::size_t i = first; i < code.size(); ++i) {
    const std::size_t kind = code[i].kind;
    if (kind == Grammar::QUESTION || kind == Grammar::ELLIPSIS) return std::nullopt;
    if (kind == Grammar::LEFT_PARENTHESIS) ++depth;
    if (kind == Grammar::RIGHT_PARENTHESIS && depth > 0) --depth;
    if (depth > 0 || (kind != Grammar::SEPARATOR && kind != Grammar::RIGHT_BRACKET)) continue;
    if (i > first) all.push_back(text_of(code, first, i));
    if (kind == Grammar::RIGHT_BRACKET) return all;
    first = i + 1;
  }
  return std::nullopt;
}

/// The declared shape of a name: behind its colon, its role and its element type.
std::optional<std::vector<std::string>> declared_shape(const std::vector<Token>& code,
                                                       std::string_view name) {
  constexpr std::size_t farthest = 4;
  for (std::size_t i = 0; i + farthest < code.size(); ++i) {
    if (code[i].text != name || code[i + 1].kind != Grammar::COLON) continue;
    for (std::size_t j = i + 2; j <= i + farthest; ++j) {
      if (code[j].kind == Grammar::SHAPE_OPEN || code[j].kind == Grammar::LEFT_BRACKET)
        return extents(code, j);
      if (code[j].kind == Grammar::EQUALS || code[j].kind == Grammar::LEFT_PARENTHESIS) break;
    }
  }
  return std::nullopt;
}

/// Answers what the tokens say about the names of the module; both must outlive it.
python::Surroundings surroundings(const Declared& declared, const std::vector<Token>& code) {
  return {[&declared](std::string_view name) { return declared.values.contains(name); },
          [&declared](std::string_view name) { return declared.functions.contains(name); },
          [&code](std::string_view name) { return declared_shape(code, name); }};
}

std::size_t offset(const Token& token) {
  return static_cast<std::size_t>(token.text.data() - token.location.source->text()->data());
}

bool add(dlvm::Diagnostic& report, const Source& source, const std::optional<python::Translation>& found) {
  if (!found) return false;
  if (found->tel.empty()) {
    report.fix(found->advice);
    return true;
  }
  if (source.text()->compare(found->begin, found->end - found->begin, found->tel) == 0) return false;
  report.fix("write " + found->tel, {&source, found->begin, found->end, found->tel});
  return true;
}

}  // namespace

bool add_translation(dlvm::Diagnostic& report, const Place& place) {
  const Token& token = place.code[place.position];
  const Source* source = token.location.source;
  if (source == nullptr || token.text.data() == nullptr) return false;
  const Declared declared(place.code);
  return add(report, *source,
             python::translate(*source->text(), offset(token), surroundings(declared, place.code)));
}

bool add_advice_of_line(dlvm::Diagnostic& report, const Place& place) {
  const Token& first = place.code[place.position];
  if (!first.line_first || first.kind != Grammar::NAME || first.location.source == nullptr) return false;
  const std::size_t called = place.position + (first.text == "with" ? 1 : 0);
  if (called + 1 >= place.code.size() || place.code[called].kind != Grammar::NAME) return false;
  const Declared declared(place.code);
  const auto found = python::translate(*first.location.source->text(), offset(place.code[called]),
                                       surroundings(declared, place.code));
  if (!found || !found->tel.empty()) return false;
  report.fix(found->advice);
  return true;
}

void add_translation_of_text(dlvm::Diagnostic& report, const std::vector<Token>& code) {
  const Source* source = report.location.source;
  if (source == nullptr || !source->text()) return;
  const Declared declared(code);
  python::Surroundings known = surroundings(declared, code);
  known.shape = [](std::string_view) { return std::nullopt; };
  const std::size_t at = source->offset(report.location.line, report.location.column);
  add(report, *source, python::translate(*source->text(), at, known));
}

bool add_translation_of_value(dlvm::Diagnostic& report, const Place& place) {
  std::size_t equals = place.chunk.first;
  while (equals < place.position && place.code[equals].kind != Grammar::EQUALS) ++equals;
  if (equals + 1 >= place.position || place.position >= place.chunk.last) return false;
  const Token &first = place.code[equals + 1], &last = place.code[place.chunk.last - 1];
  const Source* source = first.location.source;
  const std::size_t end = offset(last) + last.text.size();
  const Declared declared(place.code);
  const std::string tel = python::translate_expression(std::string_view(*source->text()).substr(0, end),
                                                       offset(first), surroundings(declared, place.code));
  if (tel.empty()) return false;
  report.fix("write " + tel, {source, offset(first), end, tel});
  return true;
}

}  // namespace frontend::syntax
