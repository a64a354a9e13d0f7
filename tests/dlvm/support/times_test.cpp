#include "dlvm/support/times.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using dlvm::ScopedTimer;
using dlvm::Times;

TEST_CASE("a step within a step has its own time; the same step twice is added up") {
  double now = 100;
  Times times([&] { return now; });
  {
    const ScopedTimer check(&times, "check");
    now += 1;
    {
      const ScopedTimer parse(&times, "parse");
      now += 10;
    }
    now += 2;
    {
      const ScopedTimer parse(&times, "parse");
      now += 20;
    }
  }
  now += 1000;  // nobody's
  {
    const ScopedTimer lower(&times, "lower");
    now += 4;
  }
  REQUIRE(times.all().size() == 3);
  CHECK(times.all()[0].name == "parse");
  CHECK(times.all()[0].seconds == 30);
  CHECK(times.all()[1].name == "check");
  CHECK(times.all()[1].seconds == 3);
  CHECK(times.all()[2].name == "lower");
  CHECK(times.all()[2].seconds == 4);
}

TEST_CASE("a step within itself counts once, and nobody need keep times") {
  double now = 0;
  Times times([&] { return now; });
  {
    const ScopedTimer outer(&times, "parse");
    now += 1;
    const ScopedTimer inner(&times, "parse");
    now += 1;
    const ScopedTimer nobody(nullptr, "parse");
    now += 1;
  }
  times.add("start", 5);
  REQUIRE(times.all().size() == 2);
  CHECK(times.all()[0].seconds == 3);
  CHECK(times.all()[1].seconds == 5);
}

TEST_CASE("a listener is told each step that begins, and the outer one again when the inner one ends") {
  Times times([] { return 0.0; });
  std::vector<std::string> told;
  times.listen([&](std::string_view step) { told.emplace_back(step); });
  {
    const ScopedTimer check(&times, "check");
    const ScopedTimer parse(&times, "parse");
  }
  const ScopedTimer lower(&times, "lower");
  CHECK(told == std::vector<std::string>{"check", "parse", "check", "lower"});
}
