#include "dlvm/gradcheck/gradient_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/call/random_inputs.h"
#include "dlvm/gradcheck/gradient_point.h"
#include "dlvm/ir/elements.h"

namespace dlvm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int redraws = 10;
constexpr std::string_view not_finite = "no point was found where the value is finite; give inputs";

/// Where inputs are drawn: the first of these where everything is finite (1.1 upto 2 is for acosh).
constexpr Interval intervals[]{{-2, 2}, {-0.9, 0.9}, {0.1, 0.9}, {1.1, 2}};
/// Free dimensions: the first of these with which every extent fits.
constexpr std::int64_t extents_tried[]{3, 5, 8, 2, 12, 1, 20, 32};

/// The effort that all entry points share, and its division among the derivatives.
struct Sharing {
  double limit;
  std::size_t tensors = 0;  ///< derivatives still to check, also of the entry points to come
  Effort effort{};

  double left() const { return limit - effort.spent; }
  /// Returns the effort that the next derivative may spend.
  double share() const { return left() / static_cast<double>(std::max<std::size_t>(tensors, 1)); }
};

class EntryChecker {
 public:
  EntryChecker(const Module& expanded, const Module& declared, const EntryPoint& entry,
               const GradientCheckOptions& options, Sharing& sharing, GradientCheck& check)
      : expanded_(expanded),
        entry_(entry),
        function_(expanded, declared, entry, sharing.effort),
        options_(options),
        sharing_(sharing),
        check_(check),
        draw_(options.given.seed) {
    sharing.effort.longest_sum = 1;
    if (options.progress) sharing.effort.before_instruction = [this] { options_.progress(progress_); };
    progress_.entry = entry.name;
  }
  EntryChecker(const EntryChecker&) = delete;
  EntryChecker& operator=(const EntryChecker&) = delete;
  ~EntryChecker() { sharing_.effort.before_instruction = nullptr; }

  void run() {
    std::string why = function_.problem();
    const double before = sharing_.effort.spent;
    auto point = why.empty() ? find_point(why) : std::nullopt;
    if (!point) {
      check_.errors.push_back({entry_.name, why});
      return;
    }
    std::vector<GradientCheckRow> rows(function_.derivatives().size());
    evaluation_ = sharing_.effort.spent - before;
    bool any = false;
    for (const std::size_t i : in_order(rows.size(), 1)) {
      rows[i] = {entry_.name, function_.derivatives()[i].name,
                 point->argument(function_.derivatives()[i].argument).size()};
      if (evaluated_ && (!any || sharing_.share() > 0))
        check_derivative(*point, i, rows[i]);
      else
        rows[i].left_out = true;
      any = true;
      --sharing_.tensors;
    }
    std::ranges::move(rows, std::back_inserter(check_.rows));
  }

