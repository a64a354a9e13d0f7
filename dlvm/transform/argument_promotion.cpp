#include "dlvm/transform/argument_promotion.h"

#include "dlvm/analysis/exclusive_pointers.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/function_state.h"

namespace dlvm {
namespace {

class ArgumentPromotion {
 public:
  explicit ArgumentPromotion(Module& module) : module_(module), promoted_(exclusive_pointers(module)) {}

  bool run() {
    if (promoted_.empty()) return false;
    std::vector<Function*> bodies;
    for (const auto& function : module_.functions())
      if (function->has_body()) bodies.push_back(function.get());
    for (Function* function : bodies)
      if (promoted_.contains(function)) bodies_with_state_.push_back(make_with_state(*function));
    for (Function* function : bodies) rewrite_calls(*function);
    for (Function* function : bodies_with_state_) rewrite_calls(*function);
    return true;
  }

 private:
  Function* make_with_state(const Function& function) {
    const std::set<std::size_t>& positions = promoted_.at(&function);
    std::vector<Type> parameters, state;
    for (std::size_t i = 0; i < function.type().parameters().size(); ++i) {
      const Type& type = function.type().parameters()[i];
      if (positions.contains(i))
        state.push_back(type.pointee());
      else
        parameters.push_back(type);
    }
    parameters.insert(parameters.end(), state.begin(), state.end());
    Function* made = add_with_state(module_, function, std::move(parameters), state);
    take_values(*made, positions);
    with_state_[&function] = made;
    return made;
  }

  /// Puts what the function takes now in memory of its own.
  static void take_values(Function& function, const std::set<std::size_t>& positions) {
    BasicBlock& entry = function.entry();
    Builder b(entry, entry.instructions().front().get());
    std::vector<Value*> pointers;
    for (const std::size_t i : positions) {
      Argument* parameter = entry.arguments()[i].get();
      const Type type = parameter->type().pointee();
      Value* pointer = b.create(Opcode::allocateStack, {}, {type, Shape{1}});
      pointer->set_name(parameter->name());
      b.create(Opcode::store, {entry.add_argument(type, parameter->name()), pointer});
      if (!parameter->users().empty()) replace_all_uses(*parameter, *pointer);
      pointers.push_back(pointer);
    }
    for (auto i = positions.rbegin(); i != positions.rend(); ++i) entry.remove_argument(*i);
    for (const auto& block : function.blocks())
      if (Instruction* end = block->terminator(); end != nullptr && end->opcode() == Opcode::return_)
        return_state(*end, pointers);
  }

  void rewrite_calls(Function& function) {
    std::vector<Instruction*> calls;
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        if (const auto call = as<Apply>(*instruction); call && promoted_.contains(call.callee()))
          calls.push_back(instruction.get());
    for (Instruction* call : calls) rewrite(*call);
  }

  void rewrite(Instruction& call) {
    const Function* callee = Apply(call).callee();
    Builder b(*call.block(), &call);
    b.set_locations(call.locations());
    std::vector<Value*> arguments, pointers;
    for (std::size_t i = 0; i < call.operands().size(); ++i)
      (promoted_.at(callee).contains(i) ? pointers : arguments).push_back(call.operand(i));
    for (Value* pointer : pointers) arguments.push_back(b.create(Opcode::load, {pointer}));
    call_with_state(call, *with_state_.at(callee), std::move(arguments), pointers);
  }

  Module& module_;
  const ParametersOf promoted_;
  std::vector<Function*> bodies_with_state_;
  std::map<const Function*, Function*> with_state_;
};

}  // namespace

bool argument_promotion(Module& module) { return ArgumentPromotion(module).run(); }

}  // namespace dlvm
