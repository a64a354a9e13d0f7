#include <doctest/doctest.h>

#include "dlvm/interpret/interpret.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/loop_segmentation.h"
#include "dlvm/verify/verify.h"
#include "tests/fuzz/control_flow.h"
#include "tests/fuzz/same_values.h"
#include "tests/fuzz/traced_derivatives.h"

using namespace dlvm;

namespace {

struct Tally {
  int compared = 0, cut = 0;
};

/// Whether the first derivative has the same bits where loops are cut into segments, but for some of the
/// rounds.
void check_segments(std::uint64_t seed, const fuzz::ControlFlowCase& expected, Tally& tally) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed, ElementType::f64);
  each.module->stage = Module::Stage::raw;
  const std::size_t functions = each.module->functions().size();
  const auto number = static_cast<std::int64_t>(seed);
  const Segments segments{.levels = {{1 + number % 7, 2 + number % 2}, {2 + number % 3, 2}},
                          .uncut = seed % 4 == 0 ? 0 : static_cast<std::int64_t>(seed * 37 % 90)};
  segment_loops(*each.module, *each.module->function("f"), segments, Extent(1000));
  if (each.module->functions().size() == functions) return;
  ++tally.cut;
  fuzz::declare_derivatives(*each.module, *each.module->function("f"));
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(verify(*each.module, diagnostics), render(diagnostics));
  const std::string segmented = print(*each.module);
  INFO("became, with segments,\n", segmented);
  // The number of the exit is a step, so that a second derivative that is zero may be an error.
  if (!run_passes(*each.module, std::vector{pass_named("AD")}, diagnostics, {.verify_each = true})) {
    for (const Diagnostic& diagnostic : diagnostics.all()) CHECK(diagnostic.kind->code == "DLVM-E0302");
    return;
  }
  for (const auto& inputs : each.inputs) {
    const auto with = interpret(*each.module->function("first"), inputs);
    const auto without = interpret(*expected.module->function("first"), inputs);
    CHECK(bool(with) == bool(without));
    if (with && without) CHECK(fuzz::same(with.value, without.value));
  }
}

void check_case(std::uint64_t seed, Tally& tally) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed, ElementType::f64);
  INFO("seed ", seed, "\n", print(*each.module));
  const std::string before = print(*each.module);
  const Function& f = *each.module->function("f");
  each.module->stage = Module::Stage::raw;
  fuzz::declare_derivatives(*each.module, f);
  Diagnostics diagnostics;
  const bool good = run_passes(*each.module, std::vector{pass_named("AD")}, diagnostics, {true, nullptr});
  if (!good) {
    for (const Diagnostic& diagnostic : diagnostics.all()) CHECK(diagnostic.kind->code == "DLVM-E0302");
    return;
  }
  check_segments(seed, each, tally);
  INFO("became\n", print(*each.module));
  const fuzz::ControlFlowCase original = fuzz::random_control_flow(seed, ElementType::f64);
  for (const auto& inputs : each.inputs)
    tally.compared +=
        fuzz::compare_with_trace(*each.module, *original.module->function("f"), inputs, seed, {});
}

}  // namespace

TEST_CASE("random control flow: derivatives are those of the instructions that were run") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 300; ++seed) check_case(seed, tally);
  CHECK(tally.compared > 500);
  CHECK(tally.cut > 20);
}

TEST_CASE("random control flow: derivatives, the long sweep" * doctest::skip()) {
  Tally tally;
  for (std::uint64_t seed = 10000; seed < 20000; ++seed) check_case(seed, tally);
}
