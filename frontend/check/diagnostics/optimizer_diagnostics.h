// The mistakes in `optimize with`: TEL-E043x and TEL-E044x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind unknown_optimizer{
    "TEL-E0430", error, "unknown optimizer '{name}'",
    "An optimizer is a function of this file, of an imported one, or of the library optimizers, which has "
    "adagrad, adam, adamw, lion, momentum, rmsprop and sgd. stdlib/optimizers.tel shows how one is written."};
inline constexpr DiagnosticKind optimizer_draws{
    "TEL-E0526", error, "'{name}' draws random numbers, which an optimizer cannot",
    "An update follows from the parameter, its derivative, the memory and the settings alone, so that a step "
    "can be repeated. Noise may be in the loss."};
inline constexpr DiagnosticKind not_an_optimizer{
    "TEL-E0431", error, "'{name}' is not an optimizer: {reason}",
    "An optimizer is a function of a parameter, its derivative, and tensors of the same shape, which are its "
    "memory: func momentum(p: [s...], g: [s...], v: [s...], rate: []) -> ([s...], [s...]). Its results are "
    "what the parameter and the memory become, in this order. Further parameters are scalars: `step` and "
    "`norm` get the number of the step and the norm of all derivatives, the others are hyper-parameters."};
inline constexpr DiagnosticKind optimizer_arguments{
    "TEL-E0432", error, "'optimize with' needs the name of an optimizer, with its hyper-parameters",
    "optimize with adam(rate: 0.001) names a function and gives its hyper-parameters. A computed rate is an "
    "argument, optimize with adam(rate: 0.001 * warmup(step, 100))."};
inline constexpr DiagnosticKind optimizer_supplies{
    "TEL-E0433", error, "'{name}' is no hyper-parameter of '{function}': 'optimize' supplies it",
    "The parameter, its derivative, the memory, the number of the step and the norm of the derivatives are "
    "supplied for each parameter of the module. The others are hyper-parameters."};
inline constexpr DiagnosticKind hyper_parameter_unknown{
    "TEL-E0434", error, "the optimizer '{function}' has no hyper-parameter '{name}'",
    "A hyper-parameter has the name of a parameter of the optimizer's function. The note shows them."};
inline constexpr DiagnosticKind hyper_parameter_without_name{
    "TEL-E0435", error, "a hyper-parameter of '{function}' has no name",
    "Hyper-parameters are given by their names, adam(rate: 0.001): the function's first parameters are what "
    "'optimize' supplies."};
inline constexpr DiagnosticKind hyper_parameter_not_scalar{
    "TEL-E0436", error, "the hyper-parameter '{name}' is {type}, not a scalar",
    "A hyper-parameter is one number, the same for every element of every parameter."};
inline constexpr DiagnosticKind optimized_twice{
    "TEL-E0437", error, "the module is optimized twice",
    "There is one entry point `step`, which updates every parameter by one optimizer. What is not to be "
    "trained is a const."};
inline constexpr DiagnosticKind nothing_to_optimize{
    "TEL-E0438", error, "there is nothing to optimize: the module has no {role}",
    "`step` takes the derivatives of the losses by the params, and updates the params."};
inline constexpr DiagnosticKind optimizer_name_taken{
    "TEL-E0439", error, "'{name}' cannot be declared beside 'optimize': the optimizer's memory has this name",
    "The memory of an optimizer is in State, under the names optimizer.m.W and the like."};

}  // namespace frontend::check
