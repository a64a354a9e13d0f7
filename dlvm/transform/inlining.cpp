#include "dlvm/transform/inlining.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/ir/copy_body.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// Copies the callee's body before one call.
class Inliner {
 public:
  explicit Inliner(Instruction& call) : call_(call), callee_(*Apply(call).callee()), block_(*call.block()) {}

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

  /// Returns the copies, in order.
  const std::vector<Instruction*>& made() const { return made_; }

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

/// Inlines what is called until nothing is left that fits, within one budget for the whole module.
class Inlining {
 public:
  Inlining(Module& module, std::size_t limit)
      : module_(module), components_(call_components(module)), limit_(limit), budget_(limit) {
    for (const Component& component : components_)
      for (const Function* function : component.functions)
        if (!component.recursive && function->blocks().size() == 1)
          sizes_[function] = inlined_size(*function);
  }

  /// Callers first: a function that nothing refers to any more need not be expanded, so that a chain of calls
  /// takes time linear in its length.
  bool run() {
    std::unordered_set<const Function*> needed = roots();
    bool changed = false;
    for (auto component = components_.rbegin(); component != components_.rend(); ++component) {
      const auto& functions = component->functions;
      if (std::none_of(functions.begin(), functions.end(),
                       [&](Function* each) { return needed.contains(each); }))
        continue;
      for (Function* function : functions) {
        changed = expand(*function) || changed;
        for (const Function* left : references(*function)) needed.insert(left);
      }
    }
    return changed;
  }

 private:
  /// Returns the functions called from outside; without entry points these are all functions.
  std::unordered_set<const Function*> roots() const {
    std::unordered_set<const Function*> roots;
    for (const EntryPoint& entry : module_.entries) roots.insert(module_.function(entry.function));
    for (const StoredTensor& tensor : module_.tensors) roots.insert(module_.function(tensor.initializer));
    if (module_.entries.empty())
      for (const auto& function : module_.functions()) roots.insert(function.get());
    return roots;
  }

  /// Instructions of the function with everything inlined; saturates above the limit.
  std::size_t inlined_size(const Function& function) const {
    std::size_t count = 0;
    for (const auto& instruction : function.entry().instructions()) {
      const auto call = as<Apply>(*instruction);
      const auto callee = call ? sizes_.find(call.callee()) : sizes_.end();
      count = std::min(limit_ + 1, count + (callee == sizes_.end() ? 1 : callee->second));
    }
    return count;
  }

  /// A call that is copied with its caller's body is looked at next, so that nothing is copied twice. Each
  /// copy is charged, and a call that is inlined is given back, so that copies of calls that do not fit
  /// count, too.
  bool expand(Function& caller) {
    std::vector<Instruction*> calls, dead;
    for (const auto& block : caller.blocks())
      for (const auto& instruction : block->instructions())
        if (instruction->opcode() == Opcode::apply) calls.push_back(instruction.get());
    std::reverse(calls.begin(), calls.end());
    while (!calls.empty()) {
      Instruction* call = calls.back();
      calls.pop_back();
      const Function* callee = Apply(*call).callee();
      const auto size = sizes_.find(callee);
      if (size == sizes_.end() || size->second > budget_) continue;
      Extent::Substitution names;
      Inliner inliner(*call);
      Value* result = inliner.run(names);
      if (result == nullptr) continue;
      copy_requirements(caller, *callee, names);
      if (!call->users().empty()) replace_all_uses(*call, *result);
      dead.push_back(call);
      for (auto made = inliner.made().rbegin(); made != inliner.made().rend(); ++made)
        if (const auto inner = as<Apply>(*made); inner && sizes_.contains(inner.callee()))
          calls.push_back(*made);
      budget_ = budget_ + 1 - inliner.made().size();
    }
    for (auto at = dead.rbegin(); at != dead.rend(); ++at) (*at)->block()->erase(*at);
    return !dead.empty();
  }

  Module& module_;
  std::vector<Component> components_;
  std::unordered_map<const Function*, std::size_t> sizes_;  ///< of functions that can be inlined
  std::size_t limit_;
  std::size_t budget_;  ///< what is left of the limit
};

}  // namespace

bool inlining(Module& module) { return inlining(module, inlining_limit); }
bool inlining(Module& module, std::size_t limit) { return Inlining(module, limit).run(); }

}  // namespace dlvm
