#include "dlvm/differentiate/checkpointed_loop.h"

#include "dlvm/analysis/checkpoint_schedule.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// How often a step may be run forward, at most, before it is run backwards: the code of the schedule grows
/// with this number.
constexpr std::int64_t most_repetitions = 64;

/// Returns the checkpoints of a function that the block calls.
std::optional<std::int64_t> checkpoints_of_call(const BasicBlock& block) {
  for (const auto& instruction : block.instructions())
    if (const auto call = as<Apply>(*instruction))
      if (const auto count = checkpoints(*call.callee())) return count;
  return std::nullopt;
}

}  // namespace

std::optional<CheckpointedLoop> CheckpointedLoop::of(const Loop& loop, const Argument& count,
                                                     std::int64_t rounds) {
  const auto kept = checkpoints_of_call(*loop.header);
  if (!kept || *kept >= rounds || loop.blocks.size() != 2 || loop.entries.size() != 1 ||
      loop.latches.size() != 1)
    return std::nullopt;
  if (reversible_steps(*kept - 1, most_repetitions) < rounds) return std::nullopt;
  return CheckpointedLoop(loop, count, *kept, rounds);
}

void CheckpointedLoop::need(const Argument& argument) {
  std::vector<const Value*> open{&argument};
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    if (value == count_ || as_literal(value) != nullptr || !seen_.insert(value).second) continue;
    if (!loop_->contains(defining_block(value))) {
      outside_.push_back(value);
    } else if (const Argument* carried = as_argument(value)) {
      state_.push_back(carried);
      open.push_back(loop_->latches.front().passed()[carried->index()]);
    } else if (const Instruction* instruction = as_instruction(value)) {
      run_again_.insert(instruction);
      open.insert(open.end(), instruction->operands().begin(), instruction->operands().end());
    }
  }
}

void CheckpointedLoop::clear() {
  state_.clear();
  seen_.clear();
  run_again_.clear();
  outside_.clear();
}

Value* CheckpointedLoop::number(Builder& in, std::int64_t value) const {
  return in.constant(count_->type().element(), static_cast<double>(value));
}

/// The number of the round, the depth of the stack with this record, and the state.
Type CheckpointedLoop::record() const {
  std::vector<Type> types{count_->type(), count_->type()};
  for (const Argument* argument : state_) types.push_back(argument->type());
  return Type::tuple(std::move(types));
}

// The rounds before `end` follow, each of which is run again no more than r times. With c checkpoints these
// are at most b(c, r) = (c + r)! / (c! r!) rounds. Up to the next checkpoint, rounds are run once more than
// behind it: they are at most b(c, r - 1), and the others at most b(c - 1, r), which leaves a choice. The
// last round needs no checkpoint of those that are counted.
Value* CheckpointedLoop::next_after(Builder& in, Value* round, Value* end, Value* depth) const {
  Value* rounds = in.subtract(end, round);
  Value* checkpoints = in.subtract(number(in, kept_), depth);
  Value *before = number(in, 1), *behind = number(in, 1), *next = nullptr;  // b(c, r - 1), b(c - 1, r - 1)
  const std::int64_t most = repetitions(rounds_, kept_ - 1);
  for (std::int64_t r = 1; r <= most; ++r) {
    Value* steps = in.binary(Opcode::min, before, in.subtract(rounds, behind));
    next = next == nullptr ? steps : in.select(steps, next, in.binary(Opcode::lessThan, before, rounds));
    const auto grown = [&](Value* coefficient, Value* factor) {
      return in.binary(Opcode::truncateDivide, in.multiply(coefficient, factor), number(in, r));
    };
    before = grown(before, in.add(checkpoints, number(in, r)));
    behind = grown(behind, in.add(checkpoints, number(in, r - 1)));
  }
  return in.add(round, next);
}

/// Ends the block `at`: pushes the state if this is the round for it, and goes on to `behind`, which takes
/// the depth of the stack and the number of the next round that pushes. `end` is the number of the first
/// round that is not run backwards.
void CheckpointedLoop::push_where_due(BasicBlock& at, BasicBlock& behind, const Position& here,
                                      const Values& state, Value* end) const {
  BasicBlock* keep = at.function().add_block("keep", &at);
  behind.add_argument(count_->type(), "depth");
  behind.add_argument(count_->type(), "next");
  Builder in(at);
  in.conditional(in.binary(Opcode::equal, here.round, here.next), *keep, {}, behind, {here.depth, here.next});
  in = Builder(*keep);
  Value* depth = in.add(here.depth, number(in, 1));
  Values values{here.round, depth};
  values.insert(values.end(), state.begin(), state.end());
  in.push(in.tuple(std::move(values)), stack_);
  in.branch(behind, {depth, next_after(in, here.round, end, depth)});
}

