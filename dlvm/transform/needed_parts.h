#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/internal_calls.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// The values that something needs, through all calls of a module: what ends a block or may fail, what is
/// returned to a caller that needs it or to the outside, and what these are computed from.
class NeededParts {
 public:
  explicit NeededParts(const Module& module);

  /// Returns whether all that refers to the function are calls, so that its type may change.
  bool is_only_called(const Function& function) const { return calls_.contains(&function); }
  const std::vector<Instruction*>& calls(const Function& function) const { return calls_.at(&function); }
  bool needs_parameter(const Function& function, std::size_t i) const;
  /// Returns whether a caller needs element `i` of the result; a result that is no tuple is its only element.
  bool needs_result(const Function& function, std::size_t i) const;

 private:
  void add_roots(const Function& function, const Effects& effects);
  void add(const Value* value);
  void add_result(const Function& function, std::size_t i);
  void follow(const Value* value);
  void follow_all();
  bool keep_dimensions(const Function& function);

  InternalCalls calls_;
  std::unordered_map<const Function*, ControlFlow> flows_;
  std::unordered_set<const Value*> needed_;
  std::unordered_map<const Function*, std::unordered_set<std::size_t>> results_;
  std::vector<const Value*> open_;
};

}  // namespace dlvm
