#include "dlvm/checkpointing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/checkpoint_schedule.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/differentiate/kept_bytes.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/control_flow_canonicalization.h"
#include "dlvm/transform/inlined_call.h"
#include "dlvm/transform/loop_segmentation.h"
#include "dlvm/transform/rewrite.h"
#include "dlvm/transform/tensor_canonicalization.h"

namespace dlvm {
namespace {

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

/// The bound of the rounds of loops that no extent bounds.
Extent steps() { return Extent::dimension(std::string(steps_of_function)); }
/// Its name if the derivative is called as it is declared.
std::string steps_of(const Function& declared) { return name_after(declared, "steps"); }

/// Lets the declaration differentiate a copy of its function whose loops are cut.
void segment(Module& module, Function& declared, const Segments& segments) {
  Function* copy = add_copy(module, *declared.gradient->of);
  segment_loops(module, *copy, segments, steps());
  declared.gradient->of = copy;
}

/// Takes away the instructions that end the lives of stacks, so that these end with their last uses. The
/// memory of stacks is free then, since SE makes tensors of them.
void remove_ends_of_stacks(Module& module) {
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks()) {
      std::vector<Instruction*> ends;
      for (const auto& instruction : block->instructions())
        if (instruction->opcode() == Opcode::destroyStack) ends.push_back(instruction.get());
      for (Instruction* end : ends) block->erase(end);
    }
}

class Plan {
 public:
  Plan(const Module& module, const Function& declared, const Extent::Bindings& dimensions, bool typical)
      : text_(print(module)), name_(declared.name()), dimensions_(dimensions), typical_(typical) {
    if (const auto known = dimensions.find(steps_of(declared)); known != dimensions.end())
      dimensions_.emplace(steps_of_function, known->second);
  }

  std::optional<std::int64_t> bytes(const Segments& segments) const { return bytes(segments, typical_); }
  /// Whether the bytes follow from dimensions that have values.
  bool is_exact() const { return bytes({}, false).has_value(); }
  std::optional<std::int64_t> bytes(const Segments& segments, bool typical) const {
    Sources sources;
    Diagnostics ignored;
    const auto trial = parse(*sources.add("", text_), sources, ignored);
    if (trial == nullptr) return std::nullopt;
    Function* declared = trial->function(name_);
    for (const auto& function : trial->functions())
      if (function.get() != declared) function->gradient.reset();
    if (!segments.levels.empty()) segment(*trial, *declared, segments);
    for_each_body(*trial, canonicalize_tensors);
    for_each_body(*trial, canonicalize_for_adjoints);
    if (!differentiate(*trial, ignored)) return 0;  // the pass AD says why
    remove_ends_of_stacks(*trial);
    return kept_bytes(*trial, *trial->function(name_), steps(), dimensions_, typical);
  }

  /// The fewest levels that fit, with the segments and checkpoints that compute the fewest steps again, and
  /// the most rounds beside them; else what keeps the least. Levels further out keep all their states first,
  /// and then fewer.
  Segments find(std::int64_t budget, std::int64_t kept) const {
    constexpr std::size_t most_levels = 3;
    Segments best;
    std::vector<Segments> outer{{}};
    for (std::size_t level = 0; level < most_levels; ++level) {
      std::optional<Segments> whole;
      bool is_less = false;
      for (const Segments& around : outer) {
        const Search found = search(around, budget);
        if (found.fits) return with_uncut_rounds(*found.fits, budget);
        if (!whole) whole = found.least_whole.segments;
        if (found.least.kept >= kept) continue;
        is_less = true;
        kept = found.least.kept;
        best = found.least.segments;
      }
      if (!is_less || whole->levels.empty()) break;
      outer.clear();
      for (const double repetitions : {1.0, 2.0, most_repetitions}) {
        Segments::Level& last = outer.emplace_back(*whole).levels.back();
        last.checkpoints = fewest_checkpoints(last.count, repetitions);
      }
    }
    return best;
  }

 private:
  struct Choice {
    Segments segments;
    std::int64_t kept = INT64_MAX;
  };
  /// What was found for one more level.
  struct Search {
    std::optional<Segments> fits;  ///< what computes the fewest steps again
    Choice least;                  ///< what keeps the least
    Choice least_whole;            ///< the same where all states between segments are kept
  };

  /// Tries numbers of segments, and for each the most checkpoints that fit.
  Search search(const Segments& outer, std::int64_t budget) const {
    Search found;
    double best = INFINITY;
    int worse = 0;
    for (std::int64_t count = 2; count <= 4096 && worse < 3; count += 1 + count / 4) {
      const auto with = [&](std::int64_t checkpoints) {
        Segments segments = outer;
        segments.levels.push_back({count, checkpoints});
        const auto kept = bytes(segments);
        return Choice{std::move(segments), kept.value_or(INT64_MAX)};
      };
      const std::int64_t fewest = fewest_checkpoints(count);
      const Choice whole = with(count), least = fewest < count ? with(fewest) : whole;
      const bool is_less = least.kept < found.least.kept;
      if (is_less) found.least = least;
      if (whole.kept < found.least_whole.kept) found.least_whole = whole;
      Choice choice = whole;
      if (whole.kept > budget && least.kept <= budget) {
        // What is kept grows with the checkpoints, at last in proportion to them.
        const double room =
            static_cast<double>(budget - least.kept) / static_cast<double>(whole.kept - least.kept);
        choice = with(fewest + static_cast<std::int64_t>(room * static_cast<double>(count - fewest)));
        if (choice.kept > budget) choice = least;
      }
      const double again = mean_repetitions(count, choice.segments.levels.back().checkpoints);
      const bool is_better = choice.kept <= budget && again < best;
      if (is_better) {
        best = again;
        found.fits = choice.segments;
      }
      if (choice.kept <= budget && again <= 1) break;
      worse = is_better || (!found.fits && is_less) ? 0 : worse + 1;
    }
    return found;
  }

