#include <algorithm>

#include "dlvm/analysis/expanded_type.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/function_expansion.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {

void FunctionExpansion::expand(Instruction& i) {
  if (i.is(Trait::terminator)) return expand_terminator(i);
  if (const auto made = as<Composite>(i)) return expand_literal(i, made);
  if (const auto extract = as<Extract>(i)) {
    const Values whole = of(extract.aggregate());
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(
                                           expanded_offset(extract.aggregate()->type(), extract.position()));
    define(i, {first, first + static_cast<std::ptrdiff_t>(expanded_count(i.type()))});
    dead_.push_back(&i);
    return;
  }
  if (const auto insert = as<Insert>(i)) {
    Values whole = of(insert.aggregate());
    const Values part = of(insert.element());
    std::ranges::copy(part, whole.begin() + static_cast<std::ptrdiff_t>(expanded_offset(
                                                insert.aggregate()->type(), insert.position())));
    define(i, std::move(whole));
    dead_.push_back(&i);
    return;
  }
  if (const auto call = as<Apply>(i); call && changed_.contains(call.callee())) return expand_call(i, call);
  if (stack_accesses_.contains(&i)) return expand_stack_access(i);
  if (memory_.is_access(i)) return expand_memory_access(i);
  keep(i);
}

void FunctionExpansion::expand_literal(Instruction& i, const Composite& made) {
  if (!is_compound(i.type())) return keep(i);  // a recursive enum
  dead_.push_back(&i);
  if (made.enum_case() == nullptr) return define(i, of_all(made.components()));
  const auto at = static_cast<std::size_t>((*made.enum_case())[0]);
  Values leaves;
  for (const Type& leaf : expanded_types(i.type())) leaves.push_back(default_value(function_, leaf));
  leaves[0] = function_.literal(ElementType::i32, static_cast<double>(at));
  std::ranges::copy(of_all(made.components()),
                    leaves.begin() + static_cast<std::ptrdiff_t>(expanded_offset(i.type(), at, 0)));
  define(i, std::move(leaves));
}

void FunctionExpansion::expand_call(Instruction& i, const Apply& call) {
  Builder builder(*i.block(), &i);
  builder.set_locations(i.locations());
  Value* made = builder.apply(call.callee(), of_all(call.arguments()));
  made->set_name(i.name());
  Values leaves;
  if (is_compound(i.type()))
    extract_leaves(builder, made, leaves);
  else
    leaves.push_back(made);
  define(i, std::move(leaves));
  dead_.push_back(&i);
}

void FunctionExpansion::expand_stack_access(Instruction& i) {
  Builder builder(*i.block(), &i);
  builder.set_locations(i.locations());
  dead_.push_back(&i);
  if (i.opcode() == Opcode::push) {
    Values leaves = of(i.operand(0));
    return builder.push(leaves.size() == 1 ? leaves[0] : builder.tuple(std::move(leaves)), i.operand(1));
  }
  const std::vector<Type> types = expanded_types(i.type());
  Value* record =
      builder.create(i.opcode(), {i.operand(0)}, {types.size() == 1 ? types[0] : Type::tuple(types)});
  record->set_name(i.name());
  Values leaves;
  extract_leaves(builder, record, leaves);
  define(i, std::move(leaves));
}

void FunctionExpansion::expand_memory_access(Instruction& i) {
  Builder builder(*i.block(), &i);
  builder.set_locations(i.locations());
  dead_.push_back(&i);
  if (i.opcode() == Opcode::store) {
    const Type type = EnumMemory::flattened(i.operand(0)->type());
    builder.create(Opcode::store, {assemble(builder, type, of(i.operand(0))), i.operand(1)});
    return;
  }
  Value* loaded = builder.create(Opcode::load, {i.operand(0)});
  loaded->set_name(i.name());
  Values leaves;
  extract_leaves(builder, loaded, leaves);
  define(i, std::move(leaves));
}

void FunctionExpansion::keep(Instruction& i) {
  assemble_operands(i, i.operands().size());
  if (!is_compound(i.type()) || i.is(Trait::statement)) return;
  auto after = std::ranges::find(i.block()->instructions(), &i, [](const auto& each) { return each.get(); });
  Builder builder(*i.block(), std::next(after)->get());
  builder.set_locations(i.locations());
  Values leaves;
  extract_leaves(builder, &i, leaves);
  leaves_[&i] = std::move(leaves);
}

void FunctionExpansion::assemble_operands(Instruction& i, std::size_t count) {
  Builder builder(*i.block(), &i);
  builder.set_locations(i.locations());
  for (std::size_t k = 0; k < count; ++k)
    if (Value* operand = i.operand(k); is_compound(operand->type()) && as_literal(operand) == nullptr)
      i.set_operand(k, assemble(builder, operand->type(), of(operand)));
}

void FunctionExpansion::expand_terminator(Instruction& end) {
  if (end.opcode() == Opcode::return_) return expand_return(end);
  if (end.opcode() == Opcode::branchEnum && is_compound(end.operand(0)->type())) return expand_cases(end);
  for (std::size_t s = 0; s < end.successors().size(); ++s) {
    if (!replaced_.contains(end.successors()[s].block)) continue;
    const Values passed = of_all(end.passed(s));
    end.set_successor(s, end.successors()[s].block, passed);
  }
}

void FunctionExpansion::expand_return(Instruction& end) {
  if (end.operands().empty() || !is_compound(end.operand(0)->type())) return;
  if (!changed_.contains(&function_)) return assemble_operands(end, 1);
  Builder builder(*end.block(), &end);
  builder.set_locations(end.locations());
  end.set_operand(0, builder.tuple(of(end.operand(0))));
}

void FunctionExpansion::expand_cases(Instruction& end) {
  const BranchEnum cases(end);
  const Type& type = cases.value()->type();
  const Values leaves = of(cases.value());
  const std::vector<Successor> successors = end.successors();
  for (std::size_t s = 0; s < successors.size(); ++s)
    take_payload(*successors[s].block, type, static_cast<std::size_t>(cases.cases()[s]), leaves);
  BasicBlock* block = end.block();
  for (std::size_t s = 0; s + 1 < successors.size(); ++s) {
    const bool last = s + 2 == successors.size();
    Builder builder(*block, block == end.block() ? &end : nullptr);
    builder.set_locations(end.locations());
    Value* is_case = builder.binary(
        Opcode::equal, leaves[0], builder.constant(ElementType::i32, static_cast<double>(cases.cases()[s])));
    BasicBlock* next = last ? successors[s + 1].block : function_.add_block("", block);
    builder.conditional(is_case, *successors[s].block, {}, *next, {});
    block = next;
  }
  if (successors.size() == 1) Builder(*end.block(), &end).branch(*successors[0].block, {});
  dead_.push_back(&end);
}

void FunctionExpansion::take_payload(BasicBlock& block, const Type& type, std::size_t at,
                                     const Values& leaves) {
  for (const auto& argument : block.arguments()) {
    const auto first =
        leaves.begin() + static_cast<std::ptrdiff_t>(expanded_offset(type, at, argument->index()));
    define(*argument, {first, first + static_cast<std::ptrdiff_t>(expanded_count(argument->type()))});
    dead_arguments_.push_back(argument.get());
  }
}

}  // namespace dlvm
