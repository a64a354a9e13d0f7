#include "dlvm/transform/loop_segmentation.h"

#include <algorithm>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/control_flow_canonicalization.h"

namespace dlvm {
namespace {

class Segmentation {
 public:
  Segmentation(Module& module, const Loop& loop, const TripBound& bound, std::int64_t segments)
      : module_(module),
        loop_(loop),
        caller_(loop.header->function()),
        segments_(segments),
        rounds_(Extent::floor_divide(bound.times + Extent(segments - 1), Extent(segments))) {}

  Function* run() {
    find_invariants();
    build_function();
    rewrite_loop();
    return segment_;
  }

 private:
  /// What the loop uses and does not define, in the order of use.
  void find_invariants() {
    std::unordered_set<const Value*> seen;
    for (const BasicBlock* block : loop_.blocks)
      for (const auto& instruction : block->instructions())
        for (Value* operand : instruction->operands()) {
          const BasicBlock* home = defining_block(operand);
          if (home != nullptr && !loop_.contains(home) && seen.insert(operand).second)
            invariants_.push_back(operand);
        }
  }

  Value* at(const Value* value) {
    Value*& copy = values_[value];
    if (const Literal* literal = as_literal(value); copy == nullptr && literal != nullptr)
      copy = segment_->copy(*literal, literal->type());
    return copy;
  }

  /// The loop, with a second counter that ends it.
  void build_function() {
    std::vector<Type> carried, parameters;
    std::vector<std::string> names;
    for (const auto& argument : loop_.header->arguments()) {
      carried.push_back(argument->type());
      names.push_back(argument->name());
    }
    parameters = carried;
    for (const Value* value : invariants_) {
      parameters.push_back(value->type());
      names.push_back(value->name());
    }
    segment_ = module_.add_function(module_.fresh_name(caller_.name() + ".segment"),
                                    Type::function(std::move(parameters), Type::tuple(std::move(carried))));
    segment_->location = caller_.location;
    BasicBlock* entry = segment_->add_entry(names);
    const std::size_t count = loop_.header->arguments().size();
    for (std::size_t i = 0; i < invariants_.size(); ++i)
      values_[invariants_[i]] = entry->arguments()[count + i].get();
    for (const BasicBlock* block : loop_.blocks) {
      BasicBlock* made = blocks_[block] = segment_->add_block(block->name());
      for (const auto& argument : block->arguments())
        values_[argument.get()] = made->add_argument(argument->type(), argument->name());
    }
    BasicBlock& header = *blocks_.at(loop_.header);
    Argument* round = header.add_argument(Type::scalar(ElementType::i32), "segment_round");
    Builder builder(*entry);
    std::vector<Value*> first;
    for (std::size_t i = 0; i < count; ++i) first.push_back(entry->arguments()[i].get());
    first.push_back(builder.constant(ElementType::i32, 0));
    builder.branch(header, first);

    BasicBlock* done = segment_->add_block("done");
    Builder at_end(*done);
    std::vector<Value*> results;
    for (std::size_t i = 0; i < count; ++i) results.push_back(header.arguments()[i].get());
    at_end.return_(at_end.tuple(std::move(results)));
    for (const BasicBlock* block : loop_.blocks)
      for (const auto& instruction : block->instructions()) copy(*instruction, *round, *done);
  }

  void copy(const Instruction& from, Argument& round, BasicBlock& done) {
    BasicBlock& block = *blocks_.at(from.block());
    Builder builder(block);
    builder.set_locations(from.locations());
    if (from.block() == loop_.header && from.is(Trait::terminator)) {
      const Conditional test(from);
      Value* within = builder.binary(Opcode::lessThan, &round, builder.extent(rounds_, ElementType::i32));
      Value* more = builder.binary(Opcode::and_, at(test.condition()), within);
      std::vector<Value*> passed;
      for (const Value* value : test.passed_if_true()) passed.push_back(at(value));
      builder.conditional(more, *blocks_.at(test.where_true()), passed, done, {});
      return;
    }
    std::vector<Value*> operands;
    for (const Value* operand : from.operands()) operands.push_back(at(operand));
    std::vector<Successor> successors = from.successors();
    for (Successor& successor : successors) successor.block = blocks_.at(successor.block);
    auto made = std::make_unique<Instruction>(from.opcode(), from.type(), std::move(operands),
                                              from.attributes(), std::move(successors));
    made->set_name(from.name());
    made->set_locations(from.locations());
    Instruction* placed = block.insert(std::move(made));
    values_[&from] = placed;
    if (&from == loop_.latches.front().terminator) {
      Builder before(block, placed);
      placed->add_passed(loop_.latches.front().successor,
                         before.add(&round, before.constant(ElementType::i32, 1)));
    }
  }

