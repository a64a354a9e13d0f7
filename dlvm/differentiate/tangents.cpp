#include "dlvm/differentiate/tangents.h"

#include <algorithm>

#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

class TangentBody {
 public:
  TangentBody(Function& function, const TangentRequest& request, Dependence& dependence, TangentCalls& calls)
      : function_(function),
        request_(request),
        dependence_(dependence),
        calls_(calls),
        flow_(function),
        result_(request.body.result) {}

  BodyWithTangents run() {
    find_active();
    add_arguments();
    scratch_ = function_.add_block("scratch");
    for (BasicBlock* block : request_.body.blocks) visit(*block);
    for (BasicBlock* block : request_.body.blocks) pass_tangents(*block);
    function_.erase_blocks({scratch_});
    const std::size_t count = request_.from.size();
    BodyWithTangents out{result_, std::vector<Value*>(count)};
    for (std::size_t leaf = 0; leaf < count; ++leaf)
      if (request_.from[leaf]) out.tangents[leaf] = tangent(result_, leaf);
    return out;
  }

 private:
  using Leaves = std::vector<Value*>;

  void find_active();
  void add_arguments();
  void visit(BasicBlock& block);
  void visit(Instruction& primal, const Instruction* next);
  void visit_stack(Instruction& primal, Builder& builder);
  void visit_call(Instruction& primal, Builder& builder);
  void push_forward(Instruction& primal, Leaves& of);
  void pass_tangents(BasicBlock& block);

  bool is_active(const Value* value, std::size_t leaf) const {
    const auto found = active_.find(value);
    return found != active_.end() && found->second[leaf];
  }
  Value* tangent(const Value* of, std::size_t leaf) const {
    const auto found = tangents_.find(of);
    return found == tangents_.end() ? nullptr : found->second[leaf];
  }
  Value* tangent_or_zeros(const Value* of, std::size_t leaf, const Type& type, Builder& builder) const {
    Value* known = tangent(of, leaf);
    return known != nullptr ? known : zeros(builder, type);
  }
  /// The leaves of the operand become leaves of the result, from number `outer` on.
  void hand_on(Leaves& to, std::size_t outer, const Value* operand, std::size_t inner, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[outer + i] = tangent(operand, inner + i);
  }

  Function& function_;
  const TangentRequest& request_;
  Dependence& dependence_;
  TangentCalls& calls_;
  const ControlFlow flow_;
  Value* result_;
  Dependence::Leaves active_;  ///< the leaves that have a tangent on which a wanted one depends
  std::unordered_map<const Value*, Leaves> tangents_;
  Sweep::Shadows shadows_;
  const Sweep::Shadows no_shadows_;
  BasicBlock* scratch_ = nullptr;  ///< where the tangent of an instruction is built
};

void TangentBody::find_active() {
  std::size_t at = 0;
  for (const Value* argument : request_.arguments) {
    const std::size_t count = leaf_count(argument->type());
    for (std::size_t leaf = 0; leaf < count; ++leaf, ++at) {
      active_[argument].push_back(request_.tangents[at] != nullptr);
      tangents_[argument].push_back(request_.tangents[at]);
    }
  }
  dependence_.add_reached(active_, flow_);
  Dependence::Leaves useful;
  useful[result_] = request_.from;
  dependence_.add_reaching(useful, flow_);
  for (auto& [value, leaves] : active_) {
    const auto found = useful.find(value);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      leaves[leaf] = leaves[leaf] && found != useful.end() && found->second[leaf];
  }
}

void TangentBody::add_arguments() {
  for (BasicBlock* block : request_.body.blocks) {
    if (block == request_.body.blocks.front()) continue;
    const std::size_t count = block->arguments().size();
    for (std::size_t i = 0; i < count; ++i) {
      const Argument& argument = *block->arguments()[i];
      const std::vector<Type> types = leaves(argument.type());
      Leaves of(types.size());
      const std::string name = argument.name().empty() ? "" : argument.name() + ".tangent";
      for (std::size_t leaf = 0; leaf < types.size(); ++leaf)
        if (is_active(&argument, leaf)) of[leaf] = block->add_argument(types[leaf], name);
      tangents_[&argument] = std::move(of);
    }
  }
}

void TangentBody::visit(BasicBlock& block) {
  std::vector<Instruction*> instructions;
  for (const auto& instruction : block.instructions()) instructions.push_back(instruction.get());
  std::size_t i = &block == request_.body.blocks.front() ? request_.body.instructions_before : 0;
  for (; i < instructions.size(); ++i) {
    if (instructions[i]->is(Trait::terminator)) continue;
    visit(*instructions[i], i + 1 < instructions.size() ? instructions[i + 1] : nullptr);
  }
}

