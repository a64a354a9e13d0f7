#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "frontend/python/rules.h"

namespace frontend::python::rules {
namespace {

/// Sums and products of two such numbers do not overflow.
constexpr std::int64_t largest = std::int64_t{1} << 31;

/// Returns the axis from the front: the only one, where none is named. One that counts from the end needs the
/// shape of x.
std::optional<std::size_t> axis_of(const Binding& call, std::string_view name) {
  const auto extents = call.shape();
  if (call.find(name) == nullptr)
    return extents && extents->size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
  if (extents) return call.axis(name, extents->size());
  constexpr std::int64_t most = 8;
  const Value* value = call.find(name);
  const std::int64_t number = value == nullptr ? -1 : integer(value->text).value_or(-1);
  if (number < 0 || number > most) return std::nullopt;
  return static_cast<std::size_t>(number);
}

std::string joined(const std::string& first, const std::string& second, std::size_t axis) {
  return fmt::format("[{}, {}]{}", first, second, axis == 0 ? "" : fmt::format(" along {}", axis));
}

/// Lists the slices that begin at these places of an axis, and end at the next one or at `end`.
std::optional<Extents> slices(const Binding& call, std::size_t axis, const std::vector<std::int64_t>& starts,
                              std::int64_t end) {
  constexpr std::size_t most = 8;
  if (starts.empty() || starts.size() > most) return std::nullopt;
  Extents all;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t next = i + 1 < starts.size() ? starts[i + 1] : end;
    if (starts[i] < 0 || starts[i] >= next || next > end) return std::nullopt;
    all.push_back(sliced(*call.find("x"), axis, fmt::format("{}:{}", starts[i], next)));
  }
  return all;
}

/// Writes the matrix `[1, 1; 0, 0]` of numbers before and behind, of axes from the first on.
std::string rows_of(const std::vector<std::string>& rows) {
  return fmt::format("[{}]", fmt::join(rows, "; "));
}

}  // namespace

std::string sliced(const Value& x, std::size_t axis, std::string_view slice) {
  std::string before;
  for (std::size_t i = 0; i < axis; ++i) before += ":, ";
  return fmt::format("{}[{}{}]", operand(x), before, slice);
}

std::optional<std::vector<std::int64_t>> integers(const Value* value) {
  if (value == nullptr) return std::nullopt;
  std::vector<std::int64_t> all;
  for (const std::string& each : value->list ? value->elements : Extents{value->text}) {
    const auto number = integer(each);
    if (!number || *number < -largest || *number > largest) return std::nullopt;
    all.push_back(*number);
  }
  return all;
}

Text rolled(const Binding& call) {
  const auto axis = axis_of(call, call.find("dims") != nullptr ? "dims" : "dim");
  const auto shift = integers(call.find("shifts"));
  if (!axis || !shift || shift->size() != 1 || shift->front() == 0) return std::nullopt;
  const std::string cut = std::to_string(-shift->front());  // from the end, where elements go on
  const Value& x = *call.find("x");
  return joined(sliced(x, *axis, cut + ":"), sliced(x, *axis, ":" + cut), *axis);
}

Text difference(const Binding& call) {
  const auto extents = call.shape();
  if (!extents || extents->empty()) return std::nullopt;
  const std::size_t rank = extents->size();
  const std::size_t axis = call.find("dim") == nullptr ? rank - 1 : call.axis("dim", rank).value_or(rank);
  if (axis == rank) return std::nullopt;
  const Value& x = *call.find("x");
  return fmt::format("{} - {}", sliced(x, axis, "1:"), sliced(x, axis, ":-1"));
}

Text narrowed(const Binding& call) {
  const auto axis = axis_of(call, "dim");
  const auto start = integers(call.find("start")), length = integers(call.find("length"));
  if (!axis || !start || !length || start->size() != 1 || length->size() != 1 || start->front() < 0)
    return std::nullopt;
  return sliced(*call.find("x"), *axis,
                fmt::format("{}:{}", start->front(), start->front() + length->front()));
}

