#include "codegen/kernel/build/recompute_products.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/kernel/build/repeat_by_rows.h"
#include "dlvm/ir/copy_blocks.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/contraction_reuse.h"
#include "dlvm/transform/dead_code_elimination.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Trait;
using dlvm::Value;

/// Where the instructions of a function stand, and the last contraction that each depends on.
struct Order {
  struct Place {
    std::size_t position = 0;          ///< from 1 on
    std::size_t last_contraction = 0;  ///< of its operands and what they depend on; 0 if there is none
  };
  explicit Order(const dlvm::Function& function) {
    for (const auto& instruction : function.entry().instructions()) {
      Place place{places.size() + 1};
      for (const Value* operand : instruction->operands()) {
        const auto of = places.find(operand);
        if (of == places.end()) continue;
        const bool is_contraction = dlvm::as_instruction(operand)->opcode() == Opcode::dot;
        place.last_contraction = std::max(place.last_contraction,
                                          is_contraction ? of->second.position : of->second.last_contraction);
      }
      places[instruction.get()] = place;
    }
  }
  std::unordered_map<const Value*, Place> places;
};

/// Lets the late users of one product compute again what they use of it.
class Repetition {
 public:
  Repetition(Instruction& product, const Order& order)
      : product_(product), order_(order), computed_{&product} {}

  /// Returns whether there were such users.
  bool run() {
    const std::vector<Instruction*> late = find_late_users();
    for (Instruction* user : late)
      for (std::size_t i = 0; i < user->operands().size(); ++i)
        user->set_operand(i, repeated(user->operand(i), *user));
    return !late.empty();
  }

 private:
  /// Follows what depends on the product, in order, up to contractions of that, and finds what is computed of
  /// the product element by element. Returns the users of that, in order, which depend on the first of those
  /// contractions or a later one.
  std::vector<Instruction*> find_late_users() {
    std::map<std::size_t, Instruction*> open;  // by position
    const auto add_users = [&](const Instruction& of) {
      for (Instruction* user : of.users())
        if (const auto place = order_.places.find(user); place != order_.places.end())
          open[place->second.position] = user;
    };
    std::optional<std::size_t> first;  // contraction of what depends on the product
    std::vector<Instruction*> late;
    for (add_users(product_); !open.empty();) {
      const auto [position, user] = *open.begin();
      open.erase(open.begin());
      if (first && order_.places.at(user).last_contraction >= *first) {
        if (std::ranges::any_of(user->operands(),
                                [&](const Value* each) { return computed_.contains(each); }))
          late.push_back(user);
      } else if (user->opcode() == Opcode::dot) {
        first = first.value_or(position);
      } else {
        if (is_elementwise(*user, product_)) computed_.insert(user);
        add_users(*user);
      }
    }
    return late;
  }

  /// Returns the value as it is computed again in front of `user`, if it is computed of the product.
  Value* repeated(Value* value, const Instruction& user) {
    if (!computed_.contains(value)) return value;
    const auto known = repeated_.find(value);
    if (known != repeated_.end()) return known->second;
    const Instruction& instruction = *dlvm::as_instruction(value);
    std::vector<Value*> operands;
    for (Value* operand : instruction.operands()) operands.push_back(repeated(operand, user));
    auto copy = std::make_unique<Instruction>(instruction.opcode(), instruction.type(), std::move(operands),
                                              instruction.attributes());
    copy->set_locations(instruction.locations());
    return repeated_[value] = product_.block()->insert(std::move(copy), &user);
  }

  Instruction& product_;
  const Order& order_;
  std::unordered_set<const Value*> computed_;  ///< of the product, element by element
  std::unordered_map<const Value*, Value*> repeated_;
};

}  // namespace

bool has_few_terms(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::dot) return false;
  const dlvm::DotAxes axes = dlvm::Dot(instruction).axes();
  Extent terms = 1;
  for (const auto& [left, right] : axes.contract)
    terms = terms * instruction.operand(0)->type().shape()[static_cast<std::size_t>(left)];
  return !axes.batch.empty() && !axes.left_free.empty() && !axes.right_free.empty() &&
         terms.constant().value_or(max_chained_extent + 1) <= max_chained_extent;
}

bool is_elementwise(const Instruction& instruction, const Instruction& of) {
  return instruction.is(Trait::elementwise) && !instruction.is(Trait::may_fail) &&
         !instruction.is(Trait::effect) && instruction.type().shape() == of.type().shape();
}

std::unique_ptr<dlvm::Function> recompute_products(const dlvm::Function& function, ProductChains which) {
  const auto is_product = [](const auto& instruction) { return has_few_terms(*instruction); };
  if (std::ranges::none_of(function.entry().instructions(), is_product)) return nullptr;
  auto copy = std::make_unique<dlvm::Function>(function.name(), function.type());
  dlvm::copy_blocks(*copy, function, {});
  if (which == ProductChains::online && dlvm::contraction_reuse(*copy, true))
    dlvm::remove_dead_instructions(*copy);
  std::vector<Instruction*> products;
  for (const auto& instruction : copy->entry().instructions())
    if (is_product(instruction)) products.push_back(instruction.get());
  const Order order(*copy);
  bool repeats = false;
  for (Instruction* product : products) repeats = Repetition(*product, order).run() || repeats;
  if (which == ProductChains::online && repeats) repeat_by_rows(*copy);
  return repeats ? std::move(copy) : nullptr;
}

}  // namespace codegen::kernel
