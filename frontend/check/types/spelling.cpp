#include "frontend/check/types/spelling.h"

#include <fmt/format.h>

#include <algorithm>

namespace frontend::check {
namespace {

/// `erased` says how a dimension without a name is written: as `?`, or by its number.
std::string write(const Extent& extent, bool erased);

std::string write_factor(const Extent::Atom& atom, bool erased) {
  if (!atom.floor)
    return erased && atom.name.starts_with('_') && atom.name.size() > 1 &&
                   std::all_of(atom.name.begin() + 1, atom.name.end(),
                               [](char c) { return c >= '0' && c <= '9'; })
               ? "?"
               : atom.name;
  const auto wrapped = [&](const Extent& e) {
    const std::string text = write(e, erased);
    return text.find_first_of(" */") == std::string::npos ? text : "(" + text + ")";
  };
  return wrapped(atom.floor->numerator) + "/" + wrapped(atom.floor->denominator);
}

std::string write(const Extent& extent, bool erased) {
  if (!extent.valid()) return "(too large)";
  if (extent.terms().empty()) return "0";
  std::string out;
  for (const Extent::Term& term : extent.terms()) {
    const bool negative = term.coefficient < 0;
    const std::string digits = fmt::format("{}", term.coefficient).substr(negative ? 1 : 0);
    std::string piece = term.atoms.empty() || digits != "1" ? digits : "";
    for (const Extent::Atom& atom : term.atoms) {
      const std::string factor = write_factor(atom, erased);
      const bool alone = term.atoms.size() == 1 && piece.empty();
      if (!piece.empty()) piece += "*";
      piece += factor.find('/') == std::string::npos || alone ? factor : "(" + factor + ")";
    }
    out += out.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    out += piece;
  }
  return out;
}

}  // namespace

std::string spelling(const Extent& extent) { return write(extent, true); }

std::string spelling(const Shape& shape) {
  std::string out = "[";
  for (const Extent& extent : shape) out += (out.size() > 1 ? " x " : "") + spelling(extent);
  return out + "]";
}

std::string_view spelling(ElementType element) {
  const auto& info = dlvm::info(element);
  return info.tel_name.empty() ? info.name : info.tel_name;
}

std::string spelling(const DeclaredType& type) {
  std::string out = type.name;
  const DeclaredType& declared = type.declared();
  for (std::size_t i = 0; i < type.extents.size(); ++i)
    if (type.extents[i] != declared.extents[i])
      out += (out.size() == type.name.size() ? " with " : ", ") +
             fmt::format("{} = {}", type.dimensions[i], spelling(type.extents[i]));
  return out;
}

std::string spelling(const Type& type) {
  if (!type.is_tensor()) return spelling(*type.declared);
  if (!type.element.known() && type.shape.empty()) return "a number";
  return std::string(type.element.known() ? spelling(type.element.type) : "number") + spelling(type.shape);
}

std::string quoted(const Location& location, std::string_view otherwise) {
  constexpr std::size_t longest = 40;
  if (!location.valid() || location.length > longest) return std::string(otherwise);
  const std::string_view line = location.source->line(location.line);
  std::size_t character = 0;
  std::string out;
  for (const char byte : line) {
    character += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
    if (character >= location.column && character < location.column + location.length) out += byte;
  }
  const bool goes_on = location.column + location.length > character + 1;
  return out.empty() || goes_on ? std::string(otherwise) : out;
}

namespace {

/// Returns whether the text is one operand: a name, a number, or one of these with brackets behind it.
bool is_operand(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool word =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    if (depth < 0 || (depth == 0 && !word && c != ')' && c != ']')) return false;
  }
  return depth == 0;
}

}  // namespace

std::string quoted_operand(const Location& location) {
  const std::string text = quoted(location, "(...)");
  return is_operand(text) ? text : "(" + text + ")";
}

std::string converted(const Location& location, ElementType type) {
  std::string text = quoted(location, "(...)");
  if (text.starts_with('(') && is_operand(text) && text.find(')') + 1 == text.size())
    text = text.substr(1, text.size() - 2);
  const std::size_t as = text.rfind(" as ");
  const bool is_conversion = as != std::string::npos && is_operand(text.substr(0, as)) &&
                             text.find('[', as) == std::string::npos && is_operand(text.substr(as + 4));
  return fmt::format("{} as {}", is_conversion ? text.substr(0, as) : quoted_operand(location),
                     spelling(type));
}

std::string quoted_transposed(const Location& location) {
  const std::string text = quoted_operand(location);
  if (text.starts_with('(') && text.ends_with("^T)")) return text.substr(1, text.size() - 4);
  return text + "^T";
}

std::string key(const Shape& shape) {
  std::string out = "[";
  for (const Extent& extent : shape) out += write(extent, false) + " x ";
  return out + "]";
}

std::string with_article(ast::Role role) {
  const bool vowel = role == ast::Role::in || role == ast::Role::out;
  return fmt::format("{} '{}'", vowel ? "an" : "a", ast::spelling(role));
}

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

ElementType element_of(ast::ElementType type) {
  return dlvm::element_type_in_tel(ast::spelling(type)).value_or(ElementType::i32);
}

}  // namespace frontend::check
