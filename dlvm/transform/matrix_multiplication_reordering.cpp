#include "dlvm/transform/matrix_multiplication_reordering.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// Whether the last axis of the left operand is contracted with the first one of the right.
bool is_matrix_product(const Dot& dot) {
  const DotAxes axes = dot.axes();
  const auto last = static_cast<std::int64_t>(dot.left()->type().rank()) - 1;
  return axes.batch.empty() && axes.contract == AxisPairs{{last, 0}};
}

/// The search takes the cube of a chain's length.
constexpr std::size_t max_products = 63;

Extent product(const Shape& shape, std::size_t first, std::size_t end) {
  Extent all = 1;
  for (std::size_t i = first; i < end; ++i) all = all * shape[i];
  return all;
}

bool is_at_most(const Extent& a, const Extent& b) {
  return a.valid() && b.valid() && provably_at_most(a, b) == Proof::yes;
}

/// Operands `first` to `last` of a chain.
using Interval = std::pair<std::size_t, std::size_t>;

/// The operands of a chain, and after which one the text splits each product.
class Chain {
 public:
  explicit Chain(Instruction& root) : root_(root) { take_product(root, false, false); }

  const std::vector<Value*>& operands() const { return operands_; }
  /// Returns the products that the chain is made of; users stand before what they use.
  const std::vector<Instruction*>& products() const { return products_; }
  std::optional<std::size_t> split(const Interval& interval) const {
    const auto found = splits_.find(interval);
    return found == splits_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  /// Takes a value apart where it is a product that nothing else uses, as long as the chain is not too long.
  /// Returns false, and takes nothing, where an operand between two others has not two axes.
  bool take(Value* value, bool has_left, bool has_right) {
    Instruction* inner = match(value, Opcode::dot);
    if (products_.size() < max_products && inner != nullptr && is_matrix_product(Dot(*inner)) &&
        inner->users().size() == 1 && inner->block() == root_.block()) {
      const std::size_t operands = operands_.size(), products = products_.size();
      if (take_product(*inner, has_left, has_right)) return true;
      operands_.resize(operands);
      products_.resize(products);
    }
    if (has_left && has_right && value->type().rank() < 2) return false;
    operands_.push_back(value);
    return true;
  }

  bool take_product(Instruction& product, bool has_left, bool has_right) {
    const Dot dot(product);
    const std::size_t first = operands_.size();
    products_.push_back(&product);
    if (!take(dot.left(), has_left, true)) return false;
    const std::size_t last_of_left = operands_.size() - 1;
    if (!take(dot.right(), true, has_right)) return false;
    splits_[{first, operands_.size() - 1}] = last_of_left;
    return true;
  }

  Instruction& root_;
  std::vector<Value*> operands_;
  std::vector<Instruction*> products_;
  std::map<Interval, std::size_t> splits_;
};

/// The best order of a chain, by dynamic programming over its intervals.
class Order {
 public:
  explicit Order(const Chain& chain) : chain_(chain) {
    const std::size_t count = chain.operands().size();
    for (std::size_t i = 0; i < count; ++i) best_[{i, i}] = {0, i};
    for (std::size_t length = 2; length <= count; ++length)
      for (std::size_t first = 0; first + length <= count; ++first) choose({first, first + length - 1});
  }

  /// Returns whether the order takes provably less than that of the text.
  bool is_better() const {
    const Interval whole{0, chain_.operands().size() - 1};
    const auto found = best_.find(whole);
    if (found == best_.end()) return false;
    const Extent written = cost_as_written(whole);
    return found->second.cost != written && is_at_most(found->second.cost, written);
  }

  /// Builds the products of an interval, the left ones first.
  Value* build(Builder& b, const Interval& interval) const {
    if (interval.first == interval.second) return chain_.operands()[interval.first];
    const std::size_t split = best_.at(interval).split;
    Value* left = build(b, {interval.first, split});
    Value* right = build(b, {split + 1, interval.second});
    return b.create(Opcode::dot, {left, right}, {Attribute(), Attribute()});
  }

 private:
  struct Choice {
    Extent cost;
    std::size_t split;
  };

  const Shape& shape(std::size_t operand) const { return chain_.operands()[operand]->type().shape(); }

  /// Returns the multiplications of the last product of the interval.
  Extent product_cost(const Interval& interval, std::size_t split) const {
    const auto [first, last] = interval;
    Extent cost =
        product(shape(first), 0, shape(first).size() - 1) * product(shape(last), 1, shape(last).size());
    for (std::size_t i = first + 1; i < last; ++i) cost = cost * product(shape(i), 1, shape(i).size() - 1);
    return cost * shape(split).back();
  }

  Extent cost_as_written(const Interval& interval) const {
    const auto split = chain_.split(interval);
    if (!split) return 0;
    return cost_as_written({interval.first, *split}) + cost_as_written({*split + 1, interval.second}) +
           product_cost(interval, *split);
  }

  std::optional<Choice> choice(const Interval& interval, std::size_t split) const {
    const auto left = best_.find({interval.first, split}), right = best_.find({split + 1, interval.second});
    if (left == best_.end() || right == best_.end()) return std::nullopt;
    return Choice{left->second.cost + right->second.cost + product_cost(interval, split), split};
  }

  /// Takes the split that is provably no worse than all others; as the text has it where there is none. An
  /// interval that has neither is not in `best_`.
  void choose(const Interval& interval) {
    const auto written = chain_.split(interval);
    std::vector<Choice> choices;
    if (written)
      if (const auto as_written = choice(interval, *written)) choices.push_back(*as_written);
    for (std::size_t split = interval.first; split < interval.second; ++split)
      if (const auto other = choice(interval, split)) choices.push_back(*other);
    if (choices.empty()) return;
    // Only the one that is left can be at most all others.
    const Choice* least = &choices.front();
    for (const Choice& each : choices)
      if (!is_at_most(least->cost, each.cost)) least = &each;
    const auto is_no_less = [&](const Choice& other) { return is_at_most(least->cost, other.cost); };
    if (std::ranges::all_of(choices, is_no_less))
      best_.insert({interval, *least});
    else if (written)
      best_.insert({interval, choices.front()});
  }

  const Chain& chain_;
  std::map<Interval, Choice> best_;
};

bool reorder(const Chain& chain) {
  if (chain.operands().size() < 3) return false;
  const Order order(chain);
  if (!order.is_better()) return false;
  Instruction* root = chain.products().front();
  for (Instruction* product : chain.products()) merge_locations(*root, *product);
  Builder builder(*root->block(), root);
  builder.set_locations(root->locations());
  Value* result = order.build(builder, {0, chain.operands().size() - 1});
  result->set_name(root->name());
  replace_all_uses(*root, *result);
  for (Instruction* product : chain.products()) product->block()->erase(product);
  return true;
}

}  // namespace

bool matrix_multiplication_reordering(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks()) {
    std::vector<Instruction*> products;
    for (const auto& instruction : block->instructions())
      if (const auto dot = as<Dot>(*instruction); dot && is_matrix_product(dot))
        products.push_back(instruction.get());
    std::unordered_set<const Instruction*> seen;
    for (auto at = products.rbegin(); at != products.rend(); ++at) {
      if (seen.contains(*at)) continue;
      const Chain chain(**at);
      seen.insert(chain.products().begin(), chain.products().end());
      changed = reorder(chain) || changed;
    }
  }
  return changed;
}

}  // namespace dlvm
