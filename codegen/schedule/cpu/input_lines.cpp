#include "codegen/schedule/cpu/input_lines.h"

#include <algorithm>

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;

using AxisList = std::vector<const Axis*>;

const Axis* find(const AxisList& axes, AxisId id) {
  const auto found = std::ranges::find(axes, id, [](const Axis* axis) { return axis->id; });
  return found == axes.end() ? nullptr : *found;
}

/// Whether the index is a sum of multiples of axes by constants.
bool is_sum(const Index& index) {
  return index.constant.constant() && std::ranges::all_of(index.terms, [](const Index::Term& term) {
           return std::holds_alternative<AxisId>(term.atom) && term.coefficient.constant();
         });
}

bool has_any(const Index& index, const AxisList& axes) {
  return std::ranges::any_of(kernel::axes_of(index), [&](AxisId id) { return find(axes, id) != nullptr; });
}

/// Returns the axis of the copy along which it has what `inside` reads at any position.
std::optional<InputLines::CopyAxis> copied(std::size_t dimension, const Index& index,
                                           const AxisList& inside) {
  InputLines::CopyAxis axis{dimension, {}, constant_index(index.constant), 1};
  for (const Index::Term& term : index.terms) {
    const Axis* own = find(inside, std::get<AxisId>(term.atom));
    const Index summand = variable(std::get<AxisId>(term.atom)) * term.coefficient;
    if (own == nullptr) {
      axis.from = axis.from + summand;
      continue;
    }
    const auto extent = own->extent.constant();
    if (!extent || *extent < 1) return std::nullopt;
    const std::int64_t reach = *term.coefficient.constant() * (*extent - 1),
                       lowest = std::min<std::int64_t>(reach, 0);
    axis.at = axis.at + summand + constant_index(-lowest);
    axis.from = axis.from + constant_index(lowest);
    axis.extent += std::abs(reach);
  }
  return axis;
}

/// Makes the lines of one operand.
class Finder {
 public:
  Finder(const Access& access, const std::vector<Bound>& bounds, const ProductAxes& axes)
      : access_(access), bounds_(bounds), axes_(axes), line_{axes.n.axes.back()} {}

  std::optional<InputLines> run() {
    if (!std::ranges::all_of(access_.indices, is_sum) || !are_known(line_) || !are_known(axes_.k.axes))
      return {};
    for (std::size_t i = 0; i + 1 < axes_.n.axes.size(); ++i)
      (is_windowed(axes_.n.axes[i]) ? result_.lines : result_.around).push_back(axes_.n.axes[i]);
    inside_ = axes_.k.axes;
    inside_.insert(inside_.end(), result_.lines.begin(), result_.lines.end());
    inside_.push_back(line_.front());
    std::size_t bounds = 0;
    for (std::size_t d = 0; d < access_.indices.size(); ++d)
      if (has_any(access_.indices[d], inside_) && !add(d, bounds)) return {};
    if (bounds != bounds_.size() || !has_line_) return {};
    for (const Axis* axis : axes_.k.axes) {
      const auto chooses = [&](const Bound& bound) { return has_any(bound.index, {axis}); };
      (std::ranges::any_of(result_.line_bounds, chooses) ? result_.choice : result_.terms).push_back(axis);
    }
    if (result_.terms.empty()) return {};
    return std::move(result_);
  }

 private:
  static bool are_known(const AxisList& axes) {
    return std::ranges::all_of(axes,
                               [](const Axis* axis) { return axis->extent.constant().value_or(0) > 0; });
  }
  bool is_windowed(const Axis* axis) const {
    return std::ranges::any_of(access_.indices, [&](const Index& index) {
      return has_any(index, {axis}) && (has_any(index, axes_.k.axes) || has_any(index, line_));
    });
  }

  /// Adds the dimension to the copy, and counts the bounds that are its own.
  bool add(std::size_t dimension, std::size_t& bounds) {
    const Index& index = access_.indices[dimension];
    const auto bound = std::ranges::find(bounds_, index, &Bound::index);
    bounds += static_cast<std::size_t>(std::ranges::count(bounds_, index, &Bound::index));
    if (has_any(index, line_)) {
      const auto step = stride(index, line_.front()->id);
      if (dimension + 1 != access_.indices.size() || !step || !step->is(1) || has_any(index, result_.lines))
        return false;
      has_line_ = true;
      if (bound != bounds_.end()) result_.bound = *bound;
    } else if (bound != bounds_.end()) {
      result_.line_bounds.push_back(*bound);
      const bool is_all = std::ranges::all_of(kernel::axes_of(index),
                                              [&](AxisId id) { return find(inside_, id) != nullptr; });
      const auto end = bound->end.constant();
      if (is_all && end) result_.axes.push_back({dimension, index, {}, *end});
      return is_all && end;
    }
    auto axis = copied(dimension, index, inside_);
    if (axis) result_.axes.push_back(std::move(*axis));
    return axis.has_value();
  }

  const Access& access_;
  const std::vector<Bound>& bounds_;
  const ProductAxes& axes_;
  const AxisList line_;
  AxisList inside_;
  InputLines result_;
  bool has_line_ = false;
};

}  // namespace

std::int64_t InputLines::size() const {
  std::int64_t size = 1;
  for (const CopyAxis& axis : axes) size *= axis.extent;
  return size;
}

std::optional<InputLines> input_lines(const kernel::Stage& stage, const ProductAxes& axes) {
  const auto& right = std::get<Scalar::Load>(stage.body[stage.contraction->right].definition);
  return Finder(right.access, right.bounds, axes).run();
}

}  // namespace codegen::schedule::cpu
