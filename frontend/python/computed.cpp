// What the shape of an argument and its numbers say, for the placeholders of rows that begin with `=`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/python/rules.h"

namespace frontend::python {
namespace {

using namespace rules;

/// Returns an element along one of the first two axes.
Text selected(const Binding& call) {
  const Value *x = call.find("x"), *index = call.find("index"), *dim = call.find("dim");
  const auto number = dim == nullptr ? std::nullopt : integer(dim->text);
  if (x == nullptr || index == nullptr || !number || *number < 0 || *number > 1) return std::nullopt;
  return sliced(*x, static_cast<std::size_t>(*number), index->text);
}

Text whole(const Binding& call) {
  const auto extents = call.shape();
  return extents ? Text(shape_text(*extents)) : std::nullopt;
}
Text rank(const Binding& call) {
  const auto extents = call.shape();
  return extents ? Text(std::to_string(extents->size())) : std::nullopt;
}
Text count(const Binding& call) {
  const auto extents = call.shape();
  if (!extents) return std::nullopt;
  return extents->empty() ? "1" : fmt::format("{}", fmt::join(*extents, " * "));
}
Text length(const Binding& call) {
  const auto extents = call.shape();
  return extents && !extents->empty() ? Text(extents->front()) : std::nullopt;
}
Text last(const Binding& call) {
  const auto extents = call.shape();
  return extents && !extents->empty() ? Text(extents->back()) : std::nullopt;
}
/// Returns the last extent of what a layer is applied to.
Text last_of(const Binding& call) {
  const auto extents = call.shape("of");
  return extents && !extents->empty() ? Text(extents->back()) : std::nullopt;
}
/// Returns how many channels the pictures have to which a layer is applied.
Text channels_of(const Binding& call) {
  const auto extents = call.shape("of");
  return extents && extents->size() > 2 ? Text((*extents)[1]) : std::nullopt;
}
Text extent(const Binding& call) {
  const auto extents = call.shape();
  const auto at = extents ? call.axis("dim", extents->size()) : std::nullopt;
  return at ? Text((*extents)[*at]) : std::nullopt;
}
/// Lists the extents: "N for axis 0, 4 for axis 1".
Text extents(const Binding& call) {
  const auto all = call.shape();
  if (!all || all->empty()) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < all->size(); ++i)
    text += fmt::format("{}{} for axis {}", i > 0 ? ", " : "", (*all)[i], i);
  return text;
}

Text unsqueezed(const Binding& call) {
  auto extents = call.shape();
  const auto at = extents ? call.axis("dim", extents->size() + 1) : std::nullopt;
  if (!at) return std::nullopt;
  extents->insert(extents->begin() + static_cast<std::ptrdiff_t>(*at), "1");
  return shape_text(*extents);
}
Text squeezed(const Binding& call) {
  auto extents = call.shape();
  if (extents && call.find("dim") == nullptr) {
    std::erase(*extents, "1");
    return shape_text(*extents);
  }
  const auto at = extents ? call.axis("dim", extents->size()) : std::nullopt;
  if (!at || (*extents)[*at] != "1") return std::nullopt;
  extents->erase(extents->begin() + static_cast<std::ptrdiff_t>(*at));
  return shape_text(*extents);
}
/// Returns what is left of the value where the axis, counted from the front, has one index.
Text first_of_axis(const Binding& call) {
  const auto extents = call.shape();
  const Value& x = *call.find("x");
  const std::int64_t number = integer(call.find("dim")->text).value_or(-1);
  constexpr std::int64_t most = 8;
  if (extents) {
    const auto at = call.axis("dim", extents->size());
    const bool is_longer = at && integer((*extents)[*at]);  // an extent of 1 has a rule of its own
    return at && !is_longer ? Text(sliced(x, *at, "0")) : std::nullopt;
  }
  if (number < 0 || number > most) return std::nullopt;
  return sliced(x, static_cast<std::size_t>(number), "0");
}
/// Returns the list of axes, unless it is one of numbers that are not those of all axes.
Text permutation(const Binding& call) {
  const Value* dims = call.find("dims");
  auto axes = integers(dims);
  if (axes) {
    const auto count = static_cast<std::int64_t>(axes->size());
    for (std::int64_t& axis : *axes) axis += axis < 0 ? count : 0;
    std::ranges::sort(*axes);
    for (std::int64_t i = 0; i < count; ++i)
      if ((*axes)[static_cast<std::size_t>(i)] != i) return std::nullopt;
  }
  return dims->list ? Text(fmt::format("[{}]", fmt::join(dims->elements, ", "))) : std::nullopt;
}
/// Says how long an axis is that cannot be left out, and which ones have the extent 1.
Text longer_axis(const Binding& call) {
  const auto extents = call.shape();
  const auto at = extents ? call.axis("dim", extents->size()) : std::nullopt;
  if (!at || !integer((*extents)[*at])) return std::nullopt;
  std::string others;
  for (std::size_t i = 0; i < extents->size(); ++i)
    if ((*extents)[i] == "1") others += fmt::format("{}{}", others.empty() ? "" : ", ", i);
  return fmt::format("axis {} of {} has {} elements; {}", *at, call.find("x")->text, (*extents)[*at],
                     others.empty() ? "no axis of it has extent 1" : "of extent 1 is axis " + others);
}
/// Returns what is added to the number of a row for the diagonal beside the main one: ` + 1`.
Text offset(const Binding& call) {
  const Value& diagonal = *call.find("diagonal");
  const auto number = integer(diagonal.text);
  if (number && *number < 0) return " - " + diagonal.text.substr(1);
  return " + " + operand(diagonal);
}
/// Returns the shape that the value is stretched to, with its own extents in the place of -1.
Text stretched(const Binding& call) {
  const Value& given = *call.find("shape");
  std::vector<std::string> extents = given.list ? given.elements : std::vector{given.text};
  const auto own = call.shape();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] != "-1") continue;
    const std::size_t behind = extents.size() - i;
    if (!own || behind > own->size()) return std::nullopt;
    extents[i] = (*own)[own->size() - behind];
  }
  return shape_text(extents);
}
Text flattened(const Binding& call) {
  auto extents = call.shape();
  if (!extents) return std::nullopt;
  const std::size_t rank = extents->size();
  const std::size_t first =
      call.find("start_dim") != nullptr ? call.axis("start_dim", rank).value_or(rank) : 1;
  if (first >= rank) return std::nullopt;
  extents->resize(first);
  extents->emplace_back("?");
  return shape_text(*extents);
}
Text swapped(const Binding& call) {
  const auto extents = call.shape();
  if (!extents) return std::nullopt;
  const std::size_t rank = extents->size();
  const auto a = call.axis("dim0", rank), b = call.axis("dim1", rank);
  if (!a || !b || *a == *b) return std::nullopt;
  const Value& x = *call.find("x");
  if (std::min(*a, *b) + 2 == rank && std::max(*a, *b) + 1 == rank) return operand(x) + "^T";
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i == *a ? *b : i == *b ? *a : i;
  return fmt::format("transpose({}, [{}])", x.text, fmt::join(order, ", "));
}

