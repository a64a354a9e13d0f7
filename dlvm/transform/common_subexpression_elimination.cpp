#include "dlvm/transform/common_subexpression_elimination.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2));
}

std::size_t hash(const Extent& extent) {
  std::size_t seed = extent.terms().size();
  for (const auto& term : extent.terms())
    seed = mix(mix(seed, static_cast<std::size_t>(term.coefficient)), term.atoms.size());
  return seed;
}

/// Equal attributes have equal hashes; `std::variant`'s own equality decides.
std::size_t hash(const Attribute& attribute) {
  struct Hash {
    std::size_t operator()(std::monostate) const { return 1; }
    std::size_t operator()(const Integers& list) const {
      std::size_t seed = list.size();
      for (const auto each : list) seed = mix(seed, static_cast<std::size_t>(each));
      return seed;
    }
    std::size_t operator()(const Shape& shape) const {
      std::size_t seed = shape.size();
      for (const Extent& each : shape) seed = mix(seed, hash(each));
      return seed;
    }
    std::size_t operator()(const ExtentPairs& pairs) const {
      std::size_t seed = pairs.size();
      for (const auto& [before, after] : pairs) seed = mix(mix(seed, hash(before)), hash(after));
      return seed;
    }
    std::size_t operator()(const AxisPairs& pairs) const {
      std::size_t seed = pairs.size();
      for (const auto& [l, r] : pairs)
        seed = mix(mix(seed, static_cast<std::size_t>(l)), static_cast<std::size_t>(r));
      return seed;
    }
    std::size_t operator()(ElementType element) const { return static_cast<std::size_t>(element); }
    std::size_t operator()(WindowPadding padding) const { return static_cast<std::size_t>(padding); }
    std::size_t operator()(const Type& type) const { return std::hash<std::string>()(type.text()); }
    std::size_t operator()(const Combinator& by) const {
      return mix(static_cast<std::size_t>(by.opcode), std::hash<const void*>()(by.function));
    }
    std::size_t operator()(const Function* function) const { return std::hash<const void*>()(function); }
  };
  return mix(attribute.index(), std::visit(Hash{}, attribute));
}

std::size_t hash(const Literal& literal) {
  const auto* bytes = reinterpret_cast<const char*>(literal.data().data());
  return std::hash<std::string_view>()({bytes, literal.data().byte_count()});
}

class Elimination {
 public:
  bool run(Function& function) {
    std::size_t count = 0;
    for (const auto& block : function.blocks()) count += block->instructions().size();
    known_.reserve(count);
    numbers_.reserve(count);
    if (function.blocks().size() == 1) {
      visit(function.entry());
    } else {
      const DominatorTree dominators{ControlFlow(function)};
      for (BasicBlock* root : dominators.roots()) visit_tree(root, dominators);
    }
    for (auto at = dead_.rbegin(); at != dead_.rend(); ++at) (*at)->block()->erase(*at);
    return !dead_.empty();
  }

 private:
  /// A value that is known in a block is known in those that it dominates, and nowhere else.
  void visit_tree(BasicBlock* root, const DominatorTree& dominators) {
    struct Scope {
      BasicBlock* block;
      std::size_t known, next = 0;
    };
    std::vector<Scope> path;
    const auto enter = [&](BasicBlock* block) {
      path.push_back({block, scope_.size()});
      visit(*block);
    };
    enter(root);
    while (!path.empty()) {
      const auto& children = dominators.children(path.back().block);
      if (path.back().next < children.size()) {
        enter(children[path.back().next++]);
        continue;
      }
      for (; scope_.size() > path.back().known; scope_.pop_back()) known_.erase(known_.find(*scope_.back()));
      path.pop_back();
    }
  }

  void visit(BasicBlock& block) {
    for (const auto& each : block.instructions()) {
      Instruction* instruction = each.get();
      if (instruction->is(Trait::terminator)) break;
      if (memory_.touches(*instruction)) continue;
      Key key{instruction, operand_numbers(*instruction)};
      const auto [place, fresh] = known_.emplace(std::move(key), instruction);
      if (fresh) scope_.push_back(&place->first);
      if (fresh || instruction->users().empty()) continue;
      merge_locations(*place->second, *instruction);
      replace_all_uses(*instruction, *place->second);
      dead_.push_back(instruction);
    }
  }

  /// The key of a computation. Its operands are numbered, so that equal literals are one.
  struct Key {
    const Instruction* instruction;
    std::vector<std::size_t> operands;

    friend bool operator==(const Key& a, const Key& b) {
      return a.instruction->opcode() == b.instruction->opcode() && a.operands == b.operands &&
             a.instruction->attributes() == b.instruction->attributes() &&
             a.instruction->type() == b.instruction->type();
    }
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      auto seed = static_cast<std::size_t>(key.instruction->opcode());
      for (const std::size_t each : key.operands) seed = mix(seed, each);
      for (const Attribute& each : key.instruction->attributes()) seed = mix(seed, hash(each));
      return seed;
    }
  };
  struct LiteralHash {
    std::size_t operator()(const Literal* literal) const { return hash(*literal); }
  };
  struct SameLiteral {
    bool operator()(const Literal* a, const Literal* b) const { return a->is_same_as(*b); }
  };

  std::vector<std::size_t> operand_numbers(const Instruction& instruction) {
    std::vector<std::size_t> all;
    for (const Value* operand : instruction.operands()) all.push_back(number(operand));
    if (instruction.is(Trait::commutative)) std::sort(all.begin(), all.end());
    return all;
  }

  std::size_t number(const Value* value) {
    if (const Literal* literal = as_literal(value)) value = *literals_.insert(literal).first;
    return numbers_.emplace(value, numbers_.size()).first->second;
  }

  MemoryEffects memory_;
  std::unordered_map<Key, Instruction*, KeyHash> known_;
  std::vector<const Key*> scope_;  ///< the keys of `known_` in the order in which they came
  std::unordered_map<const Value*, std::size_t> numbers_;
  std::unordered_set<const Literal*, LiteralHash, SameLiteral> literals_;
  std::vector<Instruction*> dead_;
};

}  // namespace

bool common_subexpression_elimination(Function& function) { return Elimination().run(function); }

}  // namespace dlvm
