#include "dlvm/checkpointing.h"

#include <unordered_set>
#include <vector>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/ir/builder.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/control_flow_canonicalization.h"
#include "dlvm/transform/inlined_call.h"
#include "dlvm/transform/loop_segmentation.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

std::optional<std::int64_t> stack_bytes(const Instruction& stack) {
  const auto* capacity = std::get_if<Shape>(&stack.attributes()[0]);
  const auto record = stack_record(stack);
  if (capacity == nullptr || !record) return std::nullopt;
  Extent bytes;
  for (const Type& leaf : leaves(*record))
    bytes = bytes + unit_count(leaf.shape()) * Extent(info(leaf.element()).bytes);
  return (bytes * capacity->front()).constant();
}

/// The numbers of segments of each level, the outermost first.
using Levels = std::vector<std::int64_t>;

/// Cuts all outermost loops of the function that can be cut.
void segment_loops(Module& module, Function& function, const Levels& levels, std::size_t level = 0) {
  if (level == levels.size()) return;
  std::unordered_set<const BasicBlock*> done;
  for (bool again = true; again;) {
    again = false;
    control_flow_canonicalization(function);
    const ControlFlow flow(function);
    const DominatorTree dominators(flow);
    const LoopNest nest(flow, dominators);
    for (const auto& loop : nest.loops()) {
      if (loop->depth > 1 || !done.insert(loop->header).second || !can_be_segmented(*loop, dominators))
        continue;
      segment_loops(module, *segment_loop(module, *loop, dominators, levels[level]), levels, level + 1);
      again = true;
      break;
    }
  }
}

/// A copy of the function: a call of it, inlined.
Function* add_copy(Module& module, const Function& of) {
  Function* copy = module.add_function(module.fresh_name(of.name() + ".segmented"), of.type());
  copy->location = of.location;
  copy->attributes = of.attributes;
  copy_requirements(*copy, of, {});
  std::vector<std::string> names;
  for (const auto& argument : of.entry().arguments()) names.push_back(argument->name());
  Builder builder(*copy->add_entry(names));
  std::vector<Value*> arguments;
  for (const auto& argument : copy->entry().arguments()) arguments.push_back(argument.get());
  Instruction* call = as_instruction(builder.apply(&of, std::move(arguments)));
  builder.return_(call);
  const auto inlined = inline_call(*call);
  if (!inlined) return copy;
  replace_all_uses(*call, *inlined->result);
  call->block()->erase(call);
  return copy;
}

/// Lets the declaration differentiate a copy of its function whose loops are cut.
void segment(Module& module, Function& declared, const Levels& levels) {
  Function* copy = add_copy(module, *declared.gradient->of);
  segment_loops(module, *copy, levels);
  declared.gradient->of = copy;
}

class Plan {
 public:
  Plan(const Module& module, const Function& declared) : text_(print(module)), name_(declared.name()) {}

  std::optional<std::int64_t> bytes(const Levels& levels) const {
    Sources sources;
    Diagnostics ignored;
    const auto trial = parse(*sources.add("", text_), sources, ignored);
    if (trial == nullptr) return std::nullopt;
    Function* declared = trial->function(name_);
    for (const auto& function : trial->functions())
      if (function.get() != declared) function->gradient.reset();
    if (!levels.empty()) segment(*trial, *declared, levels);
    for_each_body(*trial, control_flow_canonicalization);
    if (!differentiate(*trial, ignored)) return 0;  // the pass AD says why
    return dlvm::stack_bytes(*trial->function(name_));
  }

  /// The fewest levels and then the fewest segments that fit; else those that keep the least.
  Levels find(std::int64_t budget, std::int64_t kept) const {
    constexpr std::size_t most_levels = 4;
    Levels best;
    for (std::size_t count = 1; count <= most_levels; ++count) {
      int worse = 0;
      std::int64_t last = kept;
      for (std::int64_t segments = 2; segments <= 4096 && worse < 3; segments += 1 + segments / 5) {
        const Levels levels(count, segments);
        const auto now = bytes(levels);
        if (!now) return best;
        if (*now < kept) {
          kept = *now;
          best = levels;
        }
        if (*now <= budget) return levels;
        worse = *now >= last ? worse + 1 : 0;
        last = *now;
      }
    }
    return best;
  }

 private:
  std::string text_, name_;
};

}  // namespace

std::optional<std::int64_t> stack_bytes(const Function& function) {
  std::unordered_set<const Function*> seen{&function};
  std::vector<const Function*> open{&function};
  std::int64_t sum = 0;
  while (!open.empty()) {
    const Function* next = open.back();
    open.pop_back();
    for (const auto& block : next->blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() != Opcode::createStack) continue;
        const auto bytes = stack_bytes(*instruction);
        if (!bytes) return std::nullopt;
        sum += *bytes;
      }
    for (const Function* callee : references(*next))
      if (seen.insert(callee).second) open.push_back(callee);
  }
  return sum;
}

bool checkpointing(Module& module, Diagnostics& diagnostics, std::int64_t budget) {
  std::vector<Function*> declared;
  for (const auto& function : module.functions()) {
    const auto& gradient = function->gradient;
    if (gradient && gradient->mode == GradientDeclaration::Mode::reverse && gradient->of->blocks().size() > 1)
      declared.push_back(function.get());
  }
  bool changed = false;
  for (Function* function : declared) {
    const Plan plan(module, *function);
    const auto kept = plan.bytes({});
    if (!kept) {
      diagnostics.report(differentiation::memory_not_known, function->gradient->location, function->name());
      continue;
    }
    if (*kept <= budget) continue;
    const Levels levels = plan.find(budget, *kept);
    const std::int64_t left = levels.empty() ? *kept : *plan.bytes(levels);
    if (left > budget)
      diagnostics.report(differentiation::over_budget, function->gradient->location, function->name(), left,
                         budget);
    if (levels.empty()) continue;
    segment(module, *function, levels);
    changed = true;
  }
  return changed;
}

}  // namespace dlvm
