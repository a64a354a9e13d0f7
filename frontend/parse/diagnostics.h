// The mistakes in the text of a module that are found before any name is looked up.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::syntax {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind source_too_large{
    "TEL-E0100", error, "the module is larger than {number} MiB",
    "The size of a module is limited so that no file can exhaust the compiler's memory.\n"
    "Large constants belong in a weights file: a `const` without an expression is loaded with the "
    "parameters."};
inline constexpr DiagnosticKind nul_byte{
    "TEL-E0101", error, "a NUL byte in the source text",
    "A TEL module is UTF-8 text, which never has a byte of value 0: the file is binary, is UTF-16, or was "
    "damaged. Save it as UTF-8."};
inline constexpr DiagnosticKind invalid_utf8{
    "TEL-E0102", error, "the text is not valid UTF-8: byte {byte}",
    "A TEL module is UTF-8 text, in which this byte cannot occur at this place: the file has another "
    "encoding (Latin-1, UTF-16), or is damaged. Save it as UTF-8."};
inline constexpr DiagnosticKind unterminated_comment{
    "TEL-E0103", error, "a comment that is never closed",
    "A comment that starts with /* ends at the next */; comments do not nest. No */ follows, so the "
    "comment would extend to the end of the file."};
inline constexpr DiagnosticKind unexpected_character{
    "TEL-E0104", error, "unexpected {character}",
    "This character has no meaning in TEL. Names are ASCII letters, digits and '_'; the operators are\n"
    "+ - * / % ^ • @ . == != < <= > >= and or not |>."};
inline constexpr DiagnosticKind text_elsewhere{
    "TEL-E0556", error, "the text {text} stands where no text can",
    "A text in quotation marks is the name of a tensor in files of weights, and stands behind 'from': "
    "W: param[3x4] from \"fc.weight\"^T = glorot(). There are no values that are texts."};
inline constexpr DiagnosticKind unquoted_text{
    "TEL-E0581", error, "a name in files of weights stands in quotation marks",
    "Behind 'from' stands the name that a tensor has in files of weights, which may hold points, spaces and "
    "slashes: W: param[3x4] from \"fc.weight\"^T = glorot()."};
inline constexpr DiagnosticKind malformed_number{
    "TEL-E0105", error, "'{text}' is not a number",
    "A number is 3, 0.5, 1e-4 or 1_000: digits stand on both sides of '.' and '_', digits follow an "
    "exponent, and\n"
    "there are no hexadecimal numbers. A product needs its operator: 2 * x, not 2x."};
inline constexpr DiagnosticKind one_sided_dot{
    "TEL-E0106", error, "a '.' with white space on one side only",
    "With white space on both sides '.' is the product, `a . b`, the same as `a • b` and `a @ b`. Without "
    "white space it selects a member, `layers.relu`. With white space on one side it could be either."};
inline constexpr DiagnosticKind joined_separator{
    "TEL-E0107", error, "the separator 'x' runs into a name: '{text}'",
    "'x' separates extents: [784x10], [784 x 10], [N x 10]. Next to a name it needs white space, because "
    "'xN' and 'Nx10' are names."};
inline constexpr DiagnosticKind unclosed_bracket{
    "TEL-E0110", error, "'{bracket}' is never closed",
    "Every bracket and every brace that is opened is closed by its own kind, within one declaration."};
inline constexpr DiagnosticKind unclosed_brace{
    "TEL-E0140", error, "the {what} is never closed",
    "The params, consts, inner nets and functions of a net, and the values of a recurrent block, stand "
    "between { and }, each a declaration as in a module."};
inline constexpr DiagnosticKind not_in_net{
    "TEL-E0141", error, "{what} cannot stand in a net",
    "A net declares params, consts, states, instances of other nets, and functions. What it computes is the "
    "result of a function, apply, which gives the states their next values; dimensions are its arguments, "
    "net "
    "Dense(n, m), or are declared outside."};
inline constexpr DiagnosticKind not_in_recurrence{
    "TEL-E0450", error, "{what} cannot stand in a recurrent block",
    "A recurrent block declares what is computed in each step: inputs, hidden values, outs, values before "
    "the "
    "first step, h[0-1] = ..., and further recurrent blocks. Everything else is declared outside, and can be "
    "used in the block."};
inline constexpr DiagnosticKind recurrences_too_deep{
    "TEL-E0466", error, "a recurrent block inside more than {number} others",
    "The steps of a block run in each step of the one around it, and the nesting of blocks is limited."};
inline constexpr DiagnosticKind not_an_array{
    "TEL-E0142", error, "an array of nets has one extent",
    "The number of nets stands in brackets before the net, a number or a constant dimension: tower: [12] "
    "Block(d)."};
inline constexpr DiagnosticKind unmatched_bracket{
    "TEL-E0111", error, "'{bracket}' closes nothing",
    "A closing bracket needs the opening bracket of its kind before it, within one declaration."};
inline constexpr DiagnosticKind mismatched_bracket{
    "TEL-E0112", error, "'{bracket}' was opened, but '{other bracket}' closes it",
    "Brackets are closed in the opposite order of their opening, each by its own kind."};
inline constexpr DiagnosticKind too_deep{
    "TEL-E0113", error, "the expression is nested too deeply (more than {number} levels)",
    "Brackets, `if`s and prefix operators can be nested up to a limit, so that no program can exhaust the "
    "compiler's memory. Give a part of the expression a name: a `hidden` value costs nothing."};
