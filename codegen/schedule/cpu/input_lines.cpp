#include "codegen/schedule/cpu/input_lines.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;

using AxisList = std::vector<const Axis*>;

const Axis* find(const AxisList& axes, AxisId id) {
  const auto found = std::ranges::find(axes, id, [](const Axis* axis) { return axis->id; });
  return found == axes.end() ? nullptr : *found;
}

/// Returns whether the index is a sum of multiples of axes by constants.
bool is_sum(const Index& index) {
  return index.constant.constant() && std::ranges::all_of(index.terms, [](const Index::Term& term) {
           return std::holds_alternative<AxisId>(term.atom) && term.coefficient.constant();
         });
}

bool has_any(const Index& index, const AxisList& axes) {
  return std::ranges::any_of(kernel::axes_of(index), [&](AxisId id) { return find(axes, id) != nullptr; });
}

/// Returns the largest number by which all steps of the axes along the index can be divided; 1 if there are
/// none.
std::int64_t common_step(const Index& index, const AxisList& inside) {
  std::int64_t step = 0;
  for (const Index::Term& term : index.terms)
    if (find(inside, std::get<AxisId>(term.atom)) != nullptr)
      step = std::gcd(step, *term.coefficient.constant());
  return std::max<std::int64_t>(step, 1);
}

/// Returns the axis of the copy along which it has what `inside` reads at any position, each `step`-th
/// element.
std::optional<InputLines::CopyAxis> copied(std::size_t dimension, const Index& index, const AxisList& inside,
                                           std::int64_t step) {
  InputLines::CopyAxis axis{dimension, {}, constant_index(index.constant), 1, std::nullopt, step};
  for (const Index::Term& term : index.terms) {
    const Axis* own = find(inside, std::get<AxisId>(term.atom));
    if (own == nullptr) {
      axis.from = axis.from + variable(std::get<AxisId>(term.atom)) * term.coefficient;
      continue;
    }
    const auto extent = own->extent.constant();
    if (!extent || *extent < 1) return std::nullopt;
    const std::int64_t coefficient = *term.coefficient.constant() / step, reach = coefficient * (*extent - 1),
                       lowest = std::min<std::int64_t>(reach, 0);
    axis.at = axis.at + variable(own->id) * Extent(coefficient) + constant_index(-lowest);
    axis.from = axis.from + constant_index(lowest * step);
    axis.extent += std::abs(reach);
  }
  return axis;
}

/// Makes the lines of one operand.
class Finder {
 public:
  /// `pixels`: the lines are those of `pixel_lines`.
  Finder(const Scalar::Load& load, const AxisGroup& n, const AxisGroup& k, LineCopy copy, bool pixels)
      : access_(load.access),
        bounds_(load.bounds),
        n_(n.axes),
        k_(k.axes),
        line_{n_.back()},
        copy_(copy),
        pixels_(pixels) {}

  std::optional<InputLines> run() {
    if (!std::ranges::all_of(access_.indices, is_sum) || !are_known(line_) || !are_known(k_)) return {};
    for (std::size_t i = 0; i + 1 < n_.size(); ++i)
      (pixels_ || is_windowed(n_[i]) ? result_.lines : result_.around).push_back(n_[i]);
    if (!are_known(result_.lines)) return {};
    inside_ = k_;
    inside_.insert(inside_.end(), result_.lines.begin(), result_.lines.end());
    inside_.push_back(line_.front());
    std::size_t bounds = 0;
    for (std::size_t d = 0; d < access_.indices.size(); ++d)
      if (has_any(access_.indices[d], inside_) && !add(d, bounds)) return {};
    if (bounds != bounds_.size() || !has_line_) return {};
    for (const Axis* axis : k_) {
      const auto chooses = [&](const Bound& bound) { return has_any(bound.index, {axis}); };
      (std::ranges::any_of(result_.line_bounds, chooses) ? result_.choice : result_.terms).push_back(axis);
    }
    if (result_.terms.empty()) return {};
    result_.line = line_;
    if (copy_ == LineCopy::dense && !make_dense()) return {};
    if (pixels_) join_lines();
    return std::move(result_);
  }

 private:
  static bool are_known(const AxisList& axes) {
    return std::ranges::all_of(axes,
                               [](const Axis* axis) { return axis->extent.constant().value_or(0) > 0; });
  }
  bool is_windowed(const Axis* axis) const {
    return std::ranges::any_of(access_.indices, [&](const Index& index) {
      return has_any(index, {axis}) && (has_any(index, k_) || has_any(index, line_));
    });
  }

  /// Adds the dimension to the copy, and counts the bounds that are its own.
  bool add(std::size_t dimension, std::size_t& bounds) {
    const Index& index = access_.indices[dimension];
    const auto bound = std::ranges::find(bounds_, index, &Bound::index);
    bounds += static_cast<std::size_t>(std::ranges::count(bounds_, index, &Bound::index));
    if (has_any(index, line_)) {
      const auto step = stride(index, line_.front()->id);
      if (dimension + 1 != access_.indices.size() || !step || has_any(index, result_.lines)) return false;
      if (pixels_ ? *step->constant() < 1 : !step->is(1)) return false;
      has_line_ = true;
    } else if (bound != bounds_.end() && copy_ == LineCopy::inside) {
      result_.line_bounds.push_back(*bound);
      const bool is_all = std::ranges::all_of(kernel::axes_of(index),
                                              [&](AxisId id) { return find(inside_, id) != nullptr; });
      const auto end = bound->end.constant();
      if (is_all && end) result_.axes.push_back({dimension, index, {}, *end, std::nullopt});
      return is_all && end;
    }
    auto axis = copied(dimension, index, inside_, pixels_ ? common_step(index, inside_) : 1);
    if (!axis) return false;
    if (bound != bounds_.end()) axis->end = bound->end;
    result_.axes.push_back(std::move(*axis));
    return true;
  }

