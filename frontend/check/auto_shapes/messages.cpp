// Reports the params that are declared `auto` and for which no shape is found.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "frontend/check/auto_shapes/auto_shapes.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/auto_shape_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The shapes that the candidates give the param, each once, the shortest first.
std::vector<Shape> shapes_of(const Declaration& param, const std::vector<ShapeCandidate>& candidates) {
  std::vector<Shape> shapes;
  for (const ShapeCandidate& each : candidates)
    for (const auto& [other, shape] : each.shapes)
      if (other == &param && std::ranges::none_of(shapes, [&](const Shape& known) {
            return spelling(known) == spelling(shape);
          }))
        shapes.push_back(shape);
  std::ranges::stable_sort(shapes, {}, &Shape::size);
  return shapes;
}

std::string joined(const std::vector<Shape>& shapes) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shapes.size(), most); ++i)
    text += (i == 0 ? "" : i + 1 == shapes.size() ? " or " : ", ") + spelling(shapes[i]);
  return shapes.size() > most ? text + ", ..." : text;
}

/// Returns whether there is a shape that both mean, where `?` stands for any extent.
bool agree(const std::vector<Shape>& a, const std::vector<Shape>& b) {
  const auto fit = [](const Extent& left, const Extent& right) {
    return left == right || spelling(left) == "?" || spelling(right) == "?";
  };
  return std::ranges::any_of(a, [&](const Shape& left) {
    return std::ranges::any_of(b, [&](const Shape& right) { return std::ranges::equal(left, right, fit); });
  });
}

Location use_of(const Declaration& param, const std::vector<ShapeUse>& uses) {
  for (const ShapeUse& use : uses)
    if (use.param == &param) return use.location;
  return {};
}

/// The shape that is most probably meant, `[256]` of `[]` and `[256]`; null where an extent is open.
const Shape* likely(const std::vector<Shape>& shapes) {
  const auto is_open = [](const Shape& shape) { return spelling(shape).find('?') != std::string::npos; };
  if (std::ranges::any_of(shapes, is_open)) return nullptr;
  const auto found = std::ranges::find_if(shapes, [](const Shape& shape) {
    return std::ranges::any_of(shape, [](const Extent& each) { return !each.is(1); });
  });
  return found != shapes.end() ? &*found : nullptr;
}

}  // namespace

void AutoShapes::keep(const Declaration& param, const dlvm::Diagnostics& messages) {
  checker_.keep(param.net != nullptr ? checker_.with_instance(*param.net, messages) : messages);
}

void AutoShapes::report_failure(Declaration& param, const std::vector<Declaration*>& targets,
                                const ShapeSearch& found) {
  if (!report_element_types(param, found) && !report_different_targets(param, targets) &&
      !report_conflict(found) && !report_different_places(param, targets, found))
    report_unsuitable(param, found);
}

/// The mistake is one of element types, which is the same with every shape.
bool AutoShapes::report_element_types(const Declaration& param, const ShapeSearch& found) {
  const std::initializer_list<const dlvm::DiagnosticKind*> kinds{
      &element_types_differ,     &operator_on_type,   &number_does_not_fit,
      &declared_element_differs, &condition_not_bool, &index_not_integer};
  for (const ShapeFailure& failure : found.failures())
    for (const dlvm::Diagnostic& each : failure.messages.all()) {
      if (std::ranges::find(kinds, each.kind) == kinds.end()) continue;
      keep(param, failure.messages);
      return true;
    }
  return false;
}

/// Two equations ask for different values of one extent.
bool AutoShapes::report_conflict(const ShapeSearch& found) {
  for (const ShapeFailure& failure : found.failures()) {
    const auto& conflict = failure.solution.conflict;
    if (failure.messages.has_errors() || !conflict || !conflict->first) continue;
    for (const auto& [param, shape] : failure.shapes) {
      const auto with = [&, &shape = shape](const Extent& value) {
        Extent::Substitution values = failure.solution.values;
        values.insert_or_assign(conflict->unknown, value);
        Shape result;
        for (const Extent& each : shape) result.push_back(each.substitute(values));
        return spelling(result);
      };
      const std::string first = with(conflict->first_value), second = with(conflict->second_value);
      if (first == second) continue;
      dlvm::Diagnostics messages;
      messages.report(auto_uses_disagree, param->location, param->name, first, second)
          .note(*conflict->first, "it is " + first + " here")
          .note(conflict->second, "it is " + second + " here");
      keep(*param, messages);
      return true;
    }
  }
  return false;
}

