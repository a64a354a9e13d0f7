// The largest set of parameters is found by removing those that do not fit until all do: whether one fits
// depends on those to which it is passed on.
#include "dlvm/analysis/exclusive_pointers.h"

#include <algorithm>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/function_values.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// The memory that a pointer points into, and the steps to the component.
struct Origin {
  const Value* root = nullptr;
  std::vector<PathStep> path;
  bool among_values = false;  ///< a number says which value of the allocation is meant
};

Origin origin_of(const Value* pointer) {
  Origin origin;
  const Instruction* made = as_instruction(pointer);
  for (; made != nullptr && made->opcode() == Opcode::elementPointer; made = as_instruction(pointer)) {
    const std::vector<PathStep> steps = path_steps(*made);
    origin.path.insert(origin.path.begin(), steps.begin(), steps.end());
    origin.among_values = origin.among_values || first_value(*made) != nullptr;
    pointer = made->operand(0);
  }
  if (made != nullptr && made->opcode() == Opcode::projectBox) pointer = made->operand(0);
  origin.root = pointer;
  return origin;
}

const Global* global_of(const Value* value) {
  const Literal* literal = as_literal(value);
  return literal == nullptr ? nullptr : literal->global();
}

/// Whether no component is at the end of both paths, whatever the steps are that are not known.
bool are_disjoint(const Origin& a, const Origin& b) {
  const bool same = global_of(a.root) != nullptr ? global_of(a.root) == global_of(b.root) : a.root == b.root;
  if (!same) return true;
  if (a.among_values || b.among_values) return false;
  for (std::size_t i = 0; i < std::min(a.path.size(), b.path.size()); ++i)
    if (a.path[i].value == nullptr && b.path[i].value == nullptr && a.path[i].at != b.path[i].at) return true;
  return false;
}

class ExclusivePointers {
 public:
  explicit ExclusivePointers(const Module& module) {
    for (const auto& function : module.functions()) {
      for (const auto& block : function->blocks())
        for (const auto& instruction : block->instructions()) add(*instruction, *function);
      const std::vector<const Function*> next = references(*function);
      references_[function.get()] = {next.begin(), next.end()};
    }
    const auto values = functions_that_are_values(module);
    for (const Instruction* call : calls_) {
      const Function* callee = Apply(*call).callee();
      if (values.contains(callee)) continue;
      for (std::size_t i = 0; callee->has_body() && i < call->operands().size(); ++i)
        if (call->operand(i)->type().is_pointer()) found_[callee].insert(i);
    }
  }

  ParametersOf run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [function, parameters] : found_)
        changed = std::erase_if(parameters,
                                [&](std::size_t i) {
                                  return is_given_away(*function->entry().arguments()[i], true);
                                }) > 0 ||
                  changed;
      for (const Instruction* call : calls_) changed = check(*call) || changed;
    }
    std::erase_if(found_, [](const auto& each) { return each.second.empty(); });
    return std::move(found_);
  }

 private:
  void add(const Instruction& instruction, const Function& function) {
    if (as<Apply>(instruction)) calls_.push_back(&instruction);
    for (const Value* operand : instruction.operands())
      if (const Global* global = global_of(operand)) {
        users_of_[global].insert(&function);
        addresses_of_[global].insert(operand);
      }
  }

  bool is_found(const Instruction& call, std::size_t operand) const {
    const auto callee = found_.find(Apply(call).callee());
    return callee != found_.end() && callee->second.contains(operand);
  }

  /// Whether the pointer goes anywhere but to parameters that are found. One that was not allocated here is
  /// not moved to another value, and its memory does not end.
  bool is_given_away(const Value& pointer, bool is_parameter) const {
    return std::ranges::any_of(pointer.users(), [&](const Instruction* user) {
      switch (user->opcode()) {
        case Opcode::load:
          return false;
        case Opcode::store:
          return user->operand(0) == &pointer;
        case Opcode::elementPointer:
          return (is_parameter && first_value(*user) != nullptr) || is_given_away(*user, is_parameter);
        case Opcode::projectBox:
          return is_given_away(*user, is_parameter);
        case Opcode::copy:
        case Opcode::deallocate:
        case Opcode::retain:
        case Opcode::release:
          return is_parameter;
        case Opcode::apply: {
          const auto& operands = user->operands();
          for (std::size_t i = 0; i < operands.size(); ++i)
            if (operands[i] == &pointer && !is_found(*user, i)) return true;
          return false;
        }
        default:
          return true;
      }
    });
  }

  bool is_known(const Origin& origin, const Instruction& call) {
    if (const Global* global = global_of(origin.root)) {
      return !reaches_user(*Apply(call).callee(), *global) &&
             std::ranges::none_of(addresses_of_.at(global),
                                  [&](const Value* address) { return is_given_away(*address, false); });
    }
    if (const Argument* argument = as_argument(origin.root)) {
      const Function& caller = argument->block()->function();
      return argument->block() == &caller.entry() && found_.contains(&caller) &&
             found_.at(&caller).contains(argument->index());
    }
    const Instruction* made = as_instruction(origin.root);
    if (made == nullptr) return false;
    const Opcode opcode = made->opcode();
    const bool allocates =
        opcode == Opcode::allocateStack || opcode == Opcode::allocateHeap || opcode == Opcode::allocateBox;
    return allocates && !is_given_away(*made, false);
  }

  bool reaches_user(const Function& from, const Global& global) const {
    std::set<const Function*> known{&from};
    for (std::vector<const Function*> open{&from}; !open.empty();) {
      const Function* function = open.back();
      open.pop_back();
      if (users_of_.at(&global).contains(function)) return true;
      for (const Function* next : references_.at(function))
        if (known.insert(next).second) open.push_back(next);
    }
    return false;
  }

  /// Removes the parameters to which the call passes what they must not be; returns whether there were any.
  bool check(const Instruction& call) {
    const auto callee = found_.find(Apply(call).callee());
    if (callee == found_.end()) return false;
    std::map<std::size_t, Origin> origins;
    for (const std::size_t i : callee->second) origins[i] = origin_of(call.operand(i));
    return std::erase_if(callee->second, [&](std::size_t i) {
             return !is_known(origins.at(i), call) || std::ranges::any_of(origins, [&](const auto& other) {
               return other.first != i && !are_disjoint(origins.at(i), other.second);
             });
           }) > 0;
  }

  ParametersOf found_;
  std::vector<const Instruction*> calls_;
  std::map<const Function*, std::set<const Function*>> references_;
  std::map<const Global*, std::set<const Function*>> users_of_;
  std::map<const Global*, std::set<const Value*>> addresses_of_;
};

}  // namespace

ParametersOf exclusive_pointers(const Module& module) { return ExclusivePointers(module).run(); }

}  // namespace dlvm
