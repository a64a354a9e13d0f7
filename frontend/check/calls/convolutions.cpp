// Convolution, and its transpose.
#include <fmt/format.h>

#include <numeric>

#include "frontend/check/calls/windows.h"
#include "frontend/check/diagnostics/window_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Integers;
using dlvm::Opcode;

enum Parameter : std::size_t { input, kernel_, stride, padding, dilation, groups, extra };

/// One call of `convolve` or `transposed_convolve`.
class Convolution {
 public:
  Convolution(BodyContext& context, const BuiltinCall& call)
      : context_(context),
        call_(call),
        reader_(context, call),
        x_(call.value(input)),
        k_(call.value(kernel_)) {}

  /// Reads and checks what `convolve` and `transposed_convolve` have in common.
  bool read(bool transposed) {
    if (!require_accepted(context_, Opcode::convolve, x_, call_.builtin.name, call_.location) ||
        !require_same_element(context_, x_, k_, call_.builtin.name, call_.location) ||
        !reader_.has_axes(x_, "the input") || !same_rank())
      return false;
    const std::size_t axes = x_->type.rank() - 2;
    const std::vector<Extent> ones(axes, Extent(1));
    auto strides = reader_.numbers(stride, axes, 1, ones),
         dilations = reader_.numbers(dilation, axes, 1, ones);
    auto pads = reader_.padding(padding, axes);
    const auto parts = reader_.numbers(groups, 1, 1, {Extent(1)});
    if (!strides || !dilations || !pads || !parts) return false;
    windows_.taps.assign(k_->type.shape.begin() + 2, k_->type.shape.end());
    windows_.strides = std::move(*strides);
    windows_.dilations = std::move(*dilations);
    windows_.padding = std::move(*pads);
    groups_ = parts->front();
    for (const auto& [argument, numbers] :
         {std::pair(stride, windows_.strides), {dilation, windows_.dilations}, {groups, *parts}}) {
      const auto constant = reader_.constant(argument, numbers);
      if (!constant) return false;
      windows_.constant = windows_.constant && *constant;
    }
    return divided(transposed ? "channels" : "filters") && channels_fit(transposed);
  }

  Node* convolve() {
    Shape shape{x_->type.shape[0], k_->type.shape[0]};
    if (!reader_.fit(windows_, x_)) return nullptr;
    for (std::size_t i = 0; i < windows_.axes(); ++i)
      shape.push_back(windows_.positions(i, x_->type.shape[i + 2]));
    if (!windows_.constant) return make_sample(context_, call_, std::move(shape));
    std::vector<dlvm::WindowAxis> axes;
    for (std::size_t i = 0; i < windows_.axes(); ++i)
      axes.push_back({x_->type.shape[i + 2], windows_.taps[i], *windows_.strides[i].constant(),
                      windows_.padding[i].first, windows_.padding[i].second, 1,
                      *windows_.dilations[i].constant()});
    return instruction(k_, axes);
  }

  // The input with stride - 1 zeros between its elements, convolved with the kernel turned around.
  Node* transposed() {
    const Extent channels = Extent::floor_divide(k_->type.shape[0], groups_);
    k_ = with_extent(k_, 0, groups_ * channels);
    x_ = with_extent(x_, 1, groups_ * channels);
    if (k_ == nullptr || x_ == nullptr) return nullptr;
    const auto more =
        reader_.numbers(extra, windows_.axes(), 0, std::vector<Extent>(windows_.axes(), Extent(0)));
    if (!more) return nullptr;
    std::vector<dlvm::WindowAxis> axes;
    Shape shape{x_->type.shape[0], groups_ * k_->type.shape[1]};
    for (std::size_t i = 0; i < windows_.axes(); ++i) {
      const Extent& extent = x_->type.shape[i + 2];
      const auto& [before, after] = windows_.padding[i];
      const Extent around = windows_.span(i) - 1;
      shape.push_back((extent - 1) * windows_.strides[i] + windows_.span(i) - before - after + (*more)[i]);
      if (!has_positions(shape.back(), i)) return nullptr;
      axes.push_back({extent, windows_.taps[i], 1, around - before, around - after + (*more)[i],
                      windows_.strides[i].constant().value_or(1),
                      windows_.dilations[i].constant().value_or(1)});
    }
    if (!windows_.constant) return make_sample(context_, call_, std::move(shape));
    return instruction(turned(), axes);
  }

 private:
  bool same_rank() {
    if (k_->type.rank() == x_->type.rank()) return true;
    auto& report = context_.diagnostics.report(
        window_operand, k_->location, call_.builtin.name,
        fmt::format("the kernel {} and the input {} have different numbers of axes",
                    spelling(type_of(context_, k_)), spelling(type_of(context_, x_))));
    explain(report);
    return false;
  }

  void explain(dlvm::Diagnostic& report) {
    explain_value(context_, report, x_, "the input");
    explain_value(context_, report, k_, "the kernel");
  }

  dlvm::Diagnostic& report_channels(const std::string& text) {
    auto& report =
        context_.diagnostics.report(convolution_channels, call_.location, call_.builtin.name,
                                    spelling(type_of(context_, x_)), spelling(type_of(context_, k_)), text);
    explain(report);
    return report;
  }

  /// The groups divide the kernel's first axis.
  bool divided(std::string_view what) {
    const Extent& first = k_->type.shape[0];
    const Extent whole = Extent::floor_divide(first, groups_) * groups_;
    const auto explanation = [&](dlvm::Diagnostic& report) { explain(report); };
    if (require_equal(context_, whole, first,
                      fmt::format("'{}' with {} groups needs a multiple of them of {}, not {{right}}",
                                  call_.builtin.name, spelling(groups_), what),
                      call_.location, explanation))
      return true;
    report_channels(
        fmt::format("{} {} do not divide into {} groups", spelling(first), what, spelling(groups_)));
    return false;
  }

