// That sinking keeps results: of integers, whose sums have one value in any order.
#include "dlvm/transform/contraction_sinking.h"

#include <fmt/format.h>

#include "dlvm/analysis/loops.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/verify/verify.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

Tensor numbers(std::vector<std::int64_t> extents, std::int64_t seed) {
  Tensor all(ElementType::i32, std::move(extents));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i);
    all.set(i, (k * 7 + seed * 5 + k * k) % 19 - 9);
  }
  return all;
}

int products_in_loops(Function& function) {
  const ControlFlow flow(function);
  const LoopNest loops(flow, DominatorTree(flow));
  int count = 0;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      count += instruction->opcode() == Opcode::dot && loops.innermost(block.get()) != nullptr;
  return count;
}

/// Sinks the products of the text's function, which takes <T x 1 x 4 x i32> and <T + 2 x 1 x 5 x i32>, and
/// compares its results for several T. `left` products stay in loops. Each product has 20 elements, which is
/// enough where that is the least.
void check(const std::string& body, int left) {
  const std::string text =
      "func @f: (<T x 1 x 4 x i32>, <T + 2 x 1 x 5 x i32>) -> <4 x 5 x i32> {\n"
      "'entry(%x: <T x 1 x 4 x i32>, %y: <T + 2 x 1 x 5 x i32>):\n    %length = extent T: i64\n" +
      body + "}\n";
  const parsed::Text before(text);
  parsed::Text after(text);
  CHECK_FALSE(contraction_sinking(after.module(), 21));
  CHECK(contraction_sinking(after.module(), 20));
  remove_dead_instructions(after.function());
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(verify(after.module(), diagnostics), render(diagnostics));
  CHECK(products_in_loops(after.function()) == left);
  for (const std::int64_t rounds : {0, 1, 2, 7}) {
    const RuntimeValue arguments[]{numbers({rounds, 1, 4}, 1), numbers({rounds + 2, 1, 5}, 2)};
    const Interpretation expected = interpret(before.function(), arguments);
    const Interpretation found = interpret(after.function(), arguments);
    REQUIRE(!expected.error);
    REQUIRE_MESSAGE(!found.error, found.error->text);
    CHECK(found.value.tensor() == expected.value.tensor());
  }
}

/// A loop that goes up.
std::string upwards(const std::string& instructions, const std::string& next) {
  return R"(    branch 'loop(0: i64, 1: <4 x 5 x i32>, 2: <1 x 4 x i32>)
'loop(%i: i64, %sum: <4 x 5 x i32>, %state: <1 x 4 x i32>):
    %more = lessThan %i: i64, %length: i64
    conditional %more: bool then 'body() else 'end()
'body():
    %i1 = add %i: i64, 1: i64
    %a = gather %x: <T x 1 x 4 x i32> at %i: i64 along 0
    %b = gather %y: <T + 2 x 1 x 5 x i32> at %i1: i64 along 0
)" + instructions +
         "    branch 'loop(%i1: i64, " + next + R"(: <4 x 5 x i32>, %a: <1 x 4 x i32>)
'end():
    return %sum: <4 x 5 x i32>
)";
}

}  // namespace

TEST_CASE("rows that the loop gathers are slices") {
  check(upwards("    %p = dot %a: <1 x 4 x i32>, %b: <1 x 5 x i32> contract 0 with 0\n"
                "    %s = add %sum: <4 x 5 x i32>, %p: <4 x 5 x i32>\n",
                "%s"),
        0);
}

TEST_CASE("operands that the loop computes are kept, once for all products") {
  check(upwards("    %c = multiply %state: <1 x 4 x i32>, %a: <1 x 4 x i32>\n"
                "    %d = multiply %b: <1 x 5 x i32>, %b: <1 x 5 x i32>\n"
                "    %p = dot %c: <1 x 4 x i32>, %d: <1 x 5 x i32> contract 0 with 0\n"
                "    %q = dot %d: <1 x 5 x i32>, %a: <1 x 4 x i32> contract 0 with 0\n"
                "    %t = transpose %q: <5 x 4 x i32> by 1, 0\n"
                "    %s = add %p: <4 x 5 x i32>, %sum: <4 x 5 x i32>\n"
                "    %u = add %s: <4 x 5 x i32>, %t: <4 x 5 x i32>\n",
                "%u"),
        0);
}

TEST_CASE("a product that is not added alone stays") {
  check(upwards("    %p = dot %a: <1 x 4 x i32>, %b: <1 x 5 x i32> contract 0 with 0\n"
                "    %q = dot %state: <1 x 4 x i32>, %b: <1 x 5 x i32> contract 0 with 0\n"
                "    %m = negate %p: <4 x 5 x i32>\n"
                "    %s = add %sum: <4 x 5 x i32>, %m: <4 x 5 x i32>\n"
                "    %u = add %s: <4 x 5 x i32>, %q: <4 x 5 x i32>\n",
                "%u"),
        1);
}

