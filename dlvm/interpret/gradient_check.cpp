#include "dlvm/interpret/gradient_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dlvm/interpret/decisions.h"
#include "dlvm/interpret/elements.h"
#include "dlvm/interpret/primal.h"
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

/// One entry point at one point: its derivatives there, and differences around it.
class Point {
 public:
  Point(const Module& expanded, const EntryPoint& entry, const Primal& primal, EntryCall call)
      : expanded_(expanded), entry_(entry), primal_(primal), call_(std::move(call)) {
    for (RuntimeValue& argument : call_.arguments)
      if (is_floating(argument.tensor().element()))
        argument = evaluation::converted(argument.tensor(), ElementType::f64);
  }

  /// Computes value and derivatives; false, and why, where that fails.
  bool evaluate(std::string& why) {
    detached_.clear();
    const auto here = primal_.evaluate(call_, {&detached_, false});
    if (!here.error.empty()) return fail(why, here.error);
    base_ = here;
    InterpretOptions options;
    options.float64 = true;
    InterpretError error;
    auto results = interpret_entry(expanded_, entry_, call_, options, error);
    if (!results) return fail(why, error.text);
    derivatives_.clear();
    largest_ = 0;
    finite_ = std::isfinite(base_.value);
    for (std::size_t i = 0; i < results->size(); ++i) {
      if (entry_.results[i].role != ResultRole::derivative) continue;
      derivatives_.push_back(evaluation::reals((*results)[i].tensor));
      for (const double x : derivatives_.back()) {
        finite_ &= std::isfinite(x);
        largest_ = std::max(largest_, std::fabs(x));
      }
    }
    return true;
  }

  bool finite() const { return finite_; }
  double largest() const { return largest_; }
  const std::vector<double>& derivative(std::size_t i) const { return derivatives_[i]; }
  const Tensor& argument(std::size_t i) const { return call_.arguments[i].tensor(); }
  void set_argument(std::size_t i, Tensor tensor) { call_.arguments[i] = std::move(tensor); }

  struct Difference {
    double value = 0, noise = 0;  ///< the difference, and how far rounding may have moved it
    bool kink = false;            ///< some choice changes on the way: there is no derivative to compare with
  };

  /// The derivative along `direction` (elements of argument `i`), by central differences at h and 2h,
  /// extrapolated: the error is of order h^4.
  Difference difference(std::size_t i, const std::vector<std::pair<std::size_t, double>>& direction,
                        double h) {
    double values[4];
    const double steps[]{-2 * h, -h, h, 2 * h};
    double magnitude = base_.magnitude;
    for (int k = 0; k < 4; ++k) {
      EntryCall moved = call_;
      Tensor tensor = argument(i);
      for (const auto& [element, amount] : direction)
        tensor.set(element, tensor.real(element) + steps[k] * amount);
      moved.arguments[i] = std::move(tensor);
      const auto there = primal_.evaluate(moved, {&detached_, true});
      if (!there.error.empty() || there.decisions != base_.decisions || !std::isfinite(there.value))
        return {0, 0, true};
      values[k] = there.value;
      magnitude = std::max(magnitude, there.magnitude);
    }
    const double narrow = (values[2] - values[1]) / (2 * h), wide = (values[3] - values[0]) / (4 * h);
    return {(4 * narrow - wide) / 3, 32 * epsilon * magnitude / h, false};
  }

 private:
  static bool fail(std::string& why, const std::string& text) {
    why = text;
    return false;
  }

  const Module& expanded_;
  const EntryPoint& entry_;
  const Primal& primal_;
  EntryCall call_;
  Primal::Value base_;
  std::vector<RuntimeValue> detached_;
  std::vector<std::vector<double>> derivatives_;
  double largest_ = 0;
  bool finite_ = false;
};

class EntryChecker {
 public:
  EntryChecker(const Module& expanded, const Module& declared, const EntryPoint& entry,
               const GradientCheckOptions& options, GradientCheck& check)
      : expanded_(expanded),
        entry_(entry),
        primal_(expanded, declared, entry),
        options_(options),
        check_(check),
        draw_(options.given.seed) {}

  void run() {
    std::string why = primal_.problem();
    auto point = why.empty() ? find_point(why) : std::nullopt;
    if (!point) {
      check_.errors.push_back(fmt::format("{}: {}", entry_.name, why));
      return;
    }
    std::size_t derivative = 0;
    for (const auto& result : entry_.results)
      if (result.role == ResultRole::derivative) check_derivative(*point, result.name, derivative++);
  }

