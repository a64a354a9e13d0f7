#include "dlvm/ir/instruction_table.h"

#include <algorithm>
#include <iterator>

#include "dlvm/ir/type_rules/type_rules.h"

namespace dlvm {
namespace {

using enum PartKind;

constexpr Part one_operand[]{{Clause::none, operand, "input"}};
constexpr Part two_operands[]{{Clause::none, operand, "left"}, {Clause::none, operand, "right"}};
constexpr std::span<const Part> no_parts;
constexpr Part branch_parts[]{{Clause::none, successor, "block"}};
constexpr Part conditional_parts[]{{Clause::none, operand, "condition"},
                                   {Clause::then, successor, "where true"},
                                   {Clause::else_, successor, "where false"}};
constexpr Part branch_enum_parts[]{{Clause::none, operand, "value"}, {Clause::case_, cases, "cases"}};
constexpr Part return_parts[]{{Clause::none, operand, "value", true}};
constexpr Part literal_parts[]{{Clause::none, operands, "components"},
                               {Clause::none, type, "type", true},
                               {Clause::none, integers, "case", true},
                               {Clause::none, function, "function", true}};
constexpr Part extract_parts[]{{Clause::none, path, "position"}, {Clause::from, operand, "aggregate"}};
constexpr Part insert_parts[]{
    {Clause::none, operand, "element"}, {Clause::to, operand, "aggregate"}, {Clause::at, path, "position"}};
/// The callee is null where the first of the arguments is the function. The last part is there where the text
/// has the callee's type behind the arguments; it is an empty list.
constexpr Part apply_parts[]{{Clause::none, function, "callee"},
                             {Clause::none, operands, "arguments"},
                             {Clause::none, integers, "form", true}};
constexpr Part select_parts[]{{Clause::none, operand, "where true"},
                              {Clause::none, operand, "where false"},
                              {Clause::by, operand, "condition"}};
constexpr Part cast_parts[]{{Clause::none, operand, "input"}, {Clause::to, element, "type"}};
constexpr Part axis_parts[]{{Clause::none, operand, "input"}, {Clause::at, integers, "axis"}};
constexpr Part of_parts[]{{Clause::of, operand, "input"}};
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
constexpr Part check_parts[]{{Clause::none, operand, "indices"},
                             {Clause::from, extents, "first"},
                             {Clause::upto, extents, "end"},
                             {Clause::else_, failure, "failure", true}};
constexpr Part reduce_parts[]{{Clause::none, operand, "input"},
                              {Clause::by, combinator, "combinator"},
                              {Clause::init, operand, "initial value"},
                              {Clause::along, integers, "axes"}};
constexpr Part scan_parts[]{{Clause::none, operand, "input"},
                            {Clause::by, combinator, "combinator"},
                            {Clause::along, integers, "axis"}};
constexpr Part recurrence_parts[]{
    {Clause::none, operand, "factors"}, {Clause::none, operand, "terms"}, {Clause::along, integers, "axis"}};
constexpr Part sort_parts[]{{Clause::none, operand, "input"},
                            {Clause::by, combinator, "comparison", true},
                            {Clause::along, integers, "axis"}};
constexpr Part topk_parts[]{
    {Clause::none, operand, "input"}, {Clause::count, extents, "count"}, {Clause::along, integers, "axis"}};
constexpr Part dot_parts[]{{Clause::none, operand, "left"},
                           {Clause::none, operand, "right"},
                           {Clause::contract, axis_pairs, "contracted axes", true},
                           {Clause::batch, axis_pairs, "batch axes", true}};
constexpr Part convolve_parts[]{{Clause::none, operand, "input"},
                                {Clause::kernel, operand, "kernel"},
                                {Clause::strides, integers, "strides", true},
                                {Clause::padding, extent_pairs, "padding", true},
                                {Clause::left_dilation, integers, "spacing of the input", true},
                                {Clause::right_dilation, integers, "spacing of the kernel", true},
                                {Clause::groups, integers, "groups", true}};
constexpr Part reduce_window_parts[]{{Clause::none, operand, "input"},
                                     {Clause::by, combinator, "combinator"},
                                     {Clause::init, operand, "initial value"},
                                     {Clause::dims, integers, "window"},
                                     {Clause::strides, integers, "strides", true},
                                     {Clause::padding, window_padding, "padding", true},
                                     {Clause::left_dilation, integers, "spacing of the input", true}};
constexpr Part random_parts[]{{Clause::none, extents, "shape"},
                              {Clause::from, operand, "low"},
                              {Clause::upto, operand, "high"},
                              {Clause::key, operand, "key", true},
                              {Clause::counter, operand, "counter", true}};

constexpr Part allocate_stack_parts[]{{Clause::none, type, "type"}, {Clause::count, extents, "count"}};
constexpr Part allocate_heap_parts[]{{Clause::none, type, "type"}, {Clause::count, operand, "count"}};
constexpr Part allocate_box_parts[]{{Clause::none, type, "type"}};
constexpr Part box_parts[]{{Clause::none, operand, "box"}};
constexpr Part pointer_parts[]{{Clause::none, operand, "pointer"}};
constexpr Part store_parts[]{{Clause::none, operand, "value"}, {Clause::to, operand, "pointer"}};
constexpr Part element_pointer_parts[]{{Clause::none, operand, "pointer"},
                                       {Clause::at, path, "path", true},
                                       {Clause::from, operand, "number", true}};
constexpr Part copy_parts[]{
    {Clause::from, operand, "source"}, {Clause::to, operand, "target"}, {Clause::count, operand, "count"}};
/// `init`, if it is given, is 0.
constexpr Part create_stack_parts[]{{Clause::count, extents, "capacity", true},
                                    {Clause::init, integers, "zero", true}};
constexpr Part stack_parts[]{{Clause::none, operand, "stack"}};
constexpr Part push_parts[]{{Clause::none, operand, "value"}, {Clause::to, operand, "stack"}};
constexpr Part pop_parts[]{{Clause::none, PartKind::type, "type"}, {Clause::from, operand, "stack"}};

/// The columns that follow from what kind of computation an instruction is.
struct Properties {
  Trait traits;
  std::uint8_t cost = 0;
};
constexpr Trait ew = Trait::elementwise, free_view_traits = Trait::view | Trait::free;
constexpr Properties no_traits{Trait::none}, terminator{Trait::terminator}, may_fail{Trait::may_fail};
constexpr Properties effect{Trait::effect}, access{Trait::effect | Trait::may_fail};
constexpr Properties statement{Trait::effect | Trait::statement};
constexpr Properties change{Trait::effect | Trait::statement | Trait::may_fail};
constexpr Properties trapping{Trait::terminator | Trait::may_fail};
constexpr Properties elementwise{ew, 1}, divides{ew, 4}, costly{ew | Trait::costly, 16};
constexpr Properties commutative{ew | Trait::commutative, 1}, comparison{ew | Trait::comparison, 1};
constexpr Properties monoid{ew | Trait::commutative | Trait::associative, 1};
constexpr Properties symmetric_comparison{ew | Trait::comparison | Trait::commutative, 1};
constexpr Properties identity{ew | Trait::free};
constexpr Properties view{Trait::view}, free_view{free_view_traits},
    stretch{free_view_traits | Trait::reshape};
constexpr Properties permutation{free_view_traits | Trait::bijective};
constexpr Properties reshape{free_view_traits | Trait::bijective | Trait::reshape};
constexpr Properties position{Trait::free}, indexing{Trait::may_fail, 2}, random_numbers{Trait::none, 40};

using enum Accepts;
namespace rule = type_rules;

constexpr InstructionDefinition row(std::span<const Part> parts, TypeRule type_rule, Accepts accepts,
                                    Properties properties, std::string_view summary) {
  return {{}, {}, parts, type_rule, accepts, properties.traits, properties.cost, summary};
}
constexpr InstructionDefinition unary(Accepts accepts, Properties properties, std::string_view summary) {
  return row(one_operand, rule::elementwise, accepts, properties, summary);
}
constexpr InstructionDefinition binary(Accepts accepts, Properties properties, std::string_view summary) {
  return row(two_operands, rule::elementwise, accepts, properties, summary);
}

constexpr InstructionDefinition named(Opcode opcode, std::string_view enumerator, InstructionDefinition row) {
  row.opcode = opcode;
  row.name = enumerator.substr(0, enumerator.size() - (enumerator.ends_with('_') ? 1 : 0));
  return row;
}

constexpr InstructionDefinition definitions[]{
#define INSTRUCTION(enumerator, row) named(Opcode::enumerator, #enumerator, row),
#include "dlvm/ir/instructions.def"
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(definitions); ++i)
    if (static_cast<std::size_t>(definitions[i].opcode) != i) return false;
  return std::size(definitions) == opcode_count;
}
static_assert(in_order(), "instructions.def has a row for each opcode, in the order of opcode.h");

}  // namespace

