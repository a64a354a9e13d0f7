#include <doctest/doctest.h>

#include <cmath>

#include "dlvm/interpret/interpret.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/fuzz/instructions.h"

using namespace dlvm;

namespace {

/// The same bits, but that a NaN is a NaN.
bool same(const RuntimeValue& a, const RuntimeValue& b) {
  if (a.is_tensor() != b.is_tensor()) return false;
  if (!a.is_tensor()) {
    if (a.elements().size() != b.elements().size()) return false;
    for (std::size_t i = 0; i < a.elements().size(); ++i)
      if (!same(a.elements()[i], b.elements()[i])) return false;
    return true;
  }
  const Tensor &x = a.tensor(), &y = b.tensor();
  if (x.element() != y.element() || x.extents() != y.extents()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double l = x.real(i), r = y.real(i);
    if (std::isnan(l) != std::isnan(r)) return false;
    if (!std::isnan(l) && (l != r || std::signbit(l) != std::signbit(r))) return false;
  }
  return true;
}

void check_case(std::uint64_t seed) {
  const fuzz::Case original = fuzz::random_case(seed, 12);
  INFO("seed ", seed, "\n", print(*original.module));
  const std::vector<RuntimeValue> inputs(original.inputs.begin(), original.inputs.end());
  const Interpretation expected = interpret(*original.module->function("f"), inputs);
  REQUIRE_MESSAGE(expected, expected.error->text);
  for (const char* names : {"AS", "CE", "CP", "LBP", "CSE", "DCE", ""}) {
    const fuzz::Case other = fuzz::random_case(seed, 12);
    Diagnostics diagnostics;
    const PipelineOptions options{true, nullptr};
    const bool good = names[0] == '\0'
                          ? optimize(*other.module, diagnostics, options)
                          : run_passes(*other.module, std::vector{pass_named(names)}, diagnostics, options);
    REQUIRE(good);
    // The stable rewrites are meant to give other bits.
    const std::string before = print(*original.module);
    if (names[0] == '\0' && before.find("log") != std::string::npos) continue;
    if (names[0] == '\0' && before.find("exp") != std::string::npos) continue;
    const Interpretation actual = interpret(*other.module->function("f"), inputs);
    REQUIRE_MESSAGE(actual, actual.error->text);
    CHECK_MESSAGE(same(expected.value, actual.value), "pass " << std::string(names) << "\n"
                                                              << print(*other.module));
  }
}

void check_text(std::uint64_t seed) {
  const fuzz::Case original = fuzz::random_case(seed, 25);
  const std::string once = print(*original.module);
  INFO(once);
  Sources sources;
  Diagnostics diagnostics;
  const auto parsed = parse(*sources.add("fuzz.dl", once), sources, diagnostics);
  REQUIRE_MESSAGE(parsed, render(diagnostics));
  CHECK(verify(*parsed, diagnostics));
  CHECK(print(*parsed) == once);
}

}  // namespace

TEST_CASE("random functions: every pass leaves the results as they were") {
  for (std::uint64_t seed = 0; seed < 6000; ++seed) check_case(seed);
}

TEST_CASE("random functions: passes, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 10000; seed < 200000; ++seed) check_case(seed);
}

TEST_CASE("random functions: text reads back as it was printed") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) check_text(seed);
}
