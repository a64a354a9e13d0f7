#include "dlvm/ir/instruction_table.h"

#include <algorithm>

#include "dlvm/ir/type_rules.h"

namespace dlvm {
namespace {

using enum PartKind;

constexpr Part one_operand[]{{Clause::none, operand, "input"}};
constexpr Part two_operands[]{{Clause::none, operand, "left"}, {Clause::none, operand, "right"}};
constexpr Part return_parts[]{{Clause::none, operand, "value", true}};
constexpr Part many_operands[]{{Clause::none, operands, "elements"}};
constexpr Part extract_parts[]{{Clause::none, integers, "position"}, {Clause::from, operand, "aggregate"}};
constexpr Part insert_parts[]{{Clause::none, operand, "element"},
                              {Clause::to, operand, "aggregate"},
                              {Clause::at, integers, "position"}};
constexpr Part apply_parts[]{{Clause::none, function, "callee"}, {Clause::none, operands, "arguments"}};
constexpr Part select_parts[]{{Clause::none, operand, "where true"},
                              {Clause::none, operand, "where false"},
                              {Clause::by, operand, "condition"}};
constexpr Part cast_parts[]{{Clause::none, operand, "input"}, {Clause::to, element, "type"}};
constexpr Part axis_parts[]{{Clause::none, operand, "input"}, {Clause::at, integers, "axis"}};
constexpr Part to_shape_parts[]{{Clause::none, operand, "input"}, {Clause::to, extents, "shape"}};
constexpr Part transpose_parts[]{{Clause::none, operand, "input"},
                                 {Clause::by, integers, "permutation", true}};
constexpr Part along_parts[]{{Clause::none, operand, "input"}, {Clause::along, integers, "axes"}};
constexpr Part slice_parts[]{{Clause::none, operand, "input"},
                             {Clause::from, extents, "first"},
                             {Clause::upto, extents, "end"},
                             {Clause::by, integers, "steps", true}};
constexpr Part concatenate_parts[]{{Clause::none, operands, "inputs"}, {Clause::along, integers, "axis"}};
constexpr Part pad_parts[]{
    {Clause::none, operand, "input"}, {Clause::by, extent_pairs, "amounts"}, {Clause::with, operand, "fill"}};
constexpr Part gather_parts[]{
    {Clause::none, operand, "input"}, {Clause::at, operands, "indices"}, {Clause::along, integers, "axes"}};
constexpr Part scatter_parts[]{{Clause::none, operand, "updates"},
                               {Clause::to, operand, "input"},
                               {Clause::at, operands, "indices"},
                               {Clause::by, combinator, "combinator"},
                               {Clause::along, integers, "axes"}};
constexpr Part iota_parts[]{
    {Clause::none, extents, "shape"}, {Clause::along, integers, "axis"}, {Clause::none, result_type, "type"}};
constexpr Part extent_parts[]{{Clause::none, extents, "extent"}, {Clause::none, result_type, "type"}};
constexpr Part check_parts[]{
    {Clause::none, operand, "indices"}, {Clause::from, extents, "first"}, {Clause::upto, extents, "end"}};
constexpr Part reduce_parts[]{{Clause::none, operand, "input"},
                              {Clause::by, combinator, "combinator"},
                              {Clause::init, operand, "initial value"},
                              {Clause::along, integers, "axes"}};
constexpr Part scan_parts[]{{Clause::none, operand, "input"},
                            {Clause::by, combinator, "combinator"},
                            {Clause::along, integers, "axis"}};
constexpr Part dot_parts[]{{Clause::none, operand, "left"},
                           {Clause::none, operand, "right"},
                           {Clause::contract, axis_pairs, "contracted axes", true},
                           {Clause::batch, axis_pairs, "batch axes", true}};
constexpr Part random_parts[]{{Clause::none, extents, "shape"},
                              {Clause::from, operand, "low"},
                              {Clause::upto, operand, "high"},
                              {Clause::key, operand, "key", true},
                              {Clause::counter, operand, "counter", true}};

constexpr Trait ew = Trait::elementwise, costly = ew | Trait::costly, commutes = ew | Trait::commutative,
                monoid = commutes | Trait::associative, compares = ew | Trait::comparison;
using enum Accepts;
namespace rule = type_rules;

constexpr InstructionDefinition unary(Opcode opcode, Accepts accepts, Trait traits,
                                      std::string_view summary) {
  return {opcode, {}, one_operand, rule::elementwise, accepts, traits, summary};
}
constexpr InstructionDefinition binary(Opcode opcode, Accepts accepts, Trait traits,
                                       std::string_view summary) {
  return {opcode, {}, two_operands, rule::elementwise, accepts, traits, summary};
}

using enum Opcode;
constexpr std::array<InstructionDefinition, opcode_count> entries{{
    {return_, {}, return_parts, rule::return_, none, Trait::terminator, "leaves the function with a value"},

    {literal, {}, many_operands, rule::literal, none, Trait::none, "a constant, or a tuple of values"},
    {extract, {}, extract_parts, rule::extract, none, Trait::none, "an element of a tuple"},
    {insert, {}, insert_parts, rule::insert, none, Trait::none, "a tuple with one element replaced"},
    {apply, {}, apply_parts, rule::apply, none, Trait::none, "the call of a function"},

    unary(sinh, floating, costly, "hyperbolic sine"),
    unary(cosh, floating, costly, "hyperbolic cosine"),
    unary(tanh, floating, costly, "hyperbolic tangent"),
    unary(asinh, floating, costly, "inverse hyperbolic sine"),
    unary(acosh, floating, costly, "inverse hyperbolic cosine; NaN below 1"),
    unary(atanh, floating, costly, "inverse hyperbolic tangent; NaN outside [-1, 1]"),
    unary(log, floating, costly, "natural logarithm; -inf at 0, NaN below"),
    unary(log1p, floating, costly, "log(1 + x), accurate near 0"),
    unary(exp, floating, costly, "e to the x"),
    unary(expm1, floating, costly, "exp(x) - 1, accurate near 0"),
    unary(negate, numeric, ew, "-x"),
    unary(abs, numeric, ew, "absolute value"),
    unary(sign, numeric, ew, "-1, 0 or 1; of NaN, NaN"),
    unary(square, numeric, ew, "x * x"),
    unary(sqrt, floating, ew, "square root; NaN below 0"),
    unary(rsqrt, floating, ew, "1 / sqrt(x)"),
    unary(round, floating, ew, "to the nearest integer, half away from zero"),
    unary(rint, floating, ew, "to the nearest integer, half to even"),
    unary(ceil, floating, ew, "the least integer not below x"),
    unary(floor, floating, ew, "the greatest integer not above x"),
    unary(tan, floating, costly, "tangent"),
    unary(cos, floating, costly, "cosine"),
    unary(sin, floating, costly, "sine"),
    unary(acos, floating, costly, "inverse cosine; NaN outside [-1, 1]"),
    unary(asin, floating, costly, "inverse sine; NaN outside [-1, 1]"),
    unary(atan, floating, costly, "inverse tangent"),
    unary(lgamma, floating, costly, "log |gamma(x)|"),
    unary(digamma, floating, costly, "the derivative of lgamma"),
    unary(erf, floating, costly, "error function"),
    unary(erfc, floating, costly, "1 - erf(x), accurate for large x"),
    unary(normalCdf, floating, costly, "the probability that a standard normal variable is below x"),
    unary(geluTanhOdds, floating, costly, "exp(2 sqrt(2 / pi) (x + 0.044715 x^3))"),
    unary(not_, boolean, ew, "logical negation"),
    unary(detach, any, ew, "x, without a derivative"),
    unary(isFinite, floating, compares, "neither infinite nor NaN"),
    unary(isNaN, floating, compares, "not a number"),

    binary(add, numeric, monoid, "x + y"),
    binary(subtract, numeric, ew, "x - y"),
    binary(multiply, numeric, monoid, "x * y"),
    binary(divide, floating, ew, "x / y"),
    binary(min, numeric, monoid, "the smaller; NaN where either is NaN"),
    binary(max, numeric, monoid, "the larger; NaN where either is NaN"),
    binary(truncateDivide, numeric, ew, "x / y towards zero; of integers by zero 0"),
    binary(floorDivide, numeric, ew, "the greatest integer not above x / y; of integers by zero 0"),
    binary(modulo, numeric, ew, "x - y * floor(x / y), with the sign of y; of integers by zero 0"),
    binary(power, numeric, costly, "x to the y; of a negative x by a non-integer NaN"),
    binary(and_, boolean, monoid, "logical and"),
    binary(or_, boolean, monoid, "logical or"),
    binary(lessThan, numeric, compares, "x < y; false where either is NaN"),
    binary(lessThanOrEqual, numeric, compares, "x <= y"),
    binary(greaterThan, numeric, compares, "x > y"),
    binary(greaterThanOrEqual, numeric, compares, "x >= y"),
    binary(equal, any, compares | Trait::commutative, "x == y"),
    binary(notEqual, any, compares | Trait::commutative, "x != y; true where either is NaN"),
    binary(atan2, floating, costly, "the angle of the point (y, x): atan2 %y, %x"),
    binary(absorbingMultiply, floating, commutes, "x * y, and 0 where either is 0, whatever the other"),

    {select,
     {},
     select_parts,
     rule::select,
     any,
     ew,
     "the first where the condition is true, else the second"},
    {dataTypeCast,
     {},
     cast_parts,
     rule::cast,
     any,
     ew,
     "conversion; to an integer towards zero, saturating, NaN gives 0; between integers wrapping"},

    {padShape, {}, axis_parts, rule::pad_shape, any, Trait::view, "inserts an axis of extent 1"},
    {squeezeShape, {}, axis_parts, rule::squeeze_shape, any, Trait::view, "removes an axis of extent 1"},
    {shapeCast, {}, to_shape_parts, rule::shape_cast, any, Trait::view, "the same elements in another shape"},
    {transpose,
     {},
     transpose_parts,
     rule::transpose,
     any,
     Trait::view,
     "result axis i is the input's axis permutation[i]; without one all axes reversed"},
    {reverse, {}, along_parts, rule::reverse, any, Trait::view, "each axis named runs backwards"},
    {slice,
     {},
     slice_parts,
     rule::slice,
     any,
     Trait::view,
     "elements first, first + step … before end, of each axis"},
    {concatenate,
     {},
     concatenate_parts,
     rule::concatenate,
     any,
     Trait::view,
     "one after the other along the axis"},
    {pad, {}, pad_parts, rule::pad, any, Trait::view, "amounts (before, after) of the fill around each axis"},
    {broadcast,
     {},
     to_shape_parts,
     rule::broadcast,
     any,
     Trait::view,
     "stretches axes of extent 1 and missing ones"},
    {gather,
     {},
     gather_parts,
     rule::gather,
     any,
     Trait::may_fail,
     "the axes (adjacent) replaced by the indices' shape; an index outside is an error"},
    {scatter,
     {},
     scatter_parts,
     rule::scatter,
     any,
     Trait::may_fail,
     "the input with each update combined into the element at its index, in the order of the updates"},
    {iota, {}, iota_parts, rule::iota, numeric, Trait::none, "the position along the axis"},
    {extent, {}, extent_parts, rule::extent, numeric, Trait::none, "an extent as a scalar"},
    {checkIndex,
     {},
     check_parts,
     rule::check_index,
     integer,
     Trait::may_fail,
     "the indices themselves; one below first or not below end is an error"},

    {reduce,
     {},
     reduce_parts,
     rule::reduce,
     any,
     Trait::none,
     "combines the elements of the axes with the initial value"},
    {scan, {}, scan_parts, rule::scan, any, Trait::none, "running combination along the axis, inclusive"},
    {argmax,
     {},
     along_parts,
     rule::arg_extremum,
     numeric,
     Trait::none,
     "position (i32) of the largest along the axis, the first of equals; of the first NaN where there is "
     "one"},
    {argmin,
     {},
     along_parts,
     rule::arg_extremum,
     numeric,
     Trait::none,
     "position (i32) of the smallest along the axis, the first of equals; of the first NaN where there is "
     "one"},

    {dot,
     {},
     dot_parts,
     rule::dot,
     numeric,
     Trait::none,
     "sum of products over the contracted axes; result: batch axes, left's others, right's others; without "
     "clauses "
     "the last axis of the left with the first of the right"},

    {random,
     {},
     random_parts,
     rule::random,
     numeric,
     Trait::none,
     "uniform in [low, high), Philox 4x32-10: element i from block i / lanes of the key and counter (default "
     "0)"},
}};

constexpr std::array<std::string_view, opcode_count> names{
#define INSTRUCTION(enumerator, name) name,
#include "dlvm/ir/instructions.def"
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < opcode_count; ++i)
    if (static_cast<std::size_t>(entries[i].opcode) != i) return false;
  return true;
}
static_assert(in_order(), "an entry for each instruction, in the order of instructions.def");

constexpr auto named_entries = [] {
  auto result = entries;
  for (std::size_t i = 0; i < opcode_count; ++i) result[i].name = names[i];
  return result;
}();

}  // namespace

