#pragma once

#include <functional>

#include "dlvm/differentiate/paths.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

struct DifferentiationOptions {
  /// Gradients of gradients are made order by order; this is called before every order but the first, to make
  /// what was made smaller: each order is several times the size of what it starts from. It may change
  /// bodies, and must not remove functions.
  std::function<void(Module&)> between_orders = {};
  /// Returns a function that computes the same without calling itself, or null. It is differentiated in the
  /// place of a recursive one: the adjoint of recursion computes at each depth again what is deeper.
  std::function<std::unique_ptr<Function>(const Function&)> without_recursion = {};
  /// Is told of the missing derivatives of each declaration, in the place of the diagnostics. The declared
  /// function and the paths are as they are before that order of gradients is made.
  MissingDerivativesHandler on_missing = {};
  /// The largest number of instructions that a derivative may have; more is an error.
  std::size_t max_instructions = 2'000'000;
};

/// The pass AD. It turns every gradient declaration into an ordinary function: the body of the function that
/// it differentiates, followed by the adjoint code of reverse mode. The module is canonical afterwards. A
/// callee gets one adjoint for each choice of active arguments and results. Bodies of several blocks must
/// have the form that the pass CFGCan makes; adjoint_graph.h says what becomes of them. AD works on its own
/// output. A call of a function that has a derivative of its own (`Function::adjoint`) calls that; afterwards
/// no function has one. Declarations must be legal (dlvm/analysis/gradient_type.h).
///
/// Forward mode is reverse mode applied twice: with the cotangent v, reverse mode computes v * J, which is
/// linear in v; its derivative by v, with the tangent t as cotangent, is J * t, and nothing uses v * J any
/// more. So both modes have the same rules. (The construction is J. Townsend's: "A new trick for calculating
/// Jacobian vector products", 2017.)
///
/// Returns false after reporting an error if a derivative is not known, or is zero only because every path to
/// it is piecewise constant. A result that does not depend on an argument gives zeros and a warning. The
/// module must not be used after an error.
bool differentiate(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options = {});

}  // namespace dlvm
