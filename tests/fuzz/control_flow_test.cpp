#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "dlvm/analysis/loops.h"
#include "dlvm/ir/builder.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/fuzz/control_flow.h"
#include "tests/fuzz/reduce.h"
#include "tests/fuzz/same_values.h"

using namespace dlvm;

namespace {

/// Every other case has declared types and memory.
fuzz::ControlFlowCase drawn(std::uint64_t seed) {
  return seed % 2 == 0 ? fuzz::random_control_flow(seed) : fuzz::random_declared_types(seed);
}

using Runs = std::vector<Interpretation>;

/// The bounds are those of recursive functions, and of the nodes and the values in memory that functions
/// make.
InterpretOptions options_with(std::int64_t step_limit) {
  InterpretOptions options;
  options.step_limit = step_limit;
  options.dimensions = {{"g_depth", 9}, {"h_depth", 9}};
  for (const std::string function : {"f", "g", "h", "k"})
    for (const char* what : {"_nodes", "_values"}) options.dimensions[function + what] = 200;
  return options;
}

Runs run(const fuzz::ControlFlowCase& each) {
  const InterpretOptions options = options_with(200'000);
  Runs all;
  for (const auto& inputs : each.inputs)
    all.push_back(interpret(*each.module->function("f"), inputs, options));
  return all;
}

/// The same error; the number of values of an expanded stack is an index that may be outside.
bool same(const InterpretError& a, const InterpretError& b) {
  const bool is_of_stack = a.kind == InterpretError::Kind::trap && a.text.find("stack") != std::string::npos;
  return (a.kind == b.kind && a.text == b.text) || (is_of_stack && b.kind == InterpretError::Kind::index);
}

/// The same results, and the same errors.
bool same(const Runs& a, const Runs& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i] || !b[i]) {
      if (a[i] || b[i] || !same(*a[i].error, *b[i].error)) return false;
    } else if (!fuzz::same(a[i].value, b[i].value)) {
      return false;
    }
  }
  return true;
}

std::vector<const Pass*> passes_that_keep_bits() {
  std::vector<const Pass*> all;
  for (const Pass& pass : passes())
    if (!pass.rounds_differently && pass.short_name != "AD") all.push_back(&pass);
  return all;
}

using Transform = std::function<bool(Module&)>;

/// Returns a small module that the transformation changes the results of.
std::string reduced_text(const fuzz::ControlFlowCase& original, const Transform& transform) {
  const auto disagrees = [&](const Module& module, const std::vector<RuntimeValue>& inputs) {
    const auto result_of = [&](const Module& of) {
      return interpret(*of.function("f"), inputs, options_with(20'000));
    };
    Runs before;
    before.push_back(result_of(module));
    const bool ends = before[0] || before[0].error->kind != InterpretError::Kind::steps;
    const auto changed = fuzz::copied(module);
    if (!ends || !transform(*changed)) return false;
    Runs after;
    after.push_back(result_of(*changed));
    return !same(before, after);
  };
  for (const auto& inputs : original.inputs)
    if (disagrees(*original.module, inputs))
      return "reduced to\n" + fuzz::text(fuzz::reduced(*original.module, inputs, disagrees));
  return "not reduced";
}

void check_transform(std::uint64_t seed, const Runs& expected, const std::string& what,
                     const Transform& transform) {
  const fuzz::ControlFlowCase other = drawn(seed);
  INFO(what);
  REQUIRE(transform(*other.module));
  if (same(expected, run(other))) return;
  FAIL_CHECK("seed " << seed << ": the results are others, " << reduced_text(drawn(seed), transform));
}

void check_passes(std::uint64_t seed, const Runs& expected, const std::vector<const Pass*>& list) {
  std::string names = "passes";
  for (const Pass* pass : list) names += " " + std::string(pass->short_name);
  check_transform(seed, expected, names, [&](Module& module) {
    Diagnostics diagnostics;
    return run_passes(module, list, diagnostics, {.verify_each = true});
  });
}

/// Every pass by itself, several in a random order, and the pipeline.
void check_case(std::uint64_t seed) {
  const fuzz::ControlFlowCase original = drawn(seed);
  INFO("seed ", seed);
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(verify(*original.module, diagnostics), render(diagnostics) << print(*original.module));
  const Runs expected = run(original);
  const auto all = passes_that_keep_bits();
  for (const Pass* pass : all) check_passes(seed, expected, {pass});
  std::mt19937_64 random(seed);
  std::vector<const Pass*> several;
  for (int i = 0; i < 8; ++i)
    several.push_back(all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)]);
  check_passes(seed, expected, several);
  check_transform(seed, expected, "the pipeline", [](Module& module) {
    Diagnostics messages;
    return optimize(module, messages, {.verify_each = true}) &&
           lower_control_flow(module, messages, {.verify_each = true});
  });
}

