#include "dlvm/transform/common_subexpression_elimination.h"

#include <algorithm>
#include <cstring>
#include <string_view>
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
    std::size_t operator()(Failure failure) const { return static_cast<std::size_t>(failure); }
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

/// Equal operands have equal hashes: literals are equal where their elements are.
std::size_t hash(const Value* operand) {
  const Literal* literal = as_literal(operand);
  return literal != nullptr ? hash(*literal) : std::hash<const void*>()(operand);
}

bool is_same(const Value* a, const Value* b) {
  if (a == b) return true;
  const Literal *left = as_literal(a), *right = as_literal(b);
  return left != nullptr && right != nullptr && left->is_same_as(*right);
}

/// Does not depend on the order of the operands where that does not matter.
std::size_t hash(const Instruction& instruction) {
  auto seed = static_cast<std::size_t>(instruction.opcode());
  std::size_t sum = 0;
  for (const Value* each : instruction.operands()) {
    sum += mix(0, hash(each));
    if (!instruction.is(Trait::commutative)) seed = mix(seed, sum);
  }
  seed = mix(seed, sum);
  for (const Attribute& each : instruction.attributes()) seed = mix(seed, hash(each));
  return seed;
}

bool computes_same(const Instruction& a, const Instruction& b) {
  const auto &left = a.operands(), &right = b.operands();
  if (a.opcode() != b.opcode() || left.size() != right.size()) return false;
  const bool same = a.is(Trait::commutative)
                        ? std::is_permutation(left.begin(), left.end(), right.begin(), is_same)
                        : std::equal(left.begin(), left.end(), right.begin(), is_same);
  return same && a.attributes() == b.attributes() && a.type() == b.type();
}

/// An instruction with the hash of what it computes.
struct Computation {
  Instruction* instruction;
  std::size_t hash;

  friend bool operator==(const Computation& a, const Computation& b) {
    return a.instruction == b.instruction ||
           (a.hash == b.hash && computes_same(*a.instruction, *b.instruction));
  }
};
struct ComputationHash {
  std::size_t operator()(const Computation& computation) const { return computation.hash; }
};

class Elimination {
 public:
  explicit Elimination(const MemoryEffects& memory) : memory_(memory) {}

  bool run(Function& function) {
    std::size_t count = 0;
    for (const auto& block : function.blocks()) count += block->instructions().size();
    known_.reserve(count);
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
      for (; scope_.size() > path.back().known; scope_.pop_back()) known_.erase(scope_.back());
      path.pop_back();
    }
  }

  void visit(BasicBlock& block) {
    for (const auto& each : block.instructions()) {
      Instruction* instruction = each.get();
      if (instruction->is(Trait::terminator)) break;
      if (memory_.touches(*instruction)) continue;
      const auto [place, fresh] = known_.insert({instruction, hash(*instruction)});
      if (fresh) scope_.push_back(*place);
      if (fresh || instruction->users().empty()) continue;
      merge_locations(*place->instruction, *instruction);
      replace_all_uses(*instruction, *place->instruction);
      dead_.push_back(instruction);
    }
  }

  const MemoryEffects& memory_;
  std::unordered_set<Computation, ComputationHash> known_;
  std::vector<Computation> scope_;  ///< what is in `known_`, in the order in which it came
  std::vector<Instruction*> dead_;
};

}  // namespace

bool common_subexpression_elimination(Module& module) {
  const MemoryEffects memory(module);
  bool changed = false;
  for (const auto& function : module.functions())
    if (function->has_body()) changed = Elimination(memory).run(*function) || changed;
  return changed;
}

}  // namespace dlvm
