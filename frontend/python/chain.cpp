// Names, and the calls and members behind them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "frontend/python/sequential.h"
#include "frontend/python/translator.h"

namespace frontend::python {
namespace {

/// The names under which libraries are imported are short, as in `import torch as t`. A net has a capital.
bool is_short_name(std::string_view name) {
  return name.size() <= 2 && name.front() >= 'a' && name.front() <= 'z';
}

bool is_property(std::string_view name) {
  constexpr std::string_view all[]{"ndim", "size",   "shape",         "length", "dtype",
                                   "grad", "device", "requires_grad", "data",   "is_cuda"};
  return std::ranges::find(all, name) != std::end(all);
}

}  // namespace

/// Puts a large number in the place of an infinite one.
bool Translator::take_infinite(Chain& chain) {
  chain.value = {"1e30", false, false, true, false, {}};
  chain.value.infinite = true;
  chain.library.clear();
  return true;
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
  if ((name == "self" || name == "this") && next == '.' && !know_.is_value(name)) {
    at_ = behind + 1;
    chain.member_of_self = true;
    const std::string_view member = word();
    if (know_.is_value(member) || know_.is_function(member) || member == "training") return this->name(chain);
    if (advice.empty())
      advice = fmt::format("a function of a net names what the net declares as it is: {1}, not {0}.{1}", name,
                           member);
    return false;
  }
  if (!know_.is_value(name) && next == '.' && (is_library(name) || is_short_name(name))) {
    chain.library = name;
    return true;
  }
  chain.value.text = name;
  if (know_.is_value(name)) return true;
  if (is_infinite(name)) return take_infinite(chain);
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

/// Takes an argument that is `None`.
bool Translator::none() {
  if (word() != absent) return false;
  std::size_t behind = at_ + absent.size();
  while (behind < text_.size() && is_space(text_[behind])) ++behind;
  if (behind == text_.size() || (text_[behind] != ',' && text_[behind] != ')')) return false;
  at_ = behind;
  return true;
}

/// Goes to the comma or the bracket behind an argument. Returns false if there is none in this line.
bool Translator::skip_argument() {
  std::size_t open = 0;
  for (; peek() != '\0' && peek() != '\n'; ++at_) {
    const char c = peek();
    if (c == '\'' || c == '"') return false;
    if (c == '(' || c == '[' || c == '{') ++open;
    if (open == 0 && (c == ',' || c == ')')) return true;
    if (c == ')' || c == ']' || c == '}') {
      if (open == 0) return false;
      --open;
    }
  }
  return false;
}

/// Reads an argument. One that is a call of a function which no row has, and about which there is no advice,
/// is left as it is, since other arguments may say enough.
std::optional<Value> Translator::argument() {
  const std::size_t begin = at_;
  const int depth = depth_;
  auto value = none() ? Value{std::string(absent), false, false, true, false, {}} : expression();
  if (value || !advice.empty() || begin >= text_.size() || !is_letter(text_[begin])) return value;
  depth_ = depth;
  at_ = begin;
  if (!skip_argument()) return std::nullopt;
  value = Value{std::string(text_.substr(begin, at_ - begin)), false, false, true, false, {}};
  value->quoted = true;
  return value;
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
    skip_space();
    auto value = this->argument();
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
  const bool foreign = !chain.library.empty() || chain.receiver;
  const bool own = know_.is_function(function) || (!foreign && know_.is_value(function));
  if (chain.receiver) all.insert(all.begin(), Argument{"", *chain.receiver});
  Called result;
  // A function of the module is called as it is, with its own names of parameters.
  if (!own || foreign) result = call(function, chain.library, all, know_);
  const bool advises = foreign && !result.advice.empty();
  if (own && result.value.text.empty() && !advises) {
    bool changed = foreign;
    std::string list;
    for (const Argument& each : all) {
      // Of a tuple the function may want a shape.
      if (each.value.quoted || each.value.text == absent || (each.value.list && each.value.changed))
        return false;
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
  chain.value.infinite = chain.value.infinite ||
                         std::ranges::any_of(all, [](const Argument& each) { return each.value.infinite; });
  chain.library.clear();
  chain.receiver.reset();
  return true;
}

bool Translator::called(Chain& chain) {
  if (chain.pending == "Sequential" && !know_.is_function(chain.pending))
    if (auto found = advice_of_sequential(text_, at_)) {
      advice = std::move(found->text);
      at_ = found->end;
      advises_all = true;
      return false;
    }
  std::vector<Argument> all;
  const std::size_t depth = static_cast<std::size_t>(depth_);
  if (!arguments(all)) return false;
  depth_ = static_cast<int>(depth);
  if (chain.layer) {
    chain.layer = false;
    const std::string function(std::exchange(chain.pending, ""));
    if (layer_of(function) != nullptr && !all.empty()) {
      chain.made.push_back({"of", std::move(all.front().value)});
      all.clear();
    }
    all.insert(all.end(), chain.made.begin(), chain.made.end());
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
    const std::string known(has_rows(function) ? std::string_view(function) : layer->function);
    if (!apply(chain, known, std::move(all))) return false;
    return chain.value.changed = true;
  }
  return apply(chain, function, std::move(all));
}

/// Reads what a value has without a call, `x.size`.
bool Translator::property(Chain& chain, const std::string& name) {
  chain.receiver = chain.value;
  return apply(chain, name == "size" ? "numel" : name, {});
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
    if (is_infinite(member)) return take_infinite(chain);
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
  if (!chain.value.positions.empty() && (member == "values" || member == "indices")) {
    take_part(chain.value, member == "indices");
    return true;
  }
  if (is_property(member) && know_.shape(chain.value.text)) return property(chain, member);
  // A member of TEL: a layer's parameter, a function of a net.
  chain.value.text += "." + member;
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
  chain.value.changed = chain.value.changed || chain.member_of_self;
  if (!chain.library.empty() || !chain.pending.empty() || chain.layer || peek() == '(') return std::nullopt;
  return chain.value;
}

}  // namespace frontend::python
