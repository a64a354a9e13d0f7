#include "dlvm/transform/loop_segmentation.h"

#include <algorithm>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/control_flow_canonicalization.h"

namespace dlvm {
namespace {

class Segmentation {
 public:
  /// Callers give the bound of the rounds if `is_given`, so that the loop may go on for longer.
  Segmentation(Module& module, const Loop& loop, const DominatorTree& dominators, const Extent& rounds,
               bool is_given, std::int64_t segments)
      : module_(module),
        loop_(loop),
        dominators_(dominators),
        caller_(loop.header->function()),
        segments_(segments),
        most_(is_given ? std::optional(rounds) : std::nullopt),
        // The header runs once more than what is inside of the test that bounds the loop.
        rounds_(Extent::floor_divide(rounds + Extent(segments), Extent(segments))) {}

  void run() {
    find_values();
    build_function();
    rewrite_loop();
  }
  Function& segment() const { return *segment_; }
  const BasicBlock& header() const { return *header_; }

 private:
  /// The values that the loop uses and does not define, and those that it defines and others use, in the
  /// order of use and of definition.
  void find_values() {
    std::unordered_set<const Value*> seen;
    for (const BasicBlock* block : loop_.blocks)
      for (const auto& instruction : block->instructions())
        for (Value* operand : instruction->operands()) {
          const BasicBlock* home = defining_block(operand);
          if (home != nullptr && !loop_.contains(home) && seen.insert(operand).second)
            invariants_.push_back(operand);
        }
    for (const auto& argument : loop_.header->arguments()) carried_.push_back(argument.get());
    for (const BasicBlock* block : loop_.blocks) {
      if (block != loop_.header)
        for (const auto& argument : block->arguments()) add_result(*argument);
      for (const auto& instruction : block->instructions()) add_result(*instruction);
    }
  }

  void add_result(Value& value) {
    const auto leaves = [&](const BlockEdge& exit) {
      return std::ranges::find(exit.passed(), &value) != exit.passed().end();
    };
    const auto is_outside = [&](const Instruction* user) { return !loop_.contains(user->block()); };
    if (std::ranges::any_of(loop_.exits, leaves) || std::ranges::any_of(value.users(), is_outside))
      results_.push_back(&value);
  }

  Value* at(const Value* value) {
    Value*& copy = values_[value];
    if (const Literal* literal = as_literal(value); copy == nullptr && literal != nullptr)
      copy = segment_->copy(*literal, literal->type());
    return copy;
  }
  std::vector<Value*> at(std::span<Value* const> values) {
    std::vector<Value*> copies;
    for (const Value* value : values) copies.push_back(at(value));
    return copies;
  }

  /// The types of what the segment returns: the number of the exit by which it left the loop, or 0, what the
  /// loop carries, and the other values that are used behind it.
  std::vector<Type> result_types() const {
    std::vector<Type> types{Type::scalar(ElementType::i32)};
    for (const Value* value : carried_) types.push_back(value->type());
    for (const Value* value : results_) types.push_back(value->type());
    return types;
  }

  /// The loop, with a second counter that ends it.
  void build_function() {
    std::vector<Type> parameters;
    std::vector<std::string> names;
    for (const auto* list : {&carried_, &invariants_})
      for (const Value* value : *list) {
        parameters.push_back(value->type());
        names.push_back(value->name());
      }
    segment_ = module_.add_function(module_.fresh_name(caller_.name() + ".segment"),
                                    Type::function(std::move(parameters), Type::tuple(result_types())));
    segment_->location = caller_.location;
    BasicBlock* entry = segment_->add_entry(names);
    for (std::size_t i = 0; i < invariants_.size(); ++i)
      values_[invariants_[i]] = entry->arguments()[carried_.size() + i].get();
    test_ = segment_->add_block(loop_.header->name());
    for (const Value* value : carried_) values_[value] = test_->add_argument(value->type(), value->name());
    for (const BasicBlock* block : loop_.blocks) {
      BasicBlock* made = blocks_[block] = segment_->add_block(block->name());
      if (block == loop_.header) continue;
      for (const auto& argument : block->arguments())
        values_[argument.get()] = made->add_argument(argument->type(), argument->name());
    }
    done_ = segment_->add_block("done");
    Builder at_end(*done_);
    std::vector<Value*> results;
    for (const Type& type : result_types()) results.push_back(done_->add_argument(type, ""));
    at_end.return_(at_end.tuple(std::move(results)));

    std::vector<Value*> first;
    for (std::size_t i = 0; i < carried_.size(); ++i) first.push_back(entry->arguments()[i].get());
    Builder at_test(*test_);
    if (rounds_.is(1)) {
      at_test.branch(*blocks_.at(loop_.header));
    } else {
      round_ = test_->add_argument(Type::scalar(ElementType::i32), "segment_round");
      first.push_back(segment_->literal(ElementType::i32, 0));
      Value* more = at_test.binary(Opcode::lessThan, round_, at_test.extent(rounds_, ElementType::i32));
      at_test.conditional(more, *blocks_.at(loop_.header), {}, *done_, returned(0, at(carried_), nullptr));
    }
    Builder(*entry).branch(*test_, std::move(first));
    for (const BasicBlock* block : loop_.blocks)
      for (const auto& instruction : block->instructions()) copy(*instruction);
  }

