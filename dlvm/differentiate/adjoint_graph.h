#pragma once

#include <vector>

#include "dlvm/analysis/dependence.h"
#include "dlvm/differentiate/copy_body.h"
#include "dlvm/differentiate/sweep.h"

namespace dlvm {

/// The body that is differentiated, which has been built again, and from where to where.
struct AdjointRequest {
  const BodyCopy& forward;
  const std::vector<Value*>& arguments;
  const std::vector<bool>& wrt;      ///< the leaves of the arguments by which the body is differentiated
  const std::vector<Value*>& seeds;  ///< the cotangents of the leaves of its result; null: zero
  const std::vector<Value*>& onto;   ///< to what the cotangents of the arguments' leaves are added, or null
};

/// Builds what runs the body backwards, behind its exit, and returns the cotangents of the leaves of its
/// arguments (null: zero). The builder stands behind all of it afterwards.
///
/// Each block gets an adjoint block. It computes the cotangents of what is used in its block from the
/// cotangents of what the block defines, and goes on to the adjoint of the block that was run before: in the
/// adjoint of a loop's header the count of iterations decides, in that of another block with several
/// predecessors a number that each of them has passed. Its arguments are the cotangents of the values that
/// live behind its block, but for those that are the same on all ways into it, and the counts of the loops
/// around it.
///
/// A value that the adjoint needs is used where it is if nothing has changed it since. A value that was
/// another one each time round a loop is pushed to a stack at the end of its block, and popped in the adjoint
/// of that block; or computed again, where that is as cheap. The body's loops must have preheaders and single
/// latches, and none of its edges is critical (the pass CFGCan).
std::vector<Value*> build_cotangents(Builder& builder, const AdjointRequest& request, Dependence& dependence,
                                     Sweep::Calls& calls);

}  // namespace dlvm
