// What the passes that round differently make of an instruction: FM, and STA.
#include "dlvm/transform/fast_math.h"
#include "dlvm/transform/stable_rewrites.h"
#include "tests/dlvm/transform/expressions.h"

using namespace dlvm;

namespace {

using List = std::initializer_list<std::string>;

std::string fast(List instructions) {
  return expressions::rewritten([](Module& module) { fast_math(*module.function("f")); }, instructions);
}
std::string fast(const char* instruction) { return fast({std::string(instruction)}); }

std::string stable(List instructions) {
  return expressions::rewritten([](Module& module) { stable_rewrites(*module.function("f")); }, instructions);
}

}  // namespace

TEST_CASE("floats that are taken for finite have the neutral and absorbing elements of reals") {
  CHECK(fast("multiply %x, 0: f32") == "0");
  CHECK(fast("add %x, 0: f32") == "x");
  CHECK(fast("add 0: f32, %x") == "x");
  CHECK(fast("add %x, 1: f32") == "add(x, 1)");
  CHECK(fast("subtract %x, %x") == "0");
  CHECK(fast("subtract %x, %y") == "subtract(x, y)");
  CHECK(fast("divide %x, %x") == "1");
  CHECK(fast("divide %x, %y") == "divide(x, y)");
  CHECK(fast("equal %x, %x") == "true");
  CHECK(fast("lessThanOrEqual %x, %x") == "true");
  CHECK(fast("greaterThanOrEqual %x, %x") == "true");
  CHECK(fast("notEqual %x, %x") == "false");
  CHECK(fast("lessThan %x, %x") == "false");
  CHECK(fast("subtract %i, %i") == "subtract(i, i)");
}

TEST_CASE("literals are joined, and divisors are factors, where these are ordinary numbers") {
  CHECK(fast("divide %x, 3: f32") == "multiply(x, 0.33333334)");
  CHECK(fast("divide %x, 100: f32") == "divide(x, 100)");
  CHECK(fast("divide %x, 0.01: f32") == "divide(x, 0.01)");
  CHECK(fast("divide %x, -99: f32") == "multiply(x, -0.01010101)");
  CHECK(fast({"add %x, 2: f32", "add %p, 3: f32"}) == "add(x, 5)");
  CHECK(fast({"add 2: f32, %x", "add 3: f32, %p"}) == "add(x, 5)");
  CHECK(fast({"multiply %x, 2: f32", "multiply %p, 3: f32"}) == "multiply(x, 6)");
  CHECK(fast({"multiply %x, 2: f32", "add %p, 3: f32"}) == "add(multiply(x, 2), 3)");
  CHECK(fast({"add %x, 2: f32", "add %p, 1000: f32"}) == "add(add(x, 2), 1000)");
  CHECK(fast({"add %x, 1000: f32", "add %p, 2: f32"}) == "add(add(x, 1000), 2)");
  CHECK(fast({"add %i, 2: i32", "add %p, 3: i32"}) == "add(add(i, 2), 3)");
}

TEST_CASE("functions undo their inverses") {
  CHECK(fast({"log %x", "exp %p"}) == "x");
  CHECK(fast({"exp %x", "log %p"}) == "x");
  CHECK(fast({"log1p %x", "expm1 %p"}) == "x");
  CHECK(fast({"expm1 %x", "log1p %p"}) == "x");
  CHECK(fast({"sqrt %x", "square %p"}) == "x");
  CHECK(fast({"log1p %x", "exp %p"}) == "exp(log1p(x))");
}

TEST_CASE("logarithms of sums and of quotients are computed without what overflows") {
  CHECK(stable({"exp %x", "divide %p, %y", "log %q"}) == "subtract(x, log(y))");
  CHECK(stable({"divide 1: f32, %y", "log %p"}) == "negate(log(y))");
  CHECK(stable({"divide 2: f32, %y", "log %p"}) == "log(divide(2, y))");
  CHECK(stable({"add %x, 1: f32", "log %p"}) == "log1p(x)");
  CHECK(stable({"add 1: f32, %x", "log %p"}) == "log1p(x)");
  CHECK(stable({"add %x, 2: f32", "log %p"}) == "log(add(x, 2))");
  CHECK(stable({"add %x, 1: <3 x f32>", "log %p"}) == "log(add(x, 1))");
  const std::string softplus =
      "add(select(x, 0, greaterThan(x, 0)), log1p(exp(select(negate(x), x, greaterThan(x, 0)))))";
  CHECK(stable({"exp %x", "log1p %p"}) == softplus);
  CHECK(stable({"exp %x", "add %p, 1: f32", "log %q"}) == softplus);
  CHECK(stable({"abs %x", "negate %p", "exp %q", "log1p %r"}) == "log1p(exp(negate(abs(x))))");
}

TEST_CASE("the logarithm of a sum of exponentials is shifted by the largest, once") {
  const std::string shift = "detach(select(reduce(v, -inf), 0, isFinite(reduce(v, -inf))))";
  CHECK(stable({"exp %v", "reduce %p by add init 0: f32 along 0", "log %q"}) ==
        "add(" + shift + ", log(reduce(exp(subtract(v, shapeCast(" + shift + "))), 0)))");
  CHECK(stable({"exp %v", "reduce %p by add init 1: f32 along 0", "log %q"}) == "log(reduce(exp(v), 1))");
  CHECK(stable({"exp %v", "reduce %p by max init 0: f32 along 0", "log %q"}) == "log(reduce(exp(v), 0))");
}

TEST_CASE("an exponential less one is expm1") {
  CHECK(stable({"exp %x", "subtract %p, 1: f32"}) == "expm1(x)");
  CHECK(stable({"exp %x", "add %p, -1: f32"}) == "expm1(x)");
  CHECK(stable({"exp %x", "subtract %p, 2: f32"}) == "subtract(exp(x), 2)");
  CHECK(stable({"exp %x", "add %p, 1: f32"}) == "add(exp(x), 1)");
  CHECK(stable({"exp %x", "subtract %p, 1: <3 x f32>"}) == "broadcast(expm1(x))");
}
