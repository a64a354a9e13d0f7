#include "dlvm/transform/contraction_sinking.h"

#include <algorithm>
#include <map>
#include <set>

#include "dlvm/analysis/induction.h"
#include "dlvm/analysis/integer_bounds.h"
#include "dlvm/analysis/trip_counts.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/transform/control_flow_edits.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// A product that a loop adds to what it carries.
struct Addend {
  Instruction* product = nullptr;
  std::vector<Instruction*> placed;  ///< only place its elements, from the product outwards
  Instruction* sum = nullptr;        ///< adds it to others
  std::size_t position = 0;          ///< among the operands of the sum
};

/// What a loop carries from round to round, and the products that it adds to it.
struct Sum {
  Argument* carried = nullptr;
  std::vector<Addend> addends;
};

/// Which rows of its input a gather reads in all rounds: from the first one on, one in each round, or the
/// other way round.
struct Passage {
  Extent first;
  bool reversed = false;
};

bool has_one_use(const Value& value) {
  const auto users = value.users();
  return users.size() == 1 && std::ranges::count(users.front()->operands(), &value) == 1;
}

/// Returns whether the instruction only places the elements of its first operand, with zeros around them.
bool only_places(const Instruction& instruction) {
  if (const auto pad = as<Pad>(instruction)) return is_splat(pad.fill(), 0);
  return instruction.opcode() == Opcode::transpose || instruction.is(Trait::reshape);
}

/// Returns the addend, if it is a product with one use, or such a product placed among zeros; else one
/// without a product.
Addend addend(Value* value) {
  Addend found;
  for (Instruction* each = as_instruction(value); each != nullptr && has_one_use(*each);
       each = as_instruction(each->operand(0))) {
    if (each->opcode() == Opcode::dot) {
      found.product = each;
      std::ranges::reverse(found.placed);
      return found;
    }
    if (!only_places(*each)) break;
    found.placed.push_back(each);
  }
  return {};
}

Extent bytes(const Type& type) {
  return unit_count(type.shape()) * Extent(std::int64_t{info(type.element()).bytes});
}

/// One loop that is left in its header alone, and goes round a known number of times.
class Sinking {
 public:
  Sinking(Module& module, const Loop& loop, Extent rounds, std::int64_t least_elements,
          const ControlFlow& flow, const DominatorTree& dominators, TripCounts& counts)
      : module_(module),
        least_elements_(least_elements),
        loop_(loop),
        rounds_(std::move(rounds)),
        flow_(flow),
        dominators_(dominators),
        counts_(counts) {}

  /// Returns whether there was a product to sink.
  bool run() {
    // What a round keeps is kept at its end: the header alone also runs when there is no further round.
    if (loop_.latches.size() != 1 || loop_.latches.front().from() == loop_.header) return false;
    if (loop_.entries.front().terminator->supplies_arguments()) return false;
    find_gathers();
    std::vector<Sum> sums;
    for (const auto& argument : loop_.header->arguments()) {
      Sum sum = sum_in(*argument);
      std::erase_if(sum.addends, [&](const Addend& each) { return !is_worth_it(each); });
      if (!sum.addends.empty()) sums.push_back(std::move(sum));
    }
    if (sums.empty()) return false;
    BasicBlock* behind = split_edge(loop_.exits.front(), "sums");
    for (const Sum& sum : sums) sink(sum, *behind);
    return true;
  }

 private:
  bool is_inside(const Value* value) const {
    const BasicBlock* home = defining_block(value);
    return home != nullptr && loop_.contains(home);
  }
  bool runs_each_round(const Instruction& instruction) const {
    return loop_.contains(instruction.block()) &&
           dominators_.dominates(instruction.block(), loop_.latches.front().from());
  }

  /// Finds where the loop gathers rows of a tensor, one after the other.
  void find_gathers() {
    for (const BasicBlock* block : loop_.blocks)
      for (const auto& instruction : block->instructions()) {
        const auto gather = as<Gather>(*instruction);
        if (!gather || !runs_each_round(*instruction) || gather.axes() != Integers{0}) continue;
        if (is_inside(gather.input()) || !gather.indices()[0]->type().is_scalar()) continue;
        auto found = passage(gather);
        if (!found) continue;
        gathered_ = gathered_ + bytes(instruction->type());
        passages_.emplace(instruction.get(), std::move(*found));
      }
  }

  std::optional<Passage> passage(const Gather& gather) {
    const Value* index = gather.indices()[0];
    for (const auto& argument : loop_.header->arguments()) {
      const auto counter = induction(*argument, loop_, flow_);
      if (!counter || (counter->step != 1 && counter->step != -1)) continue;
      const auto offset = steps_to(index, *argument, loop_, flow_);
      const auto start = offset && offset->least == offset->most
                             ? counts_.value(*counter->start, *loop_.header)
                             : std::nullopt;
      if (!start) continue;
      const bool reversed = counter->step < 0;
      const Extent at = *start + Extent(offset->least), first = reversed ? at - rounds_ + Extent(1) : at;
      const Extent& end = gather.input()->type().shape()[0];
      if (provably_at_most(0, first) != Proof::yes || provably_at_most(first + rounds_, end) != Proof::yes)
        continue;
      // The index does not wrap around on its way.
      if (IntegerBounds::exactly(first + rounds_).fit(index->type().element()))
        return Passage{first, reversed};
    }
    return std::nullopt;
  }

