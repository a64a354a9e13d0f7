#include "dlvm/transform/rewrite.h"

#include <cmath>
#include <iterator>

#include "dlvm/transform/dead_code_elimination.h"

namespace dlvm {
namespace {

/// Rewrites that may follow from one instruction: what the rules build comes to an end well before this.
constexpr int max_follow = 64;
constexpr std::size_t max_locations = 16;

Value* apply_rules(Instruction& instruction, Builder& builder, std::span<const RewriteRule> rules) {
  for (const RewriteRule& rule : rules) {
    if (!rule.of.contains(instruction.opcode())) continue;
    if (Value* result = rule.rewrite(instruction, builder))
      if (result != &instruction && result->type() == instruction.type()) return result;
  }
  return nullptr;
}

OpcodeSet opcodes_of(std::span<const RewriteRule> rules) {
  OpcodeSet all{};
  for (const RewriteRule& rule : rules) all.add(rule.of);
  return all;
}

/// The instructions that a rule builds stand before the rewritten one and go through the rules themselves.
bool rewrite(BasicBlock& block, std::span<const RewriteRule> rules, const OpcodeSet& opcodes) {
  const auto& instructions = block.instructions();
  bool changed = false;
  const Instruction* origin = nullptr;  // of the rewrites that are being followed
  int left = max_follow;
  for (auto place = instructions.begin(); place != instructions.end();) {
    Instruction* at = place->get();
    if (at->is(Trait::terminator)) break;
    if (at == origin) origin = nullptr;
    if (origin == nullptr) left = max_follow;
    if (left == 0 || at->users().empty() || !opcodes.contains(at->opcode())) {
      ++place;
      continue;
    }
    const bool first = place == instructions.begin();
    const auto before = first ? place : std::prev(place);
    Builder builder(block, at);
    builder.set_locations(at->locations());
    Value* result = apply_rules(*at, builder, rules);
    if (result == nullptr) {
      ++place;
      continue;
    }
    replace_all_uses(*at, *result);
    changed = true;
    --left;
    if (origin == nullptr) origin = at;
    place = first ? instructions.begin() : std::next(before);
  }
  return changed;
}

}  // namespace

bool rewrite(Function& function, std::span<const RewriteRule> rules) {
  const OpcodeSet opcodes = opcodes_of(rules);
  bool changed = false;
  for (const auto& block : function.blocks()) changed = rewrite(*block, rules, opcodes) || changed;
  if (changed) remove_dead_instructions(function);
  return changed;
}

bool for_each_body(Module& module, bool (*pass)(Function&)) {
  bool changed = false;
  for (const auto& function : module.functions())
    if (function->has_body()) changed = pass(*function) || changed;
  return changed;
}

Value* stretched(Builder& builder, Value* x, const Type& type) {
  if (x->type() == type) return x;
  if (!x->type().is_tensor() || x->type().element() != type.element()) return nullptr;
  std::string why;
  const auto joined = broadcast_shapes(x->type().shape(), type.shape(), why);
  if (!joined || *joined != type.shape()) return nullptr;
  return builder.broadcast(x, type.shape());
}

std::optional<double> splat_value(const Value* value) {
  const Literal* literal = as_literal(value);
  return literal != nullptr ? literal->splat() : std::nullopt;
}

bool is_splat(const Value* value, double number) {
  const auto splat = splat_value(value);
  return splat == number && std::signbit(*splat) == std::signbit(number);
}

void merge_locations(Instruction& kept, const Instruction& merged) {
  for (const Location& location : merged.locations()) {
    if (kept.locations().size() >= max_locations) return;
    kept.add_location(location);
  }
}

}  // namespace dlvm