 private:
  /// The numbers below `count`, of what is to be compared; in an order that is drawn where a derivative's
  /// share of the effort may not do for so many comparisons.
  std::vector<std::size_t> in_order(std::size_t count, double comparisons) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (sharing_.share() > 8 * evaluation_ * comparisons) return order;
    for (std::size_t i = count; i > 1; --i)
      std::swap(order[i - 1],
                order[static_cast<std::size_t>(draw_.integer(0, static_cast<std::int64_t>(i)))]);
    return order;
  }

  /// A point where value and derivatives are finite; where there is none, one where some are. Where half of
  /// the effort that is left does not do for one evaluation, nothing if this is the first entry point, else a
  /// point without values.
  std::optional<Point> find_point(std::string& why) {
    const bool first = sharing_.effort.spent == 0;
    sharing_.effort.limit = sharing_.effort.spent + sharing_.left() / 2;
    auto point = find_point_within_limit(why);
    const bool over = sharing_.effort.is_over();
    sharing_.effort.limit = infinity;
    if (!over || evaluated_ || !first) return point;
    why =
        "one evaluation of the value and its derivatives takes too long for a check within about a minute; "
        "give dimensions smaller values with -D, or the number of elements to check, however long it takes, "
        "with --elements";
    return std::nullopt;
  }

  std::optional<Point> find_point_within_limit(std::string& why) {
    std::optional<Point> partly;
    for (const std::int64_t extent : extents_tried)
      for (const double wobble : {0.1, 0.0})
        for (const Interval interval : intervals) {
          auto call = random_call(expanded_, entry_, options_.given, extent, interval, draw_, why, wobble);
          if (!call) break;
          Point point(function_, *call);
          std::string problem;
          const bool good = point.evaluate(problem);
          if (sharing_.effort.is_over()) {
            if (!evaluated_) return point;
            if (!partly) why = not_finite;
            return partly;
          }
          evaluated_ |= good;
          if (!good) {
            why = problem;
            break;
          }
          if (point.is_finite()) return point;
          if (!partly && (point.value_is_finite() || function_.has_outputs()))
            partly.emplace(std::move(point));
          why = not_finite;
        }
    return partly;
  }

  /// Checks a small tensor whole. Of a large one, or one whose share of the effort is too small, it checks
  /// elements up to half the share, at least one, and then a direction if any effort is left.
  void check_derivative(Point& point, std::size_t derivative, GradientCheckRow& row) {
    progress_.derivative = row.name;
    progress_.elements = std::min(row.elements, options_.elements);
    const double begin = sharing_.effort.spent, share = sharing_.share();
    const auto spent = [&](double part) { return sharing_.effort.spent - begin >= part * share; };
    std::size_t count = 0;
    for (const std::size_t element : elements(row.elements)) {
      if (count > 0 && spent(0.5)) break;
      progress_.checked = count++;
      check_element(point, derivative, element, row);
    }
    row.sampled = count < row.elements;
    if (row.sampled && sharing_.left() > 0) check_direction(point, derivative, row, [&] { return spent(1); });
  }

  /// All of `size`, or as many as the options say, drawn.
  std::vector<std::size_t> elements(std::size_t size) {
    if (size <= options_.elements) return in_order(size, static_cast<double>(size));
    std::vector<std::size_t> drawn;
    std::set<std::size_t> seen;
    while (drawn.size() < options_.elements) {
      const auto element = static_cast<std::size_t>(draw_.integer(0, static_cast<std::int64_t>(size)));
      if (seen.insert(element).second) drawn.push_back(element);
    }
    return drawn;
  }

  bool is_given(const std::string& name) const {
    const auto has = [&](const NamedTensors& tensors) {
      return std::ranges::any_of(tensors, [&](const NamedTensor& tensor) { return tensor.name == name; });
    };
    return has(options_.given.inputs) || (options_.given.weights && has(*options_.given.weights));
  }

  void check_element(Point& point, std::size_t derivative, std::size_t element, GradientCheckRow& row) {
    const auto& [name, argument, result] = function_.derivatives()[derivative];
    std::optional<Point> original;
    std::string why;
    bool compared = false;
    for (int attempt = 0; attempt < redraws && (attempt == 0 || sharing_.left() > evaluation_); ++attempt) {
      const double g = point.derivative(derivative)[element];
      if (!std::isfinite(g) && !point.value_is_finite()) break;  // of a term that is not finite itself
      compared = compare(point, argument, {{element, 1.0}}, g,
                         "at " + elements::position(point.argument(argument).extents(), element), row);
      ++(compared ? row.checked : row.kinks);
      if (compared || is_given(name)) break;
      if (!original) original = point;
      point.set_element(argument, element,
                        original->argument(argument).real(element) + draw_.real(-0.5, 0.5));
      if (!point.evaluate(why)) break;
    }
    if (!compared) ++row.skipped;
    if (original) point = std::move(*original);
  }

  template <typename Spent>
  void check_direction(Point& point, std::size_t derivative, GradientCheckRow& row, Spent spent) {
    const double length = 1 / std::sqrt(static_cast<double>(row.elements));
    for (int attempt = 0; attempt < redraws && (attempt == 0 || !spent()); ++attempt) {
      Direction direction;
      double along = 0;
      for (std::size_t i = 0; i < row.elements; ++i) {
        direction.emplace_back(i, draw_.integer(0, 2) == 0 ? length : -length);
        along += direction.back().second * point.derivative(derivative)[i];
      }
      if (!std::isfinite(along) && !point.value_is_finite()) break;
      const std::size_t argument = function_.derivatives()[derivative].argument;
      row.direction = compare(point, argument, direction, along, "along a random direction", row);
      if (row.direction) return;
      ++row.kinks;
    }
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
      if (d.kink && sharing_.left() <= 0) break;
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
  Sharing& sharing_;
  GradientCheck& check_;
  Draw draw_;
  GradientProgress progress_;
  bool evaluated_ = false;  ///< a point has values
  double evaluation_ = 0;   ///< the effort that finding the point took
};

}  // namespace

bool GradientCheck::passed() const { return errors.empty() && agrees(); }

bool GradientCheck::agrees() const {
  return std::ranges::all_of(rows, [](const GradientCheckRow& row) { return row.agrees(); });
}

namespace {

/// Finds the functions with derivatives of their own that entry points with derivatives call.
std::vector<GradientCheck::Custom> custom_derivatives(const Module& declared) {
  std::vector<const Function*> open;
  std::unordered_set<const Function*> seen;
  const auto add = [&](const Function* function) {
    if (function != nullptr && seen.insert(function).second) open.push_back(function);
  };
  for (const EntryPoint& entry : declared.entries)
    if (std::ranges::find(entry.results, ResultRole::derivative, &EntryPoint::Result::role) !=
        entry.results.end())
      add(declared.function(entry.function));
  while (!open.empty()) {
    const Function* next = open.back();
    open.pop_back();
    for (const Function* called : references(*next)) add(called);
  }
  std::vector<GradientCheck::Custom> found;
  std::set<std::tuple<const Source*, std::uint32_t, std::uint32_t>> places;
  for (const auto& function : declared.functions()) {
    if (function->adjoint == nullptr || !seen.contains(function.get())) continue;
    const Location at = function->adjoint->place();
    // A function of several types of arguments is several functions here.
    if (!at.valid() || places.emplace(at.source, at.line, at.column).second)
      found.push_back({function->name(), at});
  }
  std::ranges::stable_sort(found, {}, [](const GradientCheck::Custom& each) {
    return std::tuple(each.place.line, each.place.column);  // as the file has them
  });
  return found;
}

}  // namespace

GradientCheck check_gradients(const Module& expanded, const Module& declared,
                              const GradientCheckOptions& options) {
  const auto derivatives = [](const EntryPoint& entry) {
    return static_cast<std::size_t>(std::ranges::count(entry.results, ResultRole::derivative,
                                                       [](const auto& result) { return result.role; }));
  };
  GradientCheck check;
  check.custom = custom_derivatives(declared);
  Sharing sharing{options.effort_limit};
  for (const EntryPoint& entry : expanded.entries) sharing.tensors += derivatives(entry);
  for (const EntryPoint& entry : expanded.entries) {
    std::string why;
    if (derivatives(entry) == 0) continue;
    const std::size_t after = sharing.tensors - derivatives(entry);
    if (find_entry(expanded, entry.name, why) == nullptr)
      check.errors.push_back({entry.name, why});
    else
      EntryChecker(expanded, declared, entry, options, sharing, check).run();
    sharing.tensors = after;
  }
  return check;
}

}  // namespace dlvm
