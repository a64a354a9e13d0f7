#include "dlvm/pipeline.h"

#include <chrono>
#include <iterator>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/checkpointing.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/rematerialization.h"
#include "dlvm/support/internal_error.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/aggregate_expansion.h"
#include "dlvm/transform/algebra_simplification.h"
#include "dlvm/transform/argument_promotion.h"
#include "dlvm/transform/clipping_conditions.h"
#include "dlvm/transform/combinator_flattening.h"
#include "dlvm/transform/combinator_loops.h"
#include "dlvm/transform/common_subexpression_elimination.h"
#include "dlvm/transform/composite_expansion.h"
#include "dlvm/transform/constant_propagation.h"
#include "dlvm/transform/contraction_reuse.h"
#include "dlvm/transform/contraction_sinking.h"
#include "dlvm/transform/control_flow_canonicalization.h"
#include "dlvm/transform/control_flow_simplification.h"
#include "dlvm/transform/cycle_canonicalization.h"
#include "dlvm/transform/dead_argument_elimination.h"
#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/transform/enum_expansion.h"
#include "dlvm/transform/fast_math.h"
#include "dlvm/transform/function_numbering.h"
#include "dlvm/transform/function_sharing.h"
#include "dlvm/transform/global_promotion.h"
#include "dlvm/transform/if_conversion.h"
#include "dlvm/transform/inlining.h"
#include "dlvm/transform/linear_algebra_fusion.h"
#include "dlvm/transform/literal_broadcasting_promotion.h"
#include "dlvm/transform/loop_invariant_code_motion.h"
#include "dlvm/transform/matrix_multiplication_reordering.h"
#include "dlvm/transform/parameter_copies.h"
#include "dlvm/transform/pointer_numbering.h"
#include "dlvm/transform/recursion_elimination.h"
#include "dlvm/transform/result_addresses.h"
#include "dlvm/transform/rewrite.h"
#include "dlvm/transform/shape_specialization.h"
#include "dlvm/transform/stable_rewrites.h"
#include "dlvm/transform/stack_expansion.h"
#include "dlvm/transform/stack_numbering.h"
#include "dlvm/transform/stack_promotion.h"
#include "dlvm/transform/tensor_canonicalization.h"
#include "dlvm/transform/tuple_expansion.h"
#include "dlvm/transform/value_promotion.h"
#include "dlvm/transform/view_sinking.h"