Text tiled(const Binding& call) {
  constexpr std::size_t longest = 24;
  constexpr std::int64_t most = 4;
  const auto extents = call.shape();
  auto counts = integers(call.find("counts"));
  const Value& x = *call.find("x");
  if (!extents || !counts || counts->size() > extents->size() || x.text.size() > longest) return std::nullopt;
  counts->insert(counts->begin(), extents->size() - counts->size(), 1);
  const auto copied = std::ranges::find_if(*counts, [](std::int64_t n) { return n != 1; });
  if (copied == counts->end() || *copied < 1 || *copied > most ||
      std::any_of(copied + 1, counts->end(), [](std::int64_t n) { return n != 1; }))
    return std::nullopt;
  const std::vector<std::string> copies(static_cast<std::size_t>(*copied), x.text);
  const auto axis = copied - counts->begin();
  return fmt::format("[{}]{}", fmt::join(copies, ", "), axis == 0 ? "" : fmt::format(" along {}", axis));
}

Text repeated(const Binding& call) {
  const auto all = call.shape();
  const auto times = integers(call.find("times"));
  if (!all || !times || times->size() != 1 || times->front() < 2) return std::nullopt;
  const std::size_t axis = axis_of(call, "dim").value_or(all->size());
  if (axis >= all->size()) return std::nullopt;
  const std::string& extent = (*all)[axis];
  const auto constant = integer(extent);
  if (constant && *constant > largest) return std::nullopt;
  const std::string all_of_them =
      constant ? std::to_string(*constant * times->front()) : fmt::format("{} * {}", times->front(), extent);
  return sliced(*call.find("x"), axis,
                fmt::format("floor_divide(iota({}), {})", all_of_them, times->front()));
}

std::optional<Extents> parts(const Binding& call) {
  const auto extents = call.shape();
  if (!extents || extents->empty()) return std::nullopt;
  std::size_t axis = 0;
  if (call.find("dim") != nullptr) {
    axis = call.axis("dim", extents->size()).value_or(extents->size());
    if (axis == extents->size()) return std::nullopt;
  }
  const auto end = integer((*extents)[axis]);
  if (!end || *end < 1) return std::nullopt;
  const auto pieces = integers(call.find("pieces")), sizes = integers(call.find("sizes")),
             places = integers(call.find("places"));
  std::vector<std::int64_t> starts;
  if (places && call.find("places")->list) {
    starts = *places;
    starts.insert(starts.begin(), 0);
    return slices(call, axis, starts, *end);
  }
  if (sizes && call.find("sizes")->list) {
    std::int64_t at = 0;
    for (const std::int64_t size : *sizes) starts.push_back(std::exchange(at, at + size));
    return at == *end ? slices(call, axis, starts, *end) : std::nullopt;
  }
  const auto& number = pieces ? pieces : sizes ? sizes : places;
  if (!number || number->size() != 1 || number->front() < 1 || number->front() > *end) return std::nullopt;
  const std::int64_t size = sizes ? number->front() : (*end + number->front() - 1) / number->front();
  for (std::int64_t at = 0; at < *end && starts.size() < 9; at += size) starts.push_back(at);
  return slices(call, axis, starts, *end);
}

Text padded_axes(const Binding& call) {
  const auto extents = call.shape();
  const Value* width = call.find("pad_width");
  if (width == nullptr || (extents && extents->empty())) return std::nullopt;
  const auto number = integer(width->text);
  if (extents && number && *number >= 0)
    return rows_of(Extents(extents->size(), fmt::format("{0}, {0}", *number)));
  if (!width->list || (extents && width->elements.size() != extents->size())) return std::nullopt;
  Extents rows;
  for (const std::string& each : width->elements) {
    if (!each.starts_with('[') || std::ranges::count(each, ',') != 1) return std::nullopt;
    rows.push_back(each.substr(1, each.size() - 2));
  }
  return rows_of(rows);
}

Text padded_from_last(const Binding& call) {
  const auto extents = call.shape();
  const auto widths = integers(call.find("pad"));
  if (!extents || !widths || widths->size() % 2 != 0 || widths->size() / 2 > extents->size())
    return std::nullopt;
  Extents rows(extents->size(), "0, 0");
  for (std::size_t i = 0; i + 1 < widths->size(); i += 2)
    rows[rows.size() - 1 - i / 2] = fmt::format("{}, {}", (*widths)[i], (*widths)[i + 1]);
  return rows_of(rows);
}

}  // namespace frontend::python::rules