  /// What `done_` is passed behind the block; null: no value that is used behind the loop is there.
  std::vector<Value*> returned(std::size_t exit, std::vector<Value*> carried, const BasicBlock* block) {
    std::vector<Value*> values{segment_->literal(ElementType::i32, static_cast<double>(exit))};
    values.insert(values.end(), carried.begin(), carried.end());
    for (const Value* value : results_) {
      const bool is_there = block != nullptr && dominators_.dominates(defining_block(value), block);
      values.push_back(is_there                    ? at(value)
                       : value->type().is_tensor() ? segment_->splat(value->type(), 0)
                                                   : segment_->literal(value->type(), Literal::Form::zero));
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
    values_[&from] = block.insert(std::move(made));
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
    passed = returned(static_cast<std::size_t>(exit - loop_.exits.begin()) + 1, at(carried_), from.block());
    return done_;
  }

  /// Puts a loop of calls in the place of the loop, and replaces what is used behind it.
  void rewrite_loop() {
    const BlockEdge& entry = loop_.entries.front();
    BasicBlock* header = caller_.add_block(loop_.header->name(), entry.from());
    header_ = header;
    std::vector<Value*> arguments;
    for (const Value* value : carried_)
      arguments.push_back(header->add_argument(value->type(), value->name()));
    Argument* number = header->add_argument(Type::scalar(ElementType::i32), "segment");
    BasicBlock* call_block = caller_.add_block("segment", header);
    // A loop that goes on for longer than its bound is not cut off.
    BasicBlock* too_long = caller_.add_block("too_long");
    Builder at_end(*too_long);
    if (most_) {  // says which bound it is
      Value* steps =
          at_end.multiply(at_end.cast(number, ElementType::i64), at_end.extent(rounds_, ElementType::i64));
      at_end.check_index(steps, 0, *most_);
    }
    at_end.trap();
    Builder in_header(*header);
    Value* within = in_header.binary(Opcode::lessThan, number,
                                     in_header.constant(ElementType::i32, static_cast<double>(segments_)));
    in_header.conditional(within, *call_block, {}, *too_long, {});
    entry.terminator->set_successor(entry.successor, header);
    entry.terminator->add_passed(entry.successor, caller_.literal(ElementType::i32, 0));

    Builder in(*call_block);
    arguments.insert(arguments.end(), invariants_.begin(), invariants_.end());
    Value* returned = in.apply(segment_, std::move(arguments));
    std::int64_t position = 0;
    Value* exit = in.extract(returned, position++);
    std::vector<Value*> next;
    std::unordered_map<const Value*, Value*> behind;
    for (const Value* value : carried_) next.push_back(behind[value] = in.extract(returned, position++));
    for (const Value* value : results_) behind[value] = in.extract(returned, position++);
    next.push_back(in.add(number, in.constant(ElementType::i32, 1)));
    go_on(in, exit, *header, next, behind);
    replace_uses(behind);
    caller_.erase_blocks({loop_.blocks.begin(), loop_.blocks.end()});
  }

  /// Goes round again where the number of the exit is 0, or else where the exit went.
  void go_on(Builder& in, Value* exit, BasicBlock& header, const std::vector<Value*>& next,
             const std::unordered_map<const Value*, Value*>& behind) {
    const auto is = [&](std::size_t number) {
      return in.binary(Opcode::equal, exit, in.constant(ElementType::i32, static_cast<double>(number)));
    };
    const auto passed = [&](const BlockEdge& edge) {
      std::vector<Value*> values;
      for (Value* value : edge.passed()) {
        const auto found = behind.find(value);
        values.push_back(found == behind.end() ? value : found->second);
      }
      return values;
    };
    BasicBlock* left = caller_.add_block("left", &in.block());
    in.conditional(is(0), header, next, *left, {});
    in = Builder(*left);
    for (std::size_t i = 0; i + 1 < loop_.exits.size(); ++i) {
      left = caller_.add_block("left", left);
      in.conditional(is(i + 1), *loop_.exits[i].to(), passed(loop_.exits[i]), *left, {});
      in = Builder(*left);
    }
    in.branch(*loop_.exits.back().to(), passed(loop_.exits.back()));
  }

  void replace_uses(const std::unordered_map<const Value*, Value*>& behind) {
    for (const auto& [value, result] : behind) {
      const std::vector<Instruction*> users = value->users();
      for (Instruction* user : users)
        for (std::size_t i = 0; i < user->operands().size() && !loop_.contains(user->block()); ++i)
          if (user->operand(i) == value) user->set_operand(i, result);
    }
  }

  Module& module_;
  const Loop& loop_;
  const DominatorTree& dominators_;
  Function& caller_;
  const std::int64_t segments_;
  const std::optional<Extent> most_;  ///< the bound of the rounds that callers give
  const Extent rounds_;               ///< the most rounds of a segment
  Function* segment_ = nullptr;
  std::vector<Value*> carried_, invariants_, results_;
  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
  BasicBlock *test_ = nullptr, *done_ = nullptr;  ///< of the segment
  Argument* round_ = nullptr;                     ///< null if the segment has one round
  const BasicBlock* header_ = nullptr;            ///< of the loop of calls
};

/// Why the loop is not cut; empty where it is.
std::string_view why_whole(const Loop& loop) {
  const auto changes_state = [](const BasicBlock* block) {
    return std::ranges::any_of(block->instructions(), [](const auto& each) { return has_effect(*each); });
  };
  const auto is_stack = [](const auto& argument) { return argument->type().is_stack(); };
  const auto has_payload = [](const BlockEdge& exit) { return exit.terminator->supplies_arguments(); };
  if (loop.entries.size() != 1 || loop.latches.size() != 1) return "it has several entries";
  if (loop.exits.empty()) return "it is never left";
  if (std::ranges::any_of(loop.exits, has_payload)) return "it is left by the case of an enum";
  if (std::ranges::any_of(loop.blocks, changes_state) ||
      std::ranges::any_of(loop.header->arguments(), is_stack))
    return "it changes state";
  return "";
}

Location place_of(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks)
    for (const auto& instruction : block->instructions())
      if (instruction->place().valid()) return instruction->place();
  return {};
}

}  // namespace

void segment_loops(Module& module, Function& function, const std::vector<std::int64_t>& levels,
                   const Extent& steps, std::size_t level) {
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
      if (loop->depth > 1 || !done.insert(loop->header).second || !why_whole(*loop).empty()) continue;
      const auto bound = bounds.rounds(*loop);
      Segmentation segmentation(module, *loop, dominators, bound ? bound->times : steps, !bound,
                                levels[level]);
      segmentation.run();
      done.insert(&segmentation.header());
      segment_loops(module, segmentation.segment(), levels, steps, level + 1);
      again = true;
      break;
    }
  }
}

std::optional<WholeLoop> find_whole_loop(Function& function) {
  canonicalize_for_adjoints(function);
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  const LoopNest nest(flow, dominators);
  if (nest.is_irreducible()) return WholeLoop{"it has several entries", {}};
  for (const auto& loop : nest.loops())
    if (const auto why = why_whole(*loop); loop->depth == 1 && !why.empty())
      return WholeLoop{why, place_of(*loop)};
  return std::nullopt;
}

}  // namespace dlvm
