#pragma once

#include <unordered_set>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns whether the instruction reads or changes state, or is a call that is given any: it keeps its place
/// among the others that do, and is neither removed, nor merged, nor run where it was not run before.
bool has_effect(const Instruction& instruction);

/// The effects that a call may have besides its result: it stops with an error, does not end, or changes
/// state. Such an instruction may only be removed, or run where it was not run before, if that is sure not to
/// happen.
class Effects {
 public:
  /// Knows no module: every call may fail, and every function that combines elements by calls.
  Effects() = default;
  /// Looks at the functions of the module when it is first asked about a call.
  explicit Effects(const Module& module) : module_(&module) {}

  /// Returns whether the function may stop with an error or not end: it has requirements, traps, goes round a
  /// loop without a bound or calls itself, has no body, or holds what may fail or has an effect.
  bool may_fail(const Function& function) const;
  /// Returns whether the instruction may, or has an effect, itself or in a function that it calls or combines
  /// elements with; an index that is provably inside cannot fail.
  bool may_fail(const Instruction& instruction) const;

 private:
  void find_failing() const;
  bool fails(const Function& function) const;
  bool combinator_may_fail(const Function& combinator) const;

  const Module* module_ = nullptr;
  mutable bool looked_ = false;  ///< `find_failing` has been called
  mutable std::unordered_set<const Function*> failing_;
};

/// Decides whether an instruction reads, changes or makes memory that pointers refer to, itself or in a
/// function that it calls or combines elements with. Such an instruction stays where it is, and no two of
/// them are the same.
class MemoryEffects {
 public:
  /// Looks at the functions of the module when it is first asked about a call.
  explicit MemoryEffects(const Module& module) : module_(module) {}

  bool touches(const Instruction& instruction) const;

 private:
  void find_touching() const;
  bool touches(const Function& function) const;

  const Module& module_;
  mutable bool looked_ = false;  ///< `find_touching` has been called
  mutable std::unordered_set<const Function*> touching_;
};

}  // namespace dlvm