/// Each of two declarations is right alone. A net's use of its param is the same one for all of them.
bool AutoShapes::report_different_targets(Declaration& param, const std::vector<Declaration*>& targets) {
  struct Found {
    std::vector<Shape> shapes;
    Location use;    ///< the place that names the param
    Location place;  ///< the place to show
    std::string text;
  };
  std::vector<Found> all;
  for (Declaration* target : targets) {
    const std::vector<Declaration*> one{target};
    const ShapeSearch alone = search(one);
    const auto candidates = alone.best();
    if (candidates.empty() || alone.is_exhausted()) continue;
    Found found{shapes_of(param, candidates), {}, {}, {}};
    const std::string shapes = joined(found.shapes);
    found.place = use_of(param, alone.uses());
    const bool same_place =
        std::ranges::any_of(all, [&](const Found& other) { return other.use == found.place; });
    found.use = found.place;
    if (param.net != nullptr || same_place) found.place = target->location;
    found.text = param.net != nullptr || same_place ? fmt::format("it is {} for '{}'", shapes, target->name)
                                                    : fmt::format("it is {} here", shapes);
    for (const Found& other : all) {
      if (agree(other.shapes, found.shapes)) continue;
      dlvm::Diagnostics messages;
      messages.report(auto_uses_disagree, param.location, param.name, joined(other.shapes), shapes)
          .note(other.place, other.text)
          .note(found.place, found.text);
      keep(param, messages);
      return true;
    }
    all.push_back(std::move(found));
  }
  return false;
}

/// Each of two places is right where the other ones are left out.
bool AutoShapes::report_different_places(Declaration& param, const std::vector<Declaration*>& targets,
                                         const ShapeSearch& found) {
  std::vector<Location> places;
  for (const ShapeUse& use : found.uses())
    if (use.param == &param && std::ranges::find(places, use.location) == places.end())
      places.push_back(use.location);
  std::vector<std::pair<Location, std::vector<Shape>>> all;
  for (const Location& place : places) {
    const ShapeSearch alone = search(targets, place);
    const auto shapes = shapes_of(param, alone.best());
    if (shapes.empty() || alone.is_exhausted()) continue;
    for (const auto& [other, others] : all) {
      if (agree(others, shapes)) continue;
      const std::string first = joined(others), second = joined(shapes);
      dlvm::Diagnostics messages;
      messages.report(auto_uses_disagree, param.location, param.name, first, second)
          .note(other, "it is " + first + " here")
          .note(place, "it is " + second + " here");
      keep(param, messages);
      return true;
    }
    all.emplace_back(place, shapes);
  }
  return false;
}

void AutoShapes::report_unsuitable(Declaration& param, const ShapeSearch& found) {
  dlvm::Diagnostics messages;
  const Location use = use_of(param, found.uses());
  auto& report = messages.report(auto_unsuitable, use.valid() ? use : param.location, param.name);
  report.note(param.location, fmt::format("'{}' is declared here", param.name));
  std::size_t notes = 0;
  for (const ShapeFailure& failure : found.failures()) {
    constexpr std::size_t most = 3;
    const auto tried = failure.shapes.find(&param);
    if (tried == failure.shapes.end() || !failure.messages.has_errors() || notes++ >= most) continue;
    const auto first = std::ranges::find_if(failure.messages.all(), [](const dlvm::Diagnostic& each) {
      return each.kind->severity == dlvm::Severity::error;
    });
    report.note(first->location, fmt::format("with the shape {}: {}", spelling(tried->second), first->text));
  }
  keep(param, messages);
}

void AutoShapes::report_undetermined(Declaration& param) {
  param.failed = true;
  const auto open = open_.find(&param);
  if (open == open_.end() && checker_.diagnostics_.has_errors()) return;  // its uses have mistakes
  dlvm::Diagnostics messages;
  if (open == open_.end() || open->second.empty()) {
    auto& report = messages.report(auto_undetermined, param.location, param.name);
    if (open == open_.end())
      report.note("no value that is computed names it");
    else
      report.note(
          "it depends on other such params, with more shapes than are tried: declare types of values between "
          "them");
    report.fix(fmt::format("write the shape: {}: param[...]", param.name));
  } else {
    report_open(param, open->second, messages);
  }
  keep(param, messages);
}

void AutoShapes::report_open(const Declaration& param, const std::vector<ShapeCandidate>& candidates,
                             dlvm::Diagnostics& messages) {
  const auto shapes = shapes_of(param, candidates);
  const Location use = use_of(param, candidates.front().uses);
  if (candidates.front().cost.depends) {
    const auto named =
        std::ranges::find_if(shapes.front(), [](const Extent& e) { return e.name().has_value(); });
    messages.report(auto_depends, param.location, param.name, spelling(shapes.front()))
        .note(use, "because of its use here")
        .fix(fmt::format("write constant extents, or give the dimension a value: dim {} = 8",
                         named == shapes.front().end() ? "N" : std::string(*named->name())));
    return;
  }
  auto& report = messages.report(auto_undetermined, param.location, param.name)
                     .note(use, fmt::format("its shape could be {} here", joined(shapes)));
  if (const Shape* meant = likely(shapes)) {
    const std::string shape = spelling(*meant);
    report.fix(fmt::format("write the shape: {}: param{}", param.name, shape),
               dlvm::replacement(param.syntax->type.automatic, shape.substr(1, shape.size() - 2)));
  } else {
    report.fix(fmt::format("write the shape, {}: param[...], or the type of the result", param.name));
  }
}

}  // namespace frontend::check
