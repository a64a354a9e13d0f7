// Numbers, and what people write that is none.
#include <algorithm>
#include <charconv>
#include <string_view>

#include "frontend/parse/diagnostics.h"
#include "frontend/parse/resolver.h"
#include "frontend/parse/separators.h"

namespace frontend::syntax {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void Resolver::take_number() {
  const Token number = at(0), next = at(1);
  const bool adjacent = next.begin == number.end;
  if (adjacent && is_word(next) && (next.text != "x" || !inside(Grammar::LEFT_BRACKET))) {
    ++i_;
    const bool hexadecimal = number.text == "0" && !inside(Grammar::LEFT_BRACKET);
    if (hexadecimal || !is_extent_tail(next.text)) return report_joined(number, next);
    emit(number);
    for (std::size_t i = 0; i < next.text.size();) {
      std::size_t end = i + 1;
      while (end < next.text.size() && is_digit(next.text[end])) ++end;
      emit(part(next, i, 1, Grammar::SEPARATOR));
      emit(part(next, i + 1, end - i - 1, Grammar::NUMBER));
      i = end;
    }
    open_.back().shape = true;
    return;
  }
  // `3.` and `3. * x`; `3 . x` is a product, `3.x` a member.
  if (adjacent && next.kind == Grammar::DOT && at(2).begin != next.end) {
    ++i_;
    Token whole = joined(number, next, Grammar::NUMBER);
    mark(whole);
    diagnostics_.report(malformed_number, whole.location, whole.text).fix(fmt::format("{}.0", number.text));
    emit(whole);
    return;
  }
  emit(number);
}

namespace {

struct Base {
  std::string_view prefixes;
  int base;
  std::string_view name;
};
constexpr Base bases[]{{"xX", 16, "hexadecimal"}, {"bB", 2, "binary"}, {"oO", 8, "octal"}};

/// Shows what a number like 0x1F is; returns whether it is one.
bool fix_base(dlvm::Diagnostic& report, const Token& number) {
  const auto base = std::ranges::find_if(
      bases, [&](const Base& each) { return each.prefixes.find(number.text[1]) != std::string_view::npos; });
  if (number.text[0] != '0' || base == std::end(bases)) return false;
  std::int64_t value = 0;
  const char* end = number.text.data() + number.text.size();
  const auto read = std::from_chars(number.text.data() + 2, end, value, base->base);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  if (!whole && base->base != 16) return false;
  report.note(fmt::format("there are no {} numbers", base->name));
  if (whole)
    report.fix(fmt::format("write {}", value), dlvm::replacement(number.location, std::to_string(value)));
  return true;
}

}  // namespace

void Resolver::report_joined(const Token& number, const Token& word) {
  Token whole = joined(number, word, Grammar::NUMBER);
  mark(whole);
  emit(whole);
  const bool hexadecimal = number.text == "0" && word.text.starts_with('x');
  if (word.text.starts_with('x') && !hexadecimal && inside(Grammar::LEFT_BRACKET)) {
    diagnostics_.report(joined_separator, whole.location, whole.text).fix(separated(whole.text));
    return;
  }
  auto& report = diagnostics_.report(malformed_number, whole.location, whole.text);
  const bool number_like =
      word.text.starts_with('_') || word.text.starts_with('e') || word.text.starts_with('E');
  const bool suffix =
      word.text.size() == 1 && std::string_view("fFlLuU").find(word.text[0]) != std::string_view::npos;
  const bool imaginary =
      (word.text == "j" || word.text == "J") && number.text.find_first_of(".eE") != std::string_view::npos;
  if (suffix)
    report.fix(fmt::format("a number has no suffix: {}", number.text),
               dlvm::replacement(whole.location, std::string(number.text)));
  else if (imaginary)
    report.note("there are no complex numbers");
  else if (fix_base(report, whole))
    return;
  else if (number_like)
    report.note("a digit stands on both sides of '_', and digits follow an exponent");
  else
    report.fix(fmt::format("{} * {}", number.text, word.text));
}

}  // namespace frontend::syntax