  /// Follows what is carried through the sums to what the next round is passed.
  Sum sum_in(Argument& argument) {
    Sum sum{&argument, {}};
    if (!argument.type().is_tensor()) return sum;
    const BlockEdge& latch = loop_.latches.front();
    Value* value = &argument;
    for (Instruction* user = only_inner_user(*value); user != nullptr; user = only_inner_user(*value)) {
      if (user == latch.terminator) {
        const bool is_next = latch.passed()[argument.index()] == value;
        return is_next ? sum : Sum{&argument, {}};
      }
      if (user->opcode() != Opcode::add || !(user->type() == argument.type()) || !runs_each_round(*user))
        break;
      const std::size_t position = user->operand(0) == value ? 1 : 0;
      Addend each = addend(user->operand(position));
      each.sum = user;
      each.position = position;
      const bool is_broadcast = !(user->operand(position)->type() == user->type());
      if (each.product != nullptr && !is_broadcast) sum.addends.push_back(std::move(each));
      value = user;
    }
    return {&argument, {}};
  }

  /// The only instruction of the loop that uses the value, once; null if there are others. Behind the loop,
  /// only what the loop carries may be used.
  Instruction* only_inner_user(const Value& value) const {
    Instruction* found = nullptr;
    for (Instruction* user : value.users()) {
      const bool is_inner = loop_.contains(user->block());
      if (!is_inner && as_argument(&value) != nullptr) continue;
      if (!is_inner || found != nullptr || std::ranges::count(user->operands(), &value) != 1) return nullptr;
      found = user;
    }
    return found;
  }

  /// Returns whether the operands change in each round, and what must be kept of them is little, together
  /// with what is kept for other products. Then it will be kept.
  bool is_worth_it(const Addend& addend) {
    if (!runs_each_round(*addend.product)) return false;
    const std::int64_t elements = unit_count(addend.product->type().shape()).constant().value_or(0);
    const bool reversed = is_reversed(*addend.product);
    auto all = to_keep_;
    Extent kept(0), all_bytes(0);
    for (const Value* operand : addend.product->operands()) {
      if (!is_inside(operand)) return false;
      if (passages_.contains(operand)) continue;
      kept = kept + unit_count(operand->type().shape());
      all.emplace(operand, reversed);
    }
    for (const auto& [value, order] : all) all_bytes = all_bytes + bytes(value->type());
    if (elements < least_elements_ || kept.constant().value_or(0) >= elements) return false;
    if (provably_at_most(all_bytes, gathered_ + gathered_) != Proof::yes) return false;
    to_keep_ = std::move(all);
    return true;
  }

  /// Returns whether the product of all rounds goes over them in reverse order, as the first operand that the
  /// loop gathers does.
  bool is_reversed(const Instruction& product) const {
    for (const Value* operand : product.operands())
      if (const auto found = passages_.find(operand); found != passages_.end()) return found->second.reversed;
    return false;
  }

  void sink(const Sum& sum, BasicBlock& behind) {
    Argument& carried = *sum.carried;
    std::vector<Instruction*> users;
    for (Instruction* user : carried.users())
      if (!loop_.contains(user->block())) users.push_back(user);
    for (const Addend& each : sum.addends) {
      replace_all_uses(*each.sum, *each.sum->operand(1 - each.position));
      each.sum->block()->erase(each.sum);
    }

    const BlockEdge &latch = loop_.latches.front(), &entry = loop_.entries.front();
    const bool is_unchanged = latch.passed()[carried.index()] == &carried;
    Value* all = is_unchanged ? entry.passed()[carried.index()] : &carried;
    if (is_splat(all, 0)) all = nullptr;
    Builder b(behind, behind.terminator());
    for (const Addend& each : sum.addends) {
      Value* product = product_of_rounds(each, b);
      all = all != nullptr ? b.add(all, product) : product;
    }
    for (Instruction* user : users)
      for (std::size_t i = 0; i < user->operands().size(); ++i)
        if (user->operand(i) == &carried) user->set_operand(i, all);
    if (!is_unchanged) return;
    latch.terminator->remove_passed(latch.successor, carried.index());
    entry.terminator->remove_passed(entry.successor, carried.index());
    loop_.header->remove_argument(carried.index());
  }

  Value* product_of_rounds(const Addend& addend, Builder& b) {
    const Dot dot(*addend.product);
    const bool reversed = is_reversed(*addend.product);
    b.set_locations(addend.product->locations());
    Value *left = rows(dot.left(), reversed, b), *right = rows(dot.right(), reversed, b);
    DotAxes axes = dot.axes();
    for (AxisPairs* pairs : {&axes.contract, &axes.batch})
      for (auto& [of_left, of_right] : *pairs) ++of_left, ++of_right;
    axes.contract.emplace(axes.contract.begin(), 0, 0);
    Value* value = b.dot(left, right, std::move(axes.contract), std::move(axes.batch));
    for (const Instruction* each : addend.placed) {
      std::vector<Value*> operands = each->operands();
      operands.front() = value;
      b.set_locations(each->locations());
      value = b.create(each->opcode(), std::move(operands), each->attributes());
    }
    return value;
  }

