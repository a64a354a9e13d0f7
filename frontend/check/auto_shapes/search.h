// The search for the shapes of params with which some declarations are right.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/check/auto_shapes/trial.h"

namespace frontend::check {

using ParamShapes = std::map<Declaration*, Shape>;

/// What speaks against shapes, the worst first.
struct ShapeCost {
  bool depends = false;       ///< some extent is not constant, but depends on a free dimension
  std::size_t fixed = 0;      ///< equations between free dimensions and numbers
  std::size_t stretched = 0;  ///< computed operands that elementwise operators stretch

  friend auto operator<=>(const ShapeCost&, const ShapeCost&) = default;
};

/// Shapes with which the declarations are right. An extent that could be anything is an unknown one.
struct ShapeCandidate {
  ParamShapes shapes;
  UnknownExtents restricted;
  ShapeCost cost;
  std::vector<ShapeUse> uses;
};

/// Numbers of axes with which the declarations are not right.
struct ShapeFailure {
  ParamShapes shapes;
  ShapeSolution solution;
  dlvm::Diagnostics messages;
};

/// Tries the numbers of axes one param after the other. The extents are unknown at first, and follow from the
/// equations that the check asks for.
class ShapeSearch {
 public:
  using Try = std::function<TrialOutcome(const ParamShapes&)>;

  /// `work` is the number of attempts that are left to all searches.
  ShapeSearch(Try attempt, std::size_t& work) : attempt_(std::move(attempt)), work_(work) {}

  void run() { branch({}); }

  /// Returns the candidates that are meant: those of the least cost, without axes in front that nothing asks
  /// for.
  std::vector<ShapeCandidate> best() const;
  const std::vector<ShapeFailure>& failures() const { return failures_; }
  const std::vector<ShapeUse>& uses() const { return uses_; }
  /// Returns whether there were more shapes to try than may be tried.
  bool is_exhausted() const { return exhausted_; }
  bool is_silent() const { return silent_; }
  bool is_unknown(const Extent& extent) const;

 private:
  void branch(const ParamShapes& shapes);
  /// Returns whether a candidate costs less, so that these shapes are not meant.
  bool is_beaten(const ParamShapes& shapes, const ShapeCost& cost) const;
  /// Puts the solution into the shapes, and returns what speaks against them.
  ShapeCost settle(ParamShapes& shapes, const ShapeSolution& solution, const TrialOutcome& outcome) const;
  bool extends(const ShapeCandidate& longer, const ShapeCandidate& shorter) const;
  bool extends(const Shape& longer, const Shape& shorter, const UnknownExtents& restricted) const;
  bool equal(const Extent& a, const Extent& b) const { return a == b || (is_unknown(a) && is_unknown(b)); }

  Try attempt_;
  std::size_t& work_;
  std::size_t trials_ = 0;
  UnknownExtents unknowns_;
  std::vector<ShapeCandidate> candidates_;
  std::vector<ShapeFailure> failures_;
  std::vector<ShapeUse> uses_;
  bool exhausted_ = false, silent_ = false;
};

}  // namespace frontend::check
