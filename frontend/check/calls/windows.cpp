#include "frontend/check/calls/windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/diagnostics/window_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

Extent Windows::positions(std::size_t axis, const Extent& extent) const {
  return Extent::floor_divide(extent + padding[axis].first + padding[axis].second - span(axis),
                              strides[axis]) +
         1;
}

bool WindowReader::has_axes(const Node* x, std::string_view what) {
  if (x->type.rank() >= 3 && x->type.rank() <= 5) return true;
  auto& report = context_.diagnostics.report(
      window_operand, x->location, call_.builtin.name,
      fmt::format("{} is {}, and has {} instead of 3 to 5", what, spelling(type_of(context_, x)),
                  x->type.rank() == 1 ? "1 axis" : fmt::format("{} axes", x->type.rank())));
  explain_value(context_, report, x, what);
  if (x->type.rank() == 2)
    report.fix(fmt::format(
        "add an axis for the batch, {0} as [1 x {1} x {2}], or for the channels, {0} as [{1} x 1 x {2}]",
        quoted_operand(x->place()), spelling(x->type.shape[0]), spelling(x->type.shape[1])));
  return false;
}

std::optional<std::vector<Extent>> WindowReader::numbers(std::size_t argument, std::size_t axes,
                                                         std::int64_t least,
                                                         const std::vector<Extent>& otherwise) {
  const BuiltinArgument& given = call_.arguments[argument];
  if (!given.given) return otherwise;
  const std::string_view name = call_.builtin.parameters[argument].name;
  std::vector<Extent> result = given.extents;
  if (result.size() == 1) result.resize(axes, result.front());
  if (result.size() != axes) {
    context_.diagnostics.report(
        window_setting, given.location, call_.builtin.name,
        fmt::format("{} has {} for {} behind the channels", name, counted(result.size(), "number"),
                    axes == 1 ? "1 axis" : fmt::format("{} axes", axes)));
    return std::nullopt;
  }
  for (const Extent& each : result)
    if (const auto value = each.constant(); value && *value < least) {
      context_.diagnostics.report(window_setting, given.location, call_.builtin.name,
                                  fmt::format("{} is {}, expected at least {}", name, *value, least));
      return std::nullopt;
    }
  return result;
}

std::optional<std::vector<std::pair<Extent, Extent>>> WindowReader::padding(std::size_t argument,
                                                                            std::size_t axes) {
  const BuiltinArgument& given = call_.arguments[argument];
  if (!given.amounts.empty()) {
    if (given.amounts.size() == axes) return given.amounts;
    context_.diagnostics.report(window_setting, given.location, call_.builtin.name,
                                fmt::format("padding has {} for {} axes behind the channels",
                                            counted(given.amounts.size(), "pair"), axes));
    return std::nullopt;
  }
  std::vector<std::pair<Extent, Extent>> result;
  if (axes == 1 && given.extents.size() == 2) {  // one pair, before and after
    const auto both = numbers(argument, 2, 0, {});
    if (!both) return std::nullopt;
    return std::vector{std::pair((*both)[0], (*both)[1])};
  }
  const auto each = numbers(argument, axes, 0, std::vector<Extent>(axes, Extent(0)));
  if (!each) return std::nullopt;
  for (const Extent& amount : *each) result.emplace_back(amount, amount);
  return result;
}

std::optional<bool> WindowReader::constant(std::size_t argument, const std::vector<Extent>& numbers) {
  const auto free = std::ranges::find_if(numbers, [](const Extent& each) { return !each.constant(); });
  if (free == numbers.end()) return true;
  if (context_.net != nullptr && context_.net->sample) return false;
  context_.diagnostics
      .report(window_setting, place(argument), call_.builtin.name,
              fmt::format("{} is {}, which is not known when compiling",
                          call_.builtin.parameters[argument].name, spelling(*free)))
      .fix(fmt::format("give the dimension a value, dim {0} = 2, or compile with -D {0}=2", spelling(*free)));
  return std::nullopt;
}

bool WindowReader::fit(const Windows& windows, const Node* x) {
  for (std::size_t i = 0; i < windows.axes(); ++i) {
    const Extent& extent = x->type.shape[i + 2];
    const auto& [before, after] = windows.padding[i];
    const Extent padded = extent + before + after;
    const std::string window =
        fmt::format("{} of extent {} does not fit axis {}, which has extent {}{}",
                    windows.taps[i] == windows.span(i)
                        ? "a window"
                        : fmt::format("a window of {} taps, {} apart,", spelling(windows.taps[i]),
                                      spelling(windows.dilations[i])),
                    spelling(windows.span(i)), i + 2, spelling(extent),
                    padded == extent ? "" : fmt::format(", with padding {}", spelling(padded)));
    if (require_at_most(
            context_, windows.span(i), padded,
            fmt::format("a window of '{}' has extent {{left}}, and axis {} with its padding {{right}} ({})",
                        call_.builtin.name, i + 2, spelling(padded)),
            call_.location))
      continue;
    auto& report = context_.diagnostics.report(window_too_large, call_.location, call_.builtin.name,
                                               spelling(type_of(context_, x)), window);
    explain_value(context_, report, x, "the input");
    return false;
  }
  return true;
}

dlvm::Integers integers_of(const std::vector<Extent>& extents) {
  dlvm::Integers result;
  for (const Extent& each : extents) result.push_back(each.constant().value_or(1));
  return result;
}

Node* make_sample(BodyContext& context, const BuiltinCall& call, Shape shape) {
  if (!std::ranges::all_of(shape, &Extent::valid)) {
    context.diagnostics.report(extent_overflow, call.location);
    return nullptr;
  }
  Node node;
  node.opcode = dlvm::Opcode::convolve;  // like what it stands for, not elementwise
  node.location = call.location;
  node.type = {call.value(0)->type.element, std::move(shape)};
  for (const BuiltinArgument& argument : call.arguments)
    if (argument.value != nullptr) node.operands.push_back(argument.value);
  return add_node(context, std::move(node));
}

}  // namespace frontend::check
