#include "frontend/python/translate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/python/call.h"
#include "frontend/python/names.h"

namespace frontend::python {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_one_of(char c, std::string_view all) { return all.find(c) != std::string_view::npos; }

constexpr int deepest = 60;
constexpr std::size_t longest = 400;

const Layer* layer_of(std::string_view name) {
  const auto found = std::ranges::find(layers(), name, &Layer::name);
  return found == layers().end() ? nullptr : &*found;
}

/// Reads expressions, of TEL and of Python mixed, and writes them in TEL. What it does not know it copies, as
/// long as it stands in brackets that it understands; else it fails.
class Translator {
 public:
  Translator(std::string_view text, std::size_t at, const Surroundings& surroundings)
      : text_(text), at_(at), know_(surroundings) {}

  /// A chain: a primary and what follows it.
  std::optional<Value> chain();
  /// A sequence of operands and operators, or `a if c else b`, or `if c then a else b`.
  std::optional<Value> expression();
  std::size_t position() const { return at_; }
  std::string advice;

 private:
  /// What a chain is so far.
  struct Chain {
    Value value;
    std::string library;  ///< a library has been named, and not yet its function
    std::string pending;  ///< a name that is called next
    std::optional<Value> receiver;
    bool layer = false;  ///< an object of the class `pending`, made with `made`
    std::vector<Argument> made;
  };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_space() {
    while (is_space(peek())) ++at_;
  }
  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }

  std::optional<Value> sequence();
  bool primary(Chain& chain);
  bool name(Chain& chain);
  bool bracket(Chain& chain, char closer);
  bool member(Chain& chain);
  bool arguments(std::vector<Argument>& all);
  bool called(Chain& chain);
  bool subscript(Chain& chain);
  bool finish(Chain& chain);
  bool apply(Chain& chain, const std::string& function, std::vector<Argument> all);

  std::string_view text_;
  std::size_t at_;
  const Surroundings& know_;
  int depth_ = 0;
};

constexpr std::array<std::string_view, 5> operator_words{"not", "and", "or", "as", "along"};
constexpr std::array<std::string_view, 5> ending_words{"then", "else", "if", "lambda", "for"};

bool among(std::string_view word, auto& words) { return std::ranges::find(words, word) != std::end(words); }

/// Operands and operators up to what ends an expression.
std::optional<Value> Translator::sequence() {
  struct Piece {
    std::string text;
    bool operation = false;
  };
  std::vector<Piece> pieces;
  Value only;
  std::size_t operands = 0, operators = 0;
  bool changed = false;
  while (true) {
    const std::size_t before = at_;
    skip_space();
    const std::string space(text_.substr(before, at_ - before));
    const char c = peek();
    if (c == '\0' || c == ',' || c == ')' || c == ']' || c == '}' || c == '{' || c == ';' || c == '?' || c == '#')
      break;
    if (c == ':' || (c == '=' && peek(1) != '=')) break;
    if (c == '/' && (peek(1) == '/' || peek(1) == '*')) return std::nullopt;  // a comment of TEL
    const std::string_view here = word();
    if (among(here, ending_words) && !is_digit(c)) {
      if (here == "lambda" || here == "for") return std::nullopt;
      break;
    }
    if (!pieces.empty()) pieces.push_back({space, false});
    if (is_letter(c) && among(here, operator_words)) {
      ++operators;
      pieces.push_back({std::string(here), false});
      at_ += here.size();
      continue;
    }
    if (is_letter(c) || is_digit(c) || c == '(' || c == '[' || c == '"' || c == '\'') {
      auto operand = chain();
      if (!operand) return std::nullopt;
      ++operands;
      changed = changed || operand->changed;
      pieces.push_back({operand->text, operand->operation});
      only = std::move(*operand);
      continue;
    }
    ++operators;
    if (c == '*' && peek(1) == '*') {
      changed = true;
      at_ += 2;
      pieces.push_back({"^", false});
      continue;
    }
    std::size_t length = 1;
    while ((static_cast<unsigned char>(peek(length)) & 0xC0) == 0x80) ++length;
    pieces.push_back({std::string(text_.substr(at_, length)), false});
    at_ += length;
  }
  if (operands == 0) return std::nullopt;
  if (operands == 1 && operators == 0) return only;
  Value value;
  value.operation = true;
  value.changed = changed;
  for (const Piece& piece : pieces) value.text += piece.operation ? "(" + piece.text + ")" : piece.text;
  while (!value.text.empty() && is_space(value.text.back())) value.text.pop_back();
  return value;
}