inline constexpr DiagnosticKind too_long{
    "TEL-E0114", error, "the declaration has more than {number} words and signs",
    "The size of a declaration is limited so that no program can exhaust the compiler's memory. A large "
    "constant belongs in a weights file: a `const` without an expression is loaded with the parameters."};
inline constexpr DiagnosticKind expected{
    "TEL-E0120", error, "expected {what may stand here}, found {what stands here}",
    "The text does not follow the syntax here. The message says what could stand here, and what does."};
inline constexpr DiagnosticKind expected_declaration{
    "TEL-E0121", error, "expected a declaration, found {what stands here}",
    "A module is a list of declarations: `name: role[shape] = expression`, `name = expression`, or one "
    "that starts with module, type, dim, import, func, net, recurrent, gradient, custom or optimize."};
inline constexpr DiagnosticKind reserved_word{
    "TEL-E0122", error, "'{word}' is a reserved word and cannot be a name",
    "Reserved are: if then else and or not as for in while let var return match true false auto, and the "
    "names of the element types. Every other word can be a name, even if it has a meaning elsewhere (loss, "
    "along, T)."};
inline constexpr DiagnosticKind misplaced_auto{
    "TEL-E0574", error, "'auto' can only be the whole shape of a param",
    "The shape of a param may follow from what is computed with it: W: param[auto] = glorot(). The shape of "
    "an "
    "`in` is that which its caller passes, and a value that is computed has that of its expression, so that "
    "their shapes are written, or left out."};
inline constexpr DiagnosticKind unknown_role{
    "TEL-E0123", error, "unknown role '{word}'",
    "`name:` is followed by a role, which is in, param, const, hidden (or layer), out or loss; then come "
    "the element type and the shape, if they are needed: `label: in int32[N]`."};
inline constexpr DiagnosticKind unknown_element_type{
    "TEL-E0124", error, "unknown element type '{word}'",
    "The element types are bool, int8, int16, int32, int64, uint8, float16, bfloat16, float32 and float64.\n"
    "In the signature of a function, `int` stands for any integer type."};
inline constexpr DiagnosticKind extent_not_integer{
    "TEL-E0125", error, "'{number}' is not an integer, so it cannot be an extent",
    "An extent counts elements: it is an integer, a named dimension, or an expression of these with + - * "
    "/."};
inline constexpr DiagnosticKind dimension_named_x{
    "TEL-E0126", error, "a dimension cannot be called 'x'",
    "Inside a shape 'x' separates the extents, so it cannot be the name of one."};
inline constexpr DiagnosticKind chained_comparison{
    "TEL-E0127", error, "comparisons cannot be chained",
    "`a < b < c` would compare a truth value with c. Write `a < b and b < c`."};
inline constexpr DiagnosticKind postfix_after_as{
    "TEL-E0128", error, "'{sign}' directly after a type",
    "`as` is followed by a type, and an index, a call, a member or ^T after it would be read as part of "
    "the type. Put the conversion in parentheses: (e as [1x2])[0]."};
inline constexpr DiagnosticKind nested_literal{
    "TEL-E0129", error, "a literal all of whose elements are bracket literals",
    "[[1, 2], [3, 4]] would join two vectors into one of four elements, which is seldom intended. A matrix "
    "is written [1, 2; 3, 4], the joined vector [1, 2, 3, 4], and stack(a, b) adds an axis."};
inline constexpr DiagnosticKind misplaced_header{
    "TEL-E0130", error, "'{word}' may stand only once, before everything else",
    "A module starts with `module name` and `type float32`, in that order. Both may be left out."};
inline constexpr DiagnosticKind comma_in_shape{"TEL-E0131", error, "extents are separated by 'x', not by ','",
                                               "A shape is written [3 x 4]. (A list of values is [3, 4].)"};
inline constexpr DiagnosticKind equals_in_expression{
    "TEL-E0132", error, "'=' cannot be part of an expression",
    "Equality is tested with ==. A named argument is written with a colon: softmax(x, along: 0)."};
inline constexpr DiagnosticKind axis_not_integer{
    "TEL-E0133", error, "'{text}' is not an axis",
    "`along` is followed by an integer, which may have a sign: axes count from 0, and from the end if it "
    "is negative."};
inline constexpr DiagnosticKind name_is_no_declaration{
    "TEL-E0134", error, "'{name}' is not followed by ':' or '='",
    "A declaration is `name: role[shape] = expression` or `name = expression`: the shape follows the role."};

inline constexpr DiagnosticKind index_not_name{
    "TEL-E0151", error, "'{text}' cannot be an index: it is not a name",
    "On the left of an equation for each element, C[i, j] = ..., each axis has an index, which is a name. "
    "The right side says what the element at these positions is."};
inline constexpr DiagnosticKind misplaced_for{
    "TEL-E0152", error, "'for' cannot stand here",
    "Indices are bound in the call of a reduction, which has the expression of one element before `for`: "
    "sum(A[i, k] * B[k, j] for k). The reductions are sum, product, min, max and mean."};

inline constexpr DiagnosticKind foreign_statement{
    "TEL-E0136", error, "'{word}' does not start a declaration",
    "A module is a list of declarations: `name: role[shape] = expression`, `name = expression`, or one that "
    "starts with module, type, dim, import, func, net, recurrent, gradient, custom or optimize. Statements, "
    "such as "
    "loops and "
    "assignments, "
    "stand in functions, func f(x: [n]) -> [n] { ... }. docs/language.md says what the language does not "
    "have, "
    "and what can be written "
    "in its place."};

}  // namespace frontend::syntax
