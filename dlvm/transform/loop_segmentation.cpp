#include "dlvm/transform/loop_segmentation.h"

#include <algorithm>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/checkpoint_schedule.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/control_flow_canonicalization.h"
#include "dlvm/transform/inlined_call.h"
#include "dlvm/transform/loop_rounds.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

class Segmentation {
 public:
  /// Cuts all rounds but the last `uncut` of 128. Callers give the bound of the rounds if `is_given`, so that
  /// the loop may go on for longer.
  Segmentation(Module& module, const Loop& loop, const DominatorTree& dominators, const Extent& rounds,
               bool is_given, const Segments::Level& level, std::int64_t uncut)
      : loop_(loop),
        values_(find_values(loop, rounds)),
        caller_(loop.header->function()),
        segments_(count(level, rounds)),
        most_(is_given ? std::optional(rounds) : std::nullopt),
        uncut_(Extent::floor_divide(rounds * Extent(uncut), Extent(Segments::all_rounds))),
        // The header runs once more than what is inside of the test that bounds the loop.
        rounds_(Extent::floor_divide(rounds - uncut_ + Extent(segments_), Extent(segments_))),
        segment_(add_function_of_rounds(module, loop, values_, dominators, rounds_)) {
    if (level.checkpoints < segments_) set_checkpoints(segment_, level.checkpoints);
    if (!uncut_.is(0)) rest_ = &add_function_of_rounds(module, loop, values_, dominators, uncut_);
    rewrite_loop();
  }

  Function& segment() const { return segment_; }
  /// The function of the rounds that are not cut; null if there are none.
  Function* rest() const { return rest_; }
  const BasicBlock& header() const { return *header_; }

 private:
  /// A block behind the loop of calls: the number of the exit by which the loop was left, and what is used
  /// behind it.
  struct End {
    BasicBlock* block = nullptr;
    Value* exit = nullptr;
    std::unordered_map<const Value*, Value*> values;
  };

  /// No more segments than the header runs.
  static std::int64_t count(const Segments::Level& level, const Extent& rounds) {
    const auto known = rounds.constant();
    return known ? std::min(level.count, *known + 1) : level.count;
  }

  /// Puts a loop of calls in the place of the loop, and replaces what is used behind it. The loop of calls
  /// has one exit, so that its adjoint has one entry.
  void rewrite_loop() {
    const BlockEdge& entry = loop_.entries.front();
    BasicBlock* header = caller_.add_block(loop_.header->name(), entry.from());
    header_ = header;
    std::vector<Value*> arguments;
    for (const Value* value : values_.carried)
      arguments.push_back(header->add_argument(value->type(), value->name()));
    arguments.insert(arguments.end(), values_.invariants.begin(), values_.invariants.end());
    Argument* number = header->add_argument(Type::scalar(ElementType::i32), "segment");
    entry.terminator->set_successor(entry.successor, header);
    entry.terminator->add_passed(entry.successor, caller_.literal(ElementType::i32, 0));

    BasicBlock* behind = caller_.add_block("behind", header);
    const std::vector<Value*> returned = call_segments(*header, std::move(arguments), *number, *behind);
    // A loop that goes on for longer than its bound is not cut off.
    BasicBlock* too_long = caller_.add_block("too_long");
    trap(*too_long);
    End end;
    Builder in(*behind);
    if (rest_ == nullptr) {
      end = ended(*caller_.add_block("left", behind), returned);
      in.conditional(is(in, returned[0], 0), *too_long, {}, *end.block, {});
    } else {
      BasicBlock* rest = caller_.add_block("rest", behind);
      BasicBlock* left = caller_.add_block("left", rest);
      std::vector<Value*> joined;
      for (const Value* value : returned) joined.push_back(left->add_argument(value->type(), value->name()));
      end = ended(*left, joined);
      in.conditional(is(in, returned[0], 0), *rest, {}, *left, returned);
      call_rest(*rest, returned, *too_long, *left);
    }
    leave(end);
    replace_uses(end.values);
    caller_.erase_blocks({loop_.blocks.begin(), loop_.blocks.end()});
  }