/// Builds the tangent of the instruction's result before `next`, or at the end if that is null.
void TangentBody::visit(Instruction& primal, const Instruction* next) {
  Builder builder(*primal.block(), next);
  builder.set_locations(primal.locations());
  const auto& operands = primal.operands();
  const bool uses_stack = std::ranges::any_of(operands, [](Value* each) { return each->type().is_stack(); });
  if (uses_stack || primal.opcode() == Opcode::createStack) return visit_stack(primal, builder);
  if (!active_.contains(&primal)) return;
  if (primal.opcode() == Opcode::apply) return visit_call(primal, builder);
  Leaves& of = tangents_[&primal];
  of.resize(leaf_count(primal.type()));
  if (primal.opcode() == Opcode::literal) {
    std::size_t at = 0;
    for (const Value* operand : operands) {
      hand_on(of, at, operand, 0, leaf_count(operand->type()));
      at += leaf_count(operand->type());
    }
  } else if (const auto extract = as<Extract>(primal)) {
    hand_on(of, 0, operands[0], leaf_offset(operands[0]->type().components(), extract.position()), of.size());
  } else if (const auto insert = as<Insert>(primal)) {
    const std::size_t first = leaf_offset(primal.type().components(), insert.position());
    hand_on(of, 0, operands[1], 0, of.size());
    hand_on(of, first, operands[0], 0, leaf_count(operands[0]->type()));
  } else {
    push_forward(primal, of);
    while (!scratch_->instructions().empty())
      builder.block().take(scratch_->instructions().front().get(), next);
  }
}

/// Builds the tangents of the leaves of the instruction's result in the scratch block; null: zero.
void TangentBody::push_forward(Instruction& primal, Leaves& of) {
  Builder builder(*scratch_);
  builder.set_locations(primal.locations());
  // The cotangents of the operands are linear in the seeds, which may be zero. But a literal has no
  // cotangent.
  const std::vector<Type> types = leaves(primal.type());
  std::vector<std::pair<Instruction*, Value*>> seeds(types.size());
  Dependence::Leaves by_seed;
  Sweep reverse(builder, dependence_, active_, no_shadows_, nullptr);
  for (std::size_t leaf = 0; leaf < types.size(); ++leaf) {
    if (!is_active(&primal, leaf)) continue;
    Value* zero = zeros(builder, types[leaf]);
    seeds[leaf] = {as_instruction(builder.unary(Opcode::detach, zero)), zero};
    by_seed[seeds[leaf].first] = {true};
    reverse.add(&primal, leaf, seeds[leaf].first);
  }
  reverse.run({&primal});
  std::vector<Instruction*> linear;
  for (const auto& instruction : scratch_->instructions()) {
    if (by_seed.contains(instruction.get())) continue;
    linear.push_back(instruction.get());
    dependence_.add_reached(by_seed, *instruction);
  }
  Sweep forward(builder, dependence_, by_seed, no_shadows_, nullptr);
  std::vector<const Value*> seen;
  for (const Value* operand : primal.operands()) {
    if (std::ranges::find(seen, operand) != seen.end()) continue;
    seen.push_back(operand);
    for (std::size_t leaf = 0; leaf < leaf_count(operand->type()); ++leaf) {
      Value *cotangent = reverse.cotangent(operand, leaf), *along = tangent(operand, leaf);
      if (cotangent != nullptr && along != nullptr) forward.add(cotangent, 0, along);
    }
  }
  forward.run(linear);
  for (std::size_t leaf = 0; leaf < types.size(); ++leaf)
    if (seeds[leaf].first != nullptr) of[leaf] = forward.cotangent(seeds[leaf].first);
  for (const auto& [seed, zero] : seeds)
    if (seed != nullptr) replace_all_uses(*seed, *zero);
  std::vector<Instruction*> all;
  for (const auto& instruction : scratch_->instructions()) all.push_back(instruction.get());
  // An instruction that fails here fails in the primal itself.
  for (auto at = all.rbegin(); at != all.rend(); ++at)
    if ((*at)->users().empty() && std::ranges::find(of, *at) == of.end()) scratch_->erase(*at);
}

