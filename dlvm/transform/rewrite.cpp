#include "dlvm/transform/rewrite.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>
#include <utility>

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
/// `on_replacing` is called with an instruction and its replacement before the uses change.
template <typename OnReplacing>
bool rewrite(BasicBlock& block, std::span<const RewriteRule> rules, const OpcodeSet& opcodes,
             const OnReplacing& on_replacing) {
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
    on_replacing(*at, *result);
    replace_all_uses(*at, *result);
    changed = true;
    --left;
    if (origin == nullptr) origin = at;
    place = first ? instructions.begin() : std::next(before);
  }
  return changed;
}

template <typename OnReplacing>
bool rewrite(Function& function, std::span<const RewriteRule> rules, const OnReplacing& on_replacing) {
  const OpcodeSet opcodes = opcodes_of(rules);
  bool changed = false;
  for (const auto& block : function.blocks())
    changed = rewrite(*block, rules, opcodes, on_replacing) || changed;
  return changed;
}

/// Records which instructions of a body are replaced, so that the others stay, and which of them become
/// constant tensors, so that these get their names.
class Replacements {
 public:
  explicit Replacements(Function& function) : function_(function) {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions()) kept_.insert(instruction.get());
  }

  void record(Instruction& replaced, const Value& replacement);
  void name_constants();
  void remove_others();

 private:
  struct Constant {
    Instruction* replaced;
    const Literal* literal;
    std::vector<std::pair<Instruction*, std::size_t>> uses;
  };

  /// Whether the instruction stays, because it was there before or is used.
  bool stays(const Instruction& user) const { return kept_.contains(&user) || !user.users().empty(); }

  Function& function_;
  std::unordered_set<const Instruction*> kept_;
  std::vector<Constant> constants_;
};

void Replacements::record(Instruction& replaced, const Value& replacement) {
  kept_.erase(&replaced);
  const Literal* literal = as_literal(&replacement);
  if (literal == nullptr || !literal->type().is_tensor() || literal->type().rank() == 0) return;
  Constant constant{&replaced, literal, {}};
  for (Instruction* user : replaced.users())
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == &replaced) constant.uses.emplace_back(user, i);
  constants_.push_back(std::move(constant));
}

/// Builds a `literal` instruction in the place of each that was replaced by a constant tensor and is used.
void Replacements::name_constants() {
  for (const auto& [replaced, literal, uses] : constants_) {
    Instruction* named = nullptr;
    for (const auto& [user, operand] : uses) {
      if (user->operand(operand) != literal || !stays(*user)) continue;
      if (named == nullptr) {
        Builder builder(*replaced->block(), replaced);
        builder.set_locations(replaced->locations());
        named = as_instruction(builder.aggregate(literal->type(), {user->operand(operand)}));
        named->set_name(replaced->name());
        kept_.insert(named);
      }
      user->set_operand(operand, named);
    }
  }
}

/// Removes what was replaced, and what rules have built and nothing uses. Blocks need not be in the order of
/// dominance, so what one of them leaves unused may stand in a later one.
void Replacements::remove_others() {
  std::vector<Instruction*> others;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions())
      if (!kept_.contains(instruction.get())) others.push_back(instruction.get());
  const auto remove = [](Instruction* other) {
    if (!other->users().empty()) return false;
    other->block()->erase(other);
    return true;
  };
  std::ranges::reverse(others);
  while (std::erase_if(others, remove) > 0) {
  }
}

}  // namespace

bool rewrite(Function& function, std::span<const RewriteRule> rules) {
  const bool changed = rewrite(function, rules, [](Instruction&, const Value&) {});
  if (changed) remove_dead_instructions(function);
  return changed;
}

bool rewrite_keeping_others(Function& function, std::span<const RewriteRule> rules) {
  Replacements replacements(function);
  const bool changed = rewrite(function, rules, [&](Instruction& replaced, const Value& replacement) {
    replacements.record(replaced, replacement);
  });
  if (!changed) return false;
  replacements.name_constants();
  replacements.remove_others();
  return true;
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