namespace dlvm {
namespace {

template <bool (*pass)(Function&)>
bool on_functions(Module& module, Diagnostics&, const PipelineOptions&) {
  return for_each_body(module, pass);
}
bool reuse(Function& function) { return contraction_reuse(function); }
template <bool (*pass)(Module&)>
bool on_module(Module& module, Diagnostics&, const PipelineOptions&) {
  return pass(module);
}
bool specialization(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  return shape_specialization(module, options.dimensions, diagnostics);
}
/// A memory budget is kept by computing again what one body has computed.
bool sharing(Module& module, Diagnostics&, const PipelineOptions& options) {
  return !options.memory_budget && function_sharing(module);
}
/// A memory budget does not count what the loops would keep.
bool sinking(Module& module, Diagnostics&, const PipelineOptions& options) {
  return !options.memory_budget && contraction_sinking(module);
}
/// Combinators are the bodies in which whole instructions are chosen as well.
bool conversion(Module& module, Diagnostics&, const PipelineOptions&) {
  const bool changed = for_each_body(module, if_conversion);
  return combinator_flattening(module) || changed;
}
/// A function that now is called where it combined elements is inlined.
bool loops_of_combinators(Module& module, Diagnostics&, const PipelineOptions&) {
  if (!combinator_loops(module)) return false;
  inlining(module);
  return true;
}
/// Functions that take others are inlined where that shows which function a value is. A function that is
/// called with itself would be inlined without end.
bool numbers_of_functions(Module& module, Diagnostics&, const PipelineOptions&) {
  constexpr int most_rounds = 8;
  bool changed = false;
  if (has_function_values(module)) changed = inlining(module);
  for (int round = 0; round < most_rounds && resolve_function_values(module); ++round) {
    inlining(module);
    changed = true;
  }
  if (!function_numbering(module)) return changed;
  inlining(module);
  return true;
}
/// Where they are differentiated, recursive functions that pass addresses on are part of the function that
/// makes the memory then, memory of a caller is a copy, and addresses that are returned are dropped.
bool promotion_of_arguments(Module& module, Diagnostics&, const PipelineOptions&) {
  const bool drops = drop_returned_addresses(module);
  if (drops) inlining(module);
  const bool changed = argument_promotion(module);
  const auto differentiated = differentiated_functions(module);
  const bool loops = recursion_elimination(module, [&](const Component& component) {
    return differentiated.contains(component.functions.front()) && takes_address(component);
  });
  if (loops) inlining(module);
  const bool copies = copy_parameters(module);
  return drops || changed || loops || copies;
}
/// Recursive functions that pass stacks on are part of the function that makes the stacks then.
bool numbers_of_stacks(Module& module, Diagnostics&, const PipelineOptions&) {
  const bool loops = recursion_elimination(module, takes_stack);
  if (loops) inlining(module);
  return stack_numbering(module) || loops;
}
bool differentiation(Module& module, Diagnostics& diagnostics, const PipelineOptions& options);
bool loops_within_budget(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  return options.memory_budget && checkpointing(module, diagnostics, *options.memory_budget,
                                                options.dimensions, options.checkpointing);
}
bool lines_within_budget(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  return options.memory_budget &&
         rematerialization(module, diagnostics, *options.memory_budget, options.checkpointing);
}

constexpr Pass all_passes[]{
    {"AggregateExpansion", "AE",
     "blocks and inner functions take tensors in the place of what is made of them",
     on_module<aggregate_expansion>},
    {"AlgebraSimplification", "AS", "neutral elements, inverses, compositions are simplified",
     on_module<algebra_simplification>},
    {"ArgumentPromotion", "AP", "functions take what only they point to, and return what it has become",
     promotion_of_arguments},
    {"CFGCanonicalization", "CFGCan", "one return; loops have preheaders and latches; no edge is critical",
     on_functions<control_flow_canonicalization>},
    {"CFGSimplification", "CFGSimp", "no block is unreachable, only goes on, or follows one alone",
     on_functions<control_flow_simplification>},
    {"Checkpointing", "CKP", "derivatives of loops keep no more than the memory budget", loops_within_budget},
    {"ClippingConditions", "CLC", "whether a value was clipped at 0 is read from the result",
     on_functions<clipping_conditions>},
    {"CycleCanonicalization", "CC", "no cycle of blocks is entered at several blocks",
     on_functions<cycle_canonicalization>},
    {"CombinatorLoops", "CL", "functions that combine elements are elementwise; others are called in loops",
     loops_of_combinators},
    {"CommonSubexpressionElimination", "CSE", "nothing is computed again that is known where it stands",
     on_module<common_subexpression_elimination>},
    {"CompositeExpansion", "CE", "sorts are positions and gathers; properties of tensors are extents",
     on_functions<composite_expansion>},
    {"ContractionReuse", "CR", "sums of a product's elements are taken from products that are there",
     on_functions<reuse>, true},
    {"ContractionSinking", "CS", "products that a loop adds up are one product behind it", sinking, true},
    {"ConstantPropagation", "CP", "what depends on literals alone is a literal",
     on_module<constant_propagation>},
    {"DeadArgumentElimination", "DAE", "something needs every parameter and result of what is only called",
     on_module<dead_argument_elimination>},
    {"DeadCodeElimination", "DCE", "what is not used is gone", on_module<dead_code_elimination>},
    {"DeadInstructionElimination", "DIE", "what is not used in a body is gone; every function stays",
     on_functions<remove_dead_instructions>},
    {"Differentiation", "AD", "gradient declarations are ordinary functions; the module is canonical",
     differentiation},
    {"EnumExpansion", "EE", "a recursive enum is the number of a node, and payloads are rows of tensors",
     on_module<enum_expansion>},
    {"FastMath", "FM", "floating-point values are taken for finite, and literals for reals",
     on_functions<fast_math>, true},
    {"FunctionNumbering", "FN", "values that are functions are numbers, by which their calls choose",
     numbers_of_functions},
    {"FunctionSharing", "FS", "calls of what would be inlined many times stay calls", sharing},
    {"GlobalPromotion", "GP", "variables of the module are memory of the functions that use them",
     on_module<global_promotion>},
    {"IfConversion", "IFC", "conditionals that only choose scalars are selects", conversion},
    {"Inlining", "INL", "calls are replaced by bodies", on_module<inlining>},
    {"LinearAlgebraFusion", "LAF", "contractions read operands where they are; equal ones are one",
     on_functions<linear_algebra_fusion>},
    {"LiteralBroadcastingPromotion", "LBP", "literals with one value are scalars",
     on_functions<literal_broadcasting_promotion>},
    {"LoopInvariantCodeMotion", "LICM", "what is the same each time round a loop is computed before it",
     on_module<loop_invariant_code_motion>},
    {"MatrixMultiplicationReordering", "MMR", "chains of matrix products take the fewest multiplications",
     on_functions<matrix_multiplication_reordering>, true},
    {"PointerNumbering", "PN", "pointers that are stored or passed to blocks are numbers of values in a pool",
     on_module<pointer_numbering>},
    {"RecursionElimination", "RE", "no function calls itself: loops, and stacks with a capacity",
     on_module<recursion_elimination>},
    {"Rematerialization", "REM", "derivatives without loops keep no more than the memory budget",
     lines_within_budget},
    {"ShapeSpecialization", "SS",
     "extents that are known are constants; calls with such have their own callees", specialization},
    {"StableRewrites", "STA", "log(softmax) and its like are in their stable form",
     on_functions<stable_rewrites>, true},
    {"StackExpansion", "SE", "stacks with a capacity are tensors and numbers", on_module<stack_expansion>},
    {"StackNumbering", "SN", "stacks that blocks take, or that are held, are numbers of stacks in a pool",
     numbers_of_stacks},
    {"StackPromotion", "SP", "heap memory and boxes that only one function uses are on its stack",
     on_functions<stack_promotion>},
    {"TupleExpansion", "TE", "blocks give each other the leaves of tuples", on_functions<tuple_expansion>},
    {"ValuePromotion", "VP", "what only one function loads and stores is a value, not memory",
     on_module<value_promotion>},
    {"ViewSinking", "VS", "slices of parameters are taken where they are read", on_functions<view_sinking>},
};

/// A pass in the default pipeline, and why it stands where it does.
struct PipelineEntry {
  std::string_view pass;
  std::string_view reason;
};

constexpr PipelineEntry first_passes[]{
    {"FN", "all other passes know which function a call is of"},
    {"FS", "tells INL which calls stay"},
    {"INL", "the stable rewrites see through library functions only where they are inlined"},
    {"AP", "a function that gives no address away has memory of its own; behind INL, which leaves few calls"},
    {"DCE", "a function that takes addresses and is called no more would keep the types of others"},
    {"GP", "SP and VP know memory of functions; behind INL, which leaves few functions that share variables"},
    {"SP", "values can only be promoted from the stack; behind INL, which brings their uses together"},
    {"SN", "the values of stacks that meet are in memory, which VP makes values of"},
    {"VP", "derivatives and kernels are of values, not of memory"},
    {"EE", "derivatives are of tensors; behind INL, which leaves few functions that take enums"},
    {"AE", "derivatives are of tensors, and the cases of an enum are branches like others"},
    {"PN", "behind AE, which makes tensors of what pointers in enums and tuples point to"},
    {"VP", "memory of enums is memory of tensors now, and so are pools"},
    {"CFGSimp", "fewer blocks have fewer adjoints"},
    {"IFC", "a select has an adjoint without control flow"},
    {"CL",
     "AD and kernels know elementwise combinators; behind IFC, which makes one block of those without loops"},
    {"STA", "after differentiation the unstable form would be infinity times zero"},
    {"CKP", "AD keeps what the functions that it is given do not compute again"},
    {"AD", "derivatives of few and plain instructions; all later passes see one kind of function"},
    {"INL", "adjoints call functions, and nothing behind the pipeline fuses across a call"},
    {"CE", "after AD, so that a sort and its adjoint share their positions"},
    {"AE", "kernels are of tensors; behind INL, which leaves few functions with other parameters"},
};
/// With `--fast-math`, before each round of those that are repeated.
constexpr PipelineEntry fast_passes[]{
    {"FM", "what it makes of instructions is for AS and CP to look at"},
    {"MMR", "the products that it orders are rounded at other places"},
};
/// The passes that make a module one that the interpreter can run.
constexpr PipelineEntry expanding_passes[]{
    {"FN", "as in the default pipeline"},
    {"INL", "the stable rewrites see through library functions only where they are inlined"},
    {"AP", "as in the default pipeline"},
    {"DCE", "as in the default pipeline"},
    {"GP", "as in the default pipeline"},
    {"SP", "as in the default pipeline"},
    {"SN", "as in the default pipeline"},
    {"VP", "derivatives are taken of values, not of memory"},
    {"EE", "as in the default pipeline"},
    {"AE", "as in the default pipeline"},
    {"PN", "as in the default pipeline"},
    {"VP", "as in the default pipeline, where it also stands in two places"},
    {"CFGSimp", "fewer blocks have fewer adjoints"},
    {"IFC", "a select has an adjoint without control flow"},
    {"CL", "as in the default pipeline"},
    {"STA", "derivatives are taken of the stable form, as in the default pipeline"},
    {"AD", "the interpreter runs functions and no declarations"},
};
/// Repeated until nothing changes.
constexpr PipelineEntry repeated_passes[]{
    {"AS", "first, because what it leaves is what the others look at"},
    {"LAF", "transpositions that simplification has joined are read by contractions"},
    {"CP", "literals that simplification has brought together"},
    {"CFGSimp", "constant conditions leave blocks that nothing reaches or that can be joined"},
    {"IFC", "what the ways of a conditional computed may be gone"},
    {"LBP", "folded literals shrink to scalars"},
    {"CSE", "after operands have their final form"},
    {"LICM", "one computation of what was several is moved"},
    {"DAE", "calls that were not inlined, of recursive functions, hand on what their adjoints do not need"},
    {"DCE", "last, because all others leave unused code"},
};
/// Once, behind the passes that are repeated.
constexpr PipelineEntry last_passes[]{
    {"REM", "what is computed again is equal to what was computed, and CSE would make the two one"},
};
/// The passes after which kernels can be built of functions with control flow, in order.
constexpr PipelineEntry lowering_passes[]{
    {"EE", "numbers of nodes can be on stacks, and live across calls; the default pipeline has done it"},
    {"SE", "then RE keeps across a call what is left of a stack, as any other value"},
    {"RE", "kernels have no calls; AD has made loops of what it differentiates"},
    {"INL", "what called a recursive function takes its loop"},
    {"GP", "memory whose address was passed to a recursive function is used by a loop now"},
    {"SP", "as in the default pipeline"},
    {"SN", "the blocks of a recursive function take the stacks that its calls pass"},
    {"VP", "as in the default pipeline"},
    {"PN", "the blocks of a recursive function take the addresses that its calls pass"},
    {"VP", "the pools are memory of the stack"},
    {"AE", "RE leaves blocks that take what the function took"},
    {"TE", "kernels know tensors alone; tuples are there as long as calls are"},
    {"CC", "kernels have loops with one entry; behind all passes, because it hides which way leads where"},
    {"SE", "kernels know no stacks; RE has made some"},
    {"CS", "what rounds kept on stacks are rows of tensors now"},
    {"VS", "LICM, which is to see what depends on a view, has moved views out of loops"},
    {"CLC", "behind CSE, which would make one of the two comparisons"},
    {"DCE", "what pushes and pops no longer use, and views that have moved"},
};
constexpr int max_rounds = 10;
/// Inside of AD, before each order of gradients but the first: gradients of gradients start from something
/// small, without this each order is several times the last. No step may remove functions, which AD holds.
constexpr PipelineEntry passes_between_orders[]{
    {"INL", "as before AD: the stable rewrites see through calls only where they are inlined"},
    {"CFGSimp", "as before AD: fewer blocks have fewer adjoints"},
    {"IFC", "as before AD: a select has an adjoint without control flow"},
    {"STA", "the next order differentiates the stable form"},
    {"AS", "first, because what it leaves is what the others look at"},
    {"LAF", "adjoints of matrix products transpose operands"},
    {"CP", "literals that simplification has brought together"},
    {"LBP", "folded literals shrink to scalars"},
    {"CSE", "after operands have their final form"},
    {"DIE", "behind the others, because they leave unused code"},
};

void verify_after(const Pass& pass, const Module& module) {
  Diagnostics diagnostics;
  if (verify(module, diagnostics)) return;
  internal_error(std::string(pass.name) + " left a module that does not verify:\n" + render(diagnostics) +
                 "\n" + print(module));
}

/// Whether it went well; `changed` is set where the module changed.
bool run_pass(const Pass& pass, Module& module, Diagnostics& diagnostics, const PipelineOptions& options,
              bool& changed) {
  const std::size_t errors = diagnostics.error_count();
  const auto start = std::chrono::steady_clock::now();
  const bool now = pass.run(module, diagnostics, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  changed = changed || now;
  if (diagnostics.error_count() > errors) return false;
  if (options.after) options.after(pass, now, seconds.count(), module);
  if (options.verify_each) verify_after(pass, module);
  return true;
}

bool run_entries(std::span<const PipelineEntry> entries, Module& module, Diagnostics& diagnostics,
                 const PipelineOptions& options, bool& changed) {
  for (const PipelineEntry& entry : entries)
    if (!run_pass(*pass_named(entry.pass), module, diagnostics, options, changed)) return false;
  return true;
}

/// Repeats the passes until each has run on the module as it is and changed nothing, for at most so many
/// rounds.
bool run_rounds(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  std::vector<PipelineEntry> passes;
  if (options.fast_math) passes.assign(std::begin(fast_passes), std::end(fast_passes));
  passes.insert(passes.end(), std::begin(repeated_passes), std::end(repeated_passes));
  std::size_t unchanged = 0;  // how many of the last passes have changed nothing
  for (int round = 0; round < max_rounds; ++round)
    for (const PipelineEntry& entry : passes) {
      bool changed = false;
      if (!run_pass(*pass_named(entry.pass), module, diagnostics, options, changed)) return false;
      unchanged = changed ? 0 : unchanged + 1;
      if (unchanged == passes.size()) return true;
    }
  return true;
}

std::vector<Component> recursive_components(const Module& module) {
  std::vector<Component> components = differentiated_components(module);
  std::erase_if(components, [](const Component& component) { return !component.recursive; });
  return components;
}

/// Returns the functions with bodies that gradient declarations reach.
std::vector<Function*> differentiated_bodies(Module& module) {
  const auto reached = differentiated_functions(module);
  std::vector<Function*> bodies;
  for (const auto& function : module.functions())
    if (function->has_body() && reached.contains(function.get())) bodies.push_back(function.get());
  return bodies;
}

bool differentiation(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  const bool raw = module.stage == Module::Stage::raw;
  std::vector<Component> recursive = recursive_components(module);
  const auto between_orders = [&](Module& of_lower_order) {
    bool changed = false;
    run_entries(passes_between_orders, of_lower_order, diagnostics, options, changed);
    for_each_body(of_lower_order, canonicalize_for_adjoints);
    recursive = recursive_components(of_lower_order);
  };
  const auto loop_of = [&](const Function& function) {
    std::unique_ptr<Function> loop = without_recursion(recursive, function);
    if (loop) canonicalize_for_adjoints(*loop);
    return loop;
  };
  resolve_function_values(module);
  function_numbering(module);
  const std::vector<Function*> differentiated = differentiated_bodies(module);
  for (Function* function : differentiated) canonicalize_tensors(*function);
  combinator_flattening(module);
  combinator_loops(module);
  for (Function* function : differentiated) stable_rewrites(*function);
  for_each_body(module, canonicalize_for_adjoints);
  std::unordered_set<const Function*> written;  // with a body by others than differentiation
  for (const auto& function : module.functions())
    if (function->has_body()) written.insert(function.get());
  differentiate(
      module, diagnostics,
      {.between_orders = between_orders, .without_recursion = loop_of, .on_missing = options.on_missing});
  for (const auto& function : module.functions())
    if (function->has_body() && !written.contains(function.get())) name_constant_tensors(*function);
  return raw;
}

}  // namespace

std::span<const Pass> passes() { return all_passes; }

const Pass* pass_named(std::string_view name) {
  for (const Pass& pass : all_passes)
    if (pass.name == name || pass.short_name == name) return &pass;
  return nullptr;
}

bool run_passes(Module& module, std::span<const Pass* const> passes, Diagnostics& diagnostics,
                const PipelineOptions& options) {
  bool changed = false;
  for (const Pass* pass : passes)
    if (!run_pass(*pass, module, diagnostics, options, changed)) return false;
  return true;
}

bool optimize(Module& module, Diagnostics& diagnostics, const PipelineOptions& given) {
  std::vector<CheckpointingChoice> choices;  // by which CKP tells REM where declarations stand
  PipelineOptions options = given;
  if (options.checkpointing == nullptr) options.checkpointing = &choices;
  bool changed = false;
  if (!verify(module, diagnostics) || !run_entries(first_passes, module, diagnostics, options, changed))
    return false;
  if (!run_rounds(module, diagnostics, options)) return false;
  if (options.memory_budget) name_steps(module);
  if (!run_entries(last_passes, module, diagnostics, options, changed)) return false;
  verify_after(*pass_named(last_passes[std::size(last_passes) - 1].pass), module);
  return true;
}

bool lower_control_flow(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  bool changed = false;
  give_stacks_capacities(module);
  return run_entries(lowering_passes, module, diagnostics, options, changed);
}

bool expand_gradients(Module& module, Diagnostics& diagnostics, const PipelineOptions& options) {
  bool changed = false;
  return verify(module, diagnostics) && run_entries(expanding_passes, module, diagnostics, options, changed);
}

std::vector<const Pass*> passes_of_expansion() {
  std::vector<const Pass*> passes;
  for (const PipelineEntry& entry : expanding_passes) passes.push_back(pass_named(entry.pass));
  return passes;
}

}  // namespace dlvm
