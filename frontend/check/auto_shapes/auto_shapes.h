// The shapes of params that are declared `auto`, from their uses.
//
// A shape is found where it is the only one with which the declarations that name the param are right: the
// checker tries them for each number of axes, with extents that are unknown, and collects what they ask of
// these (trial.h). So every operator, function and net takes part by the check that it has anyway.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/check/auto_shapes/search.h"

namespace frontend::check {

class Checker;

class AutoShapes {
 public:
  explicit AutoShapes(Checker& checker) : checker_(checker) {}

  /// Gives each param that is declared `auto` its shape, or reports why it has none. Everything that does not
  /// need such a shape has then been checked.
  void find();

 private:
  void check_element(Declaration& param);
  void attempt_all();
  /// Returns the declarations that name the param. With those that depend on other values that have not been
  /// checked, or without them.
  std::vector<Declaration*> users(Declaration& param, bool all) const;
  ShapeSearch search(const std::vector<Declaration*>& targets, std::optional<Location> only = std::nullopt);
  /// Returns whether something was found, or reported.
  bool find(Declaration& param, bool all);
  bool take(const std::vector<ShapeCandidate>& candidates);
  void forget_unfinished();

  // messages.cpp
  void report_failure(Declaration& param, const std::vector<Declaration*>& targets, const ShapeSearch& found);
  bool report_element_types(const Declaration& param, const ShapeSearch& found);
  bool report_conflict(const ShapeSearch& found);
  bool report_different_targets(Declaration& param, const std::vector<Declaration*>& targets);
  bool report_different_places(Declaration& param, const std::vector<Declaration*>& targets,
                               const ShapeSearch& found);
  void report_unsuitable(Declaration& param, const ShapeSearch& found);
  void report_undetermined(Declaration& param);
  void report_open(const Declaration& param, const std::vector<ShapeCandidate>& candidates,
                   dlvm::Diagnostics& messages);
  void keep(const Declaration& param, const dlvm::Diagnostics& messages);

  Checker& checker_;
  std::vector<Declaration*> params_;
  /// What the uses of a param leave open; no candidates where there are too many.
  std::map<const Declaration*, std::vector<ShapeCandidate>> open_;
  std::set<std::vector<Declaration*>> exhausted_;  ///< declarations for which there are too many shapes
  std::size_t work_ = 100'000;                     ///< the attempts that are left, which take a few seconds
};

}  // namespace frontend::check
