#include "dlvm/differentiate/adjoint_graph.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/liveness.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/differentiate/path_records.h"
#include "dlvm/differentiate/tape.h"

namespace dlvm {
namespace {

/// A leaf of a value.
struct Leaf {
  Value* value;
  std::size_t leaf;
};

class AdjointGraph {
 public:
  AdjointGraph(Builder& builder, const AdjointRequest& request, Dependence& dependence, Sweep::Calls& calls)
      : builder_(builder),
        request_(request),
        dependence_(dependence),
        calls_(calls),
        function_(builder.function()),
        exit_(*request.forward.exit),
        flow_(function_),
        dominators_(flow_),
        loops_(flow_, dominators_) {}

  std::vector<Value*> run();

 private:
  /// The values that an edge into an adjoint block can pass to it.
  struct Given {
    std::vector<Value*> cotangents;  ///< null: zero
    std::vector<Value*> counts;
  };
  struct Entrance {
    BlockEdge edge;
    Given given;
  };

  void find_active();
  template <typename Use>
  void each_onto(Use use) const;
  void make_shadows();
  void add_counts();
  void add_tags();
  void number_values();
  void add_adjoint_blocks();
  std::vector<Leaf> leaves_behind(const BasicBlock& block, const Liveness& liveness) const;
  std::vector<bool> differing(const BasicBlock& block) const;
  std::vector<Value*> take_cotangents(const BasicBlock& block);
  std::vector<Value*> add_arguments(const BasicBlock& block, const std::vector<bool>& is_taken);
  void sweep(BasicBlock& block);
  void go_on(BasicBlock& block, Builder& builder, const Sweep& sweep);
  void go_on_by_tag(BasicBlock& block, Builder& builder, const Sweep& sweep);
  Given given(const BlockEdge& edge, Builder& builder, const Sweep& sweep);
  void enter(const BasicBlock& block, Instruction& end, std::size_t successor, Given given);
  void pass(const BasicBlock& block, const Entrance& entrance, const std::vector<bool>& is_taken);
  Value* count_for(const Loop& loop, const BlockEdge& edge, Builder& builder);
  std::vector<const Loop*> loops_around(const BasicBlock& block) const;
  BasicBlock* adjoint_of(const BasicBlock* block) { return adjoints_.at(block).block; }

