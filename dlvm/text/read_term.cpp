#include <algorithm>
#include <charconv>
#include <utility>

#include "dlvm/analysis/expanded_type.h"
#include "dlvm/ir/erased.h"
#include "dlvm/ir/tensor_size.h"
#include "dlvm/support/suggest.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/names.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {
namespace {

constexpr std::size_t max_axes = 64;
constexpr std::int64_t max_components = 1 << 16;
constexpr std::int64_t max_components_in_all = 2 * max_components;
constexpr int max_nesting = 256;

std::vector<std::string_view> element_names() {
  std::vector<std::string_view> names;
  for (const ElementTypeInfo& each : element_types) names.push_back(each.name);
  return names;
}

/// The number of components of values of the type, those of components included; more than the largest number
/// where they are more, or nested too deep.
std::int64_t component_total(const Type& type, int depth = 0) {
  constexpr std::int64_t too_many = max_components_in_all + 1;
  if (depth > max_nesting) return too_many;
  std::int64_t total = 0;
  const auto add = [&](const Type& component, std::int64_t times) {
    if (total < too_many) total += times * (1 + component_total(component, depth + 1));
  };
  if (type.kind() == Type::Kind::array && type.component_count() > 0)
    add(type.component(0), static_cast<std::int64_t>(type.component_count()));
  else if (type.is_tuple() || type.is_structure())
    for (const Type& component : type.components()) add(component, 1);
  else if (type.is_enumeration() && !is_recursive(type.declaration()))
    for (const auto& member : type.declaration().members)
      for (const Type& payload : member.types) add(payload, 1);
  return std::min(total, too_many);
}

}  // namespace

bool TermReader::has_bounded_size(const Type& type, Location location) {
  if (component_total(type) <= max_components_in_all) return true;
  diagnostics_.report(
      bad_type, location,
      fmt::format("a value has at most {} components, those of components included, which are "
                  "nested at most {} deep",
                  max_components_in_all, max_nesting));
  return false;
}

bool fits(const Type& written, const Type& actual) {
  if (!written.has_form_of(actual)) return false;
  if (written.is_tensor()) {
    for (std::size_t i = 0; i < written.rank(); ++i)
      if (written.shape()[i] != actual.shape()[i] && !has_erased(written.shape()[i])) return false;
    return true;
  }
  const std::vector<Type> parts = written.parts(), others = actual.parts();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!fits(parts[i], others[i])) return false;
  return true;
}

void suggest(Diagnostic& report, std::string_view name, const std::vector<std::string_view>& candidates,
             std::string_view sigil) {
  constexpr std::size_t most = 4096;
  if (candidates.size() > most) return;
  if (const auto near = closest(name, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}{}'?", sigil, near));
}

void suggest_instruction(Diagnostic& report, std::string_view name) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < opcode_count; ++i) names.push_back(definition(static_cast<Opcode>(i)).name);
  suggest(report, name, names);
}

Location TermReader::span(antlr4::ParserRuleContext& tree) const {
  Location whole = token(tree.getStart()).location;
  const Location& last = token(tree.getStop() != nullptr ? tree.getStop() : tree.getStart()).location;
  if (last.line == whole.line && last.column >= whole.column)
    whole.length = last.column + last.length - whole.column;
  return whole;
}

std::string TermReader::source_text(antlr4::ParserRuleContext& tree) const {
  std::string out;
  for (std::size_t i = tree.getStart()->getTokenIndex(); i <= tree.getStop()->getTokenIndex(); ++i)
    out += cut_.tokens[first_ + i].text;
  return out;
}

std::string TermReader::string(const Token& token) {
  return unescaped(token.text.substr(1, token.text.size() - 2));
}

std::string TermReader::name(const Token& token) {
  const std::string_view bare = token.text.substr(1);
  return bare.starts_with('"') ? unescaped(bare.substr(1, bare.size() - 2)) : std::string(bare);
}

template <typename Number>
std::optional<Number> TermReader::number(const Token& token, std::string_view type) {
  Number value = 0;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (error == std::errc() && end == token.text.data() + token.text.size()) return value;
  diagnostics_.report(bad_number, token.location, token.text.substr(0, 40), type);
  return std::nullopt;
}

std::optional<std::int64_t> TermReader::integer(const Token& token) {
  return number<std::int64_t>(token, "i64");
}

std::optional<std::uint64_t> TermReader::unsigned_integer(const Token& token) {
  return number<std::uint64_t>(token, "u64");
}

std::optional<Location> TermReader::location(Grammar::LocationContext& tree) {
  const auto line = integer(token(tree.INTEGER(0))), column = integer(token(tree.INTEGER(1)));
  if (!line || !column) return std::nullopt;
  constexpr std::int64_t most = 0xFFFFFFFF;
  if (*line > most || *column > most) {
    diagnostics_.report(bad_type, span(tree), "a line and a column are below 2^32");
    return std::nullopt;
  }
  return Location{sources_.named(string(token(tree.STRING()))), static_cast<std::uint32_t>(*line),
                  static_cast<std::uint32_t>(*column), 1};
}

std::optional<ElementType> TermReader::element(Grammar::WordContext& tree) {
  const Token& word = token(&tree);
  const auto element = element_type_named(word.text);
  if (!element)
    suggest(diagnostics_.report(bad_type, word.location, fmt::format("unknown element type '{}'", word.text)),
            word.text, element_names());
  return element;
}

