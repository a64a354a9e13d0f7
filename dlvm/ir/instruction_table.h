#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dlvm/ir/failures.h"
#include "dlvm/ir/opcode.h"
#include "dlvm/ir/type.h"

namespace dlvm {

class Function;

/// A power with a constant integer exponent of at most this magnitude is computed by multiplications.
inline constexpr int max_constant_exponent = 64;

/// The word before a part of an instruction: `gather %x at %i along 0` has the clauses none, at, along.
enum class Clause : std::uint8_t {
  none,
  to,
  by,
  along,
  at,
  from,
  upto,
  with,
  init,
  contract,
  batch,
  key,
  of,
  count,
  counter,
  kernel,
  dims,
  strides,
  padding,
  left_dilation,
  right_dilation,
  groups,
  then,
  else_,
  case_
};
inline constexpr Clause last_clause = Clause::case_;
std::string_view word(Clause clause);

/// The operation that combines two elements in a reduction or a scan, or an update with an element in a
/// scatter: a binary instruction (`by add`) or a function of two scalars (`by @f`).
struct Combinator {
  Opcode opcode = Opcode::add;
  const Function* function = nullptr;  ///< if set, the opcode is unused

  bool is(Opcode other) const { return function == nullptr && opcode == other; }
  friend bool operator==(const Combinator&, const Combinator&) = default;
};

using Integers = std::vector<std::int64_t>;
using ExtentPairs = std::vector<std::pair<Extent, Extent>>;
using AxisPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The padding of windows of extent d over an axis of extent n, so that at stride s there are (n - d) / s + 1
/// of them (none), (n - 1) / s + 1 (half, with (d - 1) / 2 before the axis), or (n + d - 2) / s + 1 (full).
enum class WindowPadding : std::uint8_t { none, half, full };

std::string_view word(WindowPadding padding);
std::optional<WindowPadding> window_padding_named(std::string_view name);

/// A part of an instruction that is not a value. `monostate`: an optional one that is not there.
using Attribute = std::variant<std::monostate, Integers, Shape, ExtentPairs, AxisPairs, ElementType,
                               Combinator, const Function*, WindowPadding, Failure, Type>;

/// Returns the attribute with the dimensions in its extents replaced.
Attribute substitute(const Attribute& attribute, const Extent::Substitution& substitution);

/// The kinds of parts in an instruction's text, which decide how a part is written and represented.
enum class PartKind : std::uint8_t {
  operand,         ///< a use
  operands,        ///< uses, separated by commas: as many as there are
  integers,        ///< `0, 1` → Integers (axes, strides, positions)
  extents,         ///< `4 x N` or `1, N` → Shape; `scalar` is the empty one
  extent_pairs,    ///< `(1, 2), (0, 0)` → ExtentPairs
  axis_pairs,      ///< `2 with 1` or `1, 2 with 0, 1` → AxisPairs
  element,         ///< `f16` → ElementType
  result_type,     ///< `: i32` at the end → ElementType
  combinator,      ///< `add` or `@f` → Combinator
  function,        ///< `@f` → const Function*
  type,            ///< `<4 x f32>` → Type
  window_padding,  ///< `half` → WindowPadding, or `(1, 2), (0, 0)` → ExtentPairs
  failure,         ///< `nullPointer` → Failure
  successor,       ///< `'block(%x: f32)` → Successor, and operands behind all others
  path,   ///< `0, #w, %i` → Integers; each position that is a value is -1, and an operand of the part
  cases,  ///< `case ?leaf 'l case ?node 'n` → Integers, the positions of cases, and Successors
};

constexpr bool is_operand(PartKind kind) { return kind == PartKind::operand || kind == PartKind::operands; }
/// Returns whether a part of the kind is an attribute of the instruction.
constexpr bool is_attribute(PartKind kind) { return !is_operand(kind) && kind != PartKind::successor; }
/// The position of a component in a path that an operand gives.
inline constexpr std::int64_t position_of_value = -1;

struct Part {
  Clause clause = Clause::none;
  PartKind kind = PartKind::operand;
  std::string_view name;  ///< the name in messages and documentation
  bool optional = false;  ///< an optional operand follows all that are not
};

/// The properties of instructions for which passes and code generation ask; they replace lists of opcodes.
enum class Trait : std::uint16_t {
  none = 0,
  /// The result's element (i…) depends on the operands' elements (i…) alone, after broadcasting.
  elementwise = 1 << 0,
  commutative = 1 << 1,
  associative = 1 << 2,  ///< up to rounding
  comparison = 1 << 3,   ///< elementwise, with a result of bools
  terminator = 1 << 4,
  view = 1 << 5,        ///< moves elements and computes none: it is an index map in a kernel
  may_fail = 1 << 6,    ///< may stop the entry point with a status, as where an index is outside
  costly = 1 << 7,      ///< elementwise, and takes tens of cycles an element: worth keeping
  free = 1 << 8,        ///< takes at most the computation of an index
  bijective = 1 << 9,   ///< a view that shows every element once
  reshape = 1 << 10,    ///< a view that adds, removes, joins or stretches axes and moves none past another
  effect = 1 << 11,     ///< reads or changes state: it is neither removed, nor merged, nor run elsewhere
  statement = 1 << 12,  ///< has no result that can be used, and is no terminator
};
constexpr Trait operator|(Trait a, Trait b) {
  return static_cast<Trait>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool has(Trait all, Trait one) {
  return (static_cast<std::uint16_t>(all) & static_cast<std::uint16_t>(one)) != 0;
}

/// The element types that an elementwise instruction takes.
enum class Accepts : std::uint8_t { none = 0, floating = 1, integer = 2, boolean = 4, numeric = 3, any = 7 };

/// Everything an instruction's type follows from. `operands` in the order of the parts, then what is passed
/// to successors.
struct Signature {
  std::span<const Type> operands;
  std::span<const Attribute> attributes;  ///< one for each part that is an attribute, in order
};

/// The result's type, or nothing and a reason that reads on after "instruction: ".
using TypeRule = std::optional<Type> (*)(const struct InstructionDefinition&, const Signature&,
                                         std::string& why);

/// Everything that the compiler knows of an instruction without a rule of its own; a row of instructions.def.
struct InstructionDefinition {
  Opcode opcode{};
  std::string_view name;  ///< the name in DLVM text
  std::span<const Part> parts;
  TypeRule type_rule;
  Accepts accepts = Accepts::none;
  Trait traits = Trait::none;
  std::uint8_t cost = 0;     ///< about the cycles for one element of the result, computed as a scalar
  std::string_view summary;  ///< one line for the documentation

  bool is(Trait trait) const { return has(traits, trait); }
};

const InstructionDefinition& definition(Opcode opcode);
/// Returns whether the instruction has a result that can be used; terminators and some effects have none.
bool gives_value(const InstructionDefinition& definition);
/// Returns the opcode of an instruction's name, also as DLVM Core spells it.
std::optional<Opcode> opcode_named(std::string_view name);
bool accepts(const InstructionDefinition& definition, ElementType element);

std::optional<Type> infer_type(Opcode opcode, const Signature& signature, std::string& why);

/// The four groups of axes of a `dot`, with the default (last of the left, first of the right) filled in.
struct DotAxes {
  AxisPairs contract, batch;
  Integers left_free, right_free;
};
DotAxes dot_axes(const Type& left, const Type& right, std::span<const Attribute> attributes);

/// Returns the shape to which operands of these shapes broadcast. Axes are aligned at the right; a missing
/// axis or a literal 1 stretches, and all others must be provably equal. Returns nothing, and the reason in
/// `why`, if the shapes do not fit.
std::optional<Shape> broadcast_shapes(const Shape& a, const Shape& b, std::string& why);

}  // namespace dlvm
