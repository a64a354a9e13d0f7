#include "dlvm/transform/combinator_flattening.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr std::size_t most_blocks = 64;

bool is_computed_anyway(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::branch:
    case Opcode::conditional:
    case Opcode::return_:
      return true;
    default:
      return instruction.is(Trait::elementwise) && !instruction.is(Trait::may_fail) &&
             instruction.type().is_scalar();
  }
}

/// Whether every branch leads to a block that stands behind it in the order.
bool leads_forwards(const ControlFlow& flow) {
  return std::ranges::all_of(flow.order(), [&](const BasicBlock* block) {
    return std::ranges::all_of(flow.predecessors(block), [&](const BlockEdge& edge) {
      return flow.position(edge.from()) < flow.position(block);
    });
  });
}

bool can_be_flat(const Function& function) {
  if (function.blocks().size() < 2 || function.blocks().size() > most_blocks) return false;
  if (!function.type().result().is_scalar()) return false;
  const bool scalar = std::ranges::all_of(function.blocks(), [](const auto& block) {
    const auto is_scalar = [](const auto& argument) { return argument->type().is_scalar(); };
    return block->terminator() != nullptr && std::ranges::all_of(block->arguments(), is_scalar) &&
           std::ranges::all_of(block->instructions(),
                               [](const auto& each) { return is_computed_anyway(*each); });
  });
  if (!scalar) return false;
  const ControlFlow flow(function);
  return flow.unreachable().empty() && leads_forwards(flow);
}

/// The body in one block.
class Flattening {
 public:
  explicit Flattening(Function& function)
      : function_(function), flat_(function.name(), function.type()), builder_(*flat_.add_entry()) {}

  void run() {
    const ControlFlow flow(function_);
    for (BasicBlock* block : flow.order()) {
      if (block == &function_.entry())
        take_parameters();
      else
        enter(*block, flow.predecessors(block));
      for (const auto& instruction : block->instructions()) build(*instruction);
    }
    builder_.set_locations({});
    builder_.return_(result_);
    function_.clear_body();
    function_.take_body(flat_);
  }

 private:
  /// A condition that holds on a way, or always where it is null.
  struct Way {
    Value* condition;
    std::vector<Value*> passed;
  };

  Value* of(Value* value) {
    const Literal* literal = as_literal(value);
    return literal != nullptr ? flat_.copy(*literal, literal->type()) : values_.at(value);
  }

  void take_parameters() {
    for (std::size_t i = 0; i < function_.entry().arguments().size(); ++i) {
      Argument* parameter = flat_.entry().arguments()[i].get();
      parameter->set_name(function_.entry().arguments()[i]->name());
      values_[function_.entry().arguments()[i].get()] = parameter;
    }
    conditions_[&function_.entry()] = nullptr;
  }

  Value* both(Value* left, Value* right) {
    return left == nullptr ? right : builder_.binary(Opcode::and_, left, right);
  }

  /// Null if the block is behind a conditional both of whose ways come here.
  Way way(const BlockEdge& edge) {
    Way made{conditions_.at(edge.from()), {}};
    if (const auto end = as<Conditional>(*edge.terminator)) {
      Value* condition = of(end.condition());
      if (edge.successor == 1) condition = builder_.unary(Opcode::not_, condition);
      made.condition = both(made.condition, condition);
    }
    for (Value* value : edge.passed()) made.passed.push_back(of(value));
    return made;
  }

  /// Enters a block by the first of its edges whose condition holds, or else by the last one.
  void enter(BasicBlock& block, std::span<const BlockEdge> edges) {
    builder_.set_locations(edges.front().terminator->locations());
    std::vector<Way> ways;
    for (const BlockEdge& edge : edges) ways.push_back(way(edge));
    Value* condition = ways[0].condition;
    for (std::size_t i = 1; i < ways.size(); ++i)
      condition = builder_.binary(Opcode::or_, condition, ways[i].condition);
    conditions_[&block] = condition;
    for (std::size_t a = 0; a < block.arguments().size(); ++a) {
      Value* value = ways.back().passed[a];
      for (std::size_t i = ways.size() - 1; i-- > 0;)
        if (ways[i].passed[a] != value) value = builder_.select(ways[i].passed[a], value, ways[i].condition);
      values_[block.arguments()[a].get()] = value;
    }
  }

  void build(const Instruction& instruction) {
    builder_.set_locations(instruction.locations());
    if (instruction.opcode() == Opcode::return_) {
      Value* value = of(instruction.operand(0));
      Value* condition = conditions_.at(instruction.block());
      result_ = result_ == nullptr ? value : builder_.select(value, result_, condition);
      return;
    }
    if (instruction.is(Trait::terminator)) return;
    std::vector<Value*> operands;
    for (Value* operand : instruction.operands()) operands.push_back(of(operand));
    Value* made = builder_.create(instruction.opcode(), std::move(operands), instruction.attributes());
    made->set_name(instruction.name());
    values_[&instruction] = made;
  }

  Function& function_;
  Function flat_;
  Builder builder_;
  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const BasicBlock*, Value*> conditions_;
  Value* result_ = nullptr;
};

std::unordered_set<const Function*> combinators_of(const Module& module) {
  std::unordered_set<const Function*> all;
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        for (const Attribute& attribute : instruction->attributes())
          if (const auto* by = std::get_if<Combinator>(&attribute); by != nullptr && by->function != nullptr)
            all.insert(by->function);
  return all;
}

}  // namespace

bool combinator_flattening(Module& module) {
  const auto combinators = combinators_of(module);
  bool changed = false;
  for (const auto& function : module.functions()) {
    if (!combinators.contains(function.get()) || !can_be_flat(*function)) continue;
    Flattening(*function).run();
    changed = true;
  }
  return changed;
}

}  // namespace dlvm
