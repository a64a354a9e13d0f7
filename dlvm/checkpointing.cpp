#include "dlvm/checkpointing.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/control_flow.h"
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
  Plan(const Module& module, const Function& declared, bool typical)
      : text_(print(module)), name_(declared.name()), typical_(typical) {}

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
    return kept_bytes(*trial->function(name_), typical_);
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
  bool typical_;
};

/// Marks the function and those that call it, and notes where the first such declaration stands.
void mark(Module& module, Function& declared, std::vector<CheckpointingChoice>* choices) {
  const Location place = declared.gradient->place();
  for (const auto& function : module.functions()) {
    const auto callees = references(*function);
    const bool calls = !function->gradient && std::ranges::find(callees, &declared) != callees.end();
    if (function.get() != &declared && !calls) continue;
    if (std::ranges::find(function->attributes, rematerialize_attribute) != function->attributes.end())
      continue;
    function->attributes.emplace_back(rematerialize_attribute);
    if (choices != nullptr)
      choices->push_back({.function = function->name(), .place = place, .is_straight_line = true});
  }
}

/// Says which loop of the function is not cut, if there is one.
void note_whole_loop(const Function& function, Diagnostic& diagnostic) {
  Module scratch("scratch");
  if (const auto loop = find_whole_loop(*add_copy(scratch, function)))
    diagnostic.note(loop->place, fmt::format("a loop of @{} is not cut into segments, because {}",
                                             function.name(), loop->why));
}

/// Cuts the loops of what the declaration differentiates; returns whether that was necessary and possible.
bool cut_loops(Module& module, Function& declared, Diagnostics& diagnostics, const MemoryBudget& budget,
               std::vector<CheckpointingChoice>* choices) {
  const Location place = declared.gradient->place();
  const Plan plan(module, declared, budget.is_percent);
  const auto all = plan.bytes({});
  if (!all) {
    const bool is_bounded = !budget.is_percent && Plan(module, declared, true).bytes({});
    const std::string dimension = is_bounded ? dimension_of(declared.type()) : "";
    auto& report = diagnostics.report(differentiation::memory_not_known, place, declared.name(),
                                      dimension.empty() ? "a loop has no bound" : depends_on(dimension));
    if (dimension.empty()) note_whole_loop(*declared.gradient->of, report);
    return false;
  }
  const std::int64_t limit = budget.bytes(*all);
  const bool has_loop = ControlFlow(*declared.gradient->of).has_cycle();
  const Levels levels = *all <= limit || !has_loop ? Levels() : plan.find(limit, *all);
  const std::int64_t kept = levels.empty() ? *all : *plan.bytes(levels);
  if (choices != nullptr)
    choices->push_back({.function = declared.name(),
                        .place = place,
                        .all = *all,
                        .kept = kept,
                        .budget = limit,
                        .segments = levels,
                        .is_typical = !dimension_of(declared.type()).empty()});
  if (kept > limit) {
    auto& report = diagnostics.report(differentiation::over_budget, place, declared.name(), kept, limit);
    if (has_loop)
      note_whole_loop(*declared.gradient->of, report);
    else
      report.note(
          fmt::format("what the branches of @{} need is not computed again", declared.gradient->of->name()));
  }
  if (levels.empty()) return false;
  segment(module, declared, levels);
  return true;
}

}  // namespace

bool checkpointing(Module& module, Diagnostics& diagnostics, const MemoryBudget& budget,
                   std::vector<CheckpointingChoice>* choices) {
  std::vector<Function*> declared;
  for (const auto& function : module.functions())
    if (function->gradient && function->gradient->mode == GradientDeclaration::Mode::reverse)
      declared.push_back(function.get());
  bool changed = false;
  for (Function* function : declared) {
    // The loops of a function with a derivative of its own have no part in that.
    const Function& of = *function->gradient->of;
    if (of.blocks().size() > 1 && of.adjoint == nullptr) {
      changed = cut_loops(module, *function, diagnostics, budget, choices) || changed;
    } else {
      mark(module, *function, choices);
      changed = true;
    }
  }
  return changed;
}

}  // namespace dlvm
