// The mistakes with structs, enums and `match`: TEL-E0500 to E0531.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind unknown_type{"TEL-E0500", error, "there is no type '{name}'",
                                             "A type is an element type, a shape in brackets, or the name of "
                                             "a struct or an enum that this file or one "
                                             "that it imports declares."};
inline constexpr DiagnosticKind type_as_value{"TEL-E0501", error,
                                              "'{name}' is {a struct or an enum}, not a value",
                                              "A value of a struct is made by its name and its fields, "
                                              "Line(slope: a, offset: b), and one of an enum by one "
                                              "of its cases, Tree.leaf(x)."};
inline constexpr DiagnosticKind tensor_wanted{
    "TEL-E0502", error, "a tensor is wanted here, not {type}",
    "Operators, functions of tensors, indices and conditions take tensors. A struct or an enum is given to a "
    "function, a field or a variable of its type; a struct has its tensors as fields, an enum as the payload "
    "of "
    "its cases."};
inline constexpr DiagnosticKind type_differs{
    "TEL-E0503", error, "{what} is {type}, expected {other type}",
    "Types that are declared are equal only if they are the same: the fields do not matter."};
inline constexpr DiagnosticKind extent_of_type{
    "TEL-E0504", error, "the extent {extent} in a payload of '{type}' is not a constant",
    "All values of an enum have one type, whatever their cases are, so that the tensors in its payloads have "
    "constant shapes: their extents are numbers, and dimensions that 'dim' gives a value."};
inline constexpr DiagnosticKind extent_without_name{
    "TEL-E0517", error, "the extent {extent} in '{type}' has no name",
    "The extents in a struct are numbers and dimensions. A dimension that 'dim' gives no value has an extent "
    "of its own in each value of the struct; those in an enum are constants."};
inline constexpr DiagnosticKind endless_type{"TEL-E0505", error,
                                             "every value of '{type}' would hold another one, without end",
                                             "A struct does not hold itself, and an enum that does has a "
                                             "case without: enum List { end  item([], List) }."};
inline constexpr DiagnosticKind unknown_field{"TEL-E0506", error, "the struct '{type}' has no field '{name}'",
                                              "The fields are those of the declaration of the struct."};
inline constexpr DiagnosticKind unknown_case{"TEL-E0507", error, "the enum '{type}' has no case '{name}'",
                                             "The cases are those of the declaration of the enum."};
inline constexpr DiagnosticKind missing_case{
    "TEL-E0508", error, "the match has no {block or value} for {cases} of '{type}'",
    "A match has one block or value for each case, so that nothing is forgotten when a case is added."};
inline constexpr DiagnosticKind repeated_case{"TEL-E0509", error,
                                              "the match has two {blocks or values} for the case '{name}'",
                                              "A match has one block or value for each case of the enum."};
inline constexpr DiagnosticKind payload_names{"TEL-E0510", error,
                                              "the case '{name}' has {values}, not {number}",
                                              "The names behind a case in a match stand for its payload, in "
                                              "order; _ stands for a value that is not used."};
inline constexpr DiagnosticKind match_of_other{
    "TEL-E0511", error, "a match needs an enum, not {type}",
    "A match tells the cases of an enum apart. Other values are compared "
    "in an 'if'."};
inline constexpr DiagnosticKind role_of_declared{
    "TEL-E0512", error, "the {role} '{name}' cannot be {type}, {a struct or an enum}",
    "A 'loss' is a tensor. A 'param' is a tensor or a struct of tensors, for a case cannot be trained, and "
    "so "
    "is a 'state' of a net. What else callers give and get may be an enum."};
inline constexpr DiagnosticKind field_without_name{
    "TEL-E0513", error, "the fields of '{type}' are given by their names",
    "A struct is made by the names of its fields, in any order: Line(slope: a, offset: b)."};
inline constexpr DiagnosticKind members_of_enum{"TEL-E0514", error,
                                                "an enum has no members: '{name}' is known in a match only",
                                                "Which case a value has is known when the program runs, so "
                                                "its payload has names in the block of that case."};
inline constexpr DiagnosticKind empty_type{"TEL-E0515", error, "the {kind} '{name}' has no {members}",
                                           "A struct has at least one field, and an enum at least one case."};
inline constexpr DiagnosticKind values_of_cases_differ{
    "TEL-E0530", error,
    "the cases of the match have values of different types: '{first}' has {type}, '{other}' has {other type}",
    "A match has one type, whichever case the value has: all its cases give a value of that type."};
inline constexpr DiagnosticKind match_of_element{
    "TEL-E0531", error, "a match cannot be computed for each element",
    "Index notation computes an element for all values of its indices at once, where a match would take one "
    "side. A match without indices in it can stand in index notation."};
inline constexpr DiagnosticKind as_declared{"TEL-E0516", error, "'as' makes tensors of tensors, not {type}",
                                            "'as' converts the elements of a tensor and changes its shape."};

}  // namespace frontend::check
