// The mistakes with nets: TEL-E026x and TEL-E027x.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind unknown_net{"TEL-E0260", error, "unknown net '{name}'",
                                            "A name with arguments behind a colon, fc: Dense(784, 256), "
                                            "declares an instance of a net of this file or "
                                            "of an imported one."};
inline constexpr DiagnosticKind net_wanted{"TEL-E0279", error, "'{parameter}' is a net, not {value}",
                                           "A parameter of a net whose default is a net stands for a net. "
                                           "The argument of an instance is the name of "
                                           "one, both: Bidirectional(8, 16, Layer: GRU), or is left out."};
inline constexpr DiagnosticKind unknown_file{
    "TEL-E0277", error, "no file '{name}' is imported",
    "The name before the dot, in fc: layers.Dense(784, 256), is that of an imported file."};
inline constexpr DiagnosticKind net_as_function{"TEL-E0278", error, "'{name}' is a net, not a function",
                                                "A net has parameters, which each of its instances has for "
                                                "itself. An instance is declared, fc: Dense(784, "
                                                "256), and then called, fc(x)."};
inline constexpr DiagnosticKind role_in_net{"TEL-E0261", error,
                                            "a net cannot declare '{name}', with the role '{role}'",
                                            "A net declares params, consts, states, instances of other nets, "
                                            "and functions. What is computed in it is "
                                            "the result of a function, whose parameters are its inputs."};
inline constexpr DiagnosticKind net_cycle{"TEL-E0262", error, "a net that contains itself: {names}",
                                          "Each of these nets has an instance of the next one, and the last "
                                          "an instance of the first, so an instance "
                                          "would have no end."};
inline constexpr DiagnosticKind nets_too_deep{
    "TEL-E0263", error, "nets are nested more than {number} levels deep",
    "The nesting of nets is limited, so that no program can exhaust the compiler's memory."};
inline constexpr DiagnosticKind nets_too_large{
    "TEL-E0264", error, "'{name}' makes the nets of the module too many: they have more than {number} {what}",
    "The number of nets is limited, so that no program can exhaust the compiler's memory."};
inline constexpr DiagnosticKind net_arguments{
    "TEL-E0265", error, "the net '{net}' takes {arguments}, not {number}",
    "There are more arguments than the net has parameters. The note shows them."};
inline constexpr DiagnosticKind net_argument_missing{
    "TEL-E0266", error, "the net '{net}' lacks its argument '{argument}'",
    "Only arguments whose parameters have a default can be left out. The note shows them."};
inline constexpr DiagnosticKind net_argument_unknown{
    "TEL-E0267", error, "the net '{net}' has no parameter '{name}'",
    "A named argument has the name of a parameter: Dense(n: 784, m: 256). The note shows the parameters."};
inline constexpr DiagnosticKind net_argument_twice{
    "TEL-E0268", error, "the argument '{argument}' of the net '{net}' is given twice",
    "An argument is given by its position or by its name, not both."};
inline constexpr DiagnosticKind net_count{
    "TEL-E0269", error, "an array of {extent} nets: the extent of an array is a constant of at least 1",
    "How many nets an array has must be known when the module is compiled: a number, or a dimension with a "
    "value, dim layers = 12."};
inline constexpr DiagnosticKind net_as_value{
    "TEL-E0270", error, "'{name}' is a net, not a value",
    "A net is called, fc(x), or applied by a pipe, x |> fc. Its parameters are values: fc.W."};
inline constexpr DiagnosticKind net_in_function{
    "TEL-E0271", error, "a function cannot use the net '{name}', which is an instance of the module",
    "A function can use its parameters, dimensions, and constants that have an expression. The functions of "
    "a "
    "net can use the instances that it declares."};
inline constexpr DiagnosticKind unknown_net_member{"TEL-E0272", error, "the net '{net}' has no '{name}'",
                                                   "The name after the dot is that of a param, a const, an "
                                                   "inner net or a function of the net; of an array of "
                                                   "nets it is a number, tower.0."};
inline constexpr DiagnosticKind no_apply{
    "TEL-E0273", error, "the net '{net}' has no function 'apply'",
    "A call of a net, fc(x), is a call of its function apply. Its other functions are called by their names, "
    "fc.f(x)."};
inline constexpr DiagnosticKind net_element_outside{
    "TEL-E0274", error, "'{name}' has no net {number}: it is an array of {extent}",
    "The nets of an array are numbered from 0."};
inline constexpr DiagnosticKind array_member{
    "TEL-E0275", error, "'{name}' is an array of nets, which has no '{member}'",
    "A number selects one net of an array, tower.0, which has the members. A call of the whole array applies "
    "its nets in turn."};
inline constexpr DiagnosticKind net_function_as_value{
    "TEL-E0276", error, "'{name}' is a function of a net, not a value",
    "A function of a net is called, fc.encode(x). It cannot be used as a value."};

inline constexpr DiagnosticKind state_changes_twice{
    "TEL-E0595", error, "the state '{name}' gets its next value twice",
    "A call of an entry point gives each state one next value. A function of a net that gives next values is "
    "called once for each instance of the net."};
inline constexpr DiagnosticKind state_changes_here{
    "TEL-E0596", error, "the state '{name}' cannot get its next value {place}",
    "A call of an entry point gives each state one next value, whatever way it takes. So a function gives it "
    "outside of loops and conditions, and before it returns, and the module calls such a function outside of "
    "them and of recurrent blocks."};
inline constexpr DiagnosticKind state_changes_in_recursion{
    "TEL-E0597", error, "'{function}' calls itself, and gives a state of its net a next value",
    "Each of the calls would give the state another next value. Let a function that does not call itself "
    "give "
    "it: the recursive one returns what that needs."};
inline constexpr DiagnosticKind next_outside_net{
    "TEL-E0598", error, "the next value of {expression}, a state of a net, has no name here",
    "A function of the net gives the state its next value, s', and can return it. Where the net is used, the "
    "state has its value before the call alone."};

}  // namespace frontend::check
