#include "dlvm/memory_budget.h"

#include <doctest/doctest.h>

#include "dlvm/rematerialization.h"
#include "dlvm/text/parse.h"

using namespace dlvm;

TEST_CASE("a memory budget is a number of bytes, or a percentage") {
  const auto bytes = parse_memory_budget("1000"), percent = parse_memory_budget("25%");
  REQUIRE(bytes);
  CHECK(bytes->amount == 1000);
  CHECK_FALSE(bytes->is_percent);
  REQUIRE(percent);
  CHECK(percent->amount == 25);
  CHECK(percent->is_percent);
  CHECK(parse_memory_budget("0"));
  for (const char* text : {"", "%", "-1", "1 ", " 1", "1.5", "x", "1%%", "99999999999999999999", "25 %"})
    CHECK_FALSE(parse_memory_budget(text));
}

TEST_CASE("a percentage is one of what would be kept, and no more than that") {
  CHECK(MemoryBudget{1000, false}.bytes(10) == 1000);
  CHECK(MemoryBudget{25, true}.bytes(1000) == 250);
  CHECK(MemoryBudget{99, true}.bytes(1000) == 990);
  CHECK(MemoryBudget{100, true}.bytes(INT64_MAX) == INT64_MAX);
  CHECK(MemoryBudget{300, true}.bytes(1000) == 1000);
  CHECK(MemoryBudget{0, true}.bytes(1000) == 0);
  CHECK(MemoryBudget{50, true}.bytes(std::int64_t{1} << 62) == std::int64_t{1} << 61);
}

TEST_CASE("what depends on a dimension names the first one") {
  const Extent n = Extent::dimension("N"), m = Extent::dimension("M");
  CHECK(dimension_of(Type::tensor(ElementType::f32, {n, 3, m})) == "M");
  CHECK(dimension_of(Type::tensor(ElementType::f32, {2, 3})).empty());
  CHECK(depends_on("N").find("-D N=") != std::string::npos);
}

TEST_CASE("what is chosen for a derivative without loops says so, also without the pass that cuts loops") {
  Sources sources;
  Diagnostics diagnostics;
  const auto module = parse(*sources.add("deep.dl", R"(
!rematerialize
func @deep: (<64 x f32>) -> <64 x f32> {
'entry(%x: <64 x f32>):
    %a = exp %x: <64 x f32>
    %b = exp %a: <64 x f32>
    %c = exp %b: <64 x f32>
    %d = multiply %c: <64 x f32>, %b: <64 x f32>
    %e = multiply %d: <64 x f32>, %a: <64 x f32>
    return %e: <64 x f32>
}
)"),
                            sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
  std::vector<CheckpointingChoice> choices;
  rematerialization(*module, diagnostics, {50, true}, &choices);
  REQUIRE(choices.size() == 1);
  CHECK(choices[0].is_straight_line);
}
