// Reductions of windows: the largest, the smallest, the mean.
#include <fmt/format.h>

#include "frontend/check/calls/windows.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/diagnostics/window_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Integers;
using dlvm::Opcode;

enum Parameter : std::size_t { input, window, stride, padding, count_padding };

/// The number of taps of a window.
Extent taps_of(const Windows& windows) {
  Extent taps(1);
  for (const Extent& each : windows.taps) taps = taps * each;
  return taps;
}

/// The windows of the call: without a stride they lie side by side.
std::optional<Windows> windows_of(BodyContext& context, const BuiltinCall& call) {
  WindowReader reader(context, call);
  const Node* x = call.value(input);
  if (!reader.has_axes(x, "the input")) return std::nullopt;
  const std::size_t axes = x->type.rank() - 2;
  auto taps = reader.numbers(window, axes, 1, {});
  if (!taps) return std::nullopt;
  auto strides = reader.numbers(stride, axes, 1, *taps);
  auto pads = reader.padding(padding, axes);
  if (!strides || !pads) return std::nullopt;
  const auto known_taps = reader.constant(window, *taps);
  const auto known_strides = known_taps ? reader.constant(stride, *strides) : std::nullopt;
  if (!known_strides) return std::nullopt;
  Windows windows{std::move(*taps), std::move(*strides), std::vector<Extent>(axes, Extent(1)),
                  std::move(*pads), *known_taps && *known_strides};
  for (std::size_t i = 0; i < axes; ++i)
    for (const Extent& amount : {windows.padding[i].first, windows.padding[i].second})
      if (!require_at_most(context, amount, windows.taps[i] - 1,
                           fmt::format("'{}' with a padding of {{left}} has windows of nothing but padding",
                                       call.builtin.name),
                           call.location)) {
        context.diagnostics
            .report(window_setting, call.arguments[padding].location, call.builtin.name,
                    fmt::format("with a padding of {} some windows of {} have no element", spelling(amount),
                                spelling(windows.taps[i])))
            .fix(fmt::format("a padding is less than the window: at most {}", spelling(windows.taps[i] - 1)));
        return std::nullopt;
      }
  if (!reader.fit(windows, x)) return std::nullopt;
  if (!taps_of(windows).valid()) {
    context.diagnostics.report(extent_overflow, call.location);
    return std::nullopt;
  }
  return windows;
}

Shape result_shape(const Windows& windows, const Shape& shape) {
  Shape result{shape[0], shape[1]};
  for (std::size_t i = 0; i < windows.axes(); ++i) result.push_back(windows.positions(i, shape[i + 2]));
  return result;
}

Node* reduce_windows(BodyContext& context, Node* x, Opcode opcode, const Windows& windows,
                     Location location) {
  if (x == nullptr) return nullptr;
  Node initial;
  initial.kind = Node::Kind::identity;
  initial.opcode = opcode;
  initial.type.element = x->type.element;
  initial.location = location;
  std::vector<dlvm::WindowAxis> axes{{x->type.shape[0], 1, 1, 0, 0}, {x->type.shape[1], 1, 1, 0, 0}};
  for (std::size_t i = 0; i < windows.axes(); ++i)
    axes.push_back({x->type.shape[i + 2], windows.taps[i], *windows.strides[i].constant(),
                    windows.padding[i].first, windows.padding[i].second});
  Integers dims{1, 1};
  for (const std::int64_t taps : integers_of(windows.taps)) dims.push_back(taps);
  const dlvm::WindowAttributes attributes(axes);
  return make_operation(context, Opcode::reduceWindow, {x, add_node(context, std::move(initial))},
                        {dlvm::Combinator{opcode, nullptr}, std::move(dims), attributes.strides,
                         attributes.padding, attributes.left_dilation},
                        location);
}

bool is_padded(const Windows& windows) {
  for (const auto& [before, after] : windows.padding)
    if (!before.is(0) || !after.is(0)) return true;
  return false;
}

/// How many elements each window has: of its taps, or of those that are not padding.
Node* elements_of(BodyContext& context, const BuiltinCall& call, const Node* x, const Windows& windows) {
  const BuiltinArgument& counted = call.arguments[count_padding];
  if (!is_padded(windows) || !counted.given || counted.flag)
    return make_extent_value(context, taps_of(windows), call.location, x->type.element);
  Shape shape = x->type.shape;
  shape[0] = shape[1] = Extent(1);
  Node* ones = make_broadcast(context, make_constant(context, 1, x->type.element, call.location),
                              std::move(shape), call.location);
  return reduce_windows(context, ones, Opcode::add, windows, call.location);
}

}  // namespace

namespace make {

Node* extreme_pool(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(input);
  if (!require_accepted(context, call.builtin.opcode, x, call.builtin.name, call.location)) return nullptr;
  const auto windows = windows_of(context, call);
  if (!windows) return nullptr;
  if (!windows->constant) return make_sample(context, call, result_shape(*windows, x->type.shape));
  return reduce_windows(context, x, call.builtin.opcode, *windows, call.location);
}

// 16-bit floats are added as float32, in which the sum does not overflow.
Node* avg_pool(BodyContext& context, const BuiltinCall& call) {
  Node* x = call.value(input);
  if (!require_accepted(context, Opcode::exp, x, call.builtin.name, call.location)) return nullptr;
  const auto windows = windows_of(context, call);
  if (!windows) return nullptr;
  if (!windows->constant) return make_sample(context, call, result_shape(*windows, x->type.shape));
  default_to(context, x, own_element(context));
  const ElementType element = resolved(context, x->type.element).type;
  if (dlvm::info(element).bytes == 2) x = make_conversion(context, x, ElementType::f32, call.location);
  Node* sum = reduce_windows(context, x, Opcode::add, *windows, call.location);
  Node* mean = make_elementwise(context, Opcode::divide, sum, elements_of(context, call, x, *windows),
                                call.builtin.name, call.location);
  return make_conversion(context, mean, element, call.location);
}

}  // namespace make
}  // namespace frontend::check
