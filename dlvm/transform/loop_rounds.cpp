#include "dlvm/transform/loop_rounds.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/dimension_names.h"

namespace dlvm {
namespace {

class FunctionOfRounds {
 public:
  FunctionOfRounds(Module& module, const Loop& loop, const LoopValues& values,
                   const DominatorTree& dominators, const Extent& rounds)
      : module_(module), loop_(loop), values_(values), dominators_(dominators), rounds_(rounds) {}

  /// The loop, with a second counter that ends it.
  Function& build() {
    const Function& caller = loop_.header->function();
    std::vector<Type> parameters;
    std::vector<std::string> names;
    for (const auto* list : {&values_.carried, &values_.invariants})
      for (const Value* value : *list) {
        parameters.push_back(value->type());
        names.push_back(value->name());
      }
    made_ = module_.add_function(module_.fresh_name(caller.name() + ".segment"),
                                 Type::function(std::move(parameters), Type::tuple(result_types())));
    made_->location = caller.location;
    BasicBlock* entry = made_->add_entry(names);
    for (std::size_t i = 0; i < values_.invariants.size(); ++i)
      copies_[values_.invariants[i]] = entry->arguments()[values_.carried.size() + i].get();
    test_ = made_->add_block(loop_.header->name());
    for (const Value* value : values_.carried)
      copies_[value] = test_->add_argument(value->type(), value->name());
    for (const BasicBlock* block : loop_.blocks) {
      BasicBlock* made = blocks_[block] = made_->add_block(block->name());
      if (block == loop_.header) continue;
      for (const auto& argument : block->arguments())
        copies_[argument.get()] = made->add_argument(argument->type(), argument->name());
    }
    done_ = made_->add_block("done");
    Builder at_end(*done_);
    std::vector<Value*> results;
    for (const Type& type : result_types()) results.push_back(done_->add_argument(type, ""));
    at_end.return_(at_end.tuple(std::move(results)));

    std::vector<Value*> first;
    for (std::size_t i = 0; i < values_.carried.size(); ++i) first.push_back(entry->arguments()[i].get());
    Builder at_test(*test_);
    if (rounds_.is(1)) {
      at_test.branch(*blocks_.at(loop_.header));
    } else {
      round_ = test_->add_argument(Type::scalar(ElementType::i32), "segment_round");
      first.push_back(made_->literal(ElementType::i32, 0));
      Value* more = at_test.binary(Opcode::lessThan, round_, at_test.extent(rounds_, ElementType::i32));
      at_test.conditional(more, *blocks_.at(loop_.header), {}, *done_,
                          returned(0, at(values_.carried), nullptr));
    }
    Builder(*entry).branch(*test_, std::move(first));
    for (const BasicBlock* block : loop_.blocks)
      for (const auto& instruction : block->instructions()) copy(*instruction);
    return *made_;
  }

 private:
  Value* at(const Value* value) {
    Value*& copy = copies_[value];
    if (const Literal* literal = as_literal(value); copy == nullptr && literal != nullptr)
      copy = made_->copy(*literal, literal->type());
    return copy;
  }
  std::vector<Value*> at(std::span<Value* const> values) {
    std::vector<Value*> copies;
    for (const Value* value : values) copies.push_back(at(value));
    return copies;
  }

  /// The types of what the function returns: the number of the exit by which it left the loop, or 0, what the
  /// loop carries, and the other values that are used behind it.
  std::vector<Type> result_types() const {
    std::vector<Type> types{Type::scalar(ElementType::i32)};
    for (const Value* value : values_.carried) types.push_back(value->type());
    for (const Value* value : values_.results) types.push_back(value->type());
    return types;
  }

  /// Returns what `done_` is passed behind the block. `block` is null where no value of the loop that is used
  /// behind it is there.
  std::vector<Value*> returned(std::size_t exit, std::vector<Value*> carried, const BasicBlock* block) {
    std::vector<Value*> values{made_->literal(ElementType::i32, static_cast<double>(exit))};
    values.insert(values.end(), carried.begin(), carried.end());
    for (const Value* value : values_.results) {
      const bool is_there = block != nullptr && dominators_.dominates(defining_block(value), block);
      values.push_back(is_there                    ? at(value)
                       : value->type().is_tensor() ? made_->splat(value->type(), 0)
                                                   : made_->literal(value->type(), Literal::Form::zero));
    }
    return values;
  }

