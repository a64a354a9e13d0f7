#include "dlvm/differentiate/tape.h"

#include <algorithm>

#include "dlvm/analysis/effects.h"
#include "dlvm/differentiate/least_tape.h"

namespace dlvm {

namespace {

/// Whether computing the value again costs no more than keeping it, if its operands are at hand.
bool is_cheap(const Instruction& instruction) {
  if (instruction.is(Trait::may_fail) || has_effect(instruction) || !instruction.type().is_tensor())
    return false;
  return instruction.is(Trait::free) || instruction.is(Trait::bijective) || instruction.is(Trait::reshape) ||
         (instruction.is(Trait::elementwise) && instruction.type().is_scalar() &&
          !is_floating(instruction.type().element()));
}

/// Whether the instruction takes a part of its input, as it could before.
bool is_part(const Instruction& instruction) {
  return instruction.opcode() == Opcode::gather || instruction.opcode() == Opcode::slice;
}

}  // namespace

Tape::Tape(const ControlFlow& flow, const DominatorTree& dominators, const LoopNest& loops,
           const BasicBlock& exit, const std::unordered_map<const Loop*, const Value*>& count_of)
    : flow_(flow),
      dominators_(dominators),
      loops_(loops),
      bounds_(flow, dominators, loops),
      exit_(exit),
      count_of_(count_of) {
  body_.insert(flow.order().begin(), flow.order().end());
  find_components();
  find_short_chains();
  find_checkpointed_loops();
}

void Tape::find_checkpointed_loops() {
  for (const auto& loop : loops_.loops()) {
    const auto bound = bounds_.rounds(*loop);
    const auto rounds = bound ? bound->times.constant() : std::nullopt;
    if (!rounds) continue;
    // The header runs once more than what is behind its test.
    if (auto found = CheckpointedLoop::of(*loop, *as_argument(count_of_.at(loop.get())), *rounds + 1))
      checkpointed_.emplace(flow_.position(loop->header), std::move(*found));
  }
}

/// Finds what may be computed again: instructions that cost little, and chains of a few of them.
void Tape::find_short_chains() {
  constexpr int longest = 16;
  std::unordered_map<const Value*, int> lengths;
  for (const BasicBlock* block : flow_.order())
    for (const auto& instruction : block->instructions()) {
      if (!is_cheap(*instruction) && !is_part(*instruction)) continue;
      int length = 0;
      for (const Value* operand : instruction->operands())
        if (const auto found = lengths.find(operand); found != lengths.end())
          length = std::max(length, found->second);
      lengths[instruction.get()] = ++length;
      if (length <= longest) is_short_.insert(instruction.get());
    }
}

/// Strongly connected components, as S. R. Kosaraju finds them: in reverse post order, each block takes what
/// reaches it backwards and is in no component yet.
void Tape::find_components() {
  std::unordered_map<const BasicBlock*, std::size_t> component;
  std::size_t number = 0;
  for (const BasicBlock* root : flow_.order()) {
    if (!flow_.is_reachable(root) || component.contains(root)) continue;
    std::vector<const BasicBlock*> members, open{root};
    component[root] = ++number;
    bool cyclic = false;
    while (!open.empty()) {
      const BasicBlock* block = open.back();
      open.pop_back();
      members.push_back(block);
      for (const BlockEdge& edge : flow_.predecessors(block)) {
        if (!flow_.is_reachable(edge.from())) continue;
        const auto [place, fresh] = component.try_emplace(edge.from(), number);
        cyclic = cyclic || place->second == number;
        if (fresh) open.push_back(edge.from());
      }
    }
    if (!cyclic) continue;
    for (const BasicBlock* member : members) cycles_[member] = number;
  }
}

/// The value is computed on every way to the exit, and not again between the use and the exit.
bool Tape::is_unchanged(const Value& value, const BasicBlock& use) const {
  const BasicBlock* home = defining_block(&value);
  if (home == nullptr) return true;
  if (!dominators_.dominates(home, &exit_)) return false;
  const auto here = cycles_.find(home), there = cycles_.find(&use);
  return here == cycles_.end() || there == cycles_.end() || here->second != there->second;
}

/// Whether all operands are there without the tape.
bool Tape::is_at_hand(const Instruction& instruction, const BasicBlock& use) const {
  if (const auto known = at_hand_.find({&instruction, &use}); known != at_hand_.end()) return known->second;
  return at_hand_[{&instruction, &use}] =
             std::ranges::all_of(instruction.operands(), [&](const Value* operand) {
               const Source source = find(*operand, use).source;
               if (source == Source::computed) return is_at_hand(*as_instruction(operand), use);
               return source != Source::passed && source != Source::taped;
             });
}

Tape::Found Tape::find(const Value& value, const BasicBlock& use) const {
  if (is_unchanged(value, use)) return {};
  if (const Argument* argument = as_argument(&value)) {
    for (const Loop* loop = loops_.innermost(argument->block()); loop != nullptr; loop = loop->parent) {
      if (loop->header != argument->block() || !loop->contains(&use)) continue;
      if (count_of_.at(loop) == argument) return {Source::count, loop, {}, nullptr};
      if (const auto found = induction(*argument, *loop, flow_))
        return {Source::induction, loop, *found, nullptr};
    }
    if (argument->block() == &use && checkpointed_.contains(flow_.position(&use)))
      return {Source::restored, nullptr, {}, argument};
  }
  if (const Instruction* instruction = as_instruction(&value); instruction && is_short_.contains(instruction))
    if (is_cheap(*instruction) || is_at_hand(*instruction, use))
      return {Source::computed, nullptr, {}, nullptr};
  if (const Argument* argument = passed_as(value, use)) return {Source::passed, nullptr, {}, argument};
  if (computed_again_.contains(as_instruction(&value))) return {Source::computed, nullptr, {}, nullptr};
  return {Source::taped, nullptr, {}, nullptr};
}

/// A block that goes to one other alone has its adjoint behind that block's adjoint, where the value is that
/// of the argument. That is used if the argument is on the tape in any case.
const Argument* Tape::passed_as(const Value& value, const BasicBlock& use) const {
  const Instruction* end = use.terminator();
  if (surely_taped_ == nullptr || end == nullptr || end->successors().size() != 1) return nullptr;
  const auto passed = end->passed(0);
  for (std::size_t i = 0; i < passed.size(); ++i) {
    const Argument* argument = end->successors()[0].block->arguments()[i].get();
    if (passed[i] == &value && surely_taped_->contains(argument)) return argument;
  }
  return nullptr;
}

/// Puts the value on the tape if it has to be there for this use.
void Tape::need(const Value& value, const BasicBlock& use) {
  if (!needed_.insert({&value, &use}).second) return;
  const Found found = find(value, use);
  if (found.source == Source::induction) need(*found.induction.start, use);
  if (found.source == Source::computed)
    for (const Value* operand : as_instruction(&value)->operands()) need(*operand, use);
  if (found.source == Source::passed) need(*found.argument, *found.argument->block());
  if (found.source == Source::restored) {
    CheckpointedLoop& loop = checkpointed_.at(flow_.position(&use));
    loop.need(*found.argument);
    const std::vector<const Value*> outside = loop.outside();
    for (const Value* each : outside) need(*each, use);
  }
  if (found.source != Source::taped) return;
  Record& record = records_[flow_.position(defining_block(&value))];
  if (record.places.try_emplace(&value, record.values.size()).second) record.values.push_back(&value);
}

/// Finds the values on the tape from which the others can be computed at little cost and which take the least
/// memory: a minimum cut between what is on the tape so far, the sinks, and what only the tape has.
void Tape::find_least_tape() {
  LeastTape least(loops_);
  std::set<std::pair<const Value*, const BasicBlock*>> seen;
  std::vector<std::pair<const Value*, const BasicBlock*>> open;
  for (const auto& [value, use] : needed_)
    if (find(*value, *use).source == Source::taped) {
      least.need(*value);
      open.emplace_back(value, use);
    }
  while (!open.empty()) {
    const auto [value, use] = open.back();
    open.pop_back();
    if (!seen.insert({value, use}).second) continue;
    const Source source = find(*value, *use).source;
    if (source != Source::taped && source != Source::computed) continue;
    const Instruction* instruction = as_instruction(value);
    if (!least.add(*value, source == Source::computed)) continue;
    for (const Value* operand : instruction->operands()) {
      const Source from = find(*operand, *use).source;
      if (from != Source::taped && from != Source::computed) continue;
      least.add_operand(*operand, *value);
      open.emplace_back(operand, use);
    }
  }
  computed_again_ = least.computed_again(flow_.order());
}

/// Creates an empty stack where the body begins.
Value* Tape::create_stack(std::optional<Extent> capacity) {
  BasicBlock& entry = *flow_.order().front();
  Builder builder(entry, entry.instructions().front().get());
  return stacks_.emplace_back(builder.create_stack(std::move(capacity)));
}

/// Creates the stack for a record of the block. One outside of loops holds a single value, for which no stack
/// is left in the end: see transform/single_value_stacks.h.
Value* Tape::create_stack_of(const BasicBlock& block) {
  if (cycles_.contains(&block)) return create_stack(bounds_.most_runs(block));
  Value* stack = create_stack(Extent(1));
  as_instruction(stack)->set_attribute(1, Integers{0});
  return stack;
}

void Tape::push_records() {
  for (auto& [position, record] : records_) {
    BasicBlock& block = *flow_.order()[position];
    record.stack = create_stack_of(block);
    Builder builder(block, block.terminator());
    std::vector<Value*> values;
    for (const Value* value : record.values) values.push_back(const_cast<Value*>(value));
    Value* pushed = values.size() == 1 ? values[0] : builder.tuple(std::move(values));
    record.type = pushed->type();
    builder.push(pushed, record.stack);
  }
}

/// Lets the adjoints of headers run rounds again up to their own.
void Tape::restore_states() {
  for (auto& [position, loop] : checkpointed_) {
    if (!loop.is_needed()) continue;
    BasicBlock& header = *flow_.order()[position];
    const auto runs = bounds_.most_runs(*loop.loop().entries.front().from());
    Value* stack = create_stack(runs ? std::optional(*runs * Extent(loop.most_states())) : std::nullopt);
    Place& place = places_.at(&header);
    for (const Value* value : loop.outside()) get(*value, header);
    place.block = loop.build_adjoint(*place.block, place.before, place.adjoint->counts.at(&loop.loop()),
                                     stack, [&](const Value& value) { return get(value, header); });
  }
}

Builder Tape::builder_at(const BasicBlock& use) const {
  const Place& place = places_.at(&use);
  return Builder(*place.block, place.before);
}

/// The value in the adjoint of `use`.
Value* Tape::get(const Value& value, const BasicBlock& use) {
  const Found found = find(value, use);
  if (found.source == Source::direct) return const_cast<Value*>(&value);
  if (found.source == Source::count) return places_.at(&use).adjoint->counts.at(found.loop);
  if (found.source == Source::passed) return get(*found.argument, *found.argument->block());
  if (found.source == Source::restored)
    return checkpointed_.at(flow_.position(&use)).restored(*found.argument);
  if (const auto known = known_.find({&value, &use}); known != known_.end()) return known->second;
  if (found.source == Source::taped) {
    read_record(*defining_block(&value), use);
    return known_.at({&value, &use});
  }
  Value* made = nullptr;
  if (found.source == Source::induction) {
    Value* start = get(*found.induction.start, use);
    Value* count = places_.at(&use).adjoint->counts.at(found.loop);
    Builder builder = builder_at(use);
    const ElementType element = value.type().element();
    if (!(count->type() == value.type())) count = builder.cast(count, element);
    Value* step = builder.function().literal(value.type(), Tensor::scalar(element, found.induction.step));
    made = builder.add(start, builder.multiply(count, step));
  } else {
    made = compute(*as_instruction(&value), use);
  }
  return known_[{&value, &use}] = made;
}

/// Pops the record in the adjoint of the block that pushed it, and peeks at it elsewhere.
void Tape::read_record(const BasicBlock& home, const BasicBlock& use) {
  const Record& record = records_.at(flow_.position(&home));
  Builder builder = builder_at(use);
  Value* top =
      &home == &use ? builder.pop(record.type, record.stack) : builder.peek(record.type, record.stack);
  const bool alone = record.values.size() == 1;
  for (std::size_t i = 0; i < record.values.size(); ++i)
    known_[{record.values[i], &use}] = alone ? top : builder.extract(top, static_cast<std::int64_t>(i));
}

Value* Tape::compute(const Instruction& instruction, const BasicBlock& use) {
  std::vector<Value*> operands;
  for (const Value* operand : instruction.operands()) operands.push_back(get(*operand, use));
  Builder builder = builder_at(use);
  builder.set_locations(instruction.locations());
  return builder.create(instruction.opcode(), std::move(operands), instruction.attributes());
}

void Tape::replace_uses(const std::vector<Adjoint>& adjoints,
                        const std::unordered_map<const BasicBlock*, std::vector<BasicBlock*>>& tests) {
  struct Use {
    const BasicBlock* of;
    Instruction* user;
    std::size_t operand;
  };
  std::vector<Use> uses;
  const auto collect = [&](const Adjoint& adjoint, const BasicBlock& block) {
    for (const auto& user : block.instructions())
      for (std::size_t i = 0; i < user->operands().size(); ++i)
        if (const BasicBlock* home = defining_block(user->operand(i)); home && body_.contains(home))
          uses.push_back({adjoint.of, user.get(), i});
  };
  for (const Adjoint& adjoint : adjoints) {
    collect(adjoint, *adjoint.block);
    if (const auto more = tests.find(adjoint.block); more != tests.end())
      for (const BasicBlock* block : more->second) collect(adjoint, *block);
    const auto& instructions = adjoint.block->instructions();
    places_[adjoint.of] = {&adjoint, adjoint.block,
                           instructions.empty() ? nullptr : instructions.front().get()};
  }
  const auto need_all = [&] {
    for (const Use& use : uses) need(*use.user->operand(use.operand), *use.of);
  };
  need_all();
  auto taped = std::make_unique<std::unordered_set<const Value*>>();
  for (const auto& [position, record] : records_) taped->insert(record.values.begin(), record.values.end());
  surely_taped_ = std::move(taped);
  const auto need_all_again = [&] {
    records_.clear();
    for (auto& [position, loop] : checkpointed_) loop.clear();
    needed_.clear();
    at_hand_.clear();
    need_all();
  };
  need_all_again();
  find_least_tape();
  need_all_again();

  push_records();
  restore_states();
  // Each adjoint of a block that pushes pops, whether or not it needs the record itself.
  for (const Adjoint& adjoint : adjoints)
    if (records_.contains(flow_.position(adjoint.of))) read_record(*adjoint.of, *adjoint.of);
  for (const Use& use : uses)
    use.user->set_operand(use.operand, get(*use.user->operand(use.operand), *use.of));
  // Behind all else, because it moves values to other blocks.
  for (auto& [position, loop] : checkpointed_)
    if (loop.is_needed()) loop.build_pushes();
}

void Tape::destroy_stacks(Builder& builder) const {
  for (Value* stack : stacks_) builder.create(Opcode::destroyStack, {stack});
}

}  // namespace dlvm
