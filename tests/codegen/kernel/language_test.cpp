#include <doctest/doctest.h>

#include <vector>

#include "codegen/kernel/text/text.h"
#include "compare.h"
#include "language_programs.h"

/// Programs of tests/language, each of their entry points, as kernels.
namespace kernel_tests {
namespace {

/// Compares one program in `step`. Entry points that take more steps than `most` for some size are compared
/// for the other ones. `compile`: compiled too, and divided among several numbers of cores.
std::size_t compare_programs(double most, std::size_t step, bool compile) {
  return for_each_program(step, [&](const dlvm::Module& module) {
    for (const auto& entry : module.entries) {
      const dlvm::Function& function = *module.function(entry.function);
      INFO(entry.name);
      const auto fused = program(function);
      std::vector<std::int64_t> sizes{0, 1, 3};
      std::erase_if(sizes, [&](std::int64_t n) { return steps(fused, n) > most; });
      CHECK(differences(function, sizes, 2, compile) == "");
      if (is_single_program()) MESSAGE(print(fused));
    }
  });
}

TEST_CASE("the programs of the language as kernels") {
  CHECK((compare_programs(1 << 20, 6, false) >= 30 || is_single_program()));
}

TEST_CASE("the programs of the language as compiled kernels") {
  CHECK((compare_programs(1 << 16, 40, true) >= 4 || is_single_program()));
}

TEST_CASE("the programs of the language as kernels, the long sweep" * doctest::skip()) {
  CHECK((compare_programs(1e30, 1, true) >= 240 || is_single_program()));
}

}  // namespace
}  // namespace kernel_tests
