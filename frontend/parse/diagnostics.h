// What can be wrong with the text of a module before any name is looked up.
#pragma once

#include "dlvm/diagnostics/diagnostic.h"

namespace frontend::syntax {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind source_too_large{
    "TEL-E0100", error, "the module is larger than {number} MiB",
    "A module is a text that people read, and its size is limited so that no file can exhaust the compiler's "
    "memory.\n"
    "Large constants belong into a weights file: a `const` without an expression is loaded with the "
    "parameters."};
inline constexpr DiagnosticKind nul_byte{"TEL-E0101", error, "a NUL byte in the source text",
                                         "A TEL module is UTF-8 text. A byte of value 0 never belongs to "
                                         "one: the file is binary, was cut off by a crash,\n"
                                         "or is UTF-16. Save it as UTF-8."};
inline constexpr DiagnosticKind invalid_utf8{"TEL-E0102", error, "the text is not valid UTF-8: byte {byte}",
                                             "A TEL module is UTF-8 text. The byte shown cannot stand where "
                                             "it stands: the file is in another encoding\n"
                                             "(Latin-1, UTF-16) or is damaged. Save it as UTF-8."};
inline constexpr DiagnosticKind unterminated_comment{
    "TEL-E0103", error, "a comment that is never closed",
    "A comment that starts with /* ends at the next */ (comments do not nest). None follows, so everything "
    "to the\n"
    "end of the file would be comment."};
inline constexpr DiagnosticKind unexpected_character{
    "TEL-E0104", error, "unexpected {character}",
    "This character has no meaning in TEL. Names are ASCII letters, digits and '_'; the operators are\n"
    "+ - * / % ^ • @ . == != < <= > >= and or not |>; there are no strings."};
inline constexpr DiagnosticKind malformed_number{
    "TEL-E0105", error, "'{text}' is not a number",
    "A number is 3, 0.5, 1e-4 or 1_000: digits stand on both sides of '.' and '_', digits follow an "
    "exponent, and\n"
    "there are no hexadecimal numbers. A product needs its operator: 2 * x, not 2x."};
inline constexpr DiagnosticKind one_sided_dot{
    "TEL-E0106", error, "a '.' with white space on one side only",
    "With white space on both sides '.' is the product, `a . b`, the same as `a • b` and `a @ b`; with none "
    "it takes\n"
    "a member, `layers.relu`. On one side only it could be meant as either."};
inline constexpr DiagnosticKind joined_separator{"TEL-E0107", error,
                                                 "the separator 'x' runs into a name: '{text}'",
                                                 "Between extents 'x' separates: [784x10], [784 x 10], [N x "
                                                 "10]. Next to a name it needs white space, because\n"
                                                 "'xN' and 'Nx10' are names themselves."};
inline constexpr DiagnosticKind unclosed_bracket{
    "TEL-E0110", error, "'{bracket}' is never closed",
    "Every '(' needs its ')' and every '[' its ']', within one declaration."};
inline constexpr DiagnosticKind unmatched_bracket{
    "TEL-E0111", error, "'{bracket}' closes nothing",
    "A closing bracket needs the opening bracket of its kind before it, within one declaration."};
inline constexpr DiagnosticKind mismatched_bracket{
    "TEL-E0112", error, "'{bracket}' was opened, but '{other bracket}' closes it",
    "Brackets are closed in the opposite order of their opening, each by its own kind."};
inline constexpr DiagnosticKind too_deep{
    "TEL-E0113", error, "the expression is nested too deeply (more than {number} levels)",
    "Brackets, `if`s and prefix operators may stand inside each other up to a limit, so that no program can "
    "exhaust\n"
    "the compiler's memory. Name a part of the expression: a `hidden` value costs nothing."};
inline constexpr DiagnosticKind too_long{
    "TEL-E0114", error, "the declaration has more than {number} words and signs",
    "One declaration is limited in size so that no program can exhaust the compiler's memory. A large "
    "constant belongs\n"
    "into a weights file: a `const` without an expression is loaded with the parameters."};
inline constexpr DiagnosticKind expected{
    "TEL-E0120", error, "expected {what may stand here}, found {what stands here}",
    "The text does not follow the syntax here. What would have fitted is named first."};
inline constexpr DiagnosticKind expected_declaration{
    "TEL-E0121", error, "expected a declaration, found {what stands here}",
    "A module is a list of declarations: `name: role[shape] = expression`, `name = expression`, or one that "
    "starts\n"
    "with module, type, dim, import, func or gradient."};
inline constexpr DiagnosticKind reserved_word{"TEL-E0122", error,
                                              "'{word}' is a reserved word and cannot be a name",
                                              "Reserved are: if then else and or not as for in while let var "
                                              "return match true false auto, and the names of\n"
                                              "the element types. Every other word can be a name, also those "
                                              "that have a meaning elsewhere (loss, along, T)."};
inline constexpr DiagnosticKind unknown_role{"TEL-E0123", error, "unknown role '{word}'",
                                             "After `name:` stands the role: in, param, const, hidden (or "
                                             "layer), out or loss; then, where it is needed, the\n"
                                             "element type and the shape: `label: in int32[N]`."};
inline constexpr DiagnosticKind unknown_element_type{
    "TEL-E0124", error, "unknown element type '{word}'",
    "The element types are bool, int8, int16, int32, int64, uint8, float16, bfloat16, float32 and float64.\n"
    "In the signature of a function, `int` stands for any integer type."};
inline constexpr DiagnosticKind extent_not_integer{"TEL-E0125", error,
                                                   "'{number}' is not an integer, so it cannot be an extent",
                                                   "An extent counts elements: it is an integer, a named "
                                                   "dimension, or an expression of these with + - * /."};
inline constexpr DiagnosticKind dimension_named_x{
    "TEL-E0126", error, "a dimension cannot be called 'x'",
    "Inside a shape 'x' separates the extents, so it is no name there."};
inline constexpr DiagnosticKind chained_comparison{
    "TEL-E0127", error, "comparisons cannot be chained",
    "`a < b < c` would compare a truth value with c. Write `a < b and b < c`."};
inline constexpr DiagnosticKind postfix_after_as{"TEL-E0128", error, "'{sign}' directly after a type",
                                                 "What follows `as` is a type; an index, a call, a member or "
                                                 "^T behind it would be read as part of the type.\n"
                                                 "Put the conversion in parentheses: (e as [1x2])[0]."};
inline constexpr DiagnosticKind nested_literal{
    "TEL-E0129", error, "a literal all of whose elements are bracket literals",
    "[[1, 2], [3, 4]] would concatenate two vectors to one of four elements, which is seldom what is meant.\n"
    "A matrix is written [1, 2; 3, 4]; the concatenation is [1, 2, 3, 4]; stack(a, b) adds an axis."};
inline constexpr DiagnosticKind misplaced_header{
    "TEL-E0130", error, "'{word}' may stand only once, before everything else",
    "A module starts with `module name` and `type float32`, in that order; both may be left out."};
inline constexpr DiagnosticKind comma_in_shape{"TEL-E0131", error, "extents are separated by 'x', not by ','",
                                               "A shape is written [3 x 4]. (A list of values is [3, 4].)"};
inline constexpr DiagnosticKind equals_in_expression{
    "TEL-E0132", error, "'=' does not belong into an expression",
    "Equality is tested with ==. A named argument is written with a colon: softmax(x, along: 0)."};
inline constexpr DiagnosticKind axis_not_integer{
    "TEL-E0133", error, "'{text}' is not an axis",
    "`along` takes a signed integer literal: axes count from 0, negative ones from the end."};
inline constexpr DiagnosticKind name_is_no_declaration{
    "TEL-E0134", error, "'{name}' is not followed by ':' or '='",
    "A declaration is `name: role[shape] = expression` or `name = expression`; the shape stands behind the "
    "role."};

inline constexpr DiagnosticKind not_supported{
    "TEL-E0135", error, "{construct} is not supported yet",
    "The language will have this, but this version of telc does not. Nothing in it has been checked. "
    "docs/language.md lists what is not there yet; the fix says what can be written today."};

}  // namespace frontend::syntax