std::optional<Extent> TermReader::factor(Grammar::ExtentFactorContext& tree) {
  if (!tree.floorSide().empty()) {
    const auto p = extent(*tree.floorSide(0)->extent()), q = extent(*tree.floorSide(1)->extent());
    if (!p || !q) return std::nullopt;
    return Extent::floor_divide(*p, *q);
  }
  if (tree.INTEGER() != nullptr) {
    const auto value = integer(token(tree.INTEGER()));
    if (!value) return std::nullopt;
    return Extent(*value);
  }
  if (tree.REAL() != nullptr) {
    diagnostics_.report(bad_type, span(tree), "an extent is an integer");
    return std::nullopt;
  }
  const Token& word = token(tree.word());
  if (word.text == "_") return Extent::erased();
  if (word.text.starts_with('_') && word.text.find_first_not_of("0123456789", 1) == std::string_view::npos)
    return erased_.try_emplace(std::string(word.text), Extent::erased()).first->second;
  if (word.text.starts_with('_') || word.text.find('.') != std::string_view::npos) {
    diagnostics_.report(bad_type, word.location,
                        fmt::format("'{}' does not name a dimension: no '.', no '_' in front", word.text));
    return std::nullopt;
  }
  return Extent::dimension(std::string(word.text));
}

std::optional<Extent> TermReader::extent(Grammar::ExtentContext& tree) {
  Extent sum;
  const auto terms = tree.extentTerm();
  for (std::size_t i = 0; i < terms.size() && sum.valid(); ++i) {
    const antlr4::Token* sign = i == 0 ? tree.negative : tree.signs[i - 1];
    Extent product(sign != nullptr && token(sign).text == "-" ? -1 : 1);
    for (auto* each : terms[i]->extentFactor()) {
      const auto next = factor(*each);
      if (!next) return std::nullopt;
      product = product * *next;
    }
    sum = sum + product;
  }
  if (sum.valid()) return sum;
  diagnostics_.report(bad_type, span(tree), "the extent overflows: 64-bit coefficients, 64 terms, degree 12");
  return std::nullopt;
}

Grammar::WordContext* TermReader::lone_word(Grammar::ShapeContext& tree) {
  if (tree.getStart() != tree.getStop() || tree.extent().size() != 1) return nullptr;
  auto* term = tree.extent(0)->extentTerm(0);
  return term->extentFactor(0)->word();
}

std::optional<Type> TermReader::type(Grammar::TensorContext& tree) {
  if (tree.bracketed() != nullptr) return type(*tree.bracketed());
  return type(*tree.word());
}

std::optional<Type> TermReader::type(Grammar::WordContext& tree) {
  if (token(&tree).text == "stack") return Type::stack();
  if (token(&tree).text == "void") return Type();  // DLVM Core's word for `()`
  const auto scalar = element(tree);
  if (!scalar) return std::nullopt;
  return Type::scalar(*scalar);
}

std::optional<Type> TermReader::type(Grammar::BracketedContext& tree) {
  const auto element_type = element(*tree.word());
  if (!element_type) return std::nullopt;
  Shape shape;
  for (auto* each : tree.extent()) {
    auto next = extent(*each);
    if (!next) return std::nullopt;
    if (next->constant() && *next->constant() < 0) {
      diagnostics_.report(bad_type, span(*each), fmt::format("a tensor has no extent {}", next->text()));
      return std::nullopt;
    }
    shape.push_back(std::move(*next));
  }
  if (shape.size() > max_axes) {
    diagnostics_.report(bad_type, span(tree), fmt::format("a tensor has at most {} axes", max_axes));
    return std::nullopt;
  }
  Type tensor = Type::tensor(*element_type, std::move(shape));
  if (has_countable_bytes(tensor)) return tensor;
  diagnostics_.report(bad_type, span(tree),
                      fmt::format("{} is too large: 2^63 bytes or more", tensor.text()));
  return std::nullopt;
}

std::optional<Type> TermReader::tuple(const std::vector<Grammar::TypeContext*>& trees) {
  std::vector<Type> elements;
  for (auto* each : trees) {
    auto next = type(*each);
    if (!next) return std::nullopt;
    elements.push_back(std::move(*next));
  }
  return Type::tuple(std::move(elements));
}

std::optional<Type> TermReader::type(Grammar::OtherContext& tree) {
  if (tree.TYPE() != nullptr) {
    const Token& word = token(tree.TYPE());
    const auto found = declared_.types.find(name(word));
    if (found == declared_.types.end()) {
      suggest(diagnostics_.report(unknown_type, word.location, word.text), name(word),
              names_of(declared_.types), "$");
      return std::nullopt;
    }
    const TypeDeclaration& declaration = *found->second;
    Type named =
        declaration.kind == TypeDeclaration::Kind::alias ? declaration.aliased : Type::declared(declaration);
    if (!has_bounded_size(named, word.location)) return std::nullopt;
    return named;
  }
  auto inner = type(*tree.type());
  if (!inner) return std::nullopt;
  if (tree.pointer != nullptr) return Type::pointer(std::move(*inner));
  if (tree.INTEGER() == nullptr) return Type::box(std::move(*inner));
  const auto count = integer(token(tree.INTEGER()));
  if (!count) return std::nullopt;
  if (*count > max_components) {
    diagnostics_.report(bad_type, span(tree),
                        fmt::format("an array has at most {} elements", max_components));
    return std::nullopt;
  }
  Type array = Type::array(*count, std::move(*inner));
  if (!has_bounded_size(array, span(tree))) return std::nullopt;
  return array;
}

std::optional<Type> TermReader::type(Grammar::TypeContext& tree) {
  if (tree.tensor() != nullptr) return type(*tree.tensor());
  if (tree.other() != nullptr) return type(*tree.other());
  std::vector<Grammar::TypeContext*> components = tree.type();
  if (tree.result != nullptr) components.pop_back();
  auto parameters = tuple(components);
  if (!parameters || tree.result == nullptr) return parameters;
  auto result = type(*tree.result);
  if (!result) return std::nullopt;
  return Type::function(parameters->elements(), std::move(*result));
}

}  // namespace dlvm::reading
