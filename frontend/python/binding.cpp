#include "frontend/python/binding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "frontend/support/other_languages.h"

namespace frontend::python {
namespace {

/// Returns whether the value can be an axis or a list of axes: an integer, or several.
bool is_axis(const Value& value) {
  return value.list
             ? std::ranges::all_of(value.elements, [](const auto& e) { return integer(e).has_value(); })
             : integer(value.text).has_value();
}

bool is_element_type(std::string_view name) {
  constexpr std::string_view types[]{"bool",  "int8",    "int16",    "int32",   "int64",
                                     "uint8", "float16", "bfloat16", "float32", "float64"};
  return std::ranges::find(types, name) != std::end(types);
}

/// Returns whether an argument may stand for the parameter: for a condition only true and false do, and for
/// an activation what is no number or extent, and for what a derivative is by no number and no list.
bool may_stand_for(const Value& value, std::string_view parameter, const Surroundings& surroundings) {
  if (parameter == "dim") return is_axis(value);
  if (parameter == "wrt") return !value.list && !value.operation && !integer(value.text);
  if (parameter == "activation")
    return value.quoted || !(value.operation || integer(value.text) || surroundings.is_value(value.text));
  return parameter != "keepdim" || value.text == "true" || value.text == "false";
}

std::string_view synonym(std::string_view name) {
  if (name == "axis" || name == "axes" || name == "along") return "dim";
  if (name == "keepdims" || name == "keep") return "keepdim";
  if (name == "input" || name == "a" || name == "self" || name == "tensor") return "x";
  if (name == "other") return "y";
  if (name == "a_min") return "min";
  if (name == "a_max") return "max";
  if (name == "fill_value" || name == "constant_values") return "value";
  if (name == "query") return "x";
  if (name == "k") return "diagonal";
  if (name == "labels") return "target";
  if (name == "learning_rate" || name == "rate") return "lr";
  if (name == "epsilon") return "eps";
  if (name == "decay") return "weight_decay";
  if (name == "step_size") return "every";
  if (name == "T_max" || name == "decay_steps") return "steps";
  return name;
}

Value gathered(std::span<const Argument> arguments) {
  if (arguments.size() == 1 && arguments[0].value.list) return arguments[0].value;
  Value all;
  all.list = true;
  for (const Argument& each : arguments) all.elements.push_back(each.value.text);
  all.text = fmt::format("[{}]", fmt::join(all.elements, ", "));
  return all;
}

std::string transposed(const Value& value) {
  if (!value.operation && value.text.ends_with("^T")) return value.text.substr(0, value.text.size() - 2);
  return operand(value) + "^T";
}

/// Returns whether an operator stands beside the placeholder, so that an operation needs parentheses there.
bool beside_operator(std::string_view tel, std::size_t open, std::size_t close) {
  std::size_t before = open, behind = close + 1;
  while (before > 0 && tel[before - 1] == ' ') --before;
  while (behind < tel.size() && tel[behind] == ' ') ++behind;
  constexpr std::string_view tight = "+-*/^%";
  const auto is_word = [&](std::string_view word) { return tel.substr(behind).starts_with(word); };
  const bool left =
      before > 0 && (tight.find(tel[before - 1]) != std::string_view::npos ||
                     tel.substr(0, before).ends_with("•") || tel.substr(0, before).ends_with("not") ||
                     tel.substr(0, before).ends_with(" and") || tel.substr(0, before).ends_with(" or"));
  const bool right =
      behind < tel.size() && (tight.find(tel[behind]) != std::string_view::npos || tel[behind] == '[' ||
                              is_word("•") || is_word("as ") || is_word("and ") || is_word("or "));
  return left || right;
}

}  // namespace

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) all.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string shape_text(const std::vector<std::string>& extents) {
  return fmt::format("[{}]", fmt::join(extents, " x "));
}

/// Binds the parameter that takes all further arguments; returns whether there are any.
bool Binding::bind_rest(std::string_view parameter, std::size_t positional) {
  const auto keyword = std::ranges::find_if(
      arguments_, [&](const Argument& each) { return synonym(each.name) == synonym(parameter); });
  if (next_ < positional)
    bound_[std::string(parameter)] = gathered(arguments_.subspan(next_, positional - next_));
  else if (keyword != arguments_.end() && ++named_ != 0)
    bound_[std::string(parameter)] = keyword->value;
  else
    return false;
  next_ = positional;
  return true;
}

