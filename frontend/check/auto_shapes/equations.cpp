#include "frontend/check/auto_shapes/equations.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace frontend::check {
namespace {

using Relation = dlvm::Requirement::Relation;

class Elimination {
 public:
  Elimination(const std::vector<ShapeEquation>& equations, const UnknownExtents& unknowns)
      : equations_(equations), unknowns_(unknowns), open_(equations.size(), true) {}

  /// Equations without free dimensions come first: what they give is a constant.
  ShapeSolution run() {
    while (pass(false) || (!solution_.conflict && pass(true))) {
    }
    if (solution_.conflict) return std::move(solution_);
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      const Extent left = equations_[i].left.substitute(solution_.values);
      const Extent right = equations_[i].right.substitute(solution_.values);
      if (equations_[i].relation == Relation::at_most &&
          dlvm::provably_at_most(left, right) == dlvm::Proof::no)
        report(i);
      if (equations_[i].relation == Relation::equal && open_[i])
        for (const std::string& name : names_of(left - right, true)) solution_.restricted.insert(name);
    }
    return std::move(solution_);
  }

 private:
  using Place = std::tuple<const dlvm::Source*, std::uint32_t, std::uint32_t>;
  Place place(std::size_t equation) const {
    const Location& at = equations_[equation].location;
    return {at.source, at.line, at.column};
  }

  /// The names in the extent of unknown extents, or of dimensions.
  std::set<std::string> names_of(const Extent& extent, bool unknown) const {
    std::set<std::string> names;
    extent.collect_names(names);
    std::erase_if(names, [&](const std::string& name) { return unknowns_.contains(name) != unknown; });
    return names;
  }

  /// Solves one equation more. Returns whether there was one.
  bool pass(bool with_dimensions) {
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      if (!open_[i] || equations_[i].relation != Relation::equal) continue;
      const Extent difference = (equations_[i].left - equations_[i].right).substitute(solution_.values);
      const auto unknowns = names_of(difference, true);
      if (!difference.valid() || unknowns.empty()) {
        open_[i] = false;
        if (difference.constant() && !difference.is(0)) return report(i);
        if (!difference.constant() && has_two_values(difference)) return report(i);
        if (!difference.constant() && fixed_.emplace(place(i), difference).second) ++solution_.fixed;
        continue;
      }
      if (!with_dimensions && !names_of(difference, false).empty()) continue;
      for (const std::string& name : unknowns)
        if (const auto value = isolate(difference, name)) {
          open_[i] = false;
          if (value->constant() && *value->constant() < 1) return report(i);
          assign(name, *value, i);
          return true;
        }
      if (unknowns.size() == 1 && has_no_integer(difference)) return report(i);
    }
    return false;
  }

  /// Returns whether the difference gives a free dimension another constant than a difference before.
  bool has_two_values(const Extent& difference) {
    const auto names = names_of(difference, false);
    const auto value = names.size() == 1 ? isolate(difference, *names.begin()) : std::nullopt;
    if (!value || !value->constant()) return false;
    const auto [known, fresh] = dimensions_.emplace(*names.begin(), *value);
    return !fresh && known->second != *value;
  }

  /// Returns the value of the unknown extent that makes the difference 0, if that is a polynomial.
  static std::optional<Extent> isolate(const Extent& difference, const std::string& name) {
    const Extent unknown = Extent::dimension(name);
    for (const Extent::Term& term : difference.terms()) {
      if (term.atoms.size() != 1 || term.atoms[0].floor || term.atoms[0].name != name) continue;
      const Extent rest = difference - Extent(term.coefficient) * unknown;
      std::set<std::string> names;
      rest.collect_names(names);
      if (names.contains(name)) return std::nullopt;
      return term.coefficient < 0 ? Extent::exact_divide(rest, Extent(-term.coefficient))
                                  : Extent::exact_divide(Extent(0) - rest, Extent(term.coefficient));
    }
    return std::nullopt;
  }

  /// The difference is linear, with constant coefficients that leave a remainder.
  static bool has_no_integer(const Extent& difference) {
    const auto& terms = difference.terms();
    return terms.size() == 2 && terms[0].atoms.size() == 1 && !terms[0].atoms[0].floor &&
           terms[1].atoms.empty();
  }

  void assign(const std::string& name, const Extent& value, std::size_t equation) {
    for (auto& [known, extent] : solution_.values) extent = extent.substitute({{name, value}});
    solution_.values.insert_or_assign(name, value);
    origins_[name] = equation;
  }

  /// Notes that the equation does not hold: with the value of which unknown extent, and which one it asks
  /// for.
  bool report(std::size_t equation) {
    const ShapeEquation& wrong = equations_[equation];
    ShapeConflict conflict;
    conflict.second = wrong.location;
    const Extent difference = wrong.left - wrong.right;
    for (const std::string& name : names_of(difference, true)) {
      const auto known = solution_.values.find(name);
      if (known == solution_.values.end() || !known->second.constant()) continue;
      Extent::Substitution others = solution_.values;
      others.erase(name);
      const auto asked = isolate(difference.substitute(others), name);
      if (!asked || asked == known->second) continue;
      conflict.first = equations_[origins_.find(name)->second].location;
      conflict.unknown = name;
      conflict.first_value = known->second;
      conflict.second_value = *asked;
      break;
    }
    solution_.conflict = std::move(conflict);
    return false;
  }

  const std::vector<ShapeEquation>& equations_;
  const UnknownExtents& unknowns_;
  std::vector<bool> open_;
  std::map<std::string, std::size_t> origins_;  ///< the equation that gave an unknown extent its value
  std::map<std::string, Extent> dimensions_;    ///< the constants that free dimensions must have
  std::set<std::pair<Place, Extent>> fixed_;    ///< an attempt may be made, and ask, more than once
  ShapeSolution solution_;
};

}  // namespace

ShapeSolution solve(const std::vector<ShapeEquation>& equations, const UnknownExtents& unknowns) {
  return Elimination(equations, unknowns).run();
}

}  // namespace frontend::check
