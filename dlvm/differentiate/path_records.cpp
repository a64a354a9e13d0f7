#include "dlvm/differentiate/path_records.h"

#include <set>
#include <unordered_set>

#include "dlvm/analysis/induction.h"
#include "dlvm/ir/builder.h"

namespace dlvm {

std::vector<BasicBlock*> reaching_blocks(const ControlFlow& flow, BasicBlock& exit) {
  std::unordered_set<const BasicBlock*> found{&exit};
  std::vector<const BasicBlock*> open{&exit};
  while (!open.empty()) {
    const BasicBlock* block = open.back();
    open.pop_back();
    for (const BlockEdge& edge : flow.predecessors(block))
      if (flow.is_reachable(edge.from()) && found.insert(edge.from()).second) open.push_back(edge.from());
  }
  std::vector<BasicBlock*> blocks;
  for (BasicBlock* block : flow.order())
    if (found.contains(block)) blocks.push_back(block);
  return blocks;
}

Argument* round_count(const Loop& loop, const ControlFlow& flow) {
  for (const auto& argument : loop.header->arguments()) {
    // Narrower integers may wrap.
    if (!argument->type().is_scalar(ElementType::i32) && !argument->type().is_scalar(ElementType::i64))
      continue;
    const auto found = induction(*argument, loop, flow);
    const Literal* start = found && found->step == 1 ? as_literal(found->start) : nullptr;
    if (start != nullptr && start->data().integer(0) == 0) return argument.get();
  }
  Argument* count = loop.header->add_argument(Type::scalar(ElementType::i64), "round");
  for (const BlockEdge& edge : loop.entries)
    edge.terminator->add_passed(edge.successor, loop.header->function().literal(ElementType::i64, 0));
  for (const BlockEdge& edge : loop.latches) {
    Builder builder(*edge.from(), edge.terminator);
    edge.terminator->add_passed(edge.successor, builder.add(count, builder.constant(ElementType::i64, 1)));
  }
  return count;
}

Argument* predecessor_tag(const ControlFlow& flow, BasicBlock& block) {
  const auto& edges = flow.predecessors(&block);
  for (const auto& argument : block.arguments()) {
    if (!argument->type().is_scalar() || !is_integer(argument->type().element())) continue;
    std::set<std::int64_t> numbers;
    for (const BlockEdge& edge : edges)
      if (const Literal* literal = as_literal(edge.passed()[argument->index()]))
        numbers.insert(literal->data().integer(0));
    if (numbers.size() == edges.size()) return argument.get();
  }
  Argument* tag = block.add_argument(Type::scalar(ElementType::i32), "from");
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges[i].terminator->add_passed(edges[i].successor,
                                    block.function().literal(ElementType::i32, static_cast<double>(i)));
  return tag;
}

}  // namespace dlvm