  void copy(const Instruction& from) {
    BasicBlock& block = *blocks_.at(from.block());
    std::vector<Value*> operands = at(from.own_operands());
    std::vector<Successor> successors;
    for (std::size_t i = 0; i < from.successors().size(); ++i) {
      std::vector<Value*> passed = at(from.passed(i));
      BasicBlock* to = successor(from, i, passed);
      successors.push_back({to, passed.size()});
      operands.insert(operands.end(), passed.begin(), passed.end());
    }
    auto made = std::make_unique<Instruction>(from.opcode(), from.type(), std::move(operands),
                                              from.attributes(), std::move(successors));
    made->set_name(from.name());
    made->set_locations(from.locations());
    copies_[&from] = block.insert(std::move(made));
  }

  /// Where the copy of a terminator goes, with what it passes.
  BasicBlock* successor(const Instruction& from, std::size_t i, std::vector<Value*>& passed) {
    const BasicBlock* to = from.successors()[i].block;
    if (to == loop_.header && round_ == nullptr) {
      passed = returned(0, std::move(passed), nullptr);
      return done_;
    }
    if (to == loop_.header) {
      Builder builder(*blocks_.at(from.block()));
      passed.push_back(builder.add(round_, builder.constant(ElementType::i32, 1)));
      return test_;
    }
    if (loop_.contains(to)) return blocks_.at(to);
    const auto is_this = [&](const BlockEdge& exit) {
      return exit.terminator == &from && exit.successor == i;
    };
    const auto exit = std::ranges::find_if(loop_.exits, is_this);
    passed =
        returned(static_cast<std::size_t>(exit - loop_.exits.begin()) + 1, at(values_.carried), from.block());
    return done_;
  }

  Module& module_;
  const Loop& loop_;
  const LoopValues& values_;
  const DominatorTree& dominators_;
  const Extent& rounds_;
  Function* made_ = nullptr;
  std::unordered_map<const Value*, Value*> copies_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
  BasicBlock *test_ = nullptr, *done_ = nullptr;
  Argument* round_ = nullptr;  ///< null if the function runs one round
};

/// Whether a value of the type says what the dimension is in a call.
bool gives(const Type& type, const std::string& dimension) {
  return type.is_tensor() &&
         std::ranges::find(type.shape(), Extent::dimension(dimension)) != type.shape().end();
}

void add_givers_of_dimensions(LoopValues& values, const Loop& loop, const Extent& rounds) {
  std::set<std::string> names;
  rounds.collect_names(names);
  for (const BasicBlock* block : loop.blocks) collect_dimension_names(*block, names);
  for (const std::string& name : names) {
    const auto gives_it = [&](const auto& value) { return gives(value->type(), name); };
    if (std::ranges::any_of(values.carried, gives_it) || std::ranges::any_of(values.invariants, gives_it))
      continue;
    const auto& parameters = loop.header->function().entry().arguments();
    const auto found = std::ranges::find_if(parameters, gives_it);
    if (found != parameters.end()) values.invariants.push_back(found->get());
  }
}

}  // namespace

LoopValues find_values(const Loop& loop, const Extent& rounds) {
  LoopValues found;
  std::unordered_set<const Value*> seen;
  for (const BasicBlock* block : loop.blocks)
    for (const auto& instruction : block->instructions())
      for (Value* operand : instruction->operands()) {
        const BasicBlock* home = defining_block(operand);
        if (home != nullptr && !loop.contains(home) && seen.insert(operand).second)
          found.invariants.push_back(operand);
      }
  const auto add_result = [&](Value& value) {
    const auto leaves = [&](const BlockEdge& exit) {
      return std::ranges::find(exit.passed(), &value) != exit.passed().end();
    };
    const auto is_outside = [&](const Instruction* user) { return !loop.contains(user->block()); };
    if (std::ranges::any_of(loop.exits, leaves) || std::ranges::any_of(value.users(), is_outside))
      found.results.push_back(&value);
  };
  for (const auto& argument : loop.header->arguments()) found.carried.push_back(argument.get());
  for (const BasicBlock* block : loop.blocks) {
    if (block != loop.header)
      for (const auto& argument : block->arguments()) add_result(*argument);
    for (const auto& instruction : block->instructions()) add_result(*instruction);
  }
  add_givers_of_dimensions(found, loop, rounds);
  return found;
}

Function& add_function_of_rounds(Module& module, const Loop& loop, const LoopValues& values,
                                 const DominatorTree& dominators, const Extent& rounds) {
  return FunctionOfRounds(module, loop, values, dominators, rounds).build();
}

}  // namespace dlvm