const InstructionDefinition& definition(Opcode opcode) {
  return definitions[static_cast<std::size_t>(opcode)];
}

bool gives_value(const InstructionDefinition& definition) {
  return !definition.is(Trait::terminator) && !definition.is(Trait::statement);
}

std::optional<Opcode> opcode_named(std::string_view name) {
  if (name == "matrixMultiply") return Opcode::dot;  // DLVM Core's old word
  const auto* found = std::ranges::find(definitions, name, &InstructionDefinition::name);
  if (found == std::end(definitions)) return std::nullopt;
  return found->opcode;
}

Attribute substitute(const Attribute& attribute, const Extent::Substitution& substitution) {
  Attribute out = attribute;
  if (auto* shape = std::get_if<Shape>(&out))
    for (Extent& extent : *shape) extent = extent.substitute(substitution);
  if (auto* type = std::get_if<Type>(&out)) *type = type->substitute(substitution);
  if (auto* pairs = std::get_if<ExtentPairs>(&out))
    for (auto& [before, after] : *pairs) {
      before = before.substitute(substitution);
      after = after.substitute(substitution);
    }
  return out;
}

std::string_view word(Clause clause) {
  constexpr std::string_view words[]{
      "",        "to",     "by",       "along",   "at",      "from",         "upto",
      "with",    "init",   "contract", "batch",   "key",     "of",           "count",
      "counter", "kernel", "dims",     "strides", "padding", "leftDilation", "rightDilation",
      "groups",  "then",   "else",     "case"};
  return words[static_cast<std::size_t>(clause)];
}

constexpr std::string_view padding_words[]{"none", "half", "full"};

std::string_view word(WindowPadding padding) { return padding_words[static_cast<std::size_t>(padding)]; }

std::optional<WindowPadding> window_padding_named(std::string_view name) {
  const auto* found = std::ranges::find(padding_words, name);
  if (found == std::end(padding_words)) return std::nullopt;
  return static_cast<WindowPadding>(found - std::begin(padding_words));
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
