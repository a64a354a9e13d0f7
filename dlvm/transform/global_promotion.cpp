#include "dlvm/transform/global_promotion.h"

#include <algorithm>
#include <map>
#include <set>

#include "dlvm/analysis/function_values.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/function_state.h"

namespace dlvm {
namespace {

using Globals = std::set<std::size_t>;  ///< by their positions in the module

class GlobalPromotion {
 public:
  explicit GlobalPromotion(Module& module) : module_(module) {
    for (std::size_t g = 0; g < module.globals().size(); ++g) numbers_[module.globals()[g].get()] = g;
  }

  bool run() {
    std::vector<Function*> bodies;
    for (const auto& function : module_.functions())
      if (function->has_body()) bodies.push_back(function.get());
    for (Function* function : bodies) find_uses(*function);
    add_uses_of_callees();
    find_kept();
    for (auto& [function, globals] : uses_)
      std::erase_if(globals, [&](std::size_t g) { return kept_.contains(g); });
    std::erase_if(uses_, [](const auto& each) { return each.second.empty(); });
    for (Function* function : bodies)
      if (uses_.contains(function) && is_called_.contains(function)) make_with_state(*function);
    for (Function* function : bodies) {
      if (!uses_.contains(function)) continue;
      expand(*function, uses_.at(function), false);
      if (with_state_.contains(function)) expand(*with_state_.at(function), uses_.at(function), true);
    }
    return !uses_.empty();
  }

 private:
  std::optional<std::size_t> number_of(const Value* value) const {
    const Literal* literal = as_literal(value);
    if (literal == nullptr || literal->global() == nullptr) return std::nullopt;
    return numbers_.at(literal->global());
  }
  const Type& type_of(std::size_t g) const { return module_.globals()[g]->type; }

  void find_uses(Function& function) {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        for (Value* operand : instruction->operands())
          if (const auto g = number_of(operand)) {
            const PointerUses uses = pointer_uses(*operand);
            const bool is_passed_on = uses.escape != nullptr && (uses.escape->opcode() == Opcode::return_ ||
                                                                 uses.escape->opcode() == Opcode::apply);
            if (is_passed_on || !uses.ends.empty() || !uses.retains.empty()) kept_.insert(*g);
            if (uses.escape != nullptr) given_away_.insert(*g);
            uses_[&function].insert(*g);
          }
  }

  static std::vector<const Function*> callees(const Function& function) {
    std::vector<const Function*> all;
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        if (const auto call = as<Apply>(*instruction)) all.push_back(call.callee());
    return all;
  }

  /// A derivative uses none: it is that of a run, which has its own.
  void add_uses_of_callees() {
    for (bool again = true; again;) {
      again = false;
      for (const auto& function : module_.functions())
        for (const Function* callee : callees(*function))
          again = add(uses_[callee], uses_[function.get()]) || again;
    }
  }
  static bool add(const Globals& from, Globals& to) {
    const std::size_t before = to.size();
    to.insert(from.begin(), from.end());
    return to.size() != before;
  }

  /// Finds the variables that stay because of how functions refer to each other.
  void find_kept() {
    for (const auto& function : module_.functions()) {
      for (const Function* callee : callees(*function)) is_called_.insert(callee);
      for (const auto& block : function->blocks())
        for (const auto& instruction : block->instructions())
          for (const Attribute& attribute : instruction->attributes())
            if (const auto* combinator = std::get_if<Combinator>(&attribute))
              add(uses_[combinator->function], kept_);
    }
    for (std::size_t g = 0; g < module_.globals().size(); ++g)
      if (!has_known_extents(type_of(g))) kept_.insert(g);
    const bool any_kept = !kept_.empty();
    for (const std::size_t g : given_away_)
      if (any_kept || is_used_by_callee(g)) kept_.insert(g);
  }
  /// One function alone uses a variable whose address goes elsewhere: another one would take and return its
  /// value, while the address leads to it.
  bool is_used_by_callee(std::size_t g) const {
    return std::ranges::any_of(is_called_, [&](const Function* function) {
      const auto found = uses_.find(function);
      return found != uses_.end() && found->second.contains(g);
    });
  }
  static bool has_known_extents(const Type& type) {
    const std::vector<Type> tensors = leaves(type);
    return std::ranges::all_of(tensors, [](const Type& each) {
      return std::ranges::all_of(each.shape(),
                                 [](const Extent& extent) { return extent.constant().has_value(); });
    });
  }

  /// Adds a copy of the function that takes the values of its variables, too, and returns the last ones.
  void make_with_state(const Function& function) {
    std::vector<Type> parameters(function.type().parameters().begin(), function.type().parameters().end());
    std::vector<Type> state;
    for (const std::size_t g : uses_.at(&function)) state.push_back(type_of(g));
    parameters.insert(parameters.end(), state.begin(), state.end());
    with_state_[&function] = add_with_state(module_, function, std::move(parameters), state);
  }

  void expand(Function& function, const Globals& globals, bool takes_state) {
    std::vector<Instruction*> all;  // without those that are added
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions()) all.push_back(instruction.get());
    std::map<std::size_t, Value*> memory;
    Builder b(function.entry(), all.front());
    for (const std::size_t g : globals) {
      Value* pointer = memory[g] = b.create(Opcode::allocateStack, {}, {type_of(g), Shape{1}});
      pointer->set_name(module_.globals()[g]->name);
      if (takes_state)
        b.create(Opcode::store, {function.entry().add_argument(type_of(g), pointer->name()), pointer});
    }
    for (Instruction* instruction : all) {
      for (std::size_t i = 0; i < instruction->operands().size(); ++i)
        if (const auto g = number_of(instruction->operand(i)); g && memory.contains(*g))
          instruction->set_operand(i, memory.at(*g));
      if (takes_state && instruction->opcode() == Opcode::return_) {
        std::vector<Value*> pointers;
        for (const auto& [g, pointer] : memory) pointers.push_back(pointer);
        return_state(*instruction, pointers);
        continue;
      }
      if (const auto call = as<Apply>(*instruction); call && with_state_.contains(call.callee()))
        pass_state(*instruction, call, memory);
    }
  }

  void pass_state(Instruction& instruction, const Apply& call, const std::map<std::size_t, Value*>& memory) {
    Builder b(*instruction.block(), &instruction);
    b.set_locations(instruction.locations());
    std::vector<Value*> arguments(call.arguments().begin(), call.arguments().end()), pointers;
    for (const std::size_t g : uses_.at(call.callee())) pointers.push_back(memory.at(g));
    for (Value* pointer : pointers) arguments.push_back(b.create(Opcode::load, {pointer}));
    call_with_state(instruction, *with_state_.at(call.callee()), std::move(arguments), pointers);
  }

  Module& module_;
  std::map<const Global*, std::size_t> numbers_;
  std::map<const Function*, Globals> uses_;  ///< of the variables, also by callees
  Globals kept_, given_away_;
  std::set<const Function*> is_called_;
  std::map<const Function*, Function*> with_state_;
};

}  // namespace

bool global_promotion(Module& module) {
  // A call of a value would not pass the variables on.
  if (module.globals().empty() || !functions_that_are_values(module).empty()) return false;
  return GlobalPromotion(module).run();
}

}  // namespace dlvm
