#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "compare.h"
#include "dlvm/verify/verify.h"
#include "language_programs.h"
#include "tests/fuzz/reduce.h"
#include "tests/fuzz/views.h"

/// Programs of tests/language whose values are read through views that change nothing.
namespace kernel_tests {
namespace {

/// Inserts views into all functions with a body.
void insert_views(dlvm::Module& module, std::uint64_t seed) {
  for (const auto& function : module.functions())
    if (function->has_body()) fuzz::insert_views(*function, seed++);
  dlvm::Diagnostics diagnostics;
  if (!verify(module, diagnostics)) FAIL(diagnostics.all().front().text);
}

/// A value that is read through two views may be computed twice and rounded differently. Where results
/// cancel, that was seen to be eleven times the usual tolerance; a wrong view gives other numbers altogether.
constexpr double factor = 50;
const Sweep sweep{{true}, {0}, factor};

/// Returns calls that bound the loops of the changed function widely: views may hide extents that bound them,
/// and let more values be kept.
std::vector<Call> bounded_calls(const dlvm::Module& plain, const dlvm::EntryPoint& entry,
                                const dlvm::Function& changed) {
  constexpr std::int64_t wide = 9000;
  std::set<std::string> extents;
  for (const dlvm::Type& parameter : changed.type().parameters())
    for (const dlvm::Extent& extent : parameter.shape()) extent.collect_names(extents);
  std::vector<Call> drawn = calls(plain, entry, {1, 3});
  for (const std::string& name : program(changed).dimensions)
    for (Call& call : drawn)
      if (!extents.contains(name)) call.dimensions.insert_or_assign(name, wide);
  return drawn;
}

/// The passes and differentiation take the views, and what they leave becomes kernels.
std::size_t compare_passes(std::uint64_t seed, std::size_t step) {
  return for_each_changed_program(
      step, [&](dlvm::Module& module) { insert_views(module, seed); },
      [](const dlvm::Module& plain, const dlvm::Module& changed) {
        for (const auto& entry : plain.entries) {
          INFO(entry.name);
          const dlvm::Function& function = *changed.function(entry.function);
          const std::vector<Call> drawn = bounded_calls(plain, entry, function);
          for (const Call& call : drawn)
            CHECK(interpreter_differences(*plain.function(entry.function), function, call, factor) == "");
          CHECK(schedule_differences(function, drawn, sweep) == "");
        }
      });
}

/// Kernels are built with all the views in them.
std::size_t compare_kernels(std::uint64_t seed, std::size_t step) {
  return for_each_program(step, [&](const dlvm::Module& module) {
    const auto changed = fuzz::copied(module);
    insert_views(*changed, seed);
    for (const auto& entry : module.entries) {
      INFO(entry.name);
      const dlvm::Function& function = *changed->function(entry.function);
      const std::vector<Call> drawn = bounded_calls(module, entry, function);
      for (const Call& call : drawn)
        CHECK(interpreter_differences(*module.function(entry.function), function, call, factor) == "");
      CHECK(schedule_differences(function, drawn, sweep) == "");
    }
  });
}

TEST_CASE("views that change nothing, before the passes") {
  CHECK((compare_passes(1, 40) >= 4 || is_single_program()));
}

TEST_CASE("views that change nothing, in kernels") {
  CHECK((compare_kernels(1, 40) >= 4 || is_single_program()));
}

TEST_CASE("views that change nothing, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    INFO("seed ", seed);
    CHECK((compare_passes(seed, 1) >= 240 || is_single_program()));
    CHECK((compare_kernels(seed, 1) >= 240 || is_single_program()));
  }
}

}  // namespace
}  // namespace kernel_tests