  static constexpr double most_repetitions = 8;

  /// The checkpoints with which a step is computed again so many times on average, or less.
  static std::int64_t fewest_checkpoints(std::int64_t segments, double repetitions = most_repetitions) {
    std::int64_t checkpoints = 2;
    while (checkpoints < segments && mean_repetitions(segments, checkpoints) > repetitions) ++checkpoints;
    return checkpoints;
  }

  /// Leaves as many rounds uncut as fit: these are not computed again. The more there are, the shorter the
  /// segments become.
  Segments with_uncut_rounds(Segments segments, std::int64_t budget) const {
    for (std::int64_t step = Segments::all_rounds / 2; step > 0; step /= 2) {
      Segments more = segments;
      more.uncut += step;
      const auto now = bytes(more);
      if (now && *now <= budget) segments = std::move(more);
    }
    return segments;
  }

  std::string text_, name_;
  Extent::Bindings dimensions_;
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

/// Returns a function that calls itself and that the derivative of `of` differentiates; null if there is
/// none.
const Function* recursive_callee(const Module& module, const Function& of) {
  std::unordered_set<const Function*> recursive, seen{&of};
  for (const Component& component : differentiated_components(module))
    if (component.recursive) recursive.insert(component.functions.begin(), component.functions.end());
  for (std::vector<const Function*> open{&of}; !open.empty();) {
    const Function* next = open.back();
    open.pop_back();
    if (recursive.contains(next)) return next;
    if (next->adjoint != nullptr) continue;
    for (const Function* callee : references(*next))
      if (seen.insert(callee).second) open.push_back(callee);
  }
  return nullptr;
}

/// Says which loop of the function is not cut, if there is one.
void note_whole_loop(const Function& function, Diagnostic& diagnostic) {
  Module scratch("scratch");
  if (const auto loop = find_whole_loop(*add_copy(scratch, function)))
    diagnostic.note(loop->place, fmt::format("a loop of @{} is not cut into segments, because {}",
                                             function.name(), loop->why));
}

/// Says why it is not known what the derivative keeps.
void report_unknown(const Module& module, const Function& declared, const Extent::Bindings& dimensions,
                    Diagnostics& diagnostics) {
  const bool is_bounded = Plan(module, declared, dimensions, true).bytes({}).has_value();
  std::string dimension = dimension_of(declared.type());
  if (dimension.empty()) dimension = steps_of(declared);
  auto& report =
      diagnostics.report(differentiation::memory_not_known, declared.gradient->place(), declared.name(),
                         is_bounded ? depends_on(dimension) : "a stack holds values of several types");
  if (!is_bounded) note_whole_loop(*declared.gradient->of, report);
}

/// Cuts the loops of what the declaration differentiates; returns whether that was necessary and possible.
bool cut_loops(Module& module, Function& declared, Diagnostics& diagnostics, const MemoryBudget& budget,
               const Extent::Bindings& dimensions, std::vector<CheckpointingChoice>* choices) {
  const Location place = declared.gradient->place();
  const Plan plan(module, declared, dimensions, budget.is_percent);
  const auto all = plan.bytes({});
  if (!all) {
    report_unknown(module, declared, dimensions, diagnostics);
    return false;
  }
  const std::int64_t limit = budget.bytes(*all);
  const Segments segments = *all <= limit ? Segments() : plan.find(limit, *all);
  const bool is_cut = !segments.levels.empty();
  const std::int64_t kept = is_cut ? *plan.bytes(segments) : *all;
  if (choices != nullptr)
    choices->push_back({.function = declared.name(),
                        .place = place,
                        .all = *all,
                        .kept = kept,
                        .budget = limit,
                        .segments = segments,
                        .is_typical = !plan.is_exact()});
  if (kept > limit) {
    auto& report = diagnostics.report(differentiation::over_budget, place, declared.name(), kept, limit);
    note_whole_loop(*declared.gradient->of, report);
  }
  if (!is_cut) return false;
  segment(module, declared, segments);
  return true;
}

}  // namespace

bool checkpointing(Module& module, Diagnostics& diagnostics, const MemoryBudget& budget,
                   const Extent::Bindings& dimensions, std::vector<CheckpointingChoice>* choices) {
  std::vector<Function*> declared;
  for (const auto& function : module.functions())
    if (function->gradient && function->gradient->mode == GradientDeclaration::Mode::reverse)
      declared.push_back(function.get());
  bool changed = false;
  for (Function* function : declared) {
    const Function& of = *function->gradient->of;
    // The loops of a function with a derivative of its own have no part in that.
    if (of.has_body() && of.adjoint == nullptr && ControlFlow(of).has_cycle()) {
      changed = cut_loops(module, *function, diagnostics, budget, dimensions, choices) || changed;
    } else if (const Function* recursive = recursive_callee(module, of)) {
      diagnostics.report(
          differentiation::memory_not_known, function->gradient->place(), function->name(),
          fmt::format("@{} calls itself, and values of all its calls are kept", recursive->name()));
    } else {
      mark(module, *function, choices);
      changed = true;
    }
  }
  return changed;
}

}  // namespace dlvm
