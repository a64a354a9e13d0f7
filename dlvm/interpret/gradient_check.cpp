#include "dlvm/interpret/gradient_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dlvm/interpret/differentiated.h"
#include "dlvm/interpret/elements.h"
#include "dlvm/interpret/random_inputs.h"

namespace dlvm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int redraws = 10;

/// Where inputs are drawn: the first of these where everything is finite (1.1 upto 2 is for acosh).
constexpr Interval intervals[]{{-2, 2}, {-0.9, 0.9}, {0.1, 0.9}, {1.1, 2}};
/// Free dimensions: the first of these with which every extent fits.
constexpr std::int64_t extents_tried[]{3, 5, 8, 2, 12, 1, 20, 32};

std::string position(const Tensor& tensor, std::size_t i) {
  std::vector<std::int64_t> at;
  auto rest = static_cast<std::int64_t>(i);
  for (const auto stride : evaluation::strides_of(tensor.extents())) {
    at.push_back(stride == 0 ? 0 : rest / stride);
    rest -= at.back() * stride;
  }
  return fmt::format("[{}]", fmt::join(at, ", "));
}

/// Elements of an argument, and how far each moves.
using Direction = std::vector<std::pair<std::size_t, double>>;

/// One entry point at one point: its derivatives there, and differences around it.
class Point {
 public:
  Point(const Differentiated& function, const EntryCall& call)
      : function_(function), dimensions_(call.dimensions), arguments_(function.arguments(call)) {
    for (RuntimeValue& argument : arguments_)
      if (is_floating(argument.tensor().element()))
        argument = evaluation::converted(argument.tensor(), ElementType::f64);
  }

  /// Computes value and derivatives; false, and why, where that fails.
  bool evaluate(std::string& why) {
    detached_.clear();
    outputs_ = false;
    base_ = function_.value(arguments_, dimensions_, detached_, false, false);
    if (base_.error.empty() && !all_finite(base_.terms) && function_.has_outputs()) {
      outputs_ = true;
      detached_.clear();
      base_ = function_.value(arguments_, dimensions_, detached_, false, true);
    }
    const auto results = function_.derivative(arguments_, dimensions_);
    if (!base_.error.empty() || !results) {
      why = base_.error.empty() ? results.error->text : base_.error;
      return false;
    }
    derivatives_.clear();
    for (const auto& derivative : function_.derivatives())
      derivatives_.push_back(evaluation::reals(results.value.elements()[derivative.result].tensor()));
    return true;
  }

  bool value_is_finite() const { return all_finite(base_.terms); }
  bool is_finite() const { return value_is_finite() && std::ranges::all_of(derivatives_, all_finite); }
  /// Of all finite derivatives.
  double largest() const {
    double largest = 0;
    for (const auto& derivative : derivatives_)
      for (const double x : derivative)
        if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    return largest;
  }
  const std::vector<double>& derivative(std::size_t i) const { return derivatives_[i]; }
  const Tensor& argument(std::size_t i) const { return arguments_[i].tensor(); }
  void set_element(std::size_t argument, std::size_t element, double value) {
    Tensor tensor = arguments_[argument].tensor();
    tensor.set(element, value);
    arguments_[argument] = std::move(tensor);
  }

  struct Difference {
    double value = 0, noise = 0;  ///< the difference, and how far rounding may have moved it
    bool kink = false;            ///< some choice changes on the way: there is no derivative to compare with
  };

  /// The derivative along `direction` of `argument`, by central differences at h and 2h, extrapolated: the
  /// error is of order h^4. Terms that are not finite here are left out.
  Difference difference(std::size_t argument, const Direction& direction, double h) {
    std::vector<double> values[4];
    const double steps[]{-2 * h, -h, h, 2 * h};
    for (int k = 0; k < 4; ++k) {
      auto moved = arguments_;
      Tensor tensor = arguments_[argument].tensor();
      for (const auto& [element, amount] : direction)
        tensor.set(element, tensor.real(element) + steps[k] * amount);
      moved[argument] = std::move(tensor);
      auto there = function_.value(moved, dimensions_, detached_, true, outputs_);
      if (!there.error.empty() || there.decisions != base_.decisions) return {0, 0, true};
      values[k] = std::move(there.terms);
    }
    double narrow = 0, wide = 0, magnitude = 0;
    for (std::size_t i = 0; i < base_.terms.size(); ++i) {
      if (!std::isfinite(base_.terms[i])) continue;
      narrow += (values[2][i] - values[1][i]) / (2 * h);
      wide += (values[3][i] - values[0][i]) / (4 * h);
      magnitude += std::fabs(base_.terms[i]);
    }
    if (!std::isfinite(narrow) || !std::isfinite(wide)) return {0, 0, true};
    return {(4 * narrow - wide) / 3, 32 * epsilon * magnitude / h, false};
  }

