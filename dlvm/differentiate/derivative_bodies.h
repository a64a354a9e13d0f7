#pragma once

#include <deque>
#include <map>

#include "dlvm/differentiate/differentiate.h"
#include "dlvm/differentiate/tangents.h"

namespace dlvm {

/// Builds bodies with their derivatives, and the functions that calls in them become.
class DerivativeBodies : public Sweep::Calls, public TangentCalls {
 public:
  DerivativeBodies(Module& module, Dependence& dependence, const DifferentiationOptions& options)
      : module_(module), dependence_(dependence), options_(options) {}

  /// The result of a body, and the cotangents of its parameters' leaves (null: zero).
  struct Reverse {
    Value* result;
    std::vector<Value*> cotangents;
  };
  /// Builds the body of `of` at the end of the builder's block, and the cotangents of its parameters' leaves
  /// in `wrt` from `seeds`, one a leaf of the result (null: zero). The builder stands behind all of it
  /// afterwards.
  Reverse reverse(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
                  const std::vector<bool>& wrt, const Extent::Substitution& names,
                  const std::vector<Value*>& seeds, const std::vector<Value*>& onto);
  /// Builds the body of `of` in the same way, with the tangents of its result's leaves in `from`.
  BodyWithTangents forward(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
                           const std::vector<Value*>& tangents, const Extent::Substitution& names,
                           const std::vector<bool>& from);

  const Function* adjoint(const Sweep::Calls::Wanted& wanted) override;
  const Function* with_tangents(const TangentCalls::Wanted& wanted) override;
  /// Builds the next function that calls need, which may need more, and returns it; null if there is none.
  const Function* build_next();
  /// Says that the module has changed, so that functions that were built are of no more use.
  void forget();

 private:
  /// A function that is to be built for a call.
  template <typename Key>
  struct Called {
    Key wanted;
    Function* function = nullptr;
  };
  using Adjoint = Called<Sweep::Calls::Wanted>;
  using WithTangents = Called<TangentCalls::Wanted>;
  /// Builds a call of a function that has a derivative of its own, and the tangents from that.
  BodyWithTangents forward_declared(Builder& builder, const Function& of,
                                    const std::vector<Value*>& arguments, const std::vector<Value*>& tangents,
                                    const std::vector<bool>& from);
  void build(const Adjoint& adjoint);
  void build(const WithTangents& called);

  Module& module_;
  Dependence& dependence_;
  const DifferentiationOptions& options_;
  std::map<Sweep::Calls::Wanted, Function*> adjoints_;
  std::map<TangentCalls::Wanted, Function*> with_tangents_;
  std::deque<Adjoint> pending_adjoints_;
  std::deque<WithTangents> pending_tangents_;
};

}  // namespace dlvm