const InstructionDefinition& definition(Opcode opcode) {
  return named_entries[static_cast<std::size_t>(opcode)];
}

std::optional<Opcode> opcode_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Opcode>(found - names.begin());
}

Attribute substitute(const Attribute& attribute, const Extent::Substitution& substitution) {
  Attribute out = attribute;
  if (auto* shape = std::get_if<Shape>(&out))
    for (Extent& extent : *shape) extent = extent.substitute(substitution);
  if (auto* pairs = std::get_if<ExtentPairs>(&out))
    for (auto& [before, after] : *pairs) {
      before = before.substitute(substitution);
      after = after.substitute(substitution);
    }
  return out;
}

std::string_view word(Clause clause) {
  constexpr std::string_view words[]{"",     "to",   "by",       "along", "at",  "from",   "upto",
                                     "with", "init", "contract", "batch", "key", "counter"};
  return words[static_cast<std::size_t>(clause)];
}

bool accepts(const InstructionDefinition& definition, ElementType type) {
  const Accepts kind = is_floating(type) ? floating : is_boolean(type) ? boolean : integer;
  return (static_cast<std::uint8_t>(definition.accepts) & static_cast<std::uint8_t>(kind)) != 0;
}

std::optional<Type> infer_type(Opcode opcode, const Signature& signature, std::string& why) {
  const InstructionDefinition& entry = definition(opcode);
  return entry.type_rule(entry, signature, why);
}

}  // namespace dlvm
