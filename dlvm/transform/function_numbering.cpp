#include "dlvm/transform/function_numbering.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/function_values.h"
#include "dlvm/analysis/instructions.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/counted_loop.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/mapped_types.h"

namespace dlvm {
namespace {

constexpr ElementType number = ElementType::i32;

/// Visits the types of parameters, results, arguments of blocks and variables.
template <typename Visit>
void for_each_signature(const Module& module, Visit visit) {
  for (const auto& function : module.functions()) {
    for (const Type& parameter : function->type().parameters()) visit(parameter);
    visit(function->type().result());
    for (const auto& block : function->blocks())
      for (const auto& argument : block->arguments()) visit(argument->type());
  }
  for (const auto& global : module.globals()) visit(global->type);
}

/// The type with numbers in the place of functions. Structs and enums stay: their declarations change.
Type mapped(const Type& type) {
  return with_parts_replaced(type, [](const Type& part) -> std::optional<Type> {
    if (part.kind() == Type::Kind::function) return Type::scalar(number);
    return part.is_structure() ? std::optional(part) : std::nullopt;
  });
}

Type mapped_signature(const Type& type) {
  std::vector<Type> parameters;
  for (const Type& parameter : type.parameters()) parameters.push_back(mapped(parameter));
  return Type::function(std::move(parameters), mapped(type.result()));
}

class FunctionNumbering {
 public:
  explicit FunctionNumbering(Module& module) : module_(module) {
    const auto values = functions_that_are_values(module);
    for (const auto& function : module.functions())
      if (values.contains(function.get())) functions_.push_back(function.get());
  }

  /// Returns whether it is known of each call that can be reached which functions have its type: a function
  /// of constant extents may have one of dimensions, or not.
  bool find_calls() {
    const auto reached = functions_in_use();
    bool good = true;
    for_each_instruction(module_, [&](Instruction& instruction) {
      const auto call = as<ApplyValue>(instruction);
      if (!call) return;
      Call found{&instruction, {}};
      const Type& type = call.function()->type();
      for (std::size_t f = 0; f < functions_.size(); ++f) {
        Extent::Substitution dimensions;
        if (has_type(*functions_[f], type))
          found.candidates.push_back(f);
        else if (unify(type, functions_[f]->type(), dimensions))
          good = good && !reached.contains(&instruction.block()->function());
      }
      calls_.push_back(std::move(found));
    });
    return good;
  }

  void run() {
    const std::vector<LiteralUse> literals = literals_with_functions();
    for (const auto& declaration : module_.types())
      for (TypeDeclaration::Member& member : declaration->members)
        for (Type& type : member.types) type = mapped(type);
    for (const auto& global : module_.globals()) global->type = mapped(global->type);
    for (const LiteralUse& use : literals) replace_literal(use);
    for (const auto& function : module_.functions()) change_types(*function);
    for (const Call& call : calls_) choose(call);
  }

 private:
  /// The call of a value, and the positions of the functions that it may be.
  struct Call {
    Instruction* apply;
    std::vector<std::size_t> candidates;
  };

  /// A constant whose type holds functions, as operand of an instruction.
  struct LiteralUse {
    Instruction* instruction;
    std::size_t operand;
  };

  std::vector<LiteralUse> literals_with_functions() const {
    std::vector<LiteralUse> found;
    for_each_instruction(module_, [&](Instruction& instruction) {
      for (std::size_t i = 0; i < instruction.operands().size(); ++i)
        if (const Literal* literal = as_literal(instruction.operand(i));
            literal != nullptr && holds_function(literal->type()))
          found.push_back({&instruction, i});
    });
    return found;
  }

  static void replace_literal(const LiteralUse& use) {
    Function& function = use.instruction->block()->function();
    const Literal& literal = *as_literal(use.instruction->operand(use.operand));
    const Type type = mapped(literal.type());
    const bool is_address = literal.form() == Literal::Form::address;
    use.instruction->set_operand(use.operand,
                                 is_address ? function.literal(type, Literal::Form::address, literal.global())
                                            : default_value(function, type));
  }

  static bool has_type(const Function& function, const Type& type) {
    std::string why;
    return infer_type(Opcode::literal, {{}, std::vector<Attribute>{type, Attribute(), &function}}, why)
        .has_value();
  }

