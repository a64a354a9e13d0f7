#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// A set of values, by their numbers.
using ValueSet = std::vector<bool>;

/// Which values of a program live at its statements: a path reads such a value before it writes it. Nothing
/// lives where a trap ends the call, whose outputs have no meaning then.
class Liveness {
 public:
  /// Analyses the program, which must outlive the result. The values `at_end` live where it ends.
  explicit Liveness(const Program& program, ValueSet at_end = {});

  const ValueSet& on_entry() const { return on_entry_; }
  /// Returns the values that live where a jump to that scope, which the program has, goes.
  const ValueSet& at(const std::string& scope) const { return at_scope_.at(scope); }
  /// Returns the values that live behind that scope, which the program has.
  const ValueSet& behind(const std::string& scope) const { return behind_.at(scope); }

  /// Calls `visit` with each launch and each swap, and the values that live behind it.
  using Visit = std::function<void(const Statement&, const ValueSet& behind)>;
  void for_each(const Visit& visit);

 private:
  void pass(const Sequence& sequence, ValueSet& live);
  void pass(const Launch& launch, ValueSet& live);
  void pass(const Swap& swap, ValueSet& live);
  void pass(const Branch& branch, ValueSet& live);
  void pass(const Scope& scope, ValueSet& live);
  void pass(const Jump& jump, ValueSet& live);

  const Program& program_;
  ValueSet at_end_, on_entry_;
  std::map<std::string, ValueSet> at_scope_, behind_;
  const Visit* visit_ = nullptr;
};

}  // namespace codegen::kernel
