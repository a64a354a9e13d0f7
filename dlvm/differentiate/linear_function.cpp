#include "dlvm/differentiate/linear_function.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/differentiate/rules.h"

namespace dlvm {
namespace {

class LinearFunction {
 public:
  LinearFunction(const Function& function, std::size_t first) : function_(function) {
    const auto& parameters = function.entry().arguments();
    for (std::size_t i = first; i < parameters.size(); ++i) add(parameters[i].get());
    while (!open_.empty()) {
      const Value* value = open_.back();
      open_.pop_back();
      for (const Instruction* user : value->users()) follow(*value, *user);
    }
  }

  const Instruction* nonlinear() const {
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions())
        if (!is_linear(*instruction)) return instruction.get();
    return nullptr;
  }

 private:
  void add(const Value* value) {
    if (dependent_.insert(value).second) open_.push_back(value);
  }

  void follow(const Value& value, const Instruction& user) {
    if (gives_value(user.definition())) add(&user);
    for (std::size_t i = 0; i < user.successors().size(); ++i) {
      const auto passed = user.passed(i);
      for (std::size_t k = 0; k < passed.size(); ++k)
        if (passed[k] == &value) add(user.successors()[i].block->arguments()[k].get());
    }
  }

  bool depends(const Value* value) const { return dependent_.contains(value); }

  /// A value that is linear as well, if what depends is.
  bool is_part(const Value* value) const {
    const Literal* literal = as_literal(value);
    return depends(value) || (literal != nullptr && literal->splat() == 0.0);
  }

  bool are_parts(std::span<Value* const> values) const {
    return std::ranges::all_of(values, [&](const Value* value) { return is_part(value); });
  }

  bool is_linear(const Instruction& i) const {
    if (i.opcode() == Opcode::return_) return returns_parts(i);
    if (i.is(Trait::terminator)) return passes_parts(i);
    const auto& operands = i.operands();
    const auto count = std::ranges::count_if(operands, [&](const Value* each) { return depends(each); });
    if (count == 0) return true;
    const bool single = count == 1;
    switch (i.opcode()) {
      case Opcode::literal:  // what is in a tuple is looked at where it is used
      case Opcode::extract:
      case Opcode::negate:
        return true;
      case Opcode::add:
      case Opcode::subtract:
        return are_parts(operands);
      case Opcode::multiply:
      case Opcode::absorbingMultiply:
        return single;
      case Opcode::divide:
        return single && depends(operands[0]);
      case Opcode::select:
        return is_part(operands[0]) && is_part(operands[1]) && !depends(operands[2]);
      case Opcode::reduce:
        return i.combinator().is(Opcode::add) && are_parts(operands);
      case Opcode::gather:
        return depends(operands[0]) && single;
      default:
        break;
    }
    const auto* linear = std::get_if<Linear>(&derivative(i.opcode()).rule);
    if (linear == nullptr || !is_floating(i.type().element())) return false;
    return linear->in_each ? single : are_parts(operands);
  }

  /// The elements of a tuple are linear where that is made, or it is a result of a call, which is none.
  bool returns_parts(const Instruction& end) const {
    for (const Value* value : end.operands()) {
      const Instruction* made = as_instruction(value);
      const bool tuple = made != nullptr && made->opcode() == Opcode::literal && value->type().is_tuple();
      if (tuple ? !are_parts(made->operands()) : !is_part(value)) return false;
    }
    return true;
  }

  bool passes_parts(const Instruction& end) const {
    for (const Value* value : end.own_operands())
      if (depends(value)) return false;
    for (std::size_t i = 0; i < end.successors().size(); ++i) {
      const auto passed = end.passed(i);
      for (std::size_t k = 0; k < passed.size(); ++k)
        if (depends(end.successors()[i].block->arguments()[k].get()) && !is_part(passed[k])) return false;
    }
    return true;
  }

  const Function& function_;
  std::unordered_set<const Value*> dependent_;
  std::vector<const Value*> open_;
};

}  // namespace

const Instruction* nonlinear_instruction(const Function& function, std::size_t first) {
  return LinearFunction(function, first).nonlinear();
}

}  // namespace dlvm
