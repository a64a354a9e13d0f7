#pragma once

#include <unordered_map>
#include <vector>

#include "dlvm/differentiate/rules.h"

namespace dlvm {

/// Walks a body backwards and builds the cotangents of its values: symbolic until there is one (null is
/// zero), summed where a value has several uses. Builds only for values that depend on what is differentiated
/// by, and from those that reach what the sweep was started with.
class Sweep {
 public:
  /// Builds the cotangents of a call's operands; see `adjoint_call` in differentiate.cpp.
  class Calls {
   public:
    virtual ~Calls() = default;
    /// Returns the function that computes the cotangents of the parameters' leaves in `wrt`, as a tuple, from
    /// the arguments and the cotangents of the result's leaves in `from`.
    virtual const Function* adjoint(const Function& callee, const std::vector<bool>& wrt,
                                    const std::vector<bool>& from) = 0;
  };

  Sweep(Builder& builder, Dependence& dependence, Dependence::Varied varied, Calls* calls)
      : builder_(builder), dependence_(dependence), varied_(std::move(varied)), calls_(calls) {}

  /// Adds to the cotangent of a leaf of a value.
  void add(const Value* to, std::size_t leaf, Value* cotangent);
  /// Returns the cotangent of the leaf, or null if it is zero.
  Value* cotangent(const Value* of, std::size_t leaf = 0) const;
  void run(const std::vector<Instruction*>& body);

 private:
  using Leaves = std::vector<Value*>;
  void visit(Instruction& primal, const Leaves& cotangents);
  void visit_structural(Instruction& primal, const Leaves& cotangents);
  void visit_call(Instruction& primal, const Leaves& cotangents);
  Value* by_partial(Instruction& primal, const Partials& row, std::size_t operand, Value* cotangent);
  bool varies(const Value* value, std::size_t leaf = 0) const;

  Builder& builder_;
  Dependence& dependence_;
  Dependence::Varied varied_;
  Calls* calls_;
  std::unordered_map<const Value*, Leaves> cotangents_;
};

}  // namespace dlvm
