#include <doctest/doctest.h>

#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/fuzz/modules.h"

using namespace dlvm;

namespace {

void check_text(std::uint64_t seed) {
  Sources sources, read_sources;
  Diagnostics diagnostics;
  const auto original = fuzz::random_module(seed, sources);
  const std::string once = print(*original);
  INFO("seed ", seed, "\n", once);
  REQUIRE_MESSAGE(verify(*original, diagnostics), render(diagnostics));
  const auto read = parse(*read_sources.add("fuzz.dl", once), read_sources, diagnostics);
  REQUIRE_MESSAGE(read, render(diagnostics));
  CHECK_MESSAGE(verify(*read, diagnostics), render(diagnostics));
  CHECK(print(*read) == once);
}

}  // namespace

TEST_CASE("random modules: text reads back as it was printed") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) check_text(seed);
}

TEST_CASE("random modules: text, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 1000; seed < 11000; ++seed) check_text(seed);
}
