#include "dlvm/transform/enum_expansion.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/expanded_type.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/value_promotion.h"

namespace dlvm {
namespace {

Type node_number() { return Type::scalar(ElementType::i32); }

bool is_recursive_enum(const Type& type) { return type.is_enumeration() && is_recursive(type.declaration()); }

bool holds_recursive_enum(const Type& type, std::unordered_set<const TypeDeclaration*>& seen) {
  if (is_recursive_enum(type)) return true;
  const auto holds = [&](const Type& part) { return holds_recursive_enum(part, seen); };
  if (!type.is_structure() && !type.is_enumeration()) return std::ranges::any_of(type.parts(), holds);
  return seen.insert(&type.declaration()).second &&
         std::ranges::any_of(type.declaration().members,
                             [&](const auto& member) { return std::ranges::any_of(member.types, holds); });
}
bool holds_recursive_enum(const Type& type) {
  if (type.is_tensor()) return false;
  std::unordered_set<const TypeDeclaration*> seen;
  return holds_recursive_enum(type, seen);
}

/// The type with numbers in the place of recursive enums; nothing where a declared type holds one.
std::optional<Type> numbered(const Type& type) {
  if (!holds_recursive_enum(type)) return type;
  if (is_recursive_enum(type)) return node_number();
  if (!type.is_tuple()) return std::nullopt;
  std::vector<Type> elements;
  for (const Type& element : type.elements()) {
    auto made = numbered(element);
    if (!made) return std::nullopt;
    elements.push_back(std::move(*made));
  }
  return Type::tuple(std::move(elements));
}

/// Whether payloads of the type are rows of tensors.
bool has_rows(const Type& type) {
  const auto with_numbers = holds_enum(type) ? std::nullopt : numbered(type);
  return with_numbers && std::ranges::all_of(expanded_types(*with_numbers), &Type::is_tensor);
}

/// Whether the block may run more than once in a call.
bool may_run_again(const BasicBlock& block) {
  std::unordered_set<const BasicBlock*> seen;
  std::vector<const BasicBlock*> open{&block};
  while (!open.empty()) {
    const BasicBlock* next = open.back();
    open.pop_back();
    for (const Successor& successor : next->terminator()->successors()) {
      if (successor.block == &block) return true;
      if (seen.insert(successor.block).second) open.push_back(successor.block);
    }
  }
  return false;
}

class EnumExpansion {
 public:
  explicit EnumExpansion(Function& function) : function_(function) {}

  bool run() {
    if (!is_possible()) return false;
    number_nodes();
    std::vector<Instruction*> made, branches;
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() == Opcode::literal && is_recursive_enum(instruction->type()))
          made.push_back(instruction.get());
        if (instruction->opcode() == Opcode::branchEnum && is_recursive_enum(instruction->operand(0)->type()))
          branches.push_back(instruction.get());
      }
    make_slots();
    std::vector<const TypeDeclaration*> declarations;
    for (const Instruction* branch : branches)
      declarations.push_back(&branch->operand(0)->type().declaration());
    change_types();
    for (Instruction* each : made) store_payload(*each);
    for (std::size_t i = 0; i < branches.size(); ++i) expand(*branches[i], *declarations[i]);
    remove_unreachable_blocks(function_);
    value_promotion(function_);
    return true;
  }

 private:
  struct Node {
    std::int64_t number = 0;
    std::vector<Value*> slots;  ///< pointers to the leaves of its payload
  };
  using Nodes = std::map<std::int64_t, std::vector<Instruction*>>;  ///< by their cases

  bool is_possible() {
    bool any = false;
    const auto fits = [&](const Type& type) {
      any = any || holds_recursive_enum(type);
      return numbered(type).has_value();
    };
    for (const auto& block : function_.blocks()) {
      for (const auto& argument : block->arguments()) {
        const bool entry = block.get() == &function_.entry();
        if (!fits(argument->type()) || (entry && holds_recursive_enum(argument->type()))) return false;
      }
      for (const auto& instruction : block->instructions())
        if (!fits(instruction->type()) || !is_possible(*instruction)) return false;
    }
    return any && !nodes_.empty();
  }

