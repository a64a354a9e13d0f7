#include "dlvm/differentiate/kept_bytes.h"

#include <unordered_set>
#include <vector>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/analysis/work.h"

namespace dlvm {
namespace {

std::optional<Extent> kept_bytes(const Instruction& stack, const Extent& steps) {
  const auto* capacity = std::get_if<Shape>(&stack.attributes()[0]);
  const auto record = stack_record(stack);
  if (!record) return std::nullopt;
  Extent bytes;
  for (const Type& leaf : leaves(*record))
    bytes = bytes + unit_count(leaf.shape()) * Extent(info(leaf.element()).bytes);
  return bytes * (capacity != nullptr ? capacity->front() : steps);
}

}  // namespace

std::optional<std::int64_t> kept_bytes(const Function& function, const Extent& steps,
                                       const Extent::Bindings& dimensions, bool typical) {
  std::unordered_set<const Function*> seen{&function};
  std::vector<const Function*> open{&function};
  std::int64_t sum = 0;
  while (!open.empty()) {
    const Function* next = open.back();
    open.pop_back();
    for (const auto& block : next->blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() != Opcode::createStack) continue;
        const auto all = kept_bytes(*instruction, steps);
        if (!all) return std::nullopt;
        const auto bytes = typical ? typical_count(*all, dimensions) : all->evaluate(dimensions);
        if (!bytes) return std::nullopt;
        sum += *bytes;
      }
    for (const Function* callee : references(*next))
      if (seen.insert(callee).second) open.push_back(callee);
  }
  return sum;
}

}  // namespace dlvm
