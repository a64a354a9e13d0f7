// Random work on memory: every pass leaves the results as they were, the pipeline leaves no memory, and
// derivatives are those of the instructions that were run.
#include "tests/fuzz/memory.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/fuzz/same_values.h"
#include "tests/fuzz/traced_derivatives.h"

using namespace dlvm;

namespace {

InterpretOptions bounded() {
  InterpretOptions options;
  options.dimensions = {{"g_depth", 9}, {"f_values", 300}, {"g_values", 300}};
  return options;
}

std::vector<RuntimeValue> run(const fuzz::ControlFlowCase& each) {
  std::vector<RuntimeValue> all;
  for (const auto& inputs : each.inputs) {
    Interpretation done = interpret(*each.module->function("f"), inputs, bounded());
    REQUIRE_MESSAGE(!done.error, (done.error ? done.error->text : ""));
    all.push_back(std::move(done.value));
  }
  return all;
}

using Transform = std::function<bool(Module&, Diagnostics&)>;

void check_transform(std::uint64_t seed, const std::vector<RuntimeValue>& expected, const std::string& what,
                     const Transform& transform) {
  const fuzz::ControlFlowCase each = fuzz::random_memory(seed);
  INFO(what, " of\n", print(*each.module));
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(transform(*each.module, diagnostics), render(diagnostics));
  INFO("became\n", print(*each.module));
  const std::vector<RuntimeValue> actual = run(each);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(fuzz::same(expected[i], actual[i]));
}

bool has_memory(const Function& function) {
  return std::ranges::any_of(function.blocks(), [](const auto& block) {
    return std::ranges::any_of(block->instructions(),
                               [](const auto& each) { return each->type().is_pointer(); });
  });
}

void check_passes(std::uint64_t seed) {
  const fuzz::ControlFlowCase original = fuzz::random_memory(seed);
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(verify(*original.module, diagnostics), render(diagnostics) << print(*original.module));
  const std::vector<RuntimeValue> expected = run(original);
  for (const char* name : {"AP", "GP", "SP", "VP", "PN", "RE", "INL"})
    check_transform(seed, expected, name, [&](Module& module, Diagnostics& messages) {
      return run_passes(module, std::vector{pass_named(name)}, messages, {.verify_each = true});
    });
  check_transform(seed, expected, "the pipeline", [](Module& module, Diagnostics& messages) {
    const bool good = optimize(module, messages, {.verify_each = true}) &&
                      lower_control_flow(module, messages, {.verify_each = true});
    CHECK_FALSE(has_memory(*module.function("f")));
    return good;
  });
}

/// Adds to `compared` how many derivatives there were.
void check_derivatives(std::uint64_t seed, int& compared) {
  const fuzz::ControlFlowCase original = fuzz::random_memory(seed), each = fuzz::random_memory(seed);
  INFO(print(*original.module));
  each.module->stage = Module::Stage::raw;
  fuzz::declare_derivatives(*each.module, *each.module->function("f"));
  Diagnostics diagnostics;
  if (!expand_gradients(*each.module, diagnostics)) {
    for (const Diagnostic& diagnostic : diagnostics.all())
      CHECK_MESSAGE(diagnostic.kind->code == "DLVM-E0302", render(diagnostics));
    return;
  }
  for (const auto& inputs : each.inputs)
    compared +=
        fuzz::compare_with_trace(*each.module, *original.module->function("f"), inputs, seed, bounded());
}

/// The error of a run, without the numbers in it; empty where there is none. Where a count is known, an
/// access to an allocation of no values is one to a position outside.
std::string error_of(const Interpretation& done) {
  if (!done.error) return "";
  for (const char* part : {"null", "deallocated", "released", "allocateHeap gave"})
    if (done.error->text.find(part) != std::string::npos) return part;
  return "outside";
}

std::vector<Interpretation> runs(const fuzz::ControlFlowCase& each) {
  std::vector<Interpretation> all;
  for (const auto& inputs : each.inputs)
    all.push_back(interpret(*each.module->function("f"), inputs, bounded()));
  return all;
}

/// Adds to `failed` how many runs fail.
void check_errors(std::uint64_t seed, int& failed) {
  const fuzz::ControlFlowCase original = fuzz::random_faulty_memory(seed);
  const std::vector<Interpretation> expected = runs(original);
  const auto check = [&](const std::string& what, const Transform& transform) {
    const fuzz::ControlFlowCase each = fuzz::random_faulty_memory(seed);
    INFO(what, " of\n", print(*original.module));
    Diagnostics diagnostics;
    if (!transform(*each.module, diagnostics)) return;  // an error in every run
    INFO("became\n", print(*each.module));
    const std::vector<Interpretation> actual = runs(each);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(error_of(expected[i]) == error_of(actual[i]));
      if (!expected[i].error && !actual[i].error) CHECK(fuzz::same(expected[i].value, actual[i].value));
      failed += expected[i].error ? 1 : 0;
    }
  };
  for (const char* name : {"SP", "VP", "PN"})
    check(name, [&](Module& module, Diagnostics& messages) {
      return run_passes(module, std::vector{pass_named(name)}, messages, {.verify_each = true});
    });
  check("the pipeline", [](Module& module, Diagnostics& messages) {
    return optimize(module, messages, {.verify_each = true}) &&
           lower_control_flow(module, messages, {.verify_each = true});
  });
}

/// The derivatives of the runs that end well.
void check_derivatives_beside_errors(std::uint64_t seed, int& compared) {
  const fuzz::ControlFlowCase original = fuzz::random_faulty_memory(seed),
                              each = fuzz::random_faulty_memory(seed);
  INFO(print(*original.module));
  each.module->stage = Module::Stage::raw;
  fuzz::declare_derivatives(*each.module, *each.module->function("f"));
  Diagnostics diagnostics;
  if (!expand_gradients(*each.module, diagnostics)) return;
  const std::vector<Interpretation> expected = runs(original);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!expected[i].error) {
      compared += fuzz::compare_with_trace(*each.module, *original.module->function("f"), original.inputs[i],
                                           seed, bounded());
      continue;
    }
    const Interpretation first = interpret(*each.module->function("first"), original.inputs[i], bounded());
    CHECK(error_of(first) == error_of(expected[i]));
  }
}

}  // namespace

TEST_CASE("random memory: every pass leaves the results as they were, and the pipeline leaves no memory") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed ", seed);
    check_passes(seed);
  }
}

TEST_CASE("random memory: derivatives are those of the instructions that were run") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed ", seed);
    check_derivatives(seed, compared);
  }
  CHECK(compared > 300);
}

TEST_CASE("random memory: uses of what has ended, is null or has no values are the same errors") {
  int failed = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed ", seed);
    check_errors(seed, failed);
    check_derivatives_beside_errors(seed, compared);
  }
  CHECK(failed > 100);
  CHECK(compared > 30);
}

TEST_CASE("random memory: the long sweep" * doctest::skip()) {
  int compared = 0, failed = 0;
  for (std::uint64_t seed = 10000; seed < 15000; ++seed) {
    INFO("seed ", seed);
    check_passes(seed);
    check_derivatives(seed, compared);
    check_errors(seed, failed);
    check_derivatives_beside_errors(seed, compared);
  }
}