std::optional<Value> Translator::expression() {
  if (++depth_ > deepest) return std::nullopt;
  skip_space();
  std::optional<Value> value;
  const auto take = [&](std::string_view expected) {
    skip_space();
    if (word() != expected) return false;
    at_ += expected.size();
    return true;
  };
  if (word() == "if") {
    at_ += 2;
    const auto condition = sequence();
    if (!condition || !take("then")) return std::nullopt;
    const auto yes = expression();
    if (!yes || !take("else")) return std::nullopt;
    const auto no = expression();
    if (!no) return std::nullopt;
    value = Value{fmt::format("if {} then {} else {}", condition->text, yes->text, no->text), true, false,
                  condition->changed || yes->changed || no->changed, false, {}};
  } else {
    value = sequence();
    skip_space();
    if (value && word() == "if") {
      at_ += 2;
      const auto condition = sequence();
      if (!condition || !take("else")) return std::nullopt;
      const auto no = expression();
      if (!no) return std::nullopt;
      value = Value{fmt::format("if {} then {} else {}", condition->text, value->text, no->text), true, false, true, false, {}};
    }
  }
  --depth_;
  return value;
}

bool Translator::name(Chain& chain) {
  const std::string_view name = word();
  at_ += name.size();
  std::size_t behind = at_;
  while (behind < text_.size() && (text_[behind] == ' ' || text_[behind] == '\t')) ++behind;
  const char next = behind < text_.size() ? text_[behind] : '\0';
  if (next == '(') {
    at_ = behind;
    chain.pending = name;
    return true;
  }
  if (!know_.is_value(name) && next == '.' && (is_library(name) || name.size() <= 2)) {
    chain.library = name;
    return true;
  }
  chain.value.text = name;
  if (know_.is_value(name)) return true;
  const std::string_view here = constant(name);
  if (here.starts_with('!')) {
    if (advice.empty()) advice = here.substr(1);
    return false;
  }
  if (!here.empty() && name != "e") {
    chain.value.text = here;
    chain.value.changed = true;
  }
  return true;
}

bool Translator::bracket(Chain& chain, char closer) {
  ++at_;
  const std::size_t begin = at_;
  Value value;
  std::vector<std::string> elements;
  bool commas = false, operation = false;
  while (true) {
    skip_space();
    if (peek() == closer) break;
    const auto element = expression();
    if (!element) return false;
    value.changed = value.changed || element->changed;
    operation = element->operation;
    elements.push_back(element->text);
    skip_space();
    if (peek() == ',') {
      commas = true;
      ++at_;
    } else if (peek() != closer) {
      return false;
    }
  }
  const std::string inside(text_.substr(begin, at_ - begin));
  ++at_;
  value.elements = elements;
  value.list = closer == ']' || commas;
  if (closer == ')' && commas) value.changed = true;
  if (closer == ')' && !commas) {
    if (elements.size() != 1) return false;
    value.elements.clear();
    value.text = elements.front();
    value.operation = operation;
  } else {
    value.text = fmt::format("[{}]", fmt::join(elements, ", "));
    if (!value.changed && closer == ']') value.text = "[" + inside + "]";
  }
  chain.value = std::move(value);
  return true;
}

bool Translator::primary(Chain& chain) {
  const char c = peek();
  if (c == '(') return bracket(chain, ')');
  if (c == '[') return bracket(chain, ']');
  if (is_letter(c)) return name(chain);
  if (!is_digit(c)) return false;
  const std::size_t begin = at_;
  while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) ++at_;
  chain.value.text = text_.substr(begin, at_ - begin);
  return true;
}

bool Translator::arguments(std::vector<Argument>& all) {
  ++at_;
  while (true) {
    skip_space();
    if (peek() == ')') break;
    if (peek() == '*') return false;
    Argument argument;
    const std::string_view name = word();
    std::size_t behind = at_ + name.size();
    while (behind < text_.size() && is_space(text_[behind])) ++behind;
    const bool sign = behind + 1 < text_.size() &&
                      ((text_[behind] == '=' && text_[behind + 1] != '=') || text_[behind] == ':');
    if (!name.empty() && is_letter(name.front()) && sign) {
      argument.name = name;
      at_ = behind + 1;
    }
    auto value = expression();
    if (!value) return false;
    argument.value = std::move(*value);
    argument.value.changed = argument.value.changed || (sign && text_[behind] == '=');
    all.push_back(std::move(argument));
    skip_space();
    if (peek() == ',')
      ++at_;
    else if (peek() != ')')
      return false;
  }
  ++at_;
  return true;
}

