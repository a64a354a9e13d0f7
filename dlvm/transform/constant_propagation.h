#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass CP. It does what follows to all bodies, and before that makes literals of parameters that have
/// the same literal in all calls, of functions that only calls refer to.
bool constant_propagation(Module& module);

/// The part of CP that needs no module. Afterwards no instruction has literals alone as operands if the
/// interpreter can compute it by itself and the result is no larger than its operands (or has at most 16
/// elements). Elementwise instructions of splats become splats, of any shape. In a body of several blocks it
/// also follows literals through the arguments of blocks, on the ways that can be taken (see
/// sparse_propagation.h).
bool constant_propagation(Function& function);

}  // namespace dlvm