  Builder& builder_;
  const AdjointRequest& request_;
  Dependence& dependence_;
  Sweep::Calls& calls_;
  Function& function_;
  BasicBlock& exit_;
  const ControlFlow flow_;
  const DominatorTree dominators_;
  const LoopNest loops_;
  Dependence::Leaves active_;
  Sweep::Shadows shadows_;
  std::vector<Value*> shadow_stacks_;
  std::unordered_map<const Value*, std::size_t> numbers_;  ///< in the order of definition
  std::vector<BasicBlock*> body_;                          ///< the blocks that reach the exit, in order
  std::unordered_map<const BasicBlock*, std::vector<Instruction*>> instructions_;
  std::unordered_map<const BasicBlock*, Tape::Adjoint> adjoints_;
  std::unordered_map<const BasicBlock*, std::vector<Leaf>> behind_;  ///< whose cotangents come to the adjoint
  /// The edges into an adjoint block that takes nothing yet.
  std::unordered_map<const BasicBlock*, std::vector<Entrance>> entrances_;
  std::unordered_set<const BasicBlock*> entered_later_;  ///< their adjoints are swept before what enters them
  std::unordered_map<const BasicBlock*, std::vector<BasicBlock*>> tests_;
  std::unordered_map<const Loop*, const Value*> count_of_;
  /// In a block that follows a loop: how many times that went round.
  std::map<std::pair<const BasicBlock*, const Loop*>, Value*> final_counts_;
  std::unordered_map<const BasicBlock*, const Argument*> tag_of_;
  std::vector<Value*> cotangents_;
};

/// A leaf may have a cotangent if an argument reaches it and it reaches the result.
void AdjointGraph::find_active() {
  std::size_t at = 0;
  for (const Value* argument : request_.arguments) {
    const std::size_t count = leaf_count(argument->type());
    const auto first = request_.wrt.begin() + static_cast<std::ptrdiff_t>(at);
    active_[argument].assign(first, first + static_cast<std::ptrdiff_t>(count));
    at += count;
  }
  dependence_.add_reached(active_, flow_);
  if (request_.forward.result == nullptr) return active_.clear();
  Dependence::Leaves useful;
  std::vector<bool>& seeded = useful[request_.forward.result];
  for (const Value* seed : request_.seeds) seeded.push_back(seed != nullptr);
  dependence_.add_reaching(useful, flow_);
  for (auto& [value, leaves] : active_) {
    const auto found = useful.find(value);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      leaves[leaf] = leaves[leaf] && found != useful.end() && found->second[leaf];
  }
  each_onto([&](const Leaf& leaf, Value*) { active_.at(leaf.value)[leaf.leaf] = true; });
}

/// Calls `use` for the leaves of arguments that have a cotangent to begin with.
template <typename Use>
void AdjointGraph::each_onto(Use use) const {
  std::size_t at = 0;
  for (Value* argument : request_.arguments)
    for (std::size_t leaf = 0; leaf < leaf_count(argument->type()); ++leaf, ++at)
      if (request_.onto[at] != nullptr) use(Leaf{argument, leaf}, request_.onto[at]);
}

void AdjointGraph::make_shadows() {
  BasicBlock& entry = *flow_.order().front();
  for (BasicBlock* block : body_)
    for (Instruction* stack : instructions_.at(block)) {
      const auto found = active_.find(stack);
      if (stack->opcode() != Opcode::createStack || found == active_.end()) continue;
      const std::vector<Type> types = leaves(*stack_record(*stack));
      Sweep::Shadow shadow;
      for (std::size_t leaf = 0; leaf < types.size(); ++leaf)
        if (found->second[leaf]) {
          shadow.leaves.push_back(leaf);
          shadow.types.push_back(types[leaf]);
        }
      if (shadow.leaves.empty()) continue;
      // Values that the function leaves on its stack have no cotangent.
      Builder builder(entry, entry.instructions().front().get());
      shadow.stack =
          builder.create(Opcode::createStack, {}, {stack->attributes()[0], Attribute(Integers{0})});
      shadow_stacks_.push_back(shadow.stack);
      shadows_[stack] = std::move(shadow);
    }
}

/// Gives each loop a count of its iterations, and each block that follows a loop the count at that time.
void AdjointGraph::add_counts() {
  for (const auto& loop : loops_.loops()) {
    Argument* count = round_count(*loop, flow_);
    count_of_[loop.get()] = count;
    for (const BlockEdge& edge : loop->exits) {
      final_counts_[{edge.to(), loop.get()}] = edge.to()->add_argument(count->type(), "rounds");
      edge.terminator->add_passed(edge.successor, count);
    }
  }
}

/// Each block with several predecessors, other than a loop's header, knows which of them was run.
void AdjointGraph::add_tags() {
  std::unordered_set<const BasicBlock*> headers;
  for (const auto& loop : loops_.loops()) headers.insert(loop->header);
  for (BasicBlock* block : body_)
    if (flow_.predecessors(block).size() > 1 && !headers.contains(block))
      tag_of_[block] = predecessor_tag(flow_, *block);
}

void AdjointGraph::number_values() {
  for (const BasicBlock* block : body_) {
    for (const auto& argument : block->arguments()) numbers_.emplace(argument.get(), numbers_.size());
    for (const auto& instruction : block->instructions())
      numbers_.emplace(instruction.get(), numbers_.size());
  }
}

/// The active leaves of values that live behind the block, and of what it passes on.
std::vector<Leaf> AdjointGraph::leaves_behind(const BasicBlock& block, const Liveness& liveness) const {
  const Liveness::Values& live = liveness.live_out(&block);
  std::unordered_set<const Value*> values(live.begin(), live.end());
  const Instruction* end = block.terminator();
  for (std::size_t i = 0; end != nullptr && i < end->successors().size(); ++i)
    for (const Value* value : end->passed(i)) values.insert(value);
  each_onto([&](const Leaf& leaf, Value*) { values.insert(leaf.value); });
  // The copy has no `return` that would use it.
  if (request_.forward.result != nullptr) values.insert(request_.forward.result);
  std::vector<const Value*> active;
  std::ranges::copy_if(values, std::back_inserter(active), [&](const Value* value) {
    return active_.contains(value) && !value->type().is_stack();
  });
  std::ranges::sort(active, {}, [&](const Value* value) { return numbers_.at(value); });
  std::vector<Leaf> out;
  for (const Value* value : active)
    for (std::size_t leaf = 0; leaf < active_.at(value).size(); ++leaf)
      if (active_.at(value)[leaf]) out.push_back({const_cast<Value*>(value), leaf});
  return out;
}

std::vector<const Loop*> AdjointGraph::loops_around(const BasicBlock& block) const {
  std::vector<const Loop*> out;
  for (const Loop* loop = loops_.innermost(&block); loop != nullptr; loop = loop->parent) out.push_back(loop);
  return out;
}

void AdjointGraph::add_adjoint_blocks() {
  const Liveness liveness(flow_);
  adjoints_[&exit_] = {&exit_, &exit_, {}};
  const std::unordered_set<const BasicBlock*> body(body_.begin(), body_.end());
  for (auto at = body_.rbegin(); at != body_.rend(); ++at) {
    const BasicBlock* block = *at;
    if (block == &exit_) continue;
    for (const Successor& successor : block->terminator()->successors())
      if (body.contains(successor.block) && flow_.position(successor.block) <= flow_.position(block))
        entered_later_.insert(block);
    Tape::Adjoint& adjoint = adjoints_[block];
    adjoint.of = block;
    adjoint.block = function_.add_block(block->name().empty() ? "" : block->name() + ".adjoint");
    behind_[block] = leaves_behind(*block, liveness);
  }
}

/// Returns which of the cotangents are not the same on all edges into the adjoint block.
std::vector<bool> AdjointGraph::differing(const BasicBlock& block) const {
  std::vector<bool> result(behind_.at(&block).size(), entered_later_.contains(&block));
  const auto found = entrances_.find(&block);
  if (found == entrances_.end()) return result;
  const std::vector<Value*>& first = found->second.front().given.cotangents;
  for (const Entrance& entrance : found->second)
    for (std::size_t i = 0; i < first.size(); ++i)
      if (entrance.given.cotangents[i] != first[i]) result[i] = true;
  return result;
}

/// Returns the cotangents of `behind_` in the adjoint block. It takes those that differ, and the counts of
/// the loops around it; the edges that enter it so far pass them.
std::vector<Value*> AdjointGraph::take_cotangents(const BasicBlock& block) {
  const std::vector<bool> is_taken = differing(block);
  std::vector<Value*> cotangents = add_arguments(block, is_taken);
  const auto found = entrances_.find(&block);
  if (found == entrances_.end()) return cotangents;
  const std::vector<Value*>& first = found->second.front().given.cotangents;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (!is_taken[i]) cotangents[i] = first[i];
  for (const Entrance& entrance : found->second) pass(block, entrance, is_taken);
  entrances_.erase(found);
  return cotangents;
}

std::vector<Value*> AdjointGraph::add_arguments(const BasicBlock& block, const std::vector<bool>& is_taken) {
  Tape::Adjoint& adjoint = adjoints_.at(&block);
  const std::vector<Leaf>& behind = behind_.at(&block);
  std::vector<Value*> cotangents(behind.size());
  for (std::size_t i = 0; i < behind.size(); ++i) {
    if (!is_taken[i]) continue;
    const std::string& name = behind[i].value->name();
    cotangents[i] = adjoint.block->add_argument(leaves(behind[i].value->type())[behind[i].leaf],
                                                name.empty() ? "" : name + ".cotangent");
  }
  for (const Loop* loop : loops_around(block))
    adjoint.counts[loop] = adjoint.block->add_argument(count_of_.at(loop)->type(), "round");
  return cotangents;
}

/// Lets the edge pass the cotangents that the adjoint block takes, and the counts.
void AdjointGraph::pass(const BasicBlock& block, const Entrance& entrance,
                        const std::vector<bool>& is_taken) {
  const auto& [edge, given] = entrance;
  Builder builder(*edge.from(), edge.terminator);
  const std::vector<Leaf>& behind = behind_.at(&block);
  for (std::size_t i = 0; i < behind.size(); ++i) {
    if (!is_taken[i]) continue;
    Value* cotangent = given.cotangents[i];
    if (cotangent == nullptr) cotangent = zeros(builder, leaves(behind[i].value->type())[behind[i].leaf]);
    edge.terminator->add_passed(edge.successor, cotangent);
  }
  for (Value* count : given.counts) edge.terminator->add_passed(edge.successor, count);
}

void AdjointGraph::sweep(BasicBlock& block) {
  Builder builder(*adjoint_of(&block));
  Sweep sweep(builder, dependence_, active_, shadows_, &calls_);
  if (&block == &exit_) {
    each_onto([&](const Leaf& leaf, Value* cotangent) { sweep.add(leaf.value, leaf.leaf, cotangent); });
    for (std::size_t leaf = 0; leaf < request_.seeds.size(); ++leaf)
      sweep.add(request_.forward.result, leaf, request_.seeds[leaf]);
  } else {
    const std::vector<Value*> cotangents = take_cotangents(block);
    const auto& behind = behind_.at(&block);
    for (std::size_t i = 0; i < behind.size(); ++i) sweep.add(behind[i].value, behind[i].leaf, cotangents[i]);
  }
  sweep.run(instructions_.at(&block));
  builder.set_locations({});
  go_on(block, builder, sweep);
}

/// Goes on to the adjoint of the block that was run before this one.
void AdjointGraph::go_on(BasicBlock& block, Builder& builder, const Sweep& sweep) {
  if (&block == flow_.order().front()) {
    for (const Value* argument : request_.arguments)
      for (std::size_t leaf = 0; leaf < leaf_count(argument->type()); ++leaf)
        cotangents_.push_back(sweep.cotangent(argument, leaf));
    builder_ = builder;
    return;
  }
  const auto& edges = flow_.predecessors(&block);
  if (edges.size() == 1) {
    Given values = given(edges[0], builder, sweep);
    builder.branch(*adjoint_of(edges[0].from()), {});
    enter(*edges[0].from(), *builder.block().terminator(), 0, std::move(values));
    return;
  }
  if (tag_of_.contains(&block)) return go_on_by_tag(block, builder, sweep);
  const Loop& loop = *loops_.innermost(&block);
  const BlockEdge &latch = loop.latches.front(), &entry = loop.entries.front();
  Value* count = adjoints_.at(&block).counts.at(&loop);
  Value* more = builder.binary(Opcode::greaterThan, count, builder.constant(count->type().element(), 0));
  Given round = given(latch, builder, sweep), out = given(entry, builder, sweep);
  builder.conditional(more, *adjoint_of(latch.from()), {}, *adjoint_of(entry.from()), {});
  Instruction& end = *builder.block().terminator();
  enter(*latch.from(), end, 0, std::move(round));
  enter(*entry.from(), end, 1, std::move(out));
}

void AdjointGraph::go_on_by_tag(BasicBlock& block, Builder& builder, const Sweep& sweep) {
  const auto& edges = flow_.predecessors(&block);
  std::vector<Given> values;
  for (const BlockEdge& edge : edges) values.push_back(given(edge, builder, sweep));
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const Argument* tag = tag_of_.at(&block);
    Value* is_it = builder.binary(Opcode::equal, const_cast<Argument*>(tag), edges[i].passed()[tag->index()]);
    BasicBlock* here = adjoint_of(edges[i].from());
    if (i + 2 == edges.size()) {
      builder.conditional(is_it, *here, {}, *adjoint_of(edges[i + 1].from()), {});
      enter(*edges[i + 1].from(), *builder.block().terminator(), 1, std::move(values[i + 1]));
      enter(*edges[i].from(), *builder.block().terminator(), 0, std::move(values[i]));
    } else {
      BasicBlock* next = function_.add_block("from", &builder.block());
      tests_[adjoint_of(&block)].push_back(next);
      builder.conditional(is_it, *here, {}, *next, {});
      enter(*edges[i].from(), *builder.block().terminator(), 0, std::move(values[i]));
      builder = Builder(*next);
    }
  }
}

/// Returns the values that the adjoint block of the edge's origin may take: the cotangents of the values that
/// are live there, and counts.
AdjointGraph::Given AdjointGraph::given(const BlockEdge& edge, Builder& builder, const Sweep& sweep) {
  const BasicBlock* to = edge.to();
  Given out;
  for (const Leaf& leaf : behind_.at(edge.from())) {
    // What `to` defines was another value the last time round.
    Value* sum = defining_block(leaf.value) == to ? nullptr : sweep.cotangent(leaf.value, leaf.leaf);
    const auto add = [&](Value* more) {
      if (more != nullptr) sum = sum == nullptr ? more : builder.add(sum, more);
    };
    for (std::size_t i = 0; i < edge.passed().size(); ++i)
      if (edge.passed()[i] == leaf.value) add(sweep.cotangent(to->arguments()[i].get(), leaf.leaf));
    out.cotangents.push_back(sum);
  }
  for (const Loop* loop : loops_around(*edge.from())) out.counts.push_back(count_for(*loop, edge, builder));
  return out;
}

/// Lets the end of an adjoint block go to that of `block`, which has been swept or will be.
void AdjointGraph::enter(const BasicBlock& block, Instruction& end, std::size_t successor, Given given) {
  const Entrance entrance{{&end, successor}, std::move(given)};
  if (entered_later_.contains(&block))
    pass(block, entrance, std::vector<bool>(entrance.given.cotangents.size(), true));
  else
    entrances_[&block].push_back(entrance);
}

Value* AdjointGraph::count_for(const Loop& loop, const BlockEdge& edge, Builder& builder) {
  if (!loop.contains(edge.to())) return final_counts_.at({edge.to(), &loop});
  Value* count = adjoints_.at(edge.to()).counts.at(&loop);
  if (edge.to() != loop.header) return count;
  return builder.subtract(count, builder.constant(count->type().element(), 1));
}

std::vector<Value*> AdjointGraph::run() {
  body_ = reaching_blocks(flow_, exit_);
  find_active();
  add_counts();
  add_tags();
  number_values();
  for (BasicBlock* block : body_) {
    auto& instructions = instructions_[block];
    for (const auto& instruction : block->instructions()) instructions.push_back(instruction.get());
  }
  auto& of_entry = instructions_[flow_.order().front()];
  of_entry.erase(of_entry.begin(),
                 of_entry.begin() + static_cast<std::ptrdiff_t>(request_.forward.instructions_before));
  make_shadows();
  add_adjoint_blocks();
  for (auto at = body_.rbegin(); at != body_.rend(); ++at) sweep(**at);

  std::vector<Tape::Adjoint> adjoints;
  for (auto at = body_.rbegin(); at != body_.rend(); ++at)
    if (*at != &exit_) adjoints.push_back(adjoints_.at(*at));
  // A value that is not used needs nothing from the tape. The caller uses the cotangents of arguments.
  std::vector<Value*> used;
  std::ranges::copy_if(cotangents_, std::back_inserter(used),
                       [](const Value* each) { return each != nullptr; });
  Instruction* user = as_instruction(builder_.tuple(std::move(used)));
  for (const Tape::Adjoint& adjoint : std::views::reverse(adjoints))
    if (adjoint.block != &builder_.block()) remove_unused(*adjoint.block);
  builder_.block().erase(user);
  Tape tape(flow_, dominators_, loops_, exit_, count_of_);
  tape.replace_uses(adjoints, tests_);
  tape.destroy_stacks(builder_);
  for (Value* shadow : shadow_stacks_) builder_.create(Opcode::destroyStack, {shadow});
  return std::move(cotangents_);
}

}  // namespace

std::vector<Value*> build_cotangents(Builder& builder, const AdjointRequest& request, Dependence& dependence,
                                     Sweep::Calls& calls) {
  return AdjointGraph(builder, request, dependence, calls).run();
}

}  // namespace dlvm
