#include "codegen/kernel/memory/coalesce.h"

#include <doctest/doctest.h>

#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/read_unit.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "tests/codegen/scheduled.h"
#include "tests/codegen/target/cpu/jit.h"
#include "tests/codegen/target/emulator/emulated.h"

namespace codegen::kernel {
namespace {

/// y = x + n * x by a loop that adds x to a total, and one more than the last number of the loop.
constexpr const char* adding = R"(program @adding
  input x: <N x f32>
  input n: i32
  literal none: i32 = 0
  arena total: <N x f32>
  arena sum: <N x f32>
  arena i: i32
  arena j: i32
  arena again: bool
  output y: <N x f32>
  output steps: i32
  launch @copy(x, total)
  launch @number(none, i)
  loop repeat {
    launch @less(i, n, again)
    if again {
      launch @add(x, total, sum)
      launch @increase(i, j)
      swap total, sum
      swap i, j
      jump repeat
    }
  }
  launch @copy(total, y)
  launch @number(i, steps)

kernel @copy(x: <N x f32>, y: <N x f32> written) {
  stage s over $i0 in N {
    %0: f32 = load x[$i0]
    store %0 to y[$i0]
  }
}

kernel @number(x: i32, y: i32 written) {
  stage s {
    %0: i32 = load x[]
    store %0 to y[]
  }
}

kernel @less(a: i32, b: i32, y: bool written) {
  stage s {
    %0: i32 = load a[]
    %1: i32 = load b[]
    %2: bool = lessThan %0, %1
    store %2 to y[]
  }
}

kernel @add(x: <N x f32>, z: <N x f32>, y: <N x f32> written) {
  stage s over $i0 in N {
    %0: f32 = load x[$i0]
    %1: f32 = load z[$i0]
    %2: f32 = add %0, %1
    store %2 to y[$i0]
  }
}

kernel @increase(x: i32, y: i32 written) {
  stage s {
    %0: i32 = load x[]
    %1: i32 = literal 1
    %2: i32 = add %0, %1
    store %2 to y[]
  }
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Program parsed(const std::string& text) {
  std::string error;
  auto unit = read_unit(text, error);
  REQUIRE_MESSAGE(unit.has_value(), error);
  return std::move(unit->functions.begin()->second.scheduled.program);
}

/// The program's values and statements after it was coalesced. They compute what they did before, on each
/// machine.
std::string coalesced(const std::string& text) {
  const Program before = parsed(text);
  Program after = before;
  coalesce(after);
  CHECK(verify(after).value_or("") == "");
  const test::CompiledProgram compiled(after);
  const auto gpu = test::scheduled_for_gpu(after, 80), apart = test::scheduled_for_gpu(after, 80, false);
  for (std::int64_t n = 0; n <= 3; ++n) {
    dlvm::Tensor x(ElementType::f32, {3});
    for (std::size_t i = 0; i < 3; ++i) x.set(i, static_cast<double>(5 + 2 * i));
    const std::vector<dlvm::Tensor> inputs{x, dlvm::Tensor::scalar(ElementType::i32, n)};
    const Extent::Bindings dimensions{{"N", 3}};
    const auto meant = interpret(before, inputs, dimensions).outputs;
    CHECK(interpret(after, inputs, dimensions).outputs == meant);
    CHECK(compiled.run(inputs, dimensions).outputs == meant);
    for (const auto* scheduled : {&compiled.scheduled(), &gpu, &apart})
      CHECK(schedule::interpret(*scheduled, inputs, dimensions, 1).outputs == meant);
    for (const auto* scheduled : {&gpu, &apart})
      CHECK(test::EmulatedProgram(*scheduled).run({inputs, dimensions}, 1).outputs == meant);
  }
  const std::string printed = print(after);
  const std::size_t first = printed.find("  arena");
  return printed.substr(first, printed.find("\nkernel") - first);
}

TEST_CASE("a loop adds to a total in place, in the memory of the output") {
  // A number is left as it is, because a loop may keep it in a variable.
  CHECK(coalesced(adding) == R"(  arena i: i32
  arena j: i32
  arena again: bool
  output y: <N x f32>
  output steps: i32
  launch @copy(x, y)
  launch @number(none, i)
  loop repeat {
    launch @less(i, n, again)
    if again {
      launch @add(x, y)
      launch @increase(i, j)
      swap i, j
      jump repeat
    }
  }
  launch @number(i, steps)
)");
  Program program = parsed(adding);
  coalesce(program);
  CHECK(print(program.kernels[3]) == R"(kernel @add(x: <N x f32>, z: <N x f32> updated) {
  stage s over $i0 in N {
    %0: f32 = load x[$i0]
    %1: f32 = load z[$i0]
    %2: f32 = add %0, %1
    store %2 to z[$i0]
  }
}
)");
}

TEST_CASE("a total is in the memory of the output where a way through the loop ends in a trap") {
  std::string trapping = replaced(adding, "  loop repeat {\n", "  block end {\n  loop repeat {\n");
  trapping = replaced(trapping, "    if again {\n", R"(    launch @less(n, none, again_not)
    if again_not {
      launch @trap(trapped)
      jump end
    }
    if again {
)");
  trapping = replaced(trapping, "  launch @number(i, steps)\n", "  launch @number(i, steps)\n  }\n");
  trapping = replaced(trapping, "  arena i: i32\n",
                      "  arena again_not: bool\n  arena trapped: i32\n  arena i: i32\n");
  trapping += R"(
kernel @trap(trapped: i32 written) {
  stage trap {
    %0: i32 = literal 0
    %1: i32 = check %0 from 0 upto 0 site 0 at []
    store %1 to trapped[]
  }
}
)";
  CHECK(coalesced(trapping).find("launch @copy(total, y)") == std::string::npos);
}

TEST_CASE("a total that is read elsewhere than where it is written has two memories") {
  const std::string text = coalesced(replaced(adding, "load z[$i0]", "load z[-$i0 + (N - 1)]"));
  CHECK(text.find("swap total, sum") != std::string::npos);
  CHECK(text.find("launch @copy(total, y)") != std::string::npos);
}

TEST_CASE("a total that is read after the sum is written has two memories") {
  const std::string late = coalesced(replaced(adding, "      swap total, sum\n",
                                              "      launch @add(total, sum, y)\n      swap total, sum\n"));
  CHECK(late.find("swap total, sum") != std::string::npos);
  // Before, it may be read.
  const std::string early = coalesced(
      replaced(adding, "      launch @add(x", "      launch @add(total, total, y)\n      launch @add(x"));
  CHECK(early.find("swap total") == std::string::npos);
}

TEST_CASE("a copy whose source changes afterwards remains") {
  std::string copying = replaced(adding, "  launch @copy(total, y)\n", "");
  copying =
      replaced(copying, "  launch @number(none, i)\n", "  launch @number(none, i)\n  launch @copy(x, y)\n");
  copying = replaced(copying, "      launch @add(x", "      launch @copy(total, y)\n      launch @add(x");
  CHECK(coalesced(copying).find("launch @copy(total, y)") != std::string::npos);
}

TEST_CASE("values that are rotated keep memories of their own") {
  // The total takes what the sum was an iteration before.
  std::string rotating = replaced(adding, "  arena i: i32\n", "  arena late: <N x f32>\n  arena i: i32\n");
  rotating = replaced(rotating, "  launch @number(none, i)\n",
                      "  launch @number(none, i)\n  launch @copy(x, late)\n");
  rotating = replaced(rotating, "      swap total, sum\n", "      swap total, late\n      swap late, sum\n");
  const std::string text = coalesced(rotating);
  CHECK(text.find("swap total, late") != std::string::npos);
}

TEST_CASE("a value that a swap fills is needed beside another") {
  // b is needed behind the swap, which gives the dead value a what was in c; later a is copied to b.
  std::string swapping = replaced(adding, "  launch @copy(total, y)\n", R"(  launch @add(x, x, c)
  launch @add(x, c, a)
  launch @add(a, c, sum)
  launch @add(x, sum, b)
  launch @add(x, b, c)
  swap a, c
  launch @add(a, b, sum)
  launch @copy(a, b)
  launch @add(sum, b, y)
)");
  swapping = replaced(swapping, "  arena i: i32\n",
                      "  arena a: <N x f32>\n  arena b: <N x f32>\n  arena c: <N x f32>\n  arena i: i32\n");
  CHECK(coalesced(swapping).find("launch @copy(a, b)") != std::string::npos);
}

}  // namespace
}  // namespace codegen::kernel
