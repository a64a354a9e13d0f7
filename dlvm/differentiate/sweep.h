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
    /// Which function is wanted: that which computes the cotangents of the parameters' leaves in `wrt`, as a
    /// tuple, from the arguments, the cotangents of the result's leaves in `from`, and for each of the
    /// parameters' leaves in `onto` a cotangent to which the function adds its own. So the order of all
    /// additions is that of a body without calls. If the callee is shared (analysis/shared_functions.h), the
    /// results of the callee follow in the tuple.
    struct Wanted {
      const Function* callee = nullptr;
      std::vector<bool> wrt, from, onto;
      friend auto operator<=>(const Wanted&, const Wanted&) = default;
    };
    virtual const Function* adjoint(const Wanted& wanted) = 0;
  };

  /// The cotangents of what is on a stack are on a stack of their own, which holds the cotangents of those
  /// leaves of a value that have any: reverse mode pushes them where a value was popped, and pops them where
  /// it was pushed.
  struct Shadow {
    Value* stack = nullptr;
    std::vector<std::size_t> leaves;
    std::vector<Type> types;  ///< those of the leaves
  };
  using Shadows = std::unordered_map<const Value*, Shadow>;

  /// `active`: the leaves of values that may have a cotangent. `calls`: null where there are none.
  Sweep(Builder& builder, Dependence& dependence, const Dependence::Leaves& active, const Shadows& shadows,
        Calls* calls)
      : builder_(builder), dependence_(dependence), active_(active), shadows_(shadows), calls_(calls) {}

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
  static void call_joint(Instruction& primal, const Function& adjoint);
  void visit_stack(Instruction& primal, const Leaves& cotangents, const Shadow& shadow);
  const Shadow* shadow_of(const Instruction& primal) const;
  Value* by_partial(Instruction& primal, const Partials& row, std::size_t operand, Value* cotangent);
  bool is_active(const Value* value, std::size_t leaf = 0) const;
  void remove_if_replaced(const Instruction& primal, const Value* operand, Value* cotangent);

  Builder& builder_;
  Dependence& dependence_;
  const Dependence::Leaves& active_;
  const Shadows& shadows_;
  Calls* calls_;
  std::unordered_map<const Value*, Leaves> cotangents_;
};

}  // namespace dlvm
