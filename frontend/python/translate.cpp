#include "frontend/python/translate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "frontend/python/translator.h"

namespace frontend::python {
namespace {

/// No fix is longer.
constexpr std::size_t longest = 400;

bool is_one_of(char c, std::string_view all) { return all.find(c) != std::string_view::npos; }

/// Whether an operand between these bytes may be an operation without parentheses.
bool is_free(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && is_space(text[begin - 1])) --begin;
  const auto ends_with = [&](std::string_view word) { return text.substr(0, begin).ends_with(word); };
  const bool left = begin == 0 || is_one_of(text[begin - 1], "=([,:;{") || ends_with("then") ||
                    ends_with("else") || ends_with("return");
  if (begin > 1 && text[begin - 1] == '=' && is_one_of(text[begin - 2], "=!<>")) return false;
  while (end < text.size() && is_space(text[end])) ++end;
  if (end == text.size()) return left;
  const std::string_view rest = text.substr(end);
  const bool comment = rest.starts_with("//") || rest.starts_with("/*");
  const bool right = comment || is_one_of(rest.front(), ")],;}#") ||
                     ((is_letter(rest.front())) && !rest.starts_with("as ") && !rest.starts_with("along ") &&
                      !rest.starts_with("and ") && !rest.starts_with("or "));
  return left && right;
}

/// Returns the names of `values, positions = ` before an expression; none where something else stands there.
std::vector<std::string_view> names_before(std::string_view text, std::size_t begin) {
  text = text.substr(0, begin);
  const auto take = [&](char c) {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    const bool found = text.ends_with(c);
    if (found) text.remove_suffix(1);
    return found;
  };
  if (!take('=')) return {};
  std::vector<std::string_view> names;
  do {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    std::size_t first = text.size();
    while (first > 0 && (is_letter(text[first - 1]) || is_digit(text[first - 1]))) --first;
    if (first == text.size()) return {};
    names.insert(names.begin(), text.substr(first));
    text = text.substr(0, first);
  } while (take(','));
  return names;
}

/// Lists an equation for each of the values that a call gives, or the values where they have no names.
std::string advice_of_several(const std::vector<std::string_view>& names,
                              const std::vector<std::string>& values) {
  if (names.size() != values.size()) return fmt::format("the parts are slices: {}", fmt::join(values, ", "));
  std::string equations;
  for (std::size_t i = 0; i < values.size(); ++i)
    equations += fmt::format("{}{} = {}",
                             i == 0                   ? ""
                             : i + 1 == values.size() ? ", and "
                                                      : ", ",
                             names[i], values[i]);
  return "there is an equation for each of them: " + equations;
}

/// What TEL writes where a number is infinite: a large one, of which the reader decides.
std::string advice_of_infinite(const Value& value) {
  constexpr std::string_view number = "1e30";
  if (value.text == number)
    return "a literal is finite: a mask takes a large number, such as -1e30, in float16 -6e4";
  return fmt::format(
      "a literal is finite: write {}, where {} is large enough for a mask; in float16 it is 6e4", value.text,
      number);
}

bool ends_with_word(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  const char before = text.size() > word.size() ? text[text.size() - word.size() - 1] : ' ';
  return !is_letter(before) && !is_digit(before);
}

/// Returns where the left side of a `|>` at the end of the text begins; nothing if none is there.
std::optional<std::size_t> begin_of_piped(std::string_view text) {
  const auto trim = [&] {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  };
  trim();
  if (!text.ends_with("|>")) return std::nullopt;
  text.remove_suffix(2);
  std::size_t closed = 0;
  for (; !text.empty(); text.remove_suffix(1)) {
    const char c = text.back();
    if (is_one_of(c, ")]}")) ++closed;
    if (closed == 0 && (is_one_of(c, "([{,;") || ends_with_word(text, "return") ||
                        ends_with_word(text, "then") || ends_with_word(text, "else")))
      break;
    if (closed > 0 && is_one_of(c, "([{")) --closed;
    const bool compares = text.size() > 1 && is_one_of(text[text.size() - 2], "=!<>");
    if (closed == 0 && c == '=' && compares) text.remove_suffix(1);
    if (closed == 0 && c == '=' && !compares) break;
  }
  return text.size();
}

std::optional<Translation> translate_from(std::string_view text, std::size_t begin, std::size_t at,
                                          const Surroundings& surroundings);

/// The step of a pipe that begins at `begin`: it is a method of what stands before the `|>`, from `piped` on.
std::optional<Translation> translate_step(std::string_view text, std::size_t piped, std::size_t begin,
                                          std::size_t at, const Surroundings& surroundings) {
  std::size_t first = piped, last = text.substr(0, begin).rfind("|>");
  while (first < last && is_space(text[first])) ++first;
  while (first < last && is_space(text[last - 1])) --last;
  const std::string_view left = text.substr(first, last - first);
  std::size_t name = begin;
  while (name < text.size() && (is_letter(text[name]) || is_digit(text[name]))) ++name;
  const bool is_called = name < text.size() && text[name] == '(';
  if (left.empty() || name == begin || (name < text.size() && text[name] == '.')) return std::nullopt;
  std::string method =
      fmt::format("({}).{}{}", left, text.substr(begin, name - begin), is_called ? "" : "()");
  const std::size_t shift = method.size();
  method += text.substr(name);
  auto step = translate_from(method, 0, at < name ? shift - 1 : at - name + shift, surroundings);
  if (!step) return std::nullopt;
  if (!step->tel.empty()) step->end = step->end - shift + name;
  step->begin = first;
  if (step->tel.empty()) step->end = first;
  return step;
}

/// The operand that begins at `begin`, if it reaches behind `at`.
std::optional<Translation> translate_from(std::string_view text, std::size_t begin, std::size_t at,
                                          const Surroundings& surroundings) {
  if (const auto piped = begin_of_piped(text.substr(0, begin)))
    return translate_step(text, *piped, begin, at, surroundings);
  Translator translator(text, begin, surroundings);
  const auto value = translator.chain();
  if (!value) {
    if (translator.advice.empty() || translator.position() < at) return std::nullopt;
    return Translation{begin, begin, "", std::move(translator.advice), translator.advises_all};
  }
  const std::size_t end = translator.position();
  const auto names = names_before(text, begin);
  if (!value->positions.empty() && names.size() == 2)
    return Translation{begin, begin, "", advice_of_several(names, {value->text, value->positions})};
  const bool literal = value->list && !value->several && (text[begin] == '(' || text[begin] == '[');
  if (end <= at || !value->changed || literal || value->type || value->text.size() > longest)
    return std::nullopt;
  if (value->infinite) return Translation{begin, begin, "", advice_of_infinite(*value), false, true};
  if (value->several) return Translation{begin, begin, "", advice_of_several(names, value->elements)};
  const bool wrap = value->operation && !is_free(text, begin, end);
  return Translation{begin, end, wrap ? "(" + value->text + ")" : value->text, ""};
}

/// Whether an operand can begin at the byte: no word, no member and no bracket behind an operand.
bool begins_operand(std::string_view text, std::size_t at) {
  const char c = text[at];
  const char before = at > 0 ? text[at - 1] : ' ';
  if (is_letter(c)) return !is_letter(before) && !is_digit(before) && before != '.';
  if (c != '(' && c != '[') return false;
  return !is_letter(before) && !is_digit(before) && before != ')' && before != ']';
}

}  // namespace