void TangentBody::visit_stack(Instruction& primal, Builder& builder) {
  if (primal.opcode() == Opcode::createStack) {
    const auto found = active_.find(&primal);
    if (found == active_.end()) return;
    const std::vector<Type> types = leaves(*stack_record(primal));
    Sweep::Shadow shadow;
    for (std::size_t leaf = 0; leaf < types.size(); ++leaf)
      if (found->second[leaf]) {
        shadow.leaves.push_back(leaf);
        shadow.types.push_back(types[leaf]);
      }
    if (shadow.leaves.empty()) return;
    shadow.stack = builder.create(Opcode::createStack, {}, primal.attributes());
    shadows_[&primal] = std::move(shadow);
    return;
  }
  const auto found = shadows_.find(primal.operands().back());
  if (found == shadows_.end()) return;
  const Sweep::Shadow& shadow = found->second;
  const bool alone = shadow.leaves.size() == 1;
  const Type record = alone ? shadow.types[0] : Type::tuple(shadow.types);
  if (primal.opcode() == Opcode::push) {
    Leaves pushed;
    for (std::size_t i = 0; i < shadow.leaves.size(); ++i)
      pushed.push_back(tangent_or_zeros(primal.operand(0), shadow.leaves[i], shadow.types[i], builder));
    builder.push(alone ? pushed[0] : builder.tuple(std::move(pushed)), shadow.stack);
  } else if (primal.opcode() == Opcode::destroyStack) {
    builder.create(Opcode::destroyStack, {shadow.stack});
  } else {
    const bool stays = primal.opcode() == Opcode::peek;
    Value* top = stays ? builder.peek(record, shadow.stack) : builder.pop(record, shadow.stack);
    Leaves& of = tangents_[&primal];
    of.resize(leaf_count(primal.type()));
    for (std::size_t i = 0; i < shadow.leaves.size(); ++i)
      of[shadow.leaves[i]] = alone ? top : builder.extract(top, static_cast<std::int64_t>(i));
  }
}

/// Calls in the place of the function one that computes the tangents, too, by the leaves that have a tangent
/// and reach a result that has one.
void TangentBody::visit_call(Instruction& primal, Builder& builder) {
  const Function& callee = *Apply(primal).callee();
  std::vector<std::pair<const Value*, std::size_t>> parameters;
  for (const Value* operand : primal.operands())
    for (std::size_t leaf = 0; leaf < leaf_count(operand->type()); ++leaf)
      parameters.emplace_back(operand, leaf);
  const std::size_t count = leaf_count(primal.type());
  std::vector<bool> wrt(parameters.size()), from(count);
  for (std::size_t result = 0; result < count; ++result) {
    if (!is_active(&primal, result)) continue;
    const auto& paths = dependence_.of_result(callee, result);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (has(paths[i], Edge::smooth) && tangent(parameters[i].first, parameters[i].second) != nullptr)
        wrt[i] = from[result] = true;
  }
  if (std::ranges::find(wrt, true) == wrt.end()) return;
  Leaves arguments = primal.operands();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (wrt[i]) arguments.push_back(tangent(parameters[i].first, parameters[i].second));
  Value* call = builder.apply(calls_.with_tangents({&callee, wrt, from}), std::move(arguments));
  std::int64_t position = 0;
  Value* value = builder.extract(call, position++);
  value->set_name(primal.name());
  Leaves of(count);
  for (std::size_t result = 0; result < count; ++result)
    if (from[result]) of[result] = builder.extract(call, position++);
  tangents_[value] = std::move(of);
  active_[value] = active_.at(&primal);
  if (result_ == &primal) result_ = value;
  replace_all_uses(primal, *value);
  primal.block()->erase(&primal);
}

/// Passes the tangents of what the block passes.
void TangentBody::pass_tangents(BasicBlock& block) {
  Instruction* end = block.terminator();
  if (end == nullptr) return;
  Builder builder(block, end);
  for (std::size_t i = 0; i < end->successors().size(); ++i) {
    const BasicBlock& to = *end->successors()[i].block;
    const std::vector<Value*> passed(end->passed(i).begin(), end->passed(i).end());
    for (std::size_t k = 0; k < passed.size(); ++k) {
      const Leaves& of = tangents_.at(to.arguments()[k].get());
      for (std::size_t leaf = 0; leaf < of.size(); ++leaf)
        if (of[leaf] != nullptr)
          end->add_passed(i, tangent_or_zeros(passed[k], leaf, of[leaf]->type(), builder));
    }
  }
}

}  // namespace

BodyWithTangents build_tangents(Function& function, const TangentRequest& request, Dependence& dependence,
                                TangentCalls& calls) {
  return TangentBody(function, request, dependence, calls).run();
}

}  // namespace dlvm
