#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "codegen/kernel/text/scalar_text.h"

namespace codegen::kernel {
namespace {

constexpr int deepest = 200;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::vector<Token> tokens(std::string_view text) {
  std::vector<Token> result;
  std::size_t line = 1, i = 0;
  const auto run = [&](std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && is_word(text[end])) ++end;
    return end;
  };
  while (i < text.size()) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
      continue;
    }
    if (text.substr(i, 2) == "//") {  // a comment
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    Token token{Token::Kind::symbol, std::string(1, c), line};
    std::size_t end = i + 1;
    if (c == '$' || c == '%' || c == '@') {
      end = run(i + 1);
      token = {c == '$'   ? Token::Kind::axis
               : c == '%' ? Token::Kind::scalar
                          : Token::Kind::global,
               std::string(text.substr(i + 1, end - i - 1)), line};
    } else if (c == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      token = {Token::Kind::word, std::string(text.substr(i + 1, end - i - 1)), line};
      end = std::min(end + 1, text.size());
    } else if (is_word(c)) {
      end = run(i);
      const bool digit = std::isdigit(static_cast<unsigned char>(c));
      if (digit && end < text.size() && (text[end] == '+' || text[end] == '-') && text[end - 1] == 'e')
        end = run(end + 1);
      token = {digit ? Token::Kind::number : Token::Kind::word, std::string(text.substr(i, end - i)), line};
    }
    result.push_back(std::move(token));
    i = end;
  }
  result.push_back({Token::Kind::end, "", line});
  return result;
}

}  // namespace

ScalarReader::ScalarReader(std::string_view text) : tokens_(tokens(text)) {}

bool ScalarReader::at(std::string_view text) const {
  const auto kind = peek().kind;
  return (kind == Token::Kind::word || kind == Token::Kind::symbol) && peek().text == text;
}

void ScalarReader::fail(std::string_view expected) {
  if (ok()) error_ = fmt::format("line {}: expected {}, found '{}'", peek().line, expected, peek().text);
}

void ScalarReader::advance() {
  if (peek().kind != Token::Kind::end) ++next_;
}

bool ScalarReader::accept(std::string_view text) {
  if (!ok() || !at(text)) return false;
  advance();
  return true;
}

void ScalarReader::symbol(std::string_view text) {
  if (!accept(text)) fail("'" + std::string(text) + "'");
}

std::string ScalarReader::take(Token::Kind kind) {
  if (!ok()) return "";
  if (peek().kind == Token::Kind::symbol && peek().text == "\"") advance();
  if (peek().kind != kind) {
    constexpr std::string_view kinds[]{"the end",  "a name",        "a number", "an axis",
                                       "a scalar", "a global name", "a sign"};
    fail(kinds[static_cast<std::size_t>(kind)]);
    return "";
  }
  std::string text = peek().text;
  advance();
  return text;
}

std::int64_t ScalarReader::number_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) fail("an integer");
  return value;
}

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
    if (tokens_[next_ + 1].kind == Token::Kind::axis || tokens_[next_ + 1].kind == Token::Kind::scalar) break;
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
  return name == "_" ? Extent::erased() : Extent::dimension(name);
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

Axis ScalarReader::axis_in() {
  Axis axis;
  axis.kind = accept("reduced")   ? AxisKind::reduced
              : accept("ordered") ? AxisKind::ordered
                                  : AxisKind::parallel;
  const std::string text = take(Token::Kind::axis);
  std::size_t digits = text.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1]))) --digits;
  axis.name = text.substr(0, digits);
  axis.id = axis_id(text);
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
    if (ok()) error_ = fmt::format("line {}: no buffer is called '{}'", peek().line, name);
    return {};
  }
  return {found->second, indices()};
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
    word("at");
    check.position = indices();
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

Reduction ScalarReader::reduction() {
  Reduction r;
  r.any_order = accept("unordered");
  if (!at("(")) {
    r.named = dlvm::opcode_named(take(Token::Kind::word));
    if (!r.named) fail("an instruction that combines");
    if (r.named) r.any_order = combines_in_any_order(*r.named);
  }
  symbol("(");
  do {
    r.types.push_back(element());
    word("from");
    r.identity.push_back(literal(r.types.back()));
  } while (accept(","));
  symbol(")");
  if (accept("of")) r.inputs = scalars();
  if (r.named) {
    r.combine = {{r.types[0], Scalar::State{0}},
                 {r.types[0], Scalar::State{1}},
                 {r.types[0], Scalar::Operation{*r.named, {0, 1}}}};
    r.results = {2};
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
