// What depends on a flag, on the number of axes, or on numbers that divide each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/python/rules.h"

namespace frontend::python::rules {
namespace {

/// Returns whether a variance divides by n - 1; nothing where the call gives another number.
std::optional<bool> is_unbiased(const Binding& call, bool otherwise) {
  if (const Value* flag = call.find("unbiased"); flag != nullptr)
    return flag->text == "true"    ? std::optional(true)
           : flag->text == "false" ? std::optional(false)
                                   : std::nullopt;
  for (const char* name : {"correction", "ddof"})
    if (const Value* number = call.find(name); number != nullptr)
      return number->text == "1"   ? std::optional(true)
             : number->text == "0" ? std::optional(false)
                                   : std::nullopt;
  return otherwise;
}

Text variance(const Binding& call, bool unbiased) {
  const auto by_one_less = is_unbiased(call, unbiased);
  if (!by_one_less) return std::nullopt;
  const Value *axis = call.find("dim"), *keep = call.find("keepdim");
  return fmt::format("variance({}{}{}{})", call.find("x")->text,
                     axis != nullptr ? ", along: " + axis->text : "",
                     keep != nullptr ? ", keep: " + keep->text : "", *by_one_less ? ", unbiased: true" : "");
}

/// Returns how many axes the first of the joined tensors has.
std::optional<std::size_t> rank_of_first(const Binding& call) {
  const Value* parts = call.find("parts");
  if (parts == nullptr || !parts->list || parts->elements.empty()) return std::nullopt;
  const auto extents = call.shape_of(parts->elements.front());
  return extents ? std::optional(extents->size()) : std::nullopt;
}

std::string list_of(const Binding& call) {
  return fmt::format("{}", fmt::join(call.find("parts")->elements, ", "));
}

}  // namespace

Text variance_by_count(const Binding& call) { return variance(call, false); }
Text variance_by_one_less(const Binding& call) { return variance(call, true); }

Text stacked_rows(const Binding& call) {
  const auto rank = rank_of_first(call);
  if (!rank || *rank == 0) return std::nullopt;
  return *rank == 1 ? fmt::format("stack({})", list_of(call)) : fmt::format("[{}]", list_of(call));
}

Text side_by_side(const Binding& call) {
  const auto rank = rank_of_first(call);
  if (!rank) return std::nullopt;
  return fmt::format("[{}]{}", list_of(call), *rank < 2 ? "" : " along 1");
}

Text backwards(const Binding& call) {
  const auto extents = call.shape();
  if (!extents || extents->empty()) return std::nullopt;
  std::vector<std::size_t> axes(extents->size());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
  return fmt::format("reverse({}, along: [{}])", call.find("x")->text, fmt::join(axes, ", "));
}

Text diagonal(const Binding& call) {
  const auto extents = call.shape();
  const Value& x = *call.find("x");
  if (!extents || extents->size() != 1) return std::nullopt;
  return fmt::format("{} * eye({})", operand(x), extents->front());
}

Text progression(const Binding& call) {
  const auto start = integers(call.find("start")), stop = integers(call.find("n")),
             step = integers(call.find("step"));
  if (!start || !stop || !step || start->size() != 1 || stop->size() != 1 || step->size() != 1)
    return std::nullopt;
  const std::int64_t by = step->front(), way = stop->front() - start->front();
  if (by == 0 || way == 0 || (way > 0) != (by > 0)) return std::nullopt;
  const std::int64_t count = (way + by - (by > 0 ? 1 : -1)) / by;
  const std::string steps = fmt::format("{} * iota({})", by, count);
  return start->front() == 0 ? steps : fmt::format("{} + {}", start->front(), steps);
}

Text window_of_pooling(const Binding& call) {
  const auto extents = call.shape();
  auto sizes = integers(call.find("output_size"));
  constexpr std::size_t before = 2;  // the batch and the channels
  if (!extents || !sizes || extents->size() <= before) return std::nullopt;
  const std::size_t axes = extents->size() - before;
  if (sizes->size() == 1) sizes->assign(axes, sizes->front());
  if (sizes->size() != axes) return std::nullopt;
  std::vector<std::int64_t> windows;
  for (std::size_t i = 0; i < axes; ++i) {
    const auto extent = integer((*extents)[before + i]);
    if (!extent || (*sizes)[i] < 1 || *extent % (*sizes)[i] != 0) return std::nullopt;
    windows.push_back(*extent / (*sizes)[i]);
  }
  const bool equal = std::ranges::all_of(windows, [&](std::int64_t each) { return each == windows.front(); });
  return equal ? std::to_string(windows.front()) : fmt::format("[{}]", fmt::join(windows, ", "));
}

}  // namespace frontend::python::rules
