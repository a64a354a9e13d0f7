#include "dlvm/differentiate/kept_bytes.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/liveness.h"
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

/// The most bytes that calls of functions hold at one time.
class Peaks {
 public:
  Peaks(const Extent& steps, const Extent::Bindings& dimensions, bool typical)
      : steps_(steps), dimensions_(dimensions), typical_(typical) {}

  /// Finds the peak of the function, behind those of the functions that it calls. It may call itself: what
  /// the calls inside hold is not counted then.
  void find(const Function& function) {
    if (!function.has_body()) return;
    const ControlFlow flow(function);
    const Liveness liveness(flow);
    std::optional<std::int64_t> most = 0;
    for (const auto& block : function.blocks()) {
      if (!flow.is_reachable(block.get())) continue;
      const auto peak = of(*block, liveness.live_out(block.get()));
      most = most && peak ? std::optional(std::max(*most, *peak)) : std::nullopt;
    }
    known_[&function] = most;
  }
  std::optional<std::int64_t> of(const Function& function) const {
    const auto found = known_.find(&function);
    return found == known_.end() ? 0 : found->second;
  }

 private:
  std::optional<std::int64_t> of(const BasicBlock& block, const Liveness::Values& live_behind) const {
    std::unordered_set<const Value*> live;
    std::int64_t now = 0, most = 0;
    bool are_known = true;
    const auto count = [&](const Value* stack) {
      const auto all = bytes(*stack);
      are_known = are_known && all.has_value();
      return all.value_or(0);
    };
    const auto begin = [&](const Value* value) {
      if (value->type().is_stack() && live.insert(value).second) now += count(value);
    };
    for (const Value* value : live_behind) begin(value);
    for (const auto& instruction : std::views::reverse(block.instructions())) {
      for (const Value* operand : instruction->operands()) begin(operand);
      std::int64_t of_callees = 0;
      for (const Function* callee : references(*instruction)) {
        const auto peak = of(*callee);
        are_known = are_known && peak.has_value();
        of_callees = std::max(of_callees, peak.value_or(0));
      }
      most = std::max(most, now + of_callees);
      if (live.erase(instruction.get()) > 0) now -= count(instruction.get());
    }
    return are_known ? std::optional(most) : std::nullopt;
  }

  /// The bytes of the stack when it is full; 0 if another function created it.
  std::optional<std::int64_t> bytes(const Value& stack) const {
    const Instruction* created = as_instruction(&stack);
    if (created == nullptr || created->opcode() != Opcode::createStack) return 0;
    const auto all = kept_bytes(*created, steps_);
    if (!all) return std::nullopt;
    return typical_ ? typical_count(*all, dimensions_) : all->evaluate(dimensions_);
  }

  const Extent& steps_;
  const Extent::Bindings& dimensions_;
  const bool typical_;
  std::unordered_map<const Function*, std::optional<std::int64_t>> known_;
};

}  // namespace

std::optional<std::int64_t> kept_bytes(const Module& module, const Function& function, const Extent& steps,
                                       const Extent::Bindings& dimensions, bool typical) {
  Peaks peaks(steps, dimensions, typical);
  for (const Component& component : call_components(module))
    for (const Function* each : component.functions) peaks.find(*each);
  return peaks.of(function);
}

}  // namespace dlvm