  bool is_possible(Instruction& i) {
    const auto holds = [](const Value* value) { return holds_recursive_enum(value->type()); };
    const bool foreign = i.opcode() == Opcode::apply || i.opcode() == Opcode::return_ ||
                         (i.is(Trait::effect) && i.opcode() != Opcode::push && i.opcode() != Opcode::pop &&
                          i.opcode() != Opcode::peek);
    const bool touches = holds(&i) || std::ranges::any_of(i.own_operands(), holds);
    if (foreign && touches) return false;
    // Another function may take the enum off a stack that is not this one's alone.
    const bool stacks = i.opcode() == Opcode::push || i.opcode() == Opcode::pop || i.opcode() == Opcode::peek;
    if (stacks && touches && !stack_record(*i.operands().back())) return false;
    if (i.opcode() != Opcode::literal || !is_recursive_enum(i.type())) return true;
    for (const Value* operand : i.operands())
      if (!has_rows(operand->type())) return false;
    if (may_run_again(*i.block())) return false;
    nodes_[i.type().declaration().name][(*Composite(i).enum_case())[0]].push_back(&i);
    return true;
  }

  void number_nodes() {
    for (auto& [name, cases] : nodes_) {
      std::int64_t number = 0;
      for (auto& [at, list] : cases)
        for (const Instruction* each : list) numbers_[each].number = number++;
    }
  }

  /// The leaves of the payload's types, with numbers for enums.
  static std::vector<Type> payload_leaves(const TypeDeclaration& declaration, std::int64_t at) {
    std::vector<Type> leaves;
    for (const Type& type : declaration.members[static_cast<std::size_t>(at)].types)
      for (const Type& leaf : expanded_types(*numbered(type))) leaves.push_back(leaf);
    return leaves;
  }

  void make_slots() {
    Builder builder(function_.entry(), function_.entry().instructions().front().get());
    for (auto& [name, cases] : nodes_)
      for (auto& [at, list] : cases)
        for (const Type& leaf : payload_leaves(list.front()->type().declaration(), at))
          for (const Instruction* each : list)
            numbers_[each].slots.push_back(builder.create(Opcode::allocateStack, {}, {leaf, Integers{1}}));
  }

  /// Numbers take the place of enums; constants have no other value than an undefined one.
  void change_types() {
    for (const auto& block : function_.blocks()) {
      for (const auto& argument : block->arguments()) set_type(*argument, *numbered(argument->type()));
      for (const auto& instruction : block->instructions()) {
        const auto& operands = instruction->operands();
        for (std::size_t i = 0; i < operands.size(); ++i)
          if (const Literal* literal = as_literal(operands[i]); literal != nullptr)
            if (holds_recursive_enum(literal->type()))
              instruction->set_operand(i, function_.copy(*literal, *numbered(literal->type())));
        set_type(*instruction, *numbered(instruction->type()));
        for (std::size_t i = 0; i < instruction->attributes().size(); ++i)
          if (const auto* type = std::get_if<Type>(&instruction->attributes()[i]))
            instruction->set_attribute(i, *numbered(*type));
      }
    }
  }

  void store_payload(Instruction& made) {
    Builder builder(*made.block(), &made);
    builder.set_locations(made.locations());
    std::vector<Value*> leaves;
    for (Value* operand : std::vector<Value*>(made.operands())) extract_leaves(builder, operand, leaves);
    const Node& node = numbers_.at(&made);
    for (std::size_t i = 0; i < leaves.size(); ++i) builder.create(Opcode::store, {leaves[i], node.slots[i]});
    if (!made.users().empty())
      replace_all_uses(made, *function_.literal(ElementType::i32, static_cast<double>(node.number)));
    made.block()->erase(&made);
  }