  /// The components of what a function of rounds returns.
  static std::vector<Value*> components(Builder& in, Value* returned) {
    std::vector<Value*> all;
    for (std::size_t i = 0; i < returned->type().components().size(); ++i)
      all.push_back(in.extract(returned, static_cast<std::int64_t>(i)));
    return all;
  }

  /// Calls the segment until it leaves the loop, or was called as often as there are segments; returns what
  /// it returned last.
  std::vector<Value*> call_segments(BasicBlock& header, std::vector<Value*> arguments, Value& number,
                                    BasicBlock& behind) {
    Builder in(header);
    std::vector<Value*> returned = components(in, in.apply(&segment_, std::move(arguments)));
    std::vector<Value*> next(returned.cbegin() + 1, end_of_carried(returned));
    Value* following = next.emplace_back(in.add(&number, in.constant(ElementType::i32, 1)));
    Value* within =
        in.binary(Opcode::lessThan, following, in.constant(ElementType::i32, static_cast<double>(segments_)));
    Value* more = in.binary(Opcode::and_, within, is(in, returned[0], 0));
    in.conditional(more, header, next, behind, {});
    return returned;
  }

  /// Runs the rounds that are not cut, behind the segments.
  void call_rest(BasicBlock& block, const std::vector<Value*>& returned, BasicBlock& too_long,
                 BasicBlock& left) {
    Builder in(block);
    std::vector<Value*> arguments(returned.begin() + 1, end_of_carried(returned));
    arguments.insert(arguments.end(), values_.invariants.begin(), values_.invariants.end());
    std::vector<Value*> last = components(in, in.apply(rest_, std::move(arguments)));
    Value* goes_on = is(in, last[0], 0);
    in.conditional(goes_on, too_long, {}, left, last);
  }

  std::vector<Value*>::const_iterator end_of_carried(const std::vector<Value*>& returned) const {
    return returned.begin() + 1 + static_cast<std::ptrdiff_t>(values_.carried.size());
  }

  End ended(BasicBlock& block, const std::vector<Value*>& returned) const {
    End end{.block = &block, .exit = returned[0], .values = {}};
    std::size_t position = 0;
    for (const auto* list : {&values_.carried, &values_.results})
      for (const Value* value : *list) end.values[value] = returned[++position];
    return end;
  }

  static Value* is(Builder& in, Value* exit, std::size_t number) {
    return in.binary(Opcode::equal, exit, in.constant(ElementType::i32, static_cast<double>(number)));
  }

  /// Goes where the exit went.
  void leave(const End& end) {
    const auto passed = [&](const BlockEdge& edge) {
      std::vector<Value*> values;
      for (Value* value : edge.passed()) {
        const auto found = end.values.find(value);
        values.push_back(found == end.values.end() ? value : found->second);
      }
      return values;
    };
    BasicBlock* left = end.block;
    Builder in(*left);
    for (std::size_t i = 0; i + 1 < loop_.exits.size(); ++i) {
      left = caller_.add_block("left", left);
      in.conditional(is(in, end.exit, i + 1), *loop_.exits[i].to(), passed(loop_.exits[i]), *left, {});
      in = Builder(*left);
    }
    in.branch(*loop_.exits.back().to(), passed(loop_.exits.back()));
  }

  /// Ends the call with an error, which says which bound it is that callers gave.
  void trap(BasicBlock& too_long) {
    Builder at_end(too_long);
    const Extent steps = rounds_ * Extent(segments_) + uncut_;
    if (most_) at_end.check_index(at_end.extent(steps, ElementType::i64), 0, *most_);
    at_end.trap();
  }

  void replace_uses(const std::unordered_map<const Value*, Value*>& behind) {
    for (const auto& [value, result] : behind) {
      const std::vector<Instruction*> users = value->users();
      for (Instruction* user : users)
        for (std::size_t i = 0; i < user->operands().size() && !loop_.contains(user->block()); ++i)
          if (user->operand(i) == value) user->set_operand(i, result);
    }
  }