std::optional<Translation> translate(std::string_view text, std::size_t at,
                                     const Surroundings& surroundings) {
  constexpr std::size_t before = 300, behind = 1000;
  text = text.substr(0, std::min(text.size(), at + behind));
  std::optional<Translation> advice;
  const std::size_t last = std::min(at, text.size());
  for (std::size_t back = 0; back < before && back <= last; ++back) {
    const std::size_t begin = last - back;
    if (begin >= text.size() || !begins_operand(text, begin)) continue;
    auto found = translate_from(text, begin, at, surroundings);
    if (found && !found->tel.empty()) return found;
    if (found && (!advice || found->advises_all || (advice->infinite && found->infinite)))
      advice = std::move(found);
  }
  return advice;
}

std::string translate_expression(std::string_view text, std::size_t begin, const Surroundings& surroundings) {
  Translator translator(text, begin, surroundings);
  const auto value = translator.expression();
  const bool whole =
      value && text.substr(translator.position()).find_first_not_of(" \t\r\n") == std::string_view::npos;
  const bool finite = whole && !value->infinite && !value->several;
  return finite && value->changed && value->text.size() <= longest ? value->text : "";
}

std::string advice_for_layer(std::string_view instance) {
  const std::string applied = fmt::format("nn.{}(x)", instance);
  const Surroundings one_value{[](std::string_view name) { return name == "x"; },
                               [](std::string_view) { return false; },
                               [](std::string_view) { return std::nullopt; }};
  const auto found = translate(applied, 0, one_value);
  if (!found) return "";
  return found->tel.empty()
             ? found->advice
             : fmt::format("it is a function, which is called where it is used: {}", found->tel);
}

std::string optimizer(std::string_view call) {
  const Surroundings nothing{[](std::string_view) { return false; }, [](std::string_view) { return false; },
                             [](std::string_view) { return std::nullopt; }};
  constexpr std::string_view declared = "optimize with ";
  const auto found = translate(call, 0, nothing);
  const std::size_t at = found ? found->advice.find(declared) : std::string::npos;
  return at == std::string::npos ? "" : found->advice.substr(at + declared.size());
}

std::string_view constant(std::string_view name) {
  const auto found = std::ranges::find(constants(), name, &Constant::name);
  return found == constants().end() ? std::string_view() : found->tel;
}

bool is_function(std::string_view name) { return layer_of(name) != nullptr || has_rows(name); }

}  // namespace frontend::python
