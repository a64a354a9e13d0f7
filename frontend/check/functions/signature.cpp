#include "frontend/check/functions/signature.h"

#include <algorithm>

#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

std::string written(const ast::Extent& e) {
  using Kind = ast::Extent::Kind;
  switch (e.kind) {
    case Kind::number:
    case Kind::name:
    case Kind::member:
      return e.text;
    case Kind::unknown:
      return "?";
    case Kind::rest:
      return e.text + "...";
    case Kind::negate:
      return "-" + written(e.operands[0]);
    case Kind::chain: {
      std::string out;
      for (std::size_t i = 0; i < e.operands.size(); ++i) {
        if (i > 0) out += e.operators[i - 1].symbol;
        const bool plain = e.operands[i].kind != Kind::chain;
        out += plain ? written(e.operands[i]) : "(" + written(e.operands[i]) + ")";
      }
      return out;
    }
  }
  return "";
}

enum class Family { boolean, integer, floating, declared };

Family family(const ast::Type& type) {
  if (type.declared) return Family::declared;
  if (!type.element) return Family::floating;
  if (*type.element == ast::ElementType::any_integer) return Family::integer;
  const ElementType element = element_of(*type.element);
  return dlvm::is_floating(element)  ? Family::floating
         : dlvm::is_boolean(element) ? Family::boolean
                                     : Family::integer;
}

/// The ranks that a declared type takes.
std::pair<std::size_t, std::size_t> ranks(const ast::Type& type) {
  if (!type.shape) return {0, 0};
  const auto& extents = type.shape->extents;
  const bool open = std::any_of(extents.begin(), extents.end(),
                                [](const auto& e) { return e.kind == ast::Extent::Kind::rest; });
  return {extents.size() - (open ? 1 : 0), open ? static_cast<std::size_t>(-1) : extents.size()};
}

std::size_t required(const ast::Function& f) {
  return static_cast<std::size_t>(
      std::count_if(f.parameters.begin(), f.parameters.end(), [](const auto& p) { return !p.value; }));
}

}  // namespace

std::string signature(const ast::Type& type) {
  if (type.declared) return ast::spelling(*type.declared);
  std::string out = type.element ? std::string(ast::spelling(*type.element)) : "";
  if (!type.shape) return out.empty() ? "[]" : out;
  out += "[";
  bool first = true;
  for (const ast::Extent& extent : type.shape->extents) {
    out += (first ? "" : " x ") + written(extent);
    first = false;
  }
  return out + "]";
}

std::string signature(const ast::Function& function) {
  std::string out = function.name.text + "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ast::Parameter& parameter = function.parameters[i];
    out += (i > 0 ? ", " : "") + parameter.name.text + ": " +
           (parameter.is_value() ? signature(parameter.type) : std::string(ast::spelling(parameter.kind)));
    if (parameter.value) out += " = " + quoted(parameter.value->location, "...");
  }
  out += ")";
  const auto& results = function.results;
  if (results.size() == 1) out += " -> " + signature(results.front());
  if (results.size() <= 1) return out;
  for (const ast::Type& result : results)
    out += (&result == &results.front() ? " -> (" : ", ") + signature(result);
  return out + ")";
}

bool fits_element(const ast::Type& declared, const Element& element) {
  if (!element.known()) return family(declared) != Family::boolean;
  if (!declared.element) return dlvm::is_floating(element.type);
  if (*declared.element == ast::ElementType::any_integer) return dlvm::is_integer(element.type);
  return element.type == element_of(*declared.element);
}

bool fits_rank(const ast::Type& declared, std::size_t rank) {
  const auto [least, most] = ranks(declared);
  return rank >= least && rank <= most;
}

bool overlap(const ast::Function& a, const ast::Function& b) {
  const std::size_t least = std::max(required(a), required(b));
  const std::size_t most = std::min(a.parameters.size(), b.parameters.size());
  if (least > most) return false;
  for (std::size_t i = 0; i < least; ++i) {
    const ast::Parameter &left = a.parameters[i], &right = b.parameters[i];
    if (!left.is_value() || !right.is_value()) continue;
    if (family(left.type) != family(right.type)) return false;
    if (left.type.declared && left.type.declared->name.text != right.type.declared->name.text) return false;
    const bool both_fixed = left.type.element && right.type.element &&
                            *left.type.element != ast::ElementType::any_integer &&
                            *right.type.element != ast::ElementType::any_integer;
    if (both_fixed && *left.type.element != *right.type.element) return false;
    const auto [left_least, left_most] = ranks(left.type);
    const auto [right_least, right_most] = ranks(right.type);
    if (left_most < right_least || right_most < left_least) return false;
  }
  return true;
}

std::string Function::name() const {
  return net != nullptr ? net->name() + "." + syntax->name.text : syntax->name.text;
}

}  // namespace frontend::check