CheckpointedLoop::Values CheckpointedLoop::run_round(Builder& in, Value* round, const Values& state,
                                                     const AtHand& at_hand) const {
  std::unordered_map<const Value*, Value*> now{{count_, round}};
  for (std::size_t i = 0; i < state_.size(); ++i) now[state_[i]] = state[i];
  const auto at = [&](Value* value) {
    if (as_literal(value) != nullptr) return value;
    const auto found = now.find(value);
    return found != now.end() ? found->second : at_hand(*value);
  };
  for (const BasicBlock* block : loop_->blocks)
    for (const auto& instruction : block->instructions()) {
      if (!run_again_.contains(instruction.get())) continue;
      Values operands;
      for (Value* operand : instruction->operands()) operands.push_back(at(operand));
      in.set_locations(instruction->locations());
      now[instruction.get()] =
          in.create(instruction->opcode(), std::move(operands), instruction->attributes());
    }
  in.set_locations({});
  Values next;
  for (const Argument* argument : state_)
    next.push_back(at(loop_->latches.front().passed()[argument->index()]));
  return next;
}

BasicBlock* CheckpointedLoop::build_adjoint(BasicBlock& adjoint, Instruction* first, Value* number_of_round,
                                            Value* stack, const AtHand& at_hand) {
  stack_ = stack;
  Function& function = adjoint.function();
  BasicBlock* take = function.add_block("checkpoint", &adjoint);
  BasicBlock* again = function.add_block("again", take);
  BasicBlock* test = function.add_block("again.test", again);
  BasicBlock* run = function.add_block("again.run", test);
  BasicBlock* rest = function.add_block(adjoint.name(), run);
  rest->take_from(adjoint, first);
  const Position here{test->add_argument(count_->type(), "round"),
                      test->add_argument(count_->type(), "depth"),
                      test->add_argument(count_->type(), "next")};
  Values now;
  for (const Argument* argument : state_) {
    now.push_back(test->add_argument(argument->type(), argument->name()));
    restored_[argument] = rest->add_argument(argument->type(), argument->name());
  }

  Builder in(adjoint);
  Value* top = in.peek(record(), stack);
  Value *from = in.extract(top, 0), *depth = in.extract(top, 1);
  Values kept;
  for (std::size_t i = 0; i < state_.size(); ++i)
    kept.push_back(in.extract(top, static_cast<std::int64_t>(i + 2)));
  in.conditional(in.binary(Opcode::lessThan, from, number_of_round), *again, {}, *take, {});

  in = Builder(*take);
  in.pop(record(), stack);
  in.branch(*rest, kept);

  in = Builder(*again);
  Value* end = in.add(number_of_round, number(in, 1));
  Values passed{from, depth, next_after(in, from, end, depth)};
  passed.insert(passed.end(), kept.begin(), kept.end());
  in.branch(*test, passed);

  push_where_due(*test, *run, here, now, end);
  in = Builder(*run);
  const Values next = run_round(in, here.round, now, at_hand);
  Value* round = in.add(here.round, number(in, 1));
  passed = {round, run->arguments()[0].get(), run->arguments()[1].get()};
  passed.insert(passed.end(), next.begin(), next.end());
  in.conditional(in.binary(Opcode::lessThan, round, number_of_round), *test, passed, *rest, next);
  return rest;
}

void CheckpointedLoop::build_pushes() const {
  BasicBlock& header = *loop_->header;
  BasicBlock* rest = header.function().add_block(header.name(), &header);
  rest->take_from(header, header.instructions().front().get());
  const Position here{const_cast<Argument*>(count_), header.add_argument(count_->type(), "depth"),
                      header.add_argument(count_->type(), "next")};
  Values state;
  for (const Argument* argument : state_) state.push_back(const_cast<Argument*>(argument));
  const BlockEdge &entry = loop_->entries.front(), &latch = loop_->latches.front();
  Builder in(header);
  push_where_due(header, *rest, here, state, number(in, rounds_));
  for (int i = 0; i < 2; ++i) entry.terminator->add_passed(entry.successor, number(in, 0));
  for (const auto& argument : rest->arguments())
    latch.terminator->add_passed(latch.successor, argument.get());
}

}  // namespace dlvm
