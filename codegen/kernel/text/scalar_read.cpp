#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "codegen/kernel/text/scalar_text.h"

namespace codegen::kernel {
namespace {

constexpr int deepest = 200;
constexpr std::uint32_t max_sites = 1 << 16;  ///< a program has memory for each up to the largest

}  // namespace

Extent ScalarReader::extent(int depth) {
  if (depth > deepest) fail("less nesting");
  Extent sum = product(depth);
  while (ok() && (at("+") || at("-"))) {
    const bool minus = at("-");
    advance();
    sum = minus ? sum - product(depth) : sum + product(depth);
  }
  return sum;
}

Extent ScalarReader::product(int depth) {
  Extent result = factor(depth);
  while (ok() && at("*")) {
    // `2*$i0` is an index: the coefficient ends here.
    if (peek(1).kind == Token::Kind::axis || peek(1).kind == Token::Kind::scalar) break;
    advance();
    result = result * factor(depth);
  }
  return result;
}

Extent ScalarReader::factor(int depth) {
  if (!ok()) return 0;
  if (accept("-")) return Extent(-1) * factor(depth + 1);
  if (accept("(")) {
    Extent inner = extent(depth + 1);
    symbol(")");
    return inner;
  }
  if (accept("floor")) {
    symbol("(");
    const Extent numerator = extent(depth + 1);
    symbol("/");
    const Extent denominator = extent(depth + 1);
    symbol(")");
    return Extent::floor_divide(numerator, denominator);
  }
  if (peek().kind == Token::Kind::number) return integer();
  const std::string name = take(Token::Kind::word);
  if (name == "_") return Extent::erased();
  dimensions_.insert(name);
  return Extent::dimension(name);
}

ElementType ScalarReader::element() {
  const auto type = dlvm::element_type_named(take(Token::Kind::word));
  if (!type) fail("an element type");
  return type.value_or(ElementType::f32);
}

Buffer ScalarReader::typed_name() {
  Buffer buffer;
  buffer.name = take(Token::Kind::word);
  symbol(":");
  if (!accept("<")) {
    buffer.element = element();
    return buffer;
  }
  while (ok() && !(peek().kind == Token::Kind::word && dlvm::element_type_named(peek().text))) {
    buffer.shape.push_back(extent());
    word("x");
  }
  buffer.element = element();
  symbol(">");
  return buffer;
}

Axis ScalarReader::axis_name() {
  const std::string text = take(Token::Kind::axis);
  std::size_t digits = text.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1]))) --digits;
  Axis axis;
  axis.name = text.substr(0, digits);
  axis.id = axis_id(text);
  return axis;
}

Axis ScalarReader::axis_in() {
  const AxisKind kind = accept("reduced")   ? AxisKind::reduced
                        : accept("ordered") ? AxisKind::ordered
                                            : AxisKind::parallel;
  Axis axis = axis_name();
  axis.kind = kind;
  word("in");
  axis.extent = factor(0);
  return axis;
}

AxisId ScalarReader::axis_id(const std::string& text) {
  std::size_t digits = text.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1]))) --digits;
  return ok() ? static_cast<AxisId>(number_of(text.substr(digits))) : 0;
}

Index ScalarReader::index(int depth) {
  Index result;
  if (depth > deepest) fail("less nesting");
  if (!ok()) return result;  // no symbol is taken any more
  bool minus = accept("-");
  do {
    term(result, minus, depth);
    minus = at("-");
  } while (ok() && (accept("+") || accept("-")));
  return result;
}

void ScalarReader::term(Index& into, bool minus, int depth) {
  Extent coefficient = minus ? -1 : 1;
  if (!atom_follows()) {
    coefficient = coefficient * factor(depth);
    if (!accept("*")) {
      into.constant = into.constant + coefficient;
      return;
    }
  }
  into = into + Index{0, {{1, atom(depth)}}} * coefficient;
}

bool ScalarReader::atom_follows() const {
  return peek().kind == Token::Kind::axis || peek().kind == Token::Kind::scalar || at("floor") || at("mod");
}

Index::Atom ScalarReader::atom(int depth) {
  if (peek().kind == Token::Kind::axis) return axis_id(take(Token::Kind::axis));
  if (peek().kind == Token::Kind::scalar) return Loaded{scalar()};
  auto quotient = std::make_shared<Index::Quotient>();
  quotient->kind = accept("mod") ? Index::Quotient::Kind::modulo : Index::Quotient::Kind::floor;
  if (quotient->kind == Index::Quotient::Kind::floor) word("floor");
  symbol("(");
  quotient->index = index(depth + 1);
  symbol("/");
  quotient->divisor = factor(depth);
  symbol(")");
  return std::shared_ptr<const Index::Quotient>(std::move(quotient));
}

std::vector<ScalarId> ScalarReader::scalars() {
  std::vector<ScalarId> ids;
  if (peek().kind != Token::Kind::scalar) return ids;
  do ids.push_back(scalar());
  while (accept(","));
  return ids;
}

std::vector<Index> ScalarReader::indices() {
  std::vector<Index> result;
  symbol("[");
  while (ok() && !at("]")) {
    result.push_back(index());
    if (!accept(",")) break;
  }
  symbol("]");
  return result;
}