void check_text(std::uint64_t seed) {
  const fuzz::ControlFlowCase original = drawn(seed);
  const std::string once = print(*original.module);
  INFO("seed ", seed, "\n", once);
  Sources sources;
  Diagnostics diagnostics;
  fuzz::ControlFlowCase parsed{parse(*sources.add("fuzz.dl", once), sources, diagnostics), original.inputs};
  REQUIRE_MESSAGE(parsed.module, render(diagnostics));
  CHECK(verify(*parsed.module, diagnostics));
  CHECK(print(*parsed.module) == once);
  CHECK(same(run(original), run(parsed)));
}

/// Whether the pass has nothing to do when it runs again.
void check_again(std::uint64_t seed, const char* name) {
  const fuzz::ControlFlowCase each = drawn(seed);
  bool changed = false;
  PipelineOptions options{.verify_each = true};
  options.after = [&](const Pass&, bool now, double, const Module&) { changed = now; };
  Diagnostics diagnostics;
  REQUIRE(run_passes(*each.module, std::vector{pass_named(name)}, diagnostics, options));
  const std::string once = print(*each.module);
  REQUIRE(run_passes(*each.module, std::vector{pass_named(name)}, diagnostics, options));
  INFO("seed ", seed, ", ", std::string(name), "\n", once);
  CHECK_FALSE(changed);
  CHECK(print(*each.module) == once);
}

/// Whether the function has the form that CFGCan promises.
void check_form(const Function& function) {
  const ControlFlow flow(function);
  const LoopNest nest(flow, DominatorTree(flow));
  CHECK(flow.unreachable().empty());
  for (const auto& loop : nest.loops())
    for (const auto* edges : {&loop->entries, &loop->latches}) {
      REQUIRE(edges->size() == 1);
      CHECK(edges->front().terminator->successors().size() == 1);
    }
  int returns = 0;
  for (const BasicBlock* block : flow.order()) {
    returns += block->terminator()->opcode() == Opcode::return_ ? 1 : 0;
    for (const BlockEdge& edge : flow.predecessors(block))
      CHECK((edge.terminator->successors().size() == 1 || flow.predecessors(block).size() == 1));
  }
  CHECK(returns <= 1);
}

}  // namespace

TEST_CASE("random control flow: a pass that runs again has nothing to do") {
  for (std::uint64_t seed = 0; seed < 150; ++seed)
    for (const char* name : {"CFGSimp", "CFGCan", "LICM", "CSE", "DCE", "INL"}) check_again(seed, name);
}

TEST_CASE("random control flow: CFGCan gives its form") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const fuzz::ControlFlowCase each = drawn(seed);
    Diagnostics diagnostics;
    REQUIRE(run_passes(*each.module, std::vector{pass_named("CFGCan")}, diagnostics));
    INFO("seed ", seed, "\n", print(*each.module));
    for (const auto& function : each.module->functions()) check_form(*function);
  }
}

TEST_CASE("random control flow: every pass leaves the results as they were") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) check_case(seed);
}

TEST_CASE("random control flow: memory of a number of values that the caller bounds") {
  for (const std::uint64_t seed : {12673, 25757, 34155, 34931, 36381}) check_case(seed);
}

TEST_CASE("random control flow: passes, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 10000; seed < 40000; ++seed) check_case(seed);
}

TEST_CASE("random control flow: text reads back as it was printed") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) check_text(seed);
}

TEST_CASE("a module that a wrong pass changes is reduced to a few lines") {
  // Every sum of two numbers is their maximum.
  const Transform wrong = [](Module& module) {
    std::vector<Instruction*> sums;
    for (const auto& function : module.functions())
      for (const auto& block : function->blocks())
        for (const auto& instruction : block->instructions())
          if (instruction->opcode() == Opcode::add && instruction->type().is_scalar(ElementType::f32))
            sums.push_back(instruction.get());
    for (Instruction* sum : sums) {
      Builder builder(*sum->block(), sum);
      replace_all_uses(*sum, *builder.binary(Opcode::max, sum->operand(0), sum->operand(1)));
    }
    return true;
  };
  // The results of one module in eight show it: a quarter has no such sum, and of most others no result that
  // the inputs lead to depends on one.
  constexpr int wanted = 8;
  int found = 0;
  for (std::uint64_t seed = 0; found < wanted; ++seed) {
    REQUIRE_MESSAGE(seed < 400, "only " << found << " modules show the mistake");
    const fuzz::ControlFlowCase original = fuzz::random_control_flow(seed);
    const std::string text = reduced_text(original, wrong);
    if (text == "not reduced") continue;
    ++found;
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') < 40);
    CHECK(text.find(" = add ") != std::string::npos);
  }
}
