// The report of `telc check-gradients`.
#include <fmt/format.h>

#include <algorithm>

#include "dlvm/gradcheck/gradient_check.h"

namespace dlvm {
namespace {

struct Widths {
  std::size_t entry = 5, name = 10;
};

std::string render(const GradientCheckRow& row, const Widths& widths) {
  const std::string_view verdict = !row.agrees() ? "WRONG" : row.compared() ? "ok" : "not compared";
  std::string out =
      fmt::format("{:<{}}  {:<{}}  {:>10}  {:>8}  {:>6}  {:>10.2e}  {}\n", row.entry, widths.entry, row.name,
                  widths.name, row.elements, row.checked, row.kinks, row.worst_ratio, verdict);
  if (!row.agrees()) out += fmt::format("  {}\n", row.worst);
  if (row.skipped > 0)
    out += fmt::format("  {} elements at a kink or not finite, not compared\n", row.skipped);
  return out;
}

/// Which tensors were not checked whole, and how the rest was chosen.
std::string render_samples(const GradientCheck& check, std::uint64_t seed) {
  const auto sampled = std::ranges::count_if(check.rows, &GradientCheckRow::sampled);
  const auto along = std::ranges::count_if(check.rows, &GradientCheckRow::direction);
  const auto none = std::ranges::count_if(
      check.rows, [](const GradientCheckRow& row) { return !row.compared() && row.elements > 0; });
  std::string out;
  if (sampled > 0)
    out += fmt::format(
        "{} of {} tensors were sampled, with seed {}: the elements counted above, and in {} of them a "
        "direction in which all move\n",
        sampled, check.rows.size(), seed, along);
  const auto left_out = std::ranges::count_if(check.rows, &GradientCheckRow::left_out);
  if (none > 0)
    out += fmt::format(
        "{} of {} tensors were not compared{}\n", none, check.rows.size(),
        left_out > 0
            ? fmt::format(", {} of them for lack of time: give dimensions smaller values with -D, or the "
                          "number of elements to check, however long it takes, with --elements",
                          left_out)
            : "");
  return out;
}

/// Which functions have derivatives of their own.
std::string render_custom(const GradientCheck& check) {
  if (check.custom.empty()) return "";
  std::string names;
  for (const GradientCheck::Custom& each : check.custom) {
    names += (names.empty() ? "" : ", ") + each.function;
    if (each.place.valid()) names += fmt::format(" ({}:{})", each.place.source->name(), each.place.line);
  }
  if (check.custom.size() == 1)
    return fmt::format(
        "the derivative of {} is declared: differences agree with it only where it is that of what the "
        "function computes\n",
        names);
  return fmt::format(
      "the derivatives of {} are declared: differences agree with them only where they are those of what the "
      "functions compute\n",
      names);
}

}  // namespace

std::string render(const GradientCheck& check, std::uint64_t seed) {
  std::string out;
  Widths widths;
  for (const auto& row : check.rows) {
    widths.entry = std::max(widths.entry, row.entry.size());
    widths.name = std::max(widths.name, row.name.size());
  }
  if (!check.rows.empty())
    out += fmt::format("{:<{}}  {:<{}}  {:>10}  {:>8}  {:>6}  {:>10}\n", "entry", widths.entry, "derivative",
                       widths.name, "elements", "checked", "kinks", "error/tol.");
  for (const auto& row : check.rows) out += render(row, widths);
  out += render_samples(check, seed);
  out += render_custom(check);
  return out;
}

}  // namespace dlvm