 private:
  static bool all_finite(const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  }

  const Differentiated& function_;
  Extent::Bindings dimensions_;
  std::vector<RuntimeValue> arguments_;
  Differentiated::Value base_;
  bool outputs_ = false;
  std::vector<RuntimeValue> detached_;
  std::vector<std::vector<double>> derivatives_;
};

class EntryChecker {
 public:
  EntryChecker(const Module& expanded, const Module& declared, const EntryPoint& entry,
               const GradientCheckOptions& options, GradientCheck& check)
      : expanded_(expanded),
        entry_(entry),
        function_(expanded, declared, entry),
        options_(options),
        check_(check),
        draw_(options.given.seed) {}

  void run() {
    std::string why = function_.problem();
    auto point = why.empty() ? find_point(why) : std::nullopt;
    if (!point) {
      check_.errors.push_back(fmt::format("{}: {}", entry_.name, why));
      return;
    }
    for (std::size_t i = 0; i < function_.derivatives().size(); ++i) check_derivative(*point, i);
  }

 private:
  /// A point where value and derivatives are finite; where there is none, one where some are.
  std::optional<Point> find_point(std::string& why) {
    std::optional<Point> partly;
    for (const std::int64_t extent : extents_tried)
      for (const double wobble : {0.1, 0.0})
        for (const Interval interval : intervals) {
          auto call = random_call(expanded_, entry_, options_.given, extent, interval, draw_, why, wobble);
          if (!call) break;
          Point point(function_, *call);
          if (!point.evaluate(why)) break;
          if (point.is_finite()) return point;
          if (!partly && (point.value_is_finite() || function_.has_outputs())) partly.emplace(std::move(point));
          why = "no point was found where the value is finite; give inputs";
        }
    return partly;
  }

  void check_derivative(Point& point, std::size_t derivative) {
    const auto& [name, argument, result] = function_.derivatives()[derivative];
    GradientCheckRow row{entry_.name, name, point.argument(argument).size(), 0, 0, 0, 0, ""};
    if (row.elements <= options_.elements) {
      for (std::size_t i = 0; i < row.elements; ++i) check_element(point, derivative, i, row);
    } else {
      for (std::size_t k = 0; k < options_.elements; ++k)
        check_element(point, derivative,
                      static_cast<std::size_t>(draw_.integer(0, static_cast<std::int64_t>(row.elements))),
                      row);
      check_direction(point, derivative, row);
    }
    check_.rows.push_back(std::move(row));
  }

  bool is_given(const std::string& name) const {
    const auto has = [&](const NamedTensors& tensors) {
      return std::ranges::any_of(tensors, [&](const NamedTensor& tensor) { return tensor.name == name; });
    };
    return has(options_.given.inputs) || (options_.given.weights && has(*options_.given.weights));
  }

  void check_element(Point& point, std::size_t derivative, std::size_t element, GradientCheckRow& row) {
    const auto& [name, argument, result] = function_.derivatives()[derivative];
    const double original = point.argument(argument).real(element);
    std::string why;
    for (int attempt = 0; attempt < redraws; ++attempt) {
      const double g = point.derivative(derivative)[element];
      if (!std::isfinite(g) && !point.value_is_finite()) break;  // of a term that is not finite itself
      const bool compared = compare(point, argument, {{element, 1.0}}, g,
                                    "at " + position(point.argument(argument), element), row);
      if (compared)
        ++row.checked;
      else
        ++row.kinks;
      if (compared || is_given(name)) {
        if (attempt > 0) restore(point, argument, element, original);
        row.skipped += compared ? 0 : 1;
        return;
      }
      point.set_element(argument, element, original + draw_.real(-0.5, 0.5));
      if (!point.evaluate(why)) break;
    }
    ++row.skipped;
    restore(point, argument, element, original);
  }