  /// Compares the number with the first of the next case that has nodes.
  void expand(Instruction& end, const TypeDeclaration& declaration) {
    struct Way {
      BasicBlock* block;
      std::int64_t enum_case, first;
    };
    std::vector<Way> ways;
    const auto found = nodes_.find(declaration.name);
    const Integers cases = BranchEnum(end).cases();
    for (std::size_t s = 0; s < cases.size(); ++s) {
      BasicBlock* block = end.successors()[s].block;
      if (found != nodes_.end() && found->second.contains(cases[s]))
        ways.push_back({block, cases[s], numbers_.at(found->second.at(cases[s]).front()).number});
      else
        drop_arguments(*block);
    }
    Value* number = end.operand(0);
    std::ranges::sort(ways, {}, &Way::first);
    for (const Way& way : ways) take_payload(*way.block, way.enum_case, way.first, number, declaration);
    BasicBlock* block = end.block();
    const auto locations = end.locations();
    block->erase(&end);
    for (std::size_t w = 0; w + 1 < ways.size(); ++w) {
      Builder builder(*block);
      builder.set_locations(locations);
      Value* below =
          builder.binary(Opcode::lessThan, number,
                         builder.constant(ElementType::i32, static_cast<double>(ways[w + 1].first)));
      BasicBlock* next = w + 2 == ways.size() ? ways[w + 1].block : function_.add_block("", block);
      builder.conditional(below, *ways[w].block, {}, *next, {});
      block = next;
    }
    Builder builder(*block);
    builder.set_locations(locations);
    if (ways.empty()) builder.trap();
    if (ways.size() == 1) builder.branch(*ways[0].block);
  }

  /// No node has the case: nothing goes to the block any more.
  void drop_arguments(BasicBlock& block) {
    replace_arguments(block, [&](const Argument& argument) {
      return function_.literal(argument.type(), Literal::Form::undefined);
    });
  }

  template <typename Made>
  static void replace_arguments(BasicBlock& block, Made made) {
    for (const auto& argument : block.arguments()) {
      Value* value = made(*argument);
      if (!argument->users().empty()) replace_all_uses(*argument, *value);
    }
    while (!block.arguments().empty()) block.remove_argument(block.arguments().size() - 1);
  }

  void take_payload(BasicBlock& block, std::int64_t enum_case, std::int64_t first, Value* number,
                    const TypeDeclaration& declaration) {
    const auto& list = nodes_.at(declaration.name).at(enum_case);
    Builder builder(block, block.instructions().front().get());
    std::size_t leaf = 0;
    replace_arguments(block, [&](const Argument& argument) {
      std::vector<Value*> leaves;
      for (std::size_t count = expanded_count(argument.type()); count > 0; --count)
        leaves.push_back(row(builder, list, leaf++, number, first));
      return assemble(builder, argument.type(), leaves);
    });
  }

  /// The leaf of the node with that number among the nodes of one case.
  Value* row(Builder& builder, const std::vector<Instruction*>& list, std::size_t leaf, Value* number,
             std::int64_t first) {
    std::vector<Value*> rows;
    for (const Instruction* each : list) {
      Value* loaded = builder.create(Opcode::load, {numbers_.at(each).slots[leaf]});
      if (list.size() == 1) return loaded;
      rows.push_back(builder.create(Opcode::padShape, {loaded}, {Integers{0}}));
    }
    Value* all = builder.create(Opcode::concatenate, std::move(rows), {Integers{0}});
    Value* at = builder.subtract(number, builder.constant(ElementType::i32, static_cast<double>(first)));
    return builder.gather(all, {at}, {0});
  }

  Function& function_;
  std::map<std::string, Nodes> nodes_;  ///< by the names of their types
  std::unordered_map<const Instruction*, Node> numbers_;
};

}  // namespace

bool enum_expansion(Function& function) { return EnumExpansion(function).run(); }

}  // namespace dlvm