  /// The functions that entry points reach; without any, those that functions reach which take no functions.
  std::unordered_set<const Function*> functions_in_use() const {
    std::vector<const Function*> from;
    for (const EntryPoint& entry : module_.entries) from.push_back(module_.function(entry.function));
    if (from.empty())
      for (const auto& function : module_.functions())
        if (std::ranges::none_of(function->type().parameters(), holds_function))
          from.push_back(function.get());
    return reached_functions(std::move(from));
  }

  void change_types(Function& function) {
    function.set_type(mapped_signature(function.type()));
    std::vector<Instruction*> values;
    for (const auto& block : function.blocks()) {
      for (const auto& argument : block->arguments()) set_type(*argument, mapped(argument->type()));
      for (const auto& instruction : block->instructions()) {
        if (as<FunctionValue>(*instruction)) values.push_back(instruction.get());
        change_types(*instruction);
      }
    }
    for (Instruction* value : values) {
      const auto at = std::ranges::find(functions_, std::get<const Function*>(value->attributes()[2]));
      if (!value->users().empty())
        replace_all_uses(*value, *function.literal(number, number_of(at - functions_.begin())));
      value->block()->erase(value);
    }
  }

  static double number_of(std::ptrdiff_t position) { return static_cast<double>(position) + 1; }

  static void change_types(Instruction& instruction) {
    if (!as<FunctionValue>(instruction)) map_attributes(instruction, mapped);
    set_type(instruction, mapped(instruction.type()));
  }

  /// Goes to a call of each candidate where the number is its own, and traps elsewhere.
  void choose(const Call& call) const {
    Instruction& apply = *call.apply;
    Function& function = apply.block()->function();
    const bool gives = !apply.type().is_tuple() || !apply.type().elements().empty();
    BasicBlock* rest = split_behind(apply);
    Value* result = gives ? rest->add_argument(apply.type(), apply.name()) : nullptr;
    Value* which = apply.operand(0);
    const std::vector<Value*> arguments(apply.operands().begin() + 1, apply.operands().end());
    Builder b(*apply.block());
    b.set_locations(apply.locations());
    for (const std::size_t candidate : call.candidates) {
      BasicBlock* chosen = function.add_block("chosen", &b.block());
      BasicBlock* other = function.add_block("other", chosen);
      const double own = number_of(static_cast<std::ptrdiff_t>(candidate));
      b.conditional(b.binary(Opcode::equal, which, b.constant(number, own)), *chosen, {}, *other, {});
      move_to(b, *chosen);
      Value* value = b.apply(functions_[candidate], arguments);
      b.branch(*rest, gives ? std::vector{value} : std::vector<Value*>());
      move_to(b, *other);
    }
    b.trap();
    if (!apply.users().empty()) {
      if (!gives) {
        Builder at_rest(*rest, rest->instructions().front().get());
        result = at_rest.tuple({});
      }
      replace_all_uses(apply, *result);
    }
    apply.block()->erase(&apply);
  }

  Module& module_;
  std::vector<Function*> functions_;  ///< those that are values; number 1 is the first
  std::vector<Call> calls_;
};

}  // namespace

bool resolve_function_values(Module& module) {
  std::vector<Instruction*> calls;
  for_each_instruction(module, [&](Instruction& instruction) {
    const auto call = as<ApplyValue>(instruction);
    if (call && as<FunctionValue>(call.function())) calls.push_back(&instruction);
  });
  for (Instruction* instruction : calls) {
    const ApplyValue call(*instruction);
    Builder b(*instruction->block(), instruction);
    b.set_locations(instruction->locations());
    Value* made = b.apply(as<FunctionValue>(call.function()).function(),
                          {call.arguments().begin(), call.arguments().end()});
    made->set_name(instruction->name());
    if (!instruction->users().empty()) replace_all_uses(*instruction, *made);
    instruction->block()->erase(instruction);
  }
  return !calls.empty();
}

bool has_function_values(const Module& module) {
  bool found = !functions_that_are_values(module).empty();
  for_each_signature(module, [&](const Type& type) { found = found || holds_function(type); });
  return found;
}

bool function_numbering(Module& module) {
  FunctionNumbering numbering(module);
  if (!has_function_values(module) || !numbering.find_calls()) return false;
  numbering.run();
  return true;
}

}  // namespace dlvm