  static void restore(Point& point, std::size_t argument, std::size_t element, double value) {
    std::string why;
    point.set_element(argument, element, value);
    point.evaluate(why);
  }

  void check_direction(Point& point, std::size_t derivative, GradientCheckRow& row) {
    const double length = 1 / std::sqrt(static_cast<double>(row.elements));
    for (int attempt = 0; attempt < redraws; ++attempt) {
      Direction direction;
      double along = 0;
      for (std::size_t i = 0; i < row.elements; ++i) {
        direction.emplace_back(i, draw_.integer(0, 2) == 0 ? length : -length);
        along += direction.back().second * point.derivative(derivative)[i];
      }
      if (!std::isfinite(along) && !point.value_is_finite()) break;
      const std::size_t argument = function_.derivatives()[derivative].argument;
      if (compare(point, argument, direction, along, "along a random direction", row)) return;
      ++row.kinks;
    }
    ++row.skipped;
  }

  /// Compares `g` with differences of ever smaller steps until one agrees. False where there is a kink.
  bool compare(Point& point, std::size_t argument, const Direction& direction, double g,
               const std::string& place, GradientCheckRow& row) {
    const double size =
        direction.size() == 1 ? std::fabs(point.argument(argument).real(direction[0].first)) : 1;
    double best = infinity, best_value = 0;
    bool smooth = false;
    for (const double step : {1e-3, 1e-4, 1e-5, 1e-6}) {
      const auto d = point.difference(argument, direction, step * std::max(size, 0.1));
      if (d.kink) continue;
      const double allowed = options_.tolerance * (std::fabs(g) + point.largest()) + d.noise;
      const double error = std::fabs(g - d.value);
      const double ratio = error == 0 ? 0 : std::isfinite(error) && allowed > 0 ? error / allowed : infinity;
      if (ratio < best || !smooth) best_value = d.value;
      smooth = true;
      best = std::min(best, ratio);
      if (best <= 1) break;
    }
    if (!smooth) return false;
    if (best > row.worst_ratio) {
      row.worst_ratio = best;
      row.worst = fmt::format("{}: derivative {}, difference {}", place, g, best_value);
    }
    return true;
  }

  const Module& expanded_;
  const EntryPoint& entry_;
  Differentiated function_;
  const GradientCheckOptions& options_;
  GradientCheck& check_;
  Draw draw_;
};

}  // namespace

bool GradientCheck::passed() const {
  return errors.empty() &&
         std::ranges::all_of(rows, [](const GradientCheckRow& row) { return row.agrees(); });
}

GradientCheck check_gradients(const Module& expanded, const Module& declared,
                              const GradientCheckOptions& options) {
  GradientCheck check;
  for (const EntryPoint& entry : expanded.entries) {
    const bool differentiates = std::ranges::any_of(
        entry.results, [](const auto& result) { return result.role == ResultRole::derivative; });
    std::string why;
    if (!differentiates) continue;
    if (find_entry(expanded, entry.name, why) == nullptr)
      check.errors.push_back(why);
    else
      EntryChecker(expanded, declared, entry, options, check).run();
  }
  return check;
}

std::string render(const GradientCheck& check) {
  std::string out;
  std::size_t entry = 5, name = 10;
  for (const auto& row : check.rows) {
    entry = std::max(entry, row.entry.size());
    name = std::max(name, row.name.size());
  }
  if (!check.rows.empty())
    out += fmt::format("{:<{}}  {:<{}}  {:>10}  {:>8}  {:>6}  {:>10}\n", "entry", entry, "derivative", name,
                       "elements", "checked", "kinks", "error/tol.");
  for (const auto& row : check.rows) {
    out +=
        fmt::format("{:<{}}  {:<{}}  {:>10}  {:>8}  {:>6}  {:>10.2e}  {}\n", row.entry, entry, row.name, name,
                    row.elements, row.checked, row.kinks, row.worst_ratio, row.agrees() ? "ok" : "WRONG");
    if (!row.agrees()) out += fmt::format("  {}\n", row.worst);
    if (row.skipped > 0)
      out += fmt::format("  {} elements at a kink or not finite, not compared\n", row.skipped);
  }
  for (const auto& error : check.errors) out += fmt::format("{}\n", error);
  return out;
}

}  // namespace dlvm
