#include <doctest/doctest.h>

#include <vector>

#include "../kernel/compare.h"
#include "../kernel/language_programs.h"

/// Programs of tests/language, each of their entry points, as schedules for processors and for devices.
namespace kernel_tests {
namespace {

/// Compares one program in `step`, and returns the number of calls.
std::size_t compare_programs(const std::vector<std::int64_t>& sizes, const Sweep& sweep, std::size_t step) {
  std::size_t compared = 0;
  for_each_program(step, [&](const dlvm::Module& module) {
    for (const auto& entry : module.entries) {
      INFO(entry.name);
      const auto drawn = calls(module, entry, sizes);
      compared += drawn.size();
      CHECK(schedule_differences(*module.function(entry.function), drawn, sweep) == "");
    }
  });
  return compared;
}

TEST_CASE("the programs of the language as schedules") {
  CHECK((compare_programs({3}, {{true}, {0, 2}}, 20) >= 20 || is_single_program()));
}

TEST_CASE("the programs of the language as schedules, the long sweep" * doctest::skip()) {
  CHECK((compare_programs({0, 1, 2, 3, 40}, {}, 1) >= 2000 || is_single_program()));
}

}  // namespace
}  // namespace kernel_tests
