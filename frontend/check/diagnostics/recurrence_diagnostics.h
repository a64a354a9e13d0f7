// The mistakes with recurrent blocks: TEL-E045x and TEL-E046x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind length_unknown{
    "TEL-E0451", error, "the number of steps of this recurrent block is not known",
    "It is the leading extent of the block's inputs, or of the sequences over which it runs. A block with "
    "neither names it: recurrent t in T { ... }, or recurrent t in 10 { ... }."};
inline constexpr DiagnosticKind role_in_recurrence{
    "TEL-E0452", error, "a recurrent block cannot declare '{name}', with the role '{role}'",
    "In a recurrent block stand inputs, hidden values and outs: what each step takes, computes and returns. "
    "Params, consts and states have one value for all steps, and are declared outside. A loss or a metric is "
    "a scalar of the whole sequence, computed after the block."};
inline constexpr DiagnosticKind bad_initial_step{"TEL-E0453", error,
                                                 "'{text}' is no step before the first one",
                                                 "The steps before the first one are [0-1], [0-2] and so on: "
                                                 "h[0-1] = init is the value that h[t-1] has in "
                                                 "the first step, h[0-2] = init the one that h[t-2] has."};
inline constexpr DiagnosticKind initial_of_no_value{
    "TEL-E0454", error, "'{name}' is no value of this recurrent block",
    "A value before the first step is given in the block that declares the value: h[0-1] = init."};
inline constexpr DiagnosticKind initial_in_step{
    "TEL-E0455", error, "the value before the first step depends on '{name}', which the steps compute",
    "What a value is before the first step is computed before the block runs, from values outside the "
    "block."};
inline constexpr DiagnosticKind initial_differs{
    "TEL-E0456", error, "the value of '{name}' before the first step is {type there}, but '{name}' is {type}",
    "In the first step h[t-1] is the initial value, so that it has the element type and the shape of h. A "
    "scalar is stretched where the type of h is declared."};
inline constexpr DiagnosticKind later_step{
    "TEL-E0457", error, "'{name}' is the value of a later step, which is not known yet",
    "A step can use values of this step, h[t], and of the steps before it, h[t-1], h[t-2] and so on. A block "
    "that runs backwards, recurrent t backward { ... }, begins with the last step; [t-1] is then the step "
    "processed before, which is later in time."};
inline constexpr DiagnosticKind step_of_other{
    "TEL-E0458", error, "{expression} is no value of the recurrent block whose steps '{counter}' counts",
    "[t-1] is the value of the step before, which only the inputs, the sequences and the values of the block "
    "have. Another tensor is taken step by step where the block runs over it: recurrent t over x = e { ... "
    "x[t-1] ... }."};
inline constexpr DiagnosticKind step_with_axes{
    "TEL-E0459", error, "the step stands in brackets of its own",
    "h[t-1] is the whole value of the step before; an element of it is h[t-1][2]."};
inline constexpr DiagnosticKind lag_too_large{
    "TEL-E0460", error, "a value more than {number} steps before",
    "Each step of a lag is a copy of the value that the loop carries, so that their number is limited. "
    "Values "
    "further back are gathered from a sequence that has been computed before."};
inline constexpr DiagnosticKind recurrent_type_unknown{
    "TEL-E0461", error, "the type of '{name}' follows from its own earlier value: {names}",
    "Before the step can be checked, the type of the value that it takes from the step before must be known. "
    "It is declared, h: hidden[4], or is that of an initial value, h[0-1] = init."};
inline constexpr DiagnosticKind lengths_differ{
    "TEL-E0462", error, "'{name}' has {extent} steps, but the block has {length}",
    "All sequences of a recurrent block have the same leading extent, which is the number of its steps."};
inline constexpr DiagnosticKind source_without_axis{
    "TEL-E0463", error, "'{name}' runs over a scalar, {type}",
    "A recurrent block runs over the leading axis of a tensor, which is the time."};
inline constexpr DiagnosticKind sequence_of_no_value{
    "TEL-E0464", error, "{expression} is no value of a recurrent block",
    "sequence(h) has the values that h has in all steps of a recurrent block, in the order of time. Its "
    "argument is the name of a value that the block declares."};
inline constexpr DiagnosticKind sequence_in_step{
    "TEL-E0465", error, "the sequence of '{name}' is known only after the recurrent block",
    "In a step, the values of this step and of the ones before it are known: h[t], h[t-1]. sequence(h) "
    "stands "
    "behind the block."};
inline constexpr DiagnosticKind index_of_step{
    "TEL-E0467", error, "'{counter}' counts the steps of this block and is no index of '{name}'",
    "What a recurrent block declares has one value in each step. The declaration names the value, and h[t] "
    "or "
    "h is that of this step in an expression. Index notation binds other names."};
inline constexpr DiagnosticKind declared_value_of_step{
    "TEL-E0528", error, "'{name}' is {kind}, '{type}', which ends with the step",
    "What goes on from one step of a recurrent block to the next, or to what follows the block, is a tensor "
    "or a struct of tensors: before the first step they are zero. An enum has no such value. Name the "
    "tensors that are needed."};
inline constexpr DiagnosticKind sequence_of_structure{
    "TEL-E0615", error, "'{expression}' is {kind}, '{type}', which has no sequence",
    "sequence(h) has the values of a tensor in all steps. Each tensor of a struct has a sequence of its "
    "own."};

}  // namespace frontend::check