TEST_CASE("a loop that goes down meets rows of one that goes up, and a counter of another type") {
  check(R"(    %start = extent T: i32
    branch 'loop(%start: i32, 0: i64, 0: <4 x 5 x i32>)
'loop(%i: i32, %k: i64, %sum: <4 x 5 x i32>):
    %more = greaterThan %i: i32, 0: i32
    conditional %more: bool then 'body() else 'end()
'body():
    %i1 = subtract %i: i32, 1: i32
    %k1 = add %k: i64, 1: i64
    %a = gather %x: <T x 1 x 4 x i32> at %i1: i32 along 0
    %b = gather %y: <T + 2 x 1 x 5 x i32> at %k1: i64 along 0
    %d = multiply %b: <1 x 5 x i32>, 3: i32
    %p = dot %a: <1 x 4 x i32>, %b: <1 x 5 x i32> contract 0 with 0
    %q = dot %a: <1 x 4 x i32>, %d: <1 x 5 x i32> contract 0 with 0
    %s = add %sum: <4 x 5 x i32>, %p: <4 x 5 x i32>
    %u = add %s: <4 x 5 x i32>, %q: <4 x 5 x i32>
    branch 'loop(%i1: i32, %k1: i64, %u: <4 x 5 x i32>)
'end():
    return %sum: <4 x 5 x i32>
)",
        0);
}

TEST_CASE("a product of an inner loop leaves the loop around it as well") {
  check(R"(    branch 'outer(0: i64, 0: <4 x 5 x i32>)
'outer(%k: i64, %all: <4 x 5 x i32>):
    %again = lessThan %k: i64, 3: i64
    conditional %again: bool then 'first() else 'last()
'first():
    branch 'loop(0: i64, %all: <4 x 5 x i32>)
'loop(%i: i64, %sum: <4 x 5 x i32>):
    %more = lessThan %i: i64, %length: i64
    conditional %more: bool then 'body() else 'end()
'body():
    %a = gather %x: <T x 1 x 4 x i32> at %i: i64 along 0
    %b = gather %y: <T + 2 x 1 x 5 x i32> at %i: i64 along 0
    %factor = dataTypeCast %k: i64 to i32
    %c = multiply %a: <1 x 4 x i32>, %factor: i32
    %p = dot %c: <1 x 4 x i32>, %b: <1 x 5 x i32> contract 0 with 0
    %s = add %sum: <4 x 5 x i32>, %p: <4 x 5 x i32>
    %i1 = add %i: i64, 1: i64
    branch 'loop(%i1: i64, %s: <4 x 5 x i32>)
'end():
    %k1 = add %k: i64, 1: i64
    branch 'outer(%k1: i64, %sum: <4 x 5 x i32>)
'last():
    return %all: <4 x 5 x i32>
)",
        1);  // nothing is gathered in the loop around it, and memory would grow with its rounds
}

TEST_CASE("no more is kept than twice what the loop gathers") {
  const auto products = [](int count) {
    std::string text;
    for (int k = 1; k <= count; ++k) {
      const std::string sum = k == 1 ? "%sum" : fmt::format("%s{}", k - 1);
      text += fmt::format(R"(    %c{0} = multiply %a: <1 x 4 x i32>, {0}: i32
    %d{0} = multiply %b: <1 x 5 x i32>, {0}: i32
    %p{0} = dot %c{0}: <1 x 4 x i32>, %d{0}: <1 x 5 x i32> contract 0 with 0
    %s{0} = add {1}: <4 x 5 x i32>, %p{0}: <4 x 5 x i32>
)",
                          k, sum);
    }
    return upwards(text, fmt::format("%s{}", count));
  };
  check(products(2), 0);
  check(products(3), 1);
}

TEST_CASE("what is kept of a product has fewer elements than the product") {
  const auto sinks = [](int rows, int columns) {
    parsed::Text text(fmt::format(R"(
func @f: (<T x 1 x {0} x i32>, <T x 1 x {1} x i32>) -> <{0} x {1} x i32> {{
'entry(%x: <T x 1 x {0} x i32>, %y: <T x 1 x {1} x i32>):
    %length = extent T: i64
    branch 'loop(0: i64, 0: <{0} x {1} x i32>)
'loop(%i: i64, %sum: <{0} x {1} x i32>):
    %more = lessThan %i: i64, %length: i64
    conditional %more: bool then 'body() else 'end()
'body():
    %a = gather %x: <T x 1 x {0} x i32> at %i: i64 along 0
    %b = gather %y: <T x 1 x {1} x i32> at %i: i64 along 0
    %c = negate %a: <1 x {0} x i32>
    %d = negate %b: <1 x {1} x i32>
    %p = dot %c: <1 x {0} x i32>, %d: <1 x {1} x i32> contract 0 with 0
    %s = add %sum: <{0} x {1} x i32>, %p: <{0} x {1} x i32>
    %i1 = add %i: i64, 1: i64
    branch 'loop(%i1: i64, %s: <{0} x {1} x i32>)
'end():
    return %sum: <{0} x {1} x i32>
}}
)",
                                  rows, columns));
    return contraction_sinking(text.module(), 1);
  };
  CHECK(sinks(2, 3));
  CHECK_FALSE(sinks(2, 2));
}