  /// Returns the operand of all rounds, in their order or in the reverse one.
  Value* rows(Value* operand, bool reversed, Builder& b) {
    const auto passage = passages_.find(operand);
    if (passage == passages_.end()) return kept(operand, reversed);
    const Gather gather(*as_instruction(operand));
    const Shape& shape = gather.input()->type().shape();
    Shape from(shape.size(), 0), upto = shape;
    from[0] = passage->second.first;
    upto[0] = from[0] + rounds_;
    const bool is_whole = from[0].is(0) && upto == shape;
    Value* part = is_whole ? gather.input() : b.slice(gather.input(), std::move(from), std::move(upto));
    return passage->second.reversed == reversed ? part : b.reverse(part, {0});
  }

  /// Lets the loop keep the value of each round as a row of a tensor, which it carries.
  Value* kept(Value* value, bool reversed) {
    Argument*& tensor = kept_[{value, reversed}];
    if (tensor != nullptr) return tensor;
    Value* at = row(reversed);
    const BlockEdge& latch = loop_.latches.front();
    Builder at_end(*latch.from(), latch.terminator);
    Shape shape{rounds_};
    shape.insert(shape.end(), value->type().shape().begin(), value->type().shape().end());
    const ElementType element = value->type().element();
    tensor = carry(Type::tensor(element, shape), "kept",
                   [&](Builder& before) { return before.broadcast(before.constant(element, 0), shape); });
    const Combinator replaces{Opcode::add, replacement(module_, element)};
    pass(at_end.scatter(value, tensor, {at}, replaces, {0}));
    return tensor;
  }

  /// Returns the number of the round, or that of the rounds behind it.
  Value* row(bool reversed) {
    Value*& row = row_[reversed ? 1 : 0];
    if (row != nullptr) return row;
    const BlockEdge& latch = loop_.latches.front();
    Builder at_end(*latch.from(), latch.terminator);
    Value* one = at_end.constant(counted, 1);
    Argument* counter = carry(Type::scalar(counted), "round", [&](Builder& before) {
      return reversed ? before.extent(rounds_, counted) : before.constant(counted, 0);
    });
    row = reversed ? at_end.subtract(counter, one) : counter;
    pass(reversed ? row : at_end.add(counter, one));
    return row;
  }

  /// Adds an argument to the header, and passes it what `first` builds where the loop is entered.
  template <typename First>
  Argument* carry(Type type, std::string name, First first) {
    const BlockEdge& entry = loop_.entries.front();
    Builder before(*entry.from(), entry.terminator);
    entry.terminator->add_passed(entry.successor, first(before));
    return loop_.header->add_argument(std::move(type), std::move(name));
  }
  /// Passes the value to the last argument of the header.
  void pass(Value* next) {
    loop_.latches.front().terminator->add_passed(loop_.latches.front().successor, next);
  }

  static constexpr ElementType counted = ElementType::i64;

  Module& module_;
  const std::int64_t least_elements_;
  const Loop& loop_;
  const Extent rounds_;
  const ControlFlow& flow_;
  const DominatorTree& dominators_;
  TripCounts& counts_;
  /// A value, and whether its rows are in reverse order.
  using Kept = std::pair<const Value*, bool>;

  Extent gathered_;  ///< the bytes of the rows that a round gathers
  std::unordered_map<const Value*, Passage> passages_;
  std::set<Kept> to_keep_;
  std::map<Kept, Argument*> kept_;
  std::array<Value*, 2> row_{};
};

/// Returns whether a loop whose header is not one of `seen`, to which all that are looked at are added, had
/// a product to sink. Inner loops come first: their products may then leave the loops around them.
bool sink_once(Module& module, Function& function, std::int64_t least_elements,
               std::unordered_set<const BasicBlock*>& seen) {
  const ControlFlow flow(function);
  if (!flow.has_cycle()) return false;
  const DominatorTree dominators(flow);
  const LoopNest nest(flow, dominators);
  TripCounts counts(flow, nest);
  for (auto loop = nest.loops().rbegin(); loop != nest.loops().rend(); ++loop) {
    if (!seen.insert((*loop)->header).second) continue;
    const auto rounds = counts.rounds(**loop);
    if (rounds && Sinking(module, **loop, *rounds, least_elements, flow, dominators, counts).run())
      return true;
  }
  return false;
}

}  // namespace

bool contraction_sinking(Module& module, std::int64_t least_elements) {
  std::vector<Function*> functions;  // replacements are added to the module
  for (const auto& function : module.functions())
    if (function->has_body()) functions.push_back(function.get());
  bool changed = false;
  for (Function* function : functions) {
    changed = remove_unreachable_blocks(*function) || changed;
    std::unordered_set<const BasicBlock*> seen;
    while (sink_once(module, *function, least_elements, seen)) changed = true;
  }
  return changed;
}

}  // namespace dlvm