bool Translator::apply(Chain& chain, const std::string& function, std::vector<Argument> all) {
  const bool own = know_.is_function(function), foreign = !chain.library.empty() || chain.receiver;
  if (chain.receiver) all.insert(all.begin(), Argument{"", *chain.receiver});
  Called result;
  // A function of the module is called as it is, with its own names of parameters.
  if (!own || foreign) result = call(function, chain.library, all, know_);
  if (own && result.value.text.empty()) {
    bool changed = foreign;
    std::string list;
    for (const Argument& each : all) {
      if (each.value.list && each.value.changed) return false;  // of a tuple it may want a shape
      changed = changed || each.value.changed;
      list += fmt::format("{}{}{}", list.empty() ? "" : ", ", each.name.empty() ? "" : each.name + ": ",
                          each.value.text);
    }
    result.value = {fmt::format("{}({})", function, list), false, false, changed, false, {}};
  }
  if (result.value.text.empty()) {
    if (advice.empty()) advice = result.advice;
    return false;
  }
  chain.value = std::move(result.value);
  chain.library.clear();
  chain.receiver.reset();
  return true;
}

bool Translator::called(Chain& chain) {
  std::vector<Argument> all;
  const std::size_t depth = static_cast<std::size_t>(depth_);
  if (!arguments(all)) return false;
  depth_ = static_cast<int>(depth);
  if (chain.layer) {
    all.insert(all.end(), chain.made.begin(), chain.made.end());
    chain.layer = false;
    const std::string function(std::exchange(chain.pending, ""));
    if (chain.library.empty()) chain.library = "torch";
    return apply(chain, function, std::move(all));
  }
  if (chain.pending.empty()) return false;
  const std::string function = std::exchange(chain.pending, "");
  if (const Layer* layer = layer_of(function); layer != nullptr && !know_.is_function(function)) {
    std::size_t behind = at_;
    while (behind < text_.size() && text_[behind] == ' ') ++behind;
    if (behind < text_.size() && text_[behind] == '(') {
      at_ = behind;
      chain.layer = true;
      chain.pending = layer->function;
      chain.made = std::move(all);
      return true;
    }
    if (!apply(chain, std::string(layer->function), std::move(all))) return false;
    return chain.value.changed = true;
  }
  return apply(chain, function, std::move(all));
}

bool Translator::member(Chain& chain) {
  ++at_;
  const std::string member(word());
  if (member.empty() || is_digit(member.front())) return false;
  at_ += member.size();
  if (peek() == '(') {
    if (chain.library.empty()) chain.receiver = chain.value;
    chain.pending = member;
    return true;
  }
  if (!chain.library.empty()) {
    if (is_library(member) || member == "linalg" || peek() == '.') return true;  // `torch.nn.functional`
    const std::string_view here = constant(member);
    if (here.starts_with('!')) {
      if (advice.empty()) advice = here.substr(1);
      return false;
    }
    if (here.empty()) {
      chain.value = {member, false, false, true, true, {}};
    } else {
      chain.value = {std::string(here), false, false, true, false, {}};
    }
    chain.library.clear();
    return true;
  }
  if (member == "T" || member == "mT" || member == "H") {
    chain.receiver = chain.value;
    return apply(chain, "t", {});
  }
  if (member == "shape" && peek() == '[') {
    const std::size_t close = text_.find(']', at_);
    if (close == std::string_view::npos) return false;
    Value axis;
    axis.text = text_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    chain.receiver = chain.value;
    return apply(chain, "shape", {Argument{"", axis}});
  }
  if (member == "ndim" || member == "size" || member == "shape") {
    chain.receiver = chain.value;
    return apply(chain, member, {});
  }
  // A member of TEL: a layer's parameter, a function of a net.
  chain.value.text += "." + member;
  return true;
}

/// `x[None, :]` becomes a shape, and any other subscript stays.
bool Translator::subscript(Chain& chain) {
  const std::size_t begin = at_++;
  std::vector<std::string> items;
  bool news = false, plain = true, changed = false;
  std::string item;
  const auto push = [&] {
    const bool is_new = item == "None" || item == "np.newaxis" || item == "numpy.newaxis" || item == "jnp.newaxis";
    news = news || is_new;
    plain = plain && (is_new || item == ":");
    items.push_back(is_new ? "1" : item);
    item.clear();
  };
  while (true) {
    skip_space();
    if (peek() == ']' || peek() == ',') {
      if (!item.empty()) push();
      if (std::exchange(at_, at_ + 1), text_[at_ - 1] == ']') break;
      continue;
    }
    if (peek() == ':') {
      item += text_[at_++];
      continue;
    }
    if (text_.substr(at_).starts_with("...")) {
      item = "...";
      at_ += 3;
      continue;
    }
    const std::size_t first = at_;
    if (text_.substr(at_).starts_with("None") || word() == "np" || word() == "numpy" || word() == "jnp") {
      at_ += word().size();
      if (peek() == '.') ++at_, at_ += word().size();
      const std::string_view written = text_.substr(first, at_ - first);
      if (written == "None" || written.ends_with(".newaxis")) {
        item += written;
        continue;
      }
      at_ = first;
    }
    const auto part = expression();
    if (!part) return false;
    changed = changed || part->changed;
    item += part->text;
    if (peek() == '\0') return false;
  }
  const auto extents = know_.shape(chain.value.text);
  if (const auto rest = std::ranges::find(items, "..."); rest != items.end()) {
    if (!extents || extents->size() + 1 < items.size() || news) return false;
    const std::size_t whole = extents->size() + 1 - items.size();
    const auto at = items.erase(rest);
    items.insert(at, whole, ":");
    changed = true;
  }
  if (!news) {
    if (changed)
      chain.value.text = fmt::format("{}[{}]", operand(chain.value), fmt::join(items, ", "));
    else
      chain.value.text = operand(chain.value) + std::string(text_.substr(begin, at_ - begin));
    chain.value = {chain.value.text, false, false, chain.value.changed || changed, false, {}};
    return true;
  }
  if (!plain || !extents) {
    advice = fmt::format("an axis of extent 1 is added by the whole shape: {} as [1 x N]", operand(chain.value));
    return false;
  }
  std::size_t axis = 0;
  for (std::string& each : items) {
    if (each != ":") continue;
    if (axis >= extents->size()) return false;
    each = (*extents)[axis++];
  }
  for (; axis < extents->size(); ++axis) items.push_back((*extents)[axis]);
  chain.value = {fmt::format("{} as [{}]", operand(chain.value), fmt::join(items, " x ")), true, false, true, false, {}};
  return true;
}