bool Binding::bind(std::string_view parameters) {
  const auto positional = static_cast<std::size_t>(
      std::ranges::count_if(arguments_, [](const Argument& each) { return each.name.empty(); }));
  next_ = named_ = 0;
  bound_.clear();
  bool by_name = false;
  for (std::string_view parameter : words(parameters)) {
    if (parameter == "|") {
      by_name = true;
      continue;
    }
    const bool rest = parameter.ends_with('*'), optional = parameter.ends_with('?');
    if (rest || optional) parameter.remove_suffix(1);
    if (rest && parameter == "rest") return true;
    // `start=0`: the argument is there and has this value.
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view wanted = parameter.substr(equals);
    parameter = parameter.substr(0, equals);
    const auto is_wanted = [&](const Argument& each) {
      return wanted.empty() || wanted.substr(1) == each.value.text;
    };
    if (rest) {
      if (!bind_rest(parameter, positional)) return false;
      continue;
    }
    const auto keyword = std::ranges::find_if(arguments_, [&](const Argument& each) {
      return !each.name.empty() && (each.name == parameter || synonym(each.name) == parameter);
    });
    const bool is_next = !by_name && next_ < positional && keyword == arguments_.end();
    const Argument* given = keyword != arguments_.end() ? &*keyword : is_next ? &arguments_[next_] : nullptr;
    if (given != nullptr && given->value.text == absent && wanted.empty()) {  // `axis=None`
      if (!optional) return false;
      ++(is_next ? next_ : named_);
    } else if (keyword != arguments_.end()) {
      ++named_;
      bound_[std::string(parameter)] = keyword->value;
      if (!is_wanted(*keyword)) return false;
      const bool computed_axis = parameter == "dim" && keyword->value.operation;
      if (!may_stand_for(keyword->value, parameter, surroundings_) && (computed_axis || parameter != "dim"))
        return false;
    } else if (is_next && is_wanted(*given) && may_stand_for(given->value, parameter, surroundings_)) {
      bound_[std::string(parameter)] = arguments_[next_++].value;
    } else if (!optional) {
      return false;
    }
  }
  return next_ == positional && named_ == arguments_.size() - positional;
}

std::optional<std::size_t> Binding::axis(std::string_view name, std::size_t rank) const {
  const Value* value = find(name);
  const auto number = value == nullptr ? std::nullopt : integer(value->text);
  if (!number) return std::nullopt;
  const std::int64_t from_front = *number < 0 ? *number + static_cast<std::int64_t>(rank) : *number;
  if (from_front < 0 || from_front >= static_cast<std::int64_t>(rank)) return std::nullopt;
  return static_cast<std::size_t>(from_front);
}

std::optional<std::string> Binding::text_of(std::string_view placeholder, bool as_operand) const {
  const std::size_t colon = std::min(placeholder.find(':'), placeholder.size());
  const std::string_view name = placeholder.substr(0, colon), form = placeholder.substr(colon);
  if (name.starts_with('=')) return computed(*this, name.substr(1));
  const Value* value = find(name);
  if (value != nullptr && form == ":word") return value->text;
  if (value == nullptr || value->quoted) return std::nullopt;
  if (form == ":transposed") return transposed(*value);
  if (form == ":number" && value->list) return std::nullopt;
  if (name == "shape" || form == ":shape") {
    std::vector<std::string> extents = value->list ? value->elements : std::vector{value->text};
    for (std::string& each : extents) {
      const bool fraction = each.find_first_of("0123456789") == 0 && !integer(each);
      if (fraction && each.find('.') != std::string::npos) return std::nullopt;
      if (each == "-1") each = "?";
      if (each.ends_with(" x -1")) each.replace(each.size() - 2, 2, "?");
      if (each.starts_with("-1 x ")) each.replace(0, 2, "?");
    }
    return shape_text(extents);
  }
  if (name == "dtype") {
    const std::string_view type = element_type_elsewhere(value->text);
    if (!type.empty()) return std::string(type);
    return is_element_type(value->text) ? std::optional(value->text) : std::nullopt;
  }
  if (name == "parts" || form == ":list") {
    if (!value->list) return std::nullopt;
    const std::string all = fmt::format("{}", fmt::join(value->elements, ", "));
    return form == ":list" ? "[" + all + "]" : all;
  }
  return as_operand ? operand(*value) : value->text;
}

/// Returns whether the placeholder stands for a text, such as `padding='same'`, which is no number.
bool Binding::is_quoted(std::string_view placeholder) const {
  const Value* value = find(placeholder.substr(0, std::min(placeholder.find(':'), placeholder.size())));
  return value != nullptr && value->quoted;
}

std::optional<std::string> Binding::fill(std::string_view name, std::string_view tel) const {
  std::string out;
  std::size_t group = 0;  // where the optional part began
  bool in_group = false, absent = false;
  for (std::size_t i = 0; i < tel.size(); ++i) {
    if (tel[i] == '<' && tel.find('>', i) != std::string_view::npos) {
      group = out.size();
      in_group = true;
      absent = false;
      continue;
    }
    if (tel[i] == '>' && in_group) {
      if (absent) out.resize(group);
      in_group = false;
      continue;
    }
    if (tel[i] != '{') {
      out += tel[i];
      continue;
    }
    const std::size_t close = tel.find('}', i);
    const std::string_view placeholder = tel.substr(i + 1, close - i - 1);
    if (placeholder == "name") {
      out += name;
    } else if (const auto text = text_of(placeholder, beside_operator(tel, i, close))) {
      out += *text;
    } else if (in_group && !is_quoted(placeholder)) {
      absent = true;
    } else {
      return std::nullopt;
    }
    i = close;
  }
  return out;
}

}  // namespace frontend::python
