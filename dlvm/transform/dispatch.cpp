#include "dlvm/transform/dispatch.h"

#include <algorithm>

#include "dlvm/transform/leaf_values.h"

namespace dlvm {
namespace {

constexpr ElementType number = ElementType::i32;

/// Returns the values that the block passes to the target, out of its own arguments.
std::vector<Value*> passed_on(const BasicBlock& dispatch, const std::vector<BasicBlock*>& targets,
                              std::size_t target) {
  std::size_t first = 1;
  for (std::size_t t = 0; t < target; ++t) first += targets[t]->arguments().size();
  std::vector<Value*> passed;
  for (std::size_t a = 0; a < targets[target]->arguments().size(); ++a)
    passed.push_back(dispatch.arguments()[first + a].get());
  return passed;
}

/// Ends `block` in branches to the targets from `first` on.
void choose(BasicBlock& block, const BasicBlock& dispatch, const std::vector<BasicBlock*>& targets,
            std::size_t first) {
  Function& function = block.function();
  Builder b(block);
  if (first + 1 == targets.size()) {
    b.branch(*targets[first], passed_on(dispatch, targets, first));
    return;
  }
  Value* is_this =
      b.binary(Opcode::equal, dispatch.arguments()[0].get(), b.constant(number, static_cast<double>(first)));
  const bool is_last = first + 2 == targets.size();
  BasicBlock* rest = is_last ? targets.back() : function.add_block("dispatch", &block);
  b.conditional(is_this, *targets[first], passed_on(dispatch, targets, first), *rest,
                is_last ? passed_on(dispatch, targets, first + 1) : std::vector<Value*>());
  if (!is_last) choose(*rest, dispatch, targets, first + 1);
}

}  // namespace

BasicBlock* add_dispatch(Function& function, const std::vector<BasicBlock*>& targets,
                         const std::vector<BlockEdge>& edges) {
  BasicBlock* dispatch = function.add_block("dispatch", edges.front().from());
  dispatch->add_argument(Type::scalar(number), "target");
  for (const BasicBlock* target : targets)
    for (const auto& argument : target->arguments())
      dispatch->add_argument(argument->type(), argument->name());
  for (const BlockEdge& edge : edges) {
    std::vector<Value*> passed{function.literal(
        number, static_cast<double>(std::ranges::find(targets, edge.to()) - targets.begin()))};
    for (const BasicBlock* target : targets)
      for (const auto& argument : target->arguments())
        passed.push_back(target == edge.to() ? edge.passed()[argument->index()]
                                             : default_value(function, argument->type()));
    edge.terminator->set_successor(edge.successor, dispatch, passed);
  }
  choose(*dispatch, *dispatch, targets, 0);
  return dispatch;
}

}  // namespace dlvm
