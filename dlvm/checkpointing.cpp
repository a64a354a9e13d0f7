#include "dlvm/checkpointing.h"

#include <vector>

#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/differentiate/kept_bytes.h"
#include "dlvm/ir/builder.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/control_flow_canonicalization.h"
#include "dlvm/transform/inlined_call.h"
#include "dlvm/transform/loop_segmentation.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// The numbers of segments of each level, the outermost first.
using Levels = std::vector<std::int64_t>;

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
    for_each_body(*trial, canonicalize_for_adjoints);
    if (!differentiate(*trial, ignored)) return 0;  // the pass AD says why
    return kept_bytes(*trial->function(name_));
  }

  /// The fewest levels and then the fewest segments that fit; else those that keep the least.
  Levels find(std::int64_t budget, std::int64_t kept) const {
    constexpr std::size_t most_levels = 4;
    Levels best;
    for (std::size_t count = 1; count <= most_levels; ++count) {
      int worse = 0;
      std::int64_t last = kept;
      for (std::int64_t segments = 2; segments <= 4096 && worse < 3; segments += 1 + segments / 5) {
        Levels levels(count, segments);
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

bool checkpointing(Module& module, Diagnostics& diagnostics, std::int64_t budget,
                   std::vector<CheckpointingChoice>* choices) {
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
    const Levels levels = *kept <= budget ? Levels() : plan.find(budget, *kept);
    const std::int64_t left = levels.empty() ? *kept : *plan.bytes(levels);
    if (choices != nullptr) choices->push_back({function->name(), *kept, left, budget, levels});
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