  const Loop& loop_;
  const LoopValues values_;
  Function& caller_;
  const std::int64_t segments_;
  const std::optional<Extent> most_;  ///< the bound of the rounds that callers give
  const Extent uncut_;                ///< the most rounds that are not cut
  const Extent rounds_;               ///< the most rounds of a segment
  Function& segment_;
  Function* rest_ = nullptr;
  const BasicBlock* header_ = nullptr;  ///< of the loop of calls
};

constexpr std::string_view works_on_stack = "it works on a stack", reads_memory = "it reads memory";

/// Returns what the instruction does for which its place matters; empty where it has no effect.
std::string_view effect_of(const Instruction& instruction) {
  if (!has_effect(instruction)) return "";
  switch (instruction.opcode()) {
    case Opcode::createStack:
    case Opcode::destroyStack:
    case Opcode::push:
    case Opcode::pop:
    case Opcode::peek:
      return works_on_stack;
    case Opcode::load:
    case Opcode::elementPointer:
    case Opcode::projectBox:
      return reads_memory;
    case Opcode::apply:
      return "it calls what may change memory or a stack";
    default:
      return "it changes memory";
  }
}

/// Returns the first effect in the loop; that of what reads only where there is no other.
std::string_view effect_in(const Loop& loop) {
  std::string_view found;
  for (const BasicBlock* block : loop.blocks)
    for (const auto& instruction : block->instructions()) {
      const std::string_view effect = effect_of(*instruction);
      if (!effect.empty() && (found.empty() || found == reads_memory)) found = effect;
    }
  return found;
}

/// Why the loop is not cut; empty where it is.
std::string_view why_whole(const Loop& loop) {
  const auto is_stack = [](const auto& argument) { return argument->type().is_stack(); };
  const auto has_payload = [](const BlockEdge& exit) { return exit.terminator->supplies_arguments(); };
  if (loop.entries.size() != 1 || loop.latches.size() != 1) return "it has several entries";
  if (loop.exits.empty()) return "it is never left";
  if (std::ranges::any_of(loop.exits, has_payload)) return "it is left by the case of an enum";
  if (std::ranges::any_of(loop.header->arguments(), is_stack)) return works_on_stack;
  return effect_in(loop);
}

Location place_of(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks)
    for (const auto& instruction : block->instructions())
      if (instruction->place().valid()) return instruction->place();
  return {};
}

/// Cuts the loops at the level and those below it; the functions of rounds that are not cut go to `rests`.
void cut_loops(Module& module, Function& function, const Segments& segments, const Extent& steps,
               std::size_t level, std::unordered_set<const Function*>& rests) {
  if (level == segments.levels.size()) return;
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
      const Segmentation cut(module, *loop, dominators, bound ? bound->times : steps, !bound,
                             segments.levels[level], level == 0 ? segments.uncut : 0);
      done.insert(&cut.header());
      if (cut.rest() != nullptr) rests.insert(cut.rest());
      cut_loops(module, cut.segment(), segments, steps, level + 1, rests);
      again = true;
      break;
    }
  }
}

/// Puts the body of a function in the place of its call, so that the adjoint does not compute it again;
/// returns whether that is possible.
bool inline_call_of(Function& caller, const Function& callee) {
  for (const auto& block : caller.blocks())
    for (const auto& instruction : block->instructions()) {
      const auto call = as<Apply>(*instruction);
      if (!call || call.callee() != &callee) continue;
      const auto inlined = inline_call(*instruction);
      if (!inlined) return false;
      replace_all_uses(*instruction, *inlined->result);
      instruction->block()->erase(instruction.get());
      return true;
    }
  return false;
}

}  // namespace

void segment_loops(Module& module, Function& function, const Segments& segments, const Extent& steps) {
  std::unordered_set<const Function*> rests;
  cut_loops(module, function, segments, steps, 0, rests);
  std::erase_if(rests, [&](const Function* rest) { return !inline_call_of(function, *rest); });
  module.erase_functions(rests);
  canonicalize_for_adjoints(function);
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