Access ScalarReader::access() {
  const std::string name = take(Token::Kind::word);
  const auto found = buffers_.find(name);
  if (found == buffers_.end()) {
    if (ok()) fail_with(fmt::format("no buffer is called '{}'", name));
    return {};
  }
  return {found->second, indices()};
}

std::vector<Guard> ScalarReader::guards() {
  std::vector<Guard> result;
  if (!accept("when")) return result;
  do {
    Guard guard;
    symbol("(");
    guard.value = factor();
    word("from");
    guard.first = integer();
    if (accept("upto")) guard.end = integer();
    symbol(")");
    result.push_back(std::move(guard));
  } while (accept(","));
  return result;
}

std::vector<Bound> ScalarReader::bounds() {
  std::vector<Bound> result;
  if (!accept("within")) return result;
  do {
    symbol("(");
    Bound bound;
    bound.index = index();
    word("of");
    bound.end = factor(0);
    symbol(")");
    result.push_back(std::move(bound));
  } while (accept(","));
  return result;
}

dlvm::Tensor ScalarReader::literal(ElementType type) {
  const bool minus = accept("-");
  const std::string text = peek().text;
  if (peek().kind == Token::Kind::word)
    take(Token::Kind::word);
  else
    take(Token::Kind::number);
  if (text == "true" || text == "false") return dlvm::Tensor::scalar(type, std::int64_t{text == "true"});
  if (dlvm::is_floating(type)) {
    double value = 0;
    if (text == "inf" || text == "nan")
      value = text == "inf" ? std::numeric_limits<double>::infinity() : std::nan("");
    else if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
      fail("a number");
    return dlvm::Tensor::scalar(type, minus ? -value : value);
  }
  std::uint64_t bits = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), bits).ec != std::errc()) fail("an integer");
  return dlvm::Tensor::scalar(type, static_cast<std::int64_t>(minus ? 0 - bits : bits));
}

Scalar::Definition ScalarReader::definition(ElementType type) {
  if (accept("literal")) return Scalar::Literal{literal(type)};
  if (accept("position")) return Scalar::Position{index()};
  if (accept("state")) return Scalar::State{static_cast<std::uint32_t>(integer())};
  if (accept("load")) {
    Scalar::Load load;
    load.access = access();
    load.bounds = bounds();
    if (!load.bounds.empty()) {
      word("else");
      load.fill = scalar();
    }
    return load;
  }
  if (accept("check")) {
    Scalar::Check check;
    check.operand = scalar();
    word("from");
    check.first = factor(0);
    word("upto");
    check.end = factor(0);
    word("site");
    check.site = static_cast<std::uint32_t>(integer());
    if (ok() && check.site >= max_sites) fail_with("a site is a number below 65536");
    word("at");
    check.position = indices();
    check.bounds = bounds();
    return check;
  }
  if (accept("random")) {
    const auto operands = scalars();
    if (operands.size() != 4) fail("four operands of random");
    word("at");
    if (!ok()) return Scalar::State{};
    return Scalar::Random{operands[0], operands[1], operands[2], operands[3], index()};
  }
  const auto opcode = dlvm::opcode_named(peek().text);
  if (!opcode) fail("the definition of a scalar");
  advance();
  return Scalar::Operation{opcode.value_or(dlvm::Opcode::add), scalars()};
}

void ScalarReader::body(std::vector<Scalar>& into, std::size_t first) {
  while (ok() && peek().kind == Token::Kind::scalar) {
    if (scalar() != first + into.size()) fail("scalars in order");
    symbol(":");
    const ElementType type = element();
    symbol("=");
    into.push_back({type, definition(type)});
  }
}

namespace {

/// Returns the monoid of the instruction.
Reduction one_instruction(dlvm::Opcode opcode, ElementType type, const dlvm::Tensor& identity) {
  Reduction r;
  r.types = {type};
  r.identity = {identity};
  r.combine = {{type, Scalar::State{0}}, {type, Scalar::State{1}}, {type, Scalar::Operation{opcode, {0, 1}}}};
  r.results = {2};
  r.named = {opcode};
  r.any_order = combines_in_any_order(opcode);
  return r;
}

}  // namespace

Reduction ScalarReader::reduction() {
  Reduction r;
  r.any_order = accept("unordered");
  std::vector<dlvm::Opcode> named;
  if (!at("(")) {
    do {
      const auto opcode = dlvm::opcode_named(take(Token::Kind::word));
      if (!opcode) fail("an instruction that combines");
      named.push_back(opcode.value_or(dlvm::Opcode::add));
    } while (accept(","));
  }
  symbol("(");
  do {
    r.types.push_back(element());
    word("from");
    r.identity.push_back(literal(r.types.back()));
  } while (accept(","));
  symbol(")");
  if (!named.empty() && named.size() != r.types.size())
    fail_with("a component has no instruction of its own");
  if (accept("of")) r.inputs = scalars();
  if (!named.empty()) {
    std::vector<Reduction> parts;
    for (std::size_t i = 0; ok() && i < named.size(); ++i)
      parts.push_back(one_instruction(named[i], r.types[i], r.identity[i]));
    const std::vector<ScalarId> inputs = std::move(r.inputs);
    r = side_by_side(parts);
    r.inputs = inputs;
    return r;
  }
  word("by");
  symbol("{");
  body(r.combine, 0);
  word("yield");
  r.results = scalars();
  symbol("}");
  return r;
}

}  // namespace codegen::kernel
