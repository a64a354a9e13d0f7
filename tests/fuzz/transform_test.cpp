#include <doctest/doctest.h>

#include <set>

#include "dlvm/interpret/interpret.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/algebra_rules.h"
#include "tests/fuzz/instructions.h"
#include "tests/fuzz/reduce.h"
#include "tests/fuzz/same_values.h"

using namespace dlvm;

namespace {

/// Whether a pass leaves results as they were, bit for bit. Differentiation has nothing to do.
bool keeps_bits(const Pass& pass) { return !pass.rounds_differently && pass.short_name != "AD"; }

void check_case(std::uint64_t seed) {
  const fuzz::Case original = fuzz::random_case(seed, 12);
  INFO("seed ", seed, "\n", print(*original.module));
  const std::vector<RuntimeValue> inputs(original.inputs.begin(), original.inputs.end());
  const Interpretation expected = interpret(*original.module->function("f"), inputs);
  REQUIRE_MESSAGE(expected, expected.error->text);
  const auto check = [&](std::string_view name, const auto& transform) {
    const fuzz::Case other = fuzz::random_case(seed, 12);
    REQUIRE(transform(*other.module));
    const Interpretation actual = interpret(*other.module->function("f"), inputs);
    REQUIRE_MESSAGE(actual, actual.error->text);
    if (fuzz::same(expected.value, actual.value)) return;
    const auto disagrees = [&](const Module& module, const std::vector<RuntimeValue>& arguments) {
      const auto changed = fuzz::copied(module);
      if (!transform(*changed)) return false;
      const Interpretation before = interpret(*module.function("f"), arguments);
      const Interpretation after = interpret(*changed->function("f"), arguments);
      return before && after && !fuzz::same(before.value, after.value);
    };
    FAIL_CHECK("pass " << std::string(name) << ": the results are others, reduced to\n"
                       << fuzz::text(fuzz::reduced(*original.module, inputs, disagrees)));
  };
  Diagnostics diagnostics;
  const PipelineOptions options{.verify_each = true};
  for (const Pass& pass : passes())
    if (keeps_bits(pass))
      check(pass.name,
            [&](Module& module) { return run_passes(module, std::vector{&pass}, diagnostics, options); });
  PipelineOptions tight = options;
  tight.memory_budget = MemoryBudget{static_cast<std::int64_t>(seed % 4 * 25), true};
  check("REM", [&](Module& module) {
    module.function("f")->attributes.emplace_back(rematerialize_attribute);
    return run_passes(module, std::vector{pass_named("REM")}, diagnostics, tight);
  });
  const std::string before = print(*original.module);
  if (before.find("log") != std::string::npos || before.find("exp") != std::string::npos) return;
  check("all", [&](Module& module) { return optimize(module, diagnostics, options); });
}

/// Whether one of the first random functions has the rule's pattern.
bool is_drawn(const RewriteRule& rule) {
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const fuzz::Case drawn = fuzz::random_case(seed, 12);
    if (rewrite(*drawn.module->function("f"), {&rule, 1})) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("random functions have the patterns of all rules of algebra simplification") {
  for (const auto& family : {algebra::arithmetic_rules(), algebra::logic_rules(), algebra::shape_rules(),
                             algebra::aggregate_rules(), algebra::canonical_rules()})
    for (std::size_t i = 0; i < family.size(); ++i)
      CHECK_MESSAGE(is_drawn(family[i]), "rule " << i << " of " << family.size());
}

TEST_CASE("random functions draw every instruction that computes tensors of tensors") {
  std::set<Opcode> drawn;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const fuzz::Case each = fuzz::random_case(seed, 12);
    for (const auto& instruction : each.module->function("f")->entry().instructions())
      drawn.insert(instruction->opcode());
  }
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const InstructionDefinition& d = definition(static_cast<Opcode>(i));
    const bool of_memory = d.name == "projectBox" || d.name == "elementPointer";
    if (!d.is(Trait::effect) && !d.is(Trait::terminator) && d.name != "apply" && !of_memory)
      CHECK_MESSAGE(drawn.contains(static_cast<Opcode>(i)), d.name);
  }
}

TEST_CASE("random functions: every pass leaves the results as they were") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) check_case(seed);
}

TEST_CASE("random functions: passes, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 10000; seed < 200000; ++seed) check_case(seed);
}