  /// Makes an axis of the copy of the only axis of k that is a position along the line, so that the copy's
  /// lines are those of n, and joins them to one line.
  bool make_dense() {
    AxisList& lines = result_.lines;
    if (lines.empty() || lines.back() != n_[n_.size() - 2] || result_.axes.size() < 2) return false;
    const Index& before = result_.axes[result_.axes.size() - 2].at;
    if (stride(before, lines.back()->id) != Extent(1)) return false;
    InputLines::CopyAxis &line = result_.axes.back(), window = line;
    if (line.at.terms.size() != 2 || stride(line.at, line_.front()->id) != Extent(1)) return false;
    for (const Index::Term& term : line.at.terms)
      if (const Axis* axis = find(k_, std::get<AxisId>(term.atom)); axis != nullptr) {
        window.step = *term.coefficient.constant() * line.step;
        window.at = variable(axis->id);
        window.extent = *axis->extent.constant();
      }
    window.from = constant_index(0);
    window.end.reset();
    line.from = line.from + constant_index(line.at.constant * Extent(line.step));
    line.at = variable(line_.front()->id);
    line.extent = *line_.front()->extent.constant();
    result_.line.insert(result_.line.begin(), lines.back());
    lines.pop_back();
    result_.axes.insert(result_.axes.begin(), std::move(window));
    return true;
  }

  /// Joins lines of the copy that adjoin, and of which the result has all, to one line.
  void join_lines() {
    const auto is_whole = [&](std::size_t axis) {
      const Axis* of = result_.line.front();
      return result_.axes[axis].at == variable(of->id) && of->extent.is(result_.axes[axis].extent);
    };
    const std::size_t joined = result_.line.size() - 1;
    for (std::size_t axis = result_.axes.size() - 1 - joined; axis > 0 && is_whole(axis); --axis) {
      if (result_.lines.empty() || stride(result_.axes[axis - 1].at, result_.lines.back()->id) != Extent(1))
        return;
      result_.line.insert(result_.line.begin(), result_.lines.back());
      result_.lines.pop_back();
    }
  }

  const Access& access_;
  const std::vector<Bound>& bounds_;
  const AxisList &n_, &k_;
  const AxisList line_;
  LineCopy copy_;
  bool pixels_;
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

double InputLines::share_in_memory() const {
  double share = 1;
  for (const Bound& bound : line_bounds) {
    // How many points have each value of the index.
    std::map<std::int64_t, std::int64_t> points{{*bound.index.constant.constant(), 1}};
    for (const Index::Term& term : bound.index.terms) {
      const AxisId id = std::get<AxisId>(term.atom);
      const Axis* axis = find(lines, id) != nullptr ? find(lines, id) : find(choice, id);
      std::map<std::int64_t, std::int64_t> next;
      for (const auto& [value, count] : points)
        for (std::int64_t i = 0; i < *axis->extent.constant(); ++i)
          next[value + i * *term.coefficient.constant()] += count;
      points = std::move(next);
    }
    double inside = 0, all = 0;
    for (const auto& [value, count] : points) {
      all += static_cast<double>(count);
      if (value >= 0 && value < *bound.end.constant()) inside += static_cast<double>(count);
    }
    share *= inside / all;
  }
  return share;
}

std::vector<const Axis*> InputLines::even_terms() const {
  AxisList even;
  for (std::size_t i = 0; i + 2 < axes.size(); ++i) {
    const auto is_axis = [&](const Axis* term) {
      return axes[i].at == variable(term->id) && term->extent.is(axes[i].extent);
    };
    const auto found = std::ranges::find_if(terms, is_axis);
    if (found == terms.end()) return {even.begin(), even.begin() + (even.empty() ? 0 : 1)};
    even.push_back(*found);
  }
  return even;
}

std::optional<InputLines::Sliding> InputLines::sliding() const {
  for (std::size_t i = axes.size() - 1; i-- > 0;) {
    const Index& at = axes[i].at;
    const auto first = at.constant.constant();
    if (at.terms.size() != 2 || !first) continue;
    const auto axis_of = [&](const AxisList& list) {
      for (const Axis* axis : list)
        if (has_any(at, {axis})) return axis;
      return static_cast<const Axis*>(nullptr);
    };
    const Axis *line = axis_of(lines), *term = axis_of(terms);
    if (term == nullptr) term = axis_of(choice);
    if (line == nullptr || term == nullptr || !stride(at, line->id)->is(1)) continue;
    const std::int64_t step = *stride(at, term->id)->constant(),
                       reach = step * (*term->extent.constant() - 1);
    const Sliding result{
        line, term, std::abs(step), axes[i].extent, *first + std::max<std::int64_t>(reach, 0), step > 0};
    const auto all = line->extent.constant();
    if (all && result.before >= 0 && *all + result.before <= result.result_lines()) return result;
  }
  return std::nullopt;
}

std::optional<InputLines> input_lines(const kernel::Stage& stage, const AxisGroup& n, const AxisGroup& k,
                                      LineCopy copy) {
  const auto& right = std::get<Scalar::Load>(stage.body[stage.contraction->right].definition);
  return Finder(right, n, k, copy, false).run();
}

std::optional<InputLines> pixel_lines(const kernel::Stage& stage, const AxisGroup& n, const AxisGroup& k,
                                      LineCopy copy) {
  const auto& right = std::get<Scalar::Load>(stage.body[stage.contraction->right].definition);
  return Finder(right, n, k, copy, true).run();
}

}  // namespace codegen::schedule::cpu