  /// The header stays, and what it goes to is a call.
  void rewrite_loop() {
    BasicBlock& header = *loop_.header;
    Argument* number = header.add_argument(Type::scalar(ElementType::i32), "segment");
    const BlockEdge& entry = loop_.entries.front();
    entry.terminator->add_passed(entry.successor, caller_.literal(ElementType::i32, 0));
    Instruction* end = header.terminator();
    Builder builder(header, end);
    builder.set_locations(end->locations());
    const Conditional test(*end);
    BasicBlock* check = caller_.add_block("segments", &header);
    BasicBlock* call_block = caller_.add_block("segment", check);
    const std::vector<Value*> passed(test.passed_if_false().begin(), test.passed_if_false().end());
    builder.conditional(test.condition(), *check, {}, *test.where_false(), passed);
    header.erase(end);
    // A loop that goes on for longer than its bound is not cut off.
    BasicBlock* too_long = caller_.add_block("too_long");
    Builder(*too_long).trap();
    Builder in_check(*check);
    Value* within = in_check.binary(Opcode::lessThan, number,
                                    in_check.constant(ElementType::i32, static_cast<double>(segments_)));
    in_check.conditional(within, *call_block, {}, *too_long, {});

    Builder in(*call_block);
    std::vector<Value*> arguments;
    const std::size_t count = header.arguments().size() - 1;
    for (std::size_t i = 0; i < count; ++i) arguments.push_back(header.arguments()[i].get());
    arguments.insert(arguments.end(), invariants_.begin(), invariants_.end());
    Value* carried = in.apply(segment_, std::move(arguments));
    std::vector<Value*> next;
    for (std::size_t i = 0; i < count; ++i) next.push_back(in.extract(carried, static_cast<std::int64_t>(i)));
    next.push_back(in.add(number, in.constant(ElementType::i32, 1)));
    in.branch(header, std::move(next));
    std::unordered_set<const BasicBlock*> body;
    for (const BasicBlock* block : loop_.blocks)
      if (block != &header) body.insert(block);
    caller_.erase_blocks(body);
  }

  Module& module_;
  const Loop& loop_;
  Function& caller_;
  const std::int64_t segments_;
  const Extent rounds_;  ///< the most rounds of a segment
  Function* segment_ = nullptr;
  std::vector<Value*> invariants_;
  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
};

bool can_be_segmented(const Loop& loop, Bounds& bounds) {
  if (loop.entries.size() != 1 || loop.latches.size() != 1 || loop.exits.size() != 1) return false;
  const BlockEdge& exit = loop.exits.front();
  if (exit.from() != loop.header || exit.successor != 1 || !as<Conditional>(exit.terminator)) return false;
  for (const BasicBlock* block : loop.blocks)
    if (std::ranges::any_of(block->instructions(), [](const auto& each) { return has_effect(*each); }))
      return false;
  for (const auto& argument : loop.header->arguments())
    if (argument->type().is_stack()) return false;
  const auto bound = bounds.rounds(loop);
  return bound && bound->test == loop.header;
}

}  // namespace

void segment_loops(Module& module, Function& function, const std::vector<std::int64_t>& levels,
                   std::size_t level) {
  if (level == levels.size()) return;
  std::unordered_set<const BasicBlock*> done;
  for (bool again = true; again;) {
    again = false;
    canonicalize_for_adjoints(function);
    const ControlFlow flow(function);
    const DominatorTree dominators(flow);
    const LoopNest nest(flow, dominators);
    Bounds bounds(flow, dominators, nest);
    for (const auto& loop : nest.loops()) {
      if (loop->depth > 1 || !done.insert(loop->header).second || !can_be_segmented(*loop, bounds)) continue;
      segment_loops(module, *Segmentation(module, *loop, *bounds.rounds(*loop), levels[level]).run(), levels,
                    level + 1);
      again = true;
      break;
    }
  }
}

}  // namespace dlvm
