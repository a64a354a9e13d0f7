// Functions that the rewriting passes share.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// The opcodes that a rule is for.
class OpcodeSet {
 public:
  constexpr OpcodeSet(std::initializer_list<Opcode> opcodes) {
    for (const Opcode opcode : opcodes) bits_[word(opcode)] |= bit(opcode);
  }
  static constexpr OpcodeSet all() {
    OpcodeSet set{};
    for (std::uint64_t& bits : set.bits_) bits = ~std::uint64_t{0};
    return set;
  }
  constexpr void add(const OpcodeSet& others) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= others.bits_[i];
  }
  constexpr bool contains(Opcode opcode) const { return (bits_[word(opcode)] & bit(opcode)) != 0; }

 private:
  static constexpr std::size_t word(Opcode opcode) { return static_cast<std::size_t>(opcode) / 64; }
  static constexpr std::uint64_t bit(Opcode opcode) {
    return std::uint64_t{1} << static_cast<std::size_t>(opcode) % 64;
  }
  std::array<std::uint64_t, opcode_count / 64 + 1> bits_{};
};

/// One rewrite, a row of a pass's table: a value of the same type in place of an instruction with one of the
/// opcodes, or null if the pattern does not match. New instructions are built before it, with its
/// locations. A rule looks at the instruction and its operands to a fixed depth and must lower a measure
/// (instructions, or the cost of one), so that rules applied again and again come to an end.
struct RewriteRule {
  OpcodeSet of;
  Value* (*rewrite)(Instruction&, Builder&);
};

/// Takes each instruction, in order, through the rules, in theirs; then removes what nothing uses any more.
bool rewrite(Function& function, std::span<const RewriteRule> rules);

/// Takes each instruction through the rules, and removes only what it replaces: other instructions that
/// nothing uses stay. Where a constant tensor replaces an instruction, a `literal` instruction with its name
/// stands in its place.
bool rewrite_keeping_others(Function& function, std::span<const RewriteRule> rules);

/// Calls `pass` on every function with a body and returns whether one changed.
bool for_each_body(Module& module, bool (*pass)(Function&));

/// Returns `x` with that type: itself, or broadcast; null if the shape does not stretch.
Value* stretched(Builder& builder, Value* x, const Type& type);

/// Returns the value of a numeric literal's elements if it is a splat.
std::optional<double> splat_value(const Value* value);
/// Returns whether `value` is a splat of exactly this number; 0 and -0 differ.
bool is_splat(const Value* value, double number);

/// Adds what is merged into `kept`; no more than a few are kept, so that chains stay linear.
void merge_locations(Instruction& kept, const Instruction& merged);

}  // namespace dlvm
