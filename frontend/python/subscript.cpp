// What stands in brackets behind an operand.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/python/binding.h"
#include "frontend/python/translator.h"

namespace frontend::python {

void take_part(Value& value, bool positions) {
  if (positions) value.text = value.positions;
  value.positions.clear();
}

namespace {

bool is_new_axis(std::string_view item) {
  return item == "None" || item == "np.newaxis" || item == "numpy.newaxis" || item == "jnp.newaxis";
}

}  // namespace

/// Takes `None` or `np.newaxis`, if it is there.
bool Translator::new_axis(std::string& item) {
  const std::string_view first = word();
  if (first != "None" && first != "np" && first != "numpy" && first != "jnp") return false;
  const std::size_t begin = at_;
  at_ += first.size();
  if (peek() == '.') ++at_, at_ += word().size();
  const std::string_view written = text_.substr(begin, at_ - begin);
  if (is_new_axis(written)) {
    item += written;
    return true;
  }
  at_ = begin;
  return false;
}

bool Translator::subscript_items(Subscript& subscript) {
  std::string item;
  const auto push = [&] {
    const bool is_new = is_new_axis(item);
    subscript.news += is_new ? 1 : 0;
    subscript.plain = subscript.plain && (is_new || item == ":" || item == "...");
    subscript.items.push_back(is_new ? "1" : item);
    item.clear();
  };
  ++at_;
  while (true) {
    skip_space();
    if (peek() == ']' || peek() == ',') {
      if (!item.empty()) push();
      if (text_[at_++] == ']') return true;
    } else if (peek() == ':') {
      item += text_[at_++];
    } else if (text_.substr(at_).starts_with("...")) {
      item = "...";
      at_ += 3;
    } else if (!new_axis(item)) {
      const auto part = expression();
      if (!part || peek() == '\0') return false;
      subscript.changed = subscript.changed || part->changed;
      item += part->text;
    }
  }
}

/// Puts a `:` for each axis in the place of `...`.
bool Translator::spread(Subscript& subscript, const std::optional<std::vector<std::string>>& extents) {
  const auto rest = std::ranges::find(subscript.items, "...");
  if (rest == subscript.items.end()) return true;
  const std::size_t written = subscript.items.size() - 1 - subscript.news;
  if (!extents || extents->size() < written) return false;
  subscript.items.insert(subscript.items.erase(rest), extents->size() - written, ":");
  return subscript.changed = true;
}

/// Takes one of several values that a call gives, `x.chunk(2)[0]`.
bool Translator::take_element(Value& value, const Subscript& subscript) {
  const auto index = subscript.items.size() == 1 ? integer(subscript.items[0]) : std::nullopt;
  const auto count = static_cast<std::int64_t>(value.elements.size());
  if (!index || *index < -count || *index >= count) return false;
  std::string element = value.elements[static_cast<std::size_t>(*index < 0 ? *index + count : *index)];
  value = Value{std::move(element), false, false, true, false, {}};
  return true;
}

/// `x[None, :]` becomes a shape, and any other subscript stays.
bool Translator::subscript(Chain& chain) {
  if (!chain.value.positions.empty() && peek(2) == ']' && (peek(1) == '0' || peek(1) == '1')) {
    take_part(chain.value, peek(1) == '1');
    at_ += 3;
    return true;
  }
  // In PyTorch a derivative is the first of several, grad(L, x)[0].
  const bool is_gradient = chain.value.changed && chain.value.text.starts_with("gradient(");
  if (is_gradient && peek(1) == '0' && peek(2) == ']') {
    at_ += 3;
    return true;
  }
  const std::size_t begin = at_;
  Subscript subscript;
  if (!subscript_items(subscript)) return false;
  if (chain.value.several) return take_element(chain.value, subscript);
  const auto extents = know_.shape(chain.value.text);
  if (!spread(subscript, extents)) return false;
  auto& items = subscript.items;
  const std::string x = operand(chain.value);
  if (subscript.news == 0) {
    const bool changed = chain.value.changed || subscript.changed;
    chain.value = {subscript.changed ? fmt::format("{}[{}]", x, fmt::join(items, ", "))
                                     : x + std::string(text_.substr(begin, at_ - begin)),
                   false,
                   false,
                   changed,
                   false,
                   {}};
    return true;
  }
  if (!subscript.plain || !extents) {
    advice = fmt::format("an axis of extent 1 is added by the whole shape: {} as [1 x N]", x);
    return false;
  }
  std::size_t axis = 0;
  for (std::string& each : items) {
    if (each != ":") continue;
    if (axis >= extents->size()) return false;
    each = (*extents)[axis++];
  }
  for (; axis < extents->size(); ++axis) items.push_back((*extents)[axis]);
  chain.value = {fmt::format("{} as [{}]", x, fmt::join(items, " x ")), true, false, true, false, {}};
  return true;
}

}  // namespace frontend::python
