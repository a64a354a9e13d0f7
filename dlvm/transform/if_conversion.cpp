#include "dlvm/transform/if_conversion.h"

#include <ranges>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/control_flow_edits.h"
#include "dlvm/transform/control_flow_simplification.h"

namespace dlvm {
namespace {

/// A block that a way of a conditional comes to, and the values that it gets.
struct Way {
  BasicBlock* to;
  std::vector<Value*> passed;
};

/// The way up to its first block, and up to the one behind where the first is forwarding.
std::vector<Way> ways(const BlockEdge& edge) {
  const auto passed = edge.passed();
  std::vector<Way> all{{edge.to(), {passed.begin(), passed.end()}}};
  if (is_forwarding(*edge.to()))
    all.push_back({Branch(*edge.to()->terminator()).target(), passed_behind(edge)});
  return all;
}

bool can_be_chosen(const Way& left, const Way& right) {
  if (left.to != right.to) return false;
  for (std::size_t i = 0; i < left.passed.size(); ++i)
    if (left.passed[i] != right.passed[i] && !left.passed[i]->type().is_scalar()) return false;
  return true;
}

void replace_by_branch(Instruction& end, const Way& left, const Way& right) {
  BasicBlock& block = *end.block();
  Builder builder(block, &end);
  builder.set_locations(end.locations());
  Value* condition = Conditional(end).condition();
  std::vector<Value*> passed;
  for (std::size_t i = 0; i < left.passed.size(); ++i)
    passed.push_back(left.passed[i] == right.passed[i]
                         ? left.passed[i]
                         : builder.select(left.passed[i], right.passed[i], condition));
  builder.branch(*left.to, std::move(passed));
  block.erase(&end);
  // Without it the block may only go on to another, which a conditional before it can see through.
  Instruction* test = as_instruction(condition);
  if (test != nullptr && test->users().empty() && test->is(Trait::elementwise) && !test->is(Trait::may_fail))
    test->block()->erase(test);
}

bool convert(BasicBlock& block) {
  Instruction* end = block.terminator();
  if (!as<Conditional>(end)) return false;
  for (const Way& left : ways({end, 0}))
    for (const Way& right : ways({end, 1})) {
      if (!can_be_chosen(left, right)) continue;
      replace_by_branch(*end, left, right);
      return true;
    }
  return false;
}

}  // namespace

bool if_conversion(Function& function) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    // Last first, so that a chain of conditionals is converted at once.
    for (const auto& block : std::views::reverse(function.blocks())) again = convert(*block) || again;
    if (again) control_flow_simplification(function);
    changed = changed || again;
  }
  return changed;
}

}  // namespace dlvm