 private:
  /// A point where value and derivatives are finite.
  std::optional<Point> find_point(std::string& why) {
    for (const std::int64_t extent : extents_tried)
      for (const Interval interval : intervals) {
        auto call = random_call(expanded_, entry_, options_.given, extent, interval, draw_, why);
        if (!call) break;
        Point point(expanded_, entry_, primal_, std::move(*call));
        if (!point.evaluate(why)) break;
        if (point.finite()) return point;
        why = "no point was found where everything is finite; give inputs";
      }
    return std::nullopt;
  }

  void check_derivative(Point& point, const std::string& name, std::size_t derivative) {
    GradientCheckRow row{entry_.name, name, 0, 0, 0, 0, 0, ""};
    const auto argument = argument_named(name);
    if (!argument) {
      check_.errors.push_back(fmt::format("{}: no argument is called '{}'", entry_.name, name));
      return;
    }
    row.elements = point.argument(*argument).size();
    if (row.elements <= options_.elements) {
      for (std::size_t i = 0; i < row.elements; ++i) check_element(point, *argument, derivative, i, row);
    } else {
      for (std::size_t k = 0; k < options_.elements; ++k)
        check_element(point, *argument, derivative,
                      static_cast<std::size_t>(draw_.integer(0, static_cast<std::int64_t>(row.elements))),
                      row);
      check_direction(point, *argument, derivative, row);
    }
    check_.rows.push_back(std::move(row));
  }

  std::optional<std::size_t> argument_named(const std::string& name) const {
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
      if (entry_.arguments[i].name == name && entry_.arguments[i].role != ArgumentRole::cotangent) return i;
    return std::nullopt;
  }

  bool is_given(std::size_t argument) const {
    const auto has = [&](const NamedTensors& tensors) {
      return std::ranges::any_of(
          tensors, [&](const NamedTensor& t) { return t.name == entry_.arguments[argument].name; });
    };
    return has(options_.given.inputs) || (options_.given.weights && has(*options_.given.weights));
  }

  void check_element(Point& point, std::size_t argument, std::size_t derivative, std::size_t element,
                     GradientCheckRow& row) {
    const double original = point.argument(argument).real(element);
    const bool fixed = is_given(argument);
    for (int attempt = 0; attempt < redraws; ++attempt) {
      if (compare(point, argument, {{element, 1.0}}, point.derivative(derivative)[element],
                  "at " + position(point.argument(argument), element), row)) {
        ++row.checked;
        return move(point, argument, element, original, attempt > 0);
      }
      ++row.kinks;
      if (fixed) break;
      move(point, argument, element, original + draw_.real(-0.5, 0.5), true);
    }
    ++row.skipped;
    move(point, argument, element, original, !fixed);
  }

  /// Changes one element and evaluates anew, where `really`.
  static void move(Point& point, std::size_t argument, std::size_t element, double value, bool really) {
    if (!really) return;
    Tensor tensor = point.argument(argument);
    tensor.set(element, value);
    point.set_argument(argument, std::move(tensor));
    std::string why;
    point.evaluate(why);
  }

  void check_direction(Point& point, std::size_t argument, std::size_t derivative, GradientCheckRow& row) {
    const double length = 1 / std::sqrt(static_cast<double>(row.elements));
    for (int attempt = 0; attempt < redraws; ++attempt) {
      std::vector<std::pair<std::size_t, double>> direction;
      double along = 0;
      for (std::size_t i = 0; i < row.elements; ++i) {
        direction.emplace_back(i, draw_.integer(0, 2) == 0 ? length : -length);
        along += direction.back().second * point.derivative(derivative)[i];
      }
      if (compare(point, argument, direction, along, "along a random direction", row)) return;
      ++row.kinks;
    }
    ++row.skipped;
  }

  /// Compares `g` with differences of ever smaller steps until one agrees. False where there is a kink.
  bool compare(Point& point, std::size_t argument,
               const std::vector<std::pair<std::size_t, double>>& direction, double g,
               const std::string& place, GradientCheckRow& row) {
    const double size =
        direction.size() == 1 ? std::fabs(point.argument(argument).real(direction[0].first)) : 1;
    double best = infinity, best_value = 0;
    bool smooth = false;
    for (const double step : {1e-3, 1e-4, 1e-5, 1e-6}) {
      const auto d = point.difference(argument, direction, step * std::max(size, 0.1));
      if (d.kink) continue;
      smooth = true;
      const double allowed = options_.tolerance * (std::fabs(g) + point.largest()) + d.noise;
      const double error = std::fabs(g - d.value);
      const double ratio = error == 0 ? 0 : std::isfinite(error) && allowed > 0 ? error / allowed : infinity;
      if (ratio < best || best == infinity) best_value = d.value;
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
  Primal primal_;
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
    if (row.skipped > 0) out += fmt::format("  {} at a kink, not compared\n", row.skipped);
  }
  for (const auto& error : check.errors) out += fmt::format("{}\n", error);
  return out;
}

}  // namespace dlvm
