#pragma once

#include <vector>

#include "dlvm/analysis/dependence.h"
#include "dlvm/differentiate/copy_body.h"
#include "dlvm/differentiate/sweep.h"

namespace dlvm {

/// The body that is differentiated in forward mode, which has been built again, and from where to where.
struct TangentRequest {
  const BodyCopy& body;
  const std::vector<Value*>& arguments;
  const std::vector<Value*>& tangents;  ///< of the leaves of the arguments; null: zero
  const std::vector<bool>& from;        ///< the leaves of the result whose tangents are wanted
};

/// Gives the functions that calls become.
class TangentCalls {
 public:
  virtual ~TangentCalls() = default;
  /// Which function is wanted: that which takes the arguments, and the tangents of the parameters' leaves in
  /// `wrt`, and returns the result of the callee, followed by the tangents of its leaves in `from`.
  struct Wanted {
    const Function* callee = nullptr;
    std::vector<bool> wrt, from;
    friend auto operator<=>(const Wanted&, const Wanted&) = default;
  };
  virtual const Function* with_tangents(const Wanted& wanted) = 0;
};

/// The result of a body, and the tangents of its leaves (null: zero, or not wanted).
struct BodyWithTangents {
  Value* result = nullptr;
  std::vector<Value*> tangents;
};

/// Builds the tangents of the body's values where the values are, each behind its own, so that nothing is
/// kept. Blocks take the tangents of their arguments, and each stack has one beside it for the tangents of
/// what is on it. The tangent of an instruction follows from the rule of reverse mode: that gives the
/// cotangents of the operands, which are linear in that of the result, and their derivative by it, at the
/// tangents of the operands, is the tangent of the result.
BodyWithTangents build_tangents(Function& function, const TangentRequest& request, Dependence& dependence,
                                TangentCalls& calls);

}  // namespace dlvm