std::optional<Value> Translator::chain() {
  if (++depth_ > deepest) return std::nullopt;
  Chain chain;
  if (!primary(chain)) return std::nullopt;
  while (true) {
    const bool dot = peek() == '.' && is_letter(peek(1));
    if (peek() == '(' && (!chain.pending.empty() || chain.layer)) {
      if (!called(chain)) return std::nullopt;
    } else if (dot) {
      if (!member(chain)) return std::nullopt;
    } else if (peek() == '[') {
      if (!chain.library.empty() || !subscript(chain)) return std::nullopt;
    } else if (text_.substr(at_).starts_with("^T") && !is_letter(peek(2))) {
      chain.value.text = operand(chain.value) + "^T";
      chain.value.operation = chain.value.list = false;
      at_ += 2;
    } else {
      break;
    }
  }
  --depth_;
  if (!chain.library.empty() || !chain.pending.empty() || chain.layer || peek() == '(') return std::nullopt;
  return chain.value;
}

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

}  // namespace

namespace {

/// The operand that begins at `begin`, if it reaches behind `at`.
std::optional<Translation> translate_from(std::string_view text, std::size_t begin, std::size_t at,
                                          const Surroundings& surroundings) {
  Translator translator(text, begin, surroundings);
  const auto value = translator.chain();
  if (!value) {
    if (translator.advice.empty() || translator.position() < at) return std::nullopt;
    return Translation{begin, begin, "", std::move(translator.advice)};
  }
  const std::size_t end = translator.position();
  const bool literal = value->list && (text[begin] == '(' || text[begin] == '[');
  if (end <= at || !value->changed || literal || value->type || value->text.size() > longest) return std::nullopt;
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

std::optional<Translation> translate(std::string_view text, std::size_t at, const Surroundings& surroundings) {
  constexpr std::size_t before = 300, behind = 1000;
  text = text.substr(0, std::min(text.size(), at + behind));
  std::optional<Translation> advice;
  for (std::size_t begin = std::min(at, text.size()) + 1; begin-- > 0 && begin + before > at;) {
    if (begin >= text.size() || !begins_operand(text, begin)) continue;
    auto found = translate_from(text, begin, at, surroundings);
    if (found && !found->tel.empty()) return found;
    if (found && !advice) advice = std::move(found);
  }
  return advice;
}

std::string translate_expression(std::string_view text, std::size_t begin, const Surroundings& surroundings) {
  Translator translator(text, begin, surroundings);
  const auto value = translator.expression();
  const bool whole = value && text.substr(translator.position()).find_first_not_of(" \t\r\n") == std::string_view::npos;
  return whole && value->changed && value->text.size() <= longest ? value->text : "";
}

std::string_view constant(std::string_view name) {
  const auto found = std::ranges::find(constants(), name, &Constant::name);
  return found == constants().end() ? std::string_view() : found->tel;
}

bool is_function(std::string_view name) {
  return layer_of(name) != nullptr || std::ranges::any_of(rows(), [&](const Row& row) {
           const std::size_t at = row.names.find(name);
           if (at == std::string_view::npos) return false;
           for (std::size_t from = at; from != std::string_view::npos; from = row.names.find(name, from + 1)) {
             const std::size_t end = from + name.size();
             if ((from == 0 || row.names[from - 1] == ' ') && (end == row.names.size() || row.names[end] == ' '))
               return true;
           }
           return false;
         });
}

}  // namespace frontend::python
