#include "dlvm/transform/inlining.h"

#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/differentiate/copy.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// Copies the callee's body before one call.
class Inliner {
 public:
  explicit Inliner(Instruction& call) : call_(call), callee_(*call.callee()), block_(*call.block()) {}

  /// What the call's result becomes; null, with nothing changed, where the callee does not fit. `names` are
  /// the callee's dimensions in the caller's terms.
  Value* run(Extent::Substitution& names) {
    for (std::size_t i = 0; i < call_.operands().size(); ++i) {
      if (!unify(callee_.type().parameters()[i], call_.operand(i)->type(), names)) return nullptr;
      values_[callee_.entry().arguments()[i].get()] = call_.operand(i);
    }
    for (const auto& instruction : callee_.entry().instructions()) {
      if (instruction->is(Trait::terminator)) return result(*instruction, names);
      if (!copy(*instruction, names)) break;
    }
    return undo();
  }

 private:
  Value* undo() {
    for (auto at = made_.rbegin(); at != made_.rend(); ++at) block_.erase(*at);
    return nullptr;
  }

  Value* result(const Instruction& terminator, const Extent::Substitution& names) {
    Value* value = nullptr;
    if (terminator.operands().empty()) {
      Builder builder(block_, &call_);
      value = builder.tuple({});
      made_.push_back(as_instruction(value));
    } else {
      value = at(terminator.operand(0), names);
    }
    return value->type() == call_.type() ? value : undo();
  }

  Value* at(const Value* value, const Extent::Substitution& names) {
    Value*& copy = values_[value];
    if (copy == nullptr) {
      const Literal* literal = as_literal(value);
      copy = block_.function().literal(literal->type().substitute(names), literal->data());
    }
    return copy;
  }

  bool copy(const Instruction& from, const Extent::Substitution& names) {
    std::vector<Value*> operands;
    std::vector<Type> types;
    for (const Value* operand : from.operands()) {
      operands.push_back(at(operand, names));
      types.push_back(operands.back()->type());
    }
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : from.attributes()) attributes.push_back(substitute(attribute, names));
    std::string why;
    auto type = infer_type(from.opcode(), {types, attributes}, why);
    if (!type) return false;
    auto made = std::make_unique<Instruction>(from.opcode(), std::move(*type), std::move(operands),
                                              std::move(attributes));
    made->set_name(from.name());
    made->set_locations(from.locations());
    merge_locations(*made, call_);
    made_.push_back(block_.insert(std::move(made), &call_));
    values_[&from] = made_.back();
    return true;
  }

  Instruction& call_;
  const Function& callee_;
  BasicBlock& block_;
  std::unordered_map<const Value*, Value*> values_;
  std::vector<Instruction*> made_;
};

std::size_t size(const Function& function) {
  std::size_t count = 0;
  for (const auto& block : function.blocks()) count += block->instructions().size();
  return count;
}

/// The calls of a caller whose callees are inlined themselves.
bool inline_calls(Function& caller, const std::unordered_set<const Function*>& done,
                  std::unordered_map<const Function*, std::size_t>& sizes) {
  std::vector<Instruction*> calls;
  for (const auto& block : caller.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::apply && done.contains(instruction->callee()))
        calls.push_back(instruction.get());
  std::size_t total = size(caller);
  std::vector<Instruction*> dead;
  for (Instruction* call : calls) {
    const Function& callee = *call->callee();
    if (total + sizes.at(&callee) > inlining_limit) continue;
    Extent::Substitution names;
    Value* result = Inliner(*call).run(names);
    if (result == nullptr) continue;
    total += sizes.at(&callee);
    copy_requirements(caller, callee, names);
    if (!call->users().empty()) replace_all_uses(*call, *result);
    dead.push_back(call);
  }
  for (auto at = dead.rbegin(); at != dead.rend(); ++at) (*at)->block()->erase(*at);
  sizes[&caller] = size(caller);
  return !dead.empty();
}

}  // namespace

bool inlining(Module& module) {
  bool changed = false;
  std::unordered_set<const Function*> done;
  std::unordered_map<const Function*, std::size_t> sizes;
  for (const Component& component : call_components(module)) {
    for (Function* function : component.functions) {
      changed = inline_calls(*function, done, sizes) || changed;
      if (!component.recursive && function->blocks().size() == 1) done.insert(function);
    }
  }
  return changed;
}

}  // namespace dlvm