  bool channels_fit(bool transposed) {
    const Extent& have = x_->type.shape[1];
    const Extent want = transposed ? k_->type.shape[0] : groups_ * k_->type.shape[1];
    const auto explanation = [&](dlvm::Diagnostic& report) { explain(report); };
    const std::string factor =
        transposed || groups_.is(1) ? "" : fmt::format(" in {} groups", spelling(groups_));
    if (!require_equal(
            context_, want, have,
            fmt::format("the kernel of '{}' has {{left}} channels{}, and the input {{right}} ({} and {})",
                        call_.builtin.name, factor, spelling(want), spelling(have)),
            call_.location, explanation)) {
      auto& report = report_channels(fmt::format("{} channels against {}{}", spelling(have),
                                                 spelling(k_->type.shape[transposed ? 0 : 1]), factor));
      suggest(report, transposed);
      return false;
    }
    x_ = with_extent(x_, 1, want);
    return x_ != nullptr;
  }

  /// A kernel with its first axes swapped, the number of groups that fits the kernel, or a kernel that fits
  /// the input.
  void suggest(dlvm::Diagnostic& report, bool transposed) {
    const Shape& kernel = k_->type.shape;
    const Extent& channels = x_->type.shape[1];
    if (groups_.is(1) && kernel[transposed ? 1 : 0] == channels) {
      std::string order = "1, 0";
      for (std::size_t i = 2; i < kernel.size(); ++i) order += fmt::format(", {}", i);
      report.fix(fmt::format("swap the filters and the channels of the kernel: transpose({}, [{}])",
                             quoted(k_->place(), "..."), order));
      return;
    }
    const auto groups = Extent::exact_divide(channels, kernel[1]);
    if (!transposed && groups && groups->constant() &&
        Extent::floor_divide(kernel[0], *groups) * *groups == kernel[0])
      return void(report.fix(fmt::format("for filters that see {} of the channels each: groups: {}",
                                         spelling(kernel[1]), spelling(*groups))));
    if (!groups_.is(1) || !channels.constant()) return;
    Shape fitting = kernel;
    fitting[transposed ? 0 : 1] = channels;
    report.fix(fmt::format("a kernel for {} channels is {}", spelling(channels), spelling(fitting)));
  }

  bool has_positions(const Extent& positions, std::size_t axis) {
    if (require_at_most(
            context_, Extent(0), positions,
            fmt::format("'{}' leaves {{right}} elements of axis {}", call_.builtin.name, axis + 2),
            call_.location))
      return true;
    context_.diagnostics.report(
        window_setting, call_.arguments[padding].location, call_.builtin.name,
        fmt::format("the padding leaves {} elements of axis {}", spelling(positions), axis + 2));
    return false;
  }

  Node* apply(Opcode opcode, Node* x, std::vector<dlvm::Attribute> attributes) {
    return x == nullptr ? nullptr
                        : make_operation(context_, opcode, {x}, std::move(attributes), call_.location);
  }

  /// The kernel [G*C x F x taps] as [G*F x C x taps], with the taps backwards.
  Node* turned() {
    const Shape& shape = k_->type.shape;
    const std::size_t rank = shape.size();
    const Extent channels = Extent::floor_divide(shape[0], groups_);
    Shape split{groups_, channels}, joined{groups_ * shape[1], channels};
    split.insert(split.end(), shape.begin() + 1, shape.end());
    joined.insert(joined.end(), shape.begin() + 2, shape.end());
    Integers order(rank + 1), taps(rank - 2);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::swap(order[1], order[2]);
    std::iota(taps.begin(), taps.end(), std::int64_t{2});
    Node* k = apply(Opcode::transpose, make_reshape(context_, k_, std::move(split), call_.location), {order});
    return apply(Opcode::reverse, make_reshape(context_, k, std::move(joined), call_.location), {taps});
  }

  Node* instruction(Node* k, const std::vector<dlvm::WindowAxis>& axes) {
    if (k == nullptr) return nullptr;
    // The instruction wants filters that the groups provably divide.
    const Extent filters = k->type.shape[0];
    k = with_extent(k, 0, Extent::floor_divide(filters, groups_) * groups_);
    if (k == nullptr) return nullptr;
    const dlvm::WindowAttributes attributes(axes);
    Node* result = make_operation(
        context_, Opcode::convolve, {x_, k},
        {attributes.strides, attributes.padding, attributes.left_dilation, attributes.right_dilation,
         groups_.is(1) ? dlvm::Attribute() : dlvm::Attribute(Integers{*groups_.constant()})},
        call_.location);
    return result == nullptr ? nullptr : with_extent(result, 1, filters);
  }

  /// The same elements with this extent of an axis, which the module requires to be equal.
  Node* with_extent(Node* x, std::size_t axis, const Extent& extent) {
    if (x->type.shape[axis] == extent) return x;
    Shape shape = x->type.shape;
    shape[axis] = extent;
    return make_reshape(context_, x, std::move(shape), call_.location);
  }

  BodyContext& context_;
  const BuiltinCall& call_;
  WindowReader reader_;
  Node *x_, *k_;
  Windows windows_;
  Extent groups_;
};

}  // namespace

namespace make {

Node* convolve(BodyContext& context, const BuiltinCall& call) {
  Convolution convolution(context, call);
  return convolution.read(false) ? convolution.convolve() : nullptr;
}

Node* transposed_convolve(BodyContext& context, const BuiltinCall& call) {
  Convolution convolution(context, call);
  return convolution.read(true) ? convolution.transposed() : nullptr;
}

}  // namespace make
}  // namespace frontend::check