/// Returns the order of axes after one of them has moved to another place.
Text moved(const Binding& call) {
  const auto extents = call.shape();
  if (!extents) return std::nullopt;
  const std::size_t rank = extents->size(), from = call.axis("source", rank).value_or(rank);
  const std::size_t to = call.axis("destination", rank).value_or(rank);
  if (from == rank || to == rank) return std::nullopt;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rank; ++i)
    if (i != from) order.push_back(i);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
  return fmt::format("[{}]", fmt::join(order, ", "));
}
/// Returns the order of axes that a text like `b t c -> b c t` describes.
Text rearranged(const Binding& call) {
  const std::string& pattern = call.find("pattern")->text;
  const std::size_t arrow = std::min(pattern.find("->"), pattern.size());
  const auto left = words(std::string_view(pattern).substr(0, arrow));
  const auto right = words(std::string_view(pattern).substr(std::min(arrow + 2, pattern.size())));
  std::vector<std::size_t> order;
  for (const std::string_view axis : right) {
    const auto found = std::ranges::find(left, axis);
    if (found == left.end() || std::ranges::count(right, axis) != 1) return std::nullopt;
    order.push_back(static_cast<std::size_t>(found - left.begin()));
  }
  if (order.size() != left.size() || order.empty()) return std::nullopt;
  return fmt::format("[{}]", fmt::join(order, ", "));
}
/// Returns the shape of the second argument.
Text shape_of_other(const Binding& call) {
  const auto extents = call.shape("y");
  return extents ? Text(shape_text(*extents)) : std::nullopt;
}

/// Returns an empty text where pooling leaves one element of each axis, else nothing.
Text to_one_element(const Binding& call) {
  const auto sizes = integers(call.find("output_size"));
  const bool one = sizes && std::ranges::all_of(*sizes, [](std::int64_t size) { return size == 1; });
  return one ? Text("") : std::nullopt;
}

/// Returns one of the two numbers that PyTorch gives together.
Text beta(const Binding& call, std::size_t which) {
  const Value* betas = call.find("betas");
  const bool both = betas != nullptr && betas->list && betas->elements.size() == 2;
  return both ? Text(betas->elements[which]) : std::nullopt;
}
Text first_beta(const Binding& call) { return beta(call, 0); }
Text second_beta(const Binding& call) { return beta(call, 1); }

struct Rule {
  std::string_view name;
  Text (*text)(const Binding&);
};
constexpr Rule all[]{{"selected", selected},
                     {"whole", whole},
                     {"rank", rank},
                     {"count", count},
                     {"length", length},
                     {"last", last},
                     {"extent", extent},
                     {"extents", extents},
                     {"unsqueezed", unsqueezed},
                     {"squeezed", squeezed},
                     {"first_of_axis", first_of_axis},
                     {"permutation", permutation},
                     {"longer_axis", longer_axis},
                     {"offset", offset},
                     {"stretched", stretched},
                     {"flattened", flattened},
                     {"swapped", swapped},
                     {"moved", moved},
                     {"rearranged", rearranged},
                     {"shape_of_other", shape_of_other},
                     {"difference", difference},
                     {"narrowed", narrowed},
                     {"rolled", rolled},
                     {"tiled", tiled},
                     {"repeated", repeated},
                     {"variance_by_count", variance_by_count},
                     {"variance_by_one_less", variance_by_one_less},
                     {"stacked_rows", stacked_rows},
                     {"side_by_side", side_by_side},
                     {"backwards", backwards},
                     {"diagonal", diagonal},
                     {"progression", progression},
                     {"window_of_pooling", window_of_pooling},
                     {"last_of", last_of},
                     {"channels_of", channels_of},
                     {"first_beta", first_beta},
                     {"second_beta", second_beta},
                     {"padded_axes", padded_axes},
                     {"padded_from_last", padded_from_last},
                     {"to_one_element", to_one_element}};

}  // namespace

std::optional<std::string> computed(const Binding& call, std::string_view name) {
  return std::ranges::find(all, name, &Rule::name)->text(call);
}

}  // namespace frontend::python
