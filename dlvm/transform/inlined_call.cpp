#include "dlvm/transform/inlined_call.h"

#include <iterator>
#include <unordered_map>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/unify_lists.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

class Inliner {
 public:
  explicit Inliner(Instruction& call)
      : call_(call), callee_(*Apply(call).callee()), block_(*call.block()), caller_(block_.function()) {}

  std::optional<InlinedCall> run() {
    const std::vector<Value*>& given = call_.operands();
    if (unify_lists(callee_.type().parameters(), given, inlined_.names) < given.size()) return std::nullopt;
    for (std::size_t i = 0; i < given.size(); ++i) values_[callee_.entry().arguments()[i].get()] = given[i];
    const bool good = callee_.is_straight_line() ? run_straight() : run_blocks();
    if (!good) return std::nullopt;
    return std::move(inlined_);
  }

 private:
  bool run_straight() {
    for (const auto& instruction : callee_.entry().instructions()) {
      if (instruction->is(Trait::terminator)) return take_result(*instruction) || undo();
      if (!copy(*instruction, block_, &call_)) break;
    }
    return undo();
  }

  bool undo() {
    for (auto at = inlined_.made.rbegin(); at != inlined_.made.rend(); ++at) block_.erase(*at);
    return false;
  }

  bool take_result(const Instruction& terminator) {
    inlined_.result = returned(terminator, block_, &call_);
    return inlined_.result->type() == call_.type();
  }

  /// What `return` gives, as a value: a tuple without elements where it gives nothing.
  Value* returned(const Instruction& terminator, BasicBlock& block, const Instruction* before) {
    if (!terminator.operands().empty()) return at(terminator.operand(0));
    Value* empty = Builder(block, before).tuple({});
    inlined_.made.push_back(as_instruction(empty));
    return empty;
  }

  /// The callee's entry stands where the call does. Each block is copied behind those that dominate it, so
  /// that its operands are known.
  bool run_blocks() {
    const ControlFlow flow(callee_);
    std::vector<const BasicBlock*> order;
    for (const BasicBlock* block : flow.order())
      if (flow.is_reachable(block)) order.push_back(block);
    const BasicBlock* last = &block_;
    for (const BasicBlock* block : order) last = add_block(*block, last);
    rest_ = caller_.add_block(block_.name(), last);
    inlined_.result = rest_->add_argument(call_.type(), call_.name());
    split();
    for (const BasicBlock* block : order)
      if (!copy_block(*block)) return undo_blocks();
    return true;
  }

  BasicBlock* add_block(const BasicBlock& from, const BasicBlock* last) {
    if (&from == &callee_.entry()) return blocks_[&from] = &block_;
    BasicBlock* made = caller_.add_block(from.name(), last);
    for (const auto& argument : from.arguments())
      values_[argument.get()] =
          made->add_argument(argument->type().substitute(inlined_.names), argument->name());
    return blocks_[&from] = made;
  }

  /// Moves the instructions behind the call to the last block. The search for the call starts at the end,
  /// since the instructions that it passes are those that move.
  void split() {
    auto place = std::prev(block_.instructions().end());
    while (place->get() != &call_) --place;
    rest_->take_from(block_, std::next(place)->get());
  }

  bool undo_blocks() {
    for (auto at = inlined_.made.rbegin(); at != inlined_.made.rend(); ++at) (*at)->block()->erase(*at);
    block_.take_from(*rest_, rest_->instructions().front().get());
    std::unordered_set<const BasicBlock*> made{rest_};
    for (const auto& [from, to] : blocks_)
      if (to != &block_) made.insert(to);
    caller_.erase_blocks(made);
    return false;
  }

  bool copy_block(const BasicBlock& from) {
    BasicBlock& to = *blocks_.at(&from);
    for (const auto& instruction : from.instructions())
      if (!(instruction->opcode() == Opcode::return_ ? copy_return(*instruction, to)
                                                     : copy(*instruction, to, nullptr)))
        return false;
    return true;
  }

  bool copy_return(const Instruction& from, BasicBlock& to) {
    Value* result = returned(from, to, nullptr);
    if (!(result->type() == call_.type())) return false;
    Builder builder(to);
    builder.set_locations(from.locations());
    Instruction* made = builder.branch(*rest_, {result});
    merge_locations(*made, call_);
    inlined_.made.push_back(made);
    return true;
  }

  Value* at(const Value* value) {
    Value*& copy = values_[value];
    if (copy == nullptr) {
      const Literal* literal = as_literal(value);
      copy = caller_.copy(*literal, literal->type().substitute(inlined_.names));
    }
    return copy;
  }

  bool copy(const Instruction& from, BasicBlock& to, const Instruction* before) {
    std::vector<Value*> operands;
    std::vector<Type> types;
    for (const Value* operand : from.operands()) {
      operands.push_back(at(operand));
      types.push_back(operands.back()->type());
    }
    std::vector<Attribute> attributes;
    for (const Attribute& attribute : from.attributes())
      attributes.push_back(substitute(attribute, inlined_.names));
    std::vector<Successor> successors = from.successors();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      successors[i].block = blocks_.at(successors[i].block);
      for (std::size_t k = 0; k < successors[i].passed; ++k)
        if (!(types[from.first_passed(i) + k] == successors[i].block->arguments()[k]->type())) return false;
    }
    std::string why;
    auto type = infer_type(from.opcode(), {types, attributes}, why);
    if (!type) return false;
    auto made = std::make_unique<Instruction>(from.opcode(), std::move(*type), std::move(operands),
                                              std::move(attributes), std::move(successors));
    made->set_name(from.name());
    made->set_locations(from.locations());
    merge_locations(*made, call_);
    inlined_.made.push_back(to.insert(std::move(made), before));
    values_[&from] = inlined_.made.back();
    return true;
  }

  Instruction& call_;
  const Function& callee_;
  BasicBlock& block_;
  Function& caller_;
  BasicBlock* rest_ = nullptr;  ///< what follows the call
  InlinedCall inlined_;
  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
};

}  // namespace

std::optional<InlinedCall> inline_call(Instruction& call) { return Inliner(call).run(); }

}  // namespace dlvm
