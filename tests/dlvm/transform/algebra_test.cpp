// What each rule of AS makes of an instruction, and what it leaves alone.
#include "dlvm/transform/algebra_simplification.h"

#include "tests/dlvm/transform/expressions.h"

using namespace dlvm;

namespace {

std::string simplified(std::initializer_list<std::string> instructions) {
  return expressions::rewritten([](Module& module) { algebra_simplification(module); }, instructions);
}
std::string simplified(const char* instruction) { return simplified({std::string(instruction)}); }

}  // namespace

TEST_CASE("neutral elements: of floats only where -0 stays -0") {
  CHECK(simplified("add %x, 0: f32") == "add(x, 0)");
  CHECK(simplified("add %x, -0: f32") == "x");
  CHECK(simplified("add -0: f32, %x") == "x");
  CHECK(simplified("add %i, 0: i32") == "i");
  CHECK(simplified("add 0: i32, %i") == "i");
  CHECK(simplified("subtract %x, 0: f32") == "x");
  CHECK(simplified("subtract 0: i32, %i") == "subtract(0, i)");
  CHECK(simplified("add %x, -0: <3 x f32>") == "broadcast(x)");
  CHECK(simplified("multiply %x, 1: f32") == "x");
  CHECK(simplified("multiply 1: i32, %i") == "i");
  CHECK(simplified("multiply %x, -1: f32") == "negate(x)");
  CHECK(simplified("multiply %x, 2: f32") == "multiply(x, 2)");
  CHECK(simplified("divide %x, 1: f32") == "x");
  CHECK(simplified("divide %x, -1: f32") == "negate(x)");
  CHECK(simplified("divide 1: f32, %x") == "divide(1, x)");
  CHECK(simplified("truncateDivide %i, 1: i32") == "i");
  CHECK(simplified("floorDivide %i, 1: i32") == "i");
  CHECK(simplified("floorDivide %x, 1: f32") == "floorDivide(x, 1)");
  CHECK(simplified("modulo %i, 1: i32") == "0");
  CHECK(simplified("modulo %x, 1: f32") == "modulo(x, 1)");
  CHECK(simplified("modulo %i, 2: i32") == "modulo(i, 2)");
}

TEST_CASE("a division by a power of two up to 2^12 is a product") {
  CHECK(simplified("divide %x, 2: f32") == "multiply(x, 0.5)");
  CHECK(simplified("divide %x, -4: f32") == "multiply(x, -0.25)");
  CHECK(simplified("divide %x, 0.25: f32") == "multiply(x, 4)");
  CHECK(simplified("divide %x, 4096: f32") == "multiply(x, 0.00024414062)");
  CHECK(simplified("divide %x, 8192: f32") == "divide(x, 8192)");
  CHECK(simplified("divide %x, 3: f32") == "divide(x, 3)");
  CHECK(simplified("divide %x, 0: f32") == "divide(x, 0)");
}

TEST_CASE("zero absorbs integers, and floats where no NaN, infinity or -0 can be") {
  CHECK(simplified("multiply %i, 0: i32") == "0");
  CHECK(simplified("multiply 0: i32, %i") == "0");
  CHECK(simplified("multiply %x, 0: f32") == "multiply(x, 0)");
  CHECK(simplified("absorbingMultiply %x, 0: f32") == "0");
  CHECK(simplified("absorbingMultiply 1: f32, %x") == "add(x, 0)");
  CHECK(simplified("absorbingMultiply %x, 2: f32") == "absorbingMultiply(x, 2)");
  CHECK(simplified("subtract %i, %i") == "0");
  CHECK(simplified("subtract %x, %x") == "subtract(x, x)");
  const auto converted = [](const std::string& from, const std::string& to, const std::string& by) {
    return simplified({"dataTypeCast " + from + " to " + to, by});
  };
  CHECK(converted("%u", "f32", "multiply %p, 0: f32") == "0");
  CHECK(converted("%s", "f32", "multiply %p, 0: f32") == "multiply(dataTypeCast(s), 0)");
  CHECK(converted("%s", "f32", "subtract %p, %p") == "0");
  CHECK(converted("%b", "f16", "subtract %p, %p") == "0");
  CHECK(converted("%s", "f16", "subtract %p, %p") == "0");
  CHECK(converted("%i", "f32", "subtract %p, %p") == "0");
  CHECK(converted("%i", "f16", "subtract %p, %p") == "subtract(dataTypeCast(i), dataTypeCast(i))");
  CHECK(converted("%h", "f32", "subtract %p, %p") == "subtract(dataTypeCast(h), dataTypeCast(h))");
}

TEST_CASE("signs") {
  CHECK(simplified({"negate %x", "negate %p"}) == "x");
  CHECK(simplified({"negate %x", "add %y, %p"}) == "subtract(y, x)");
  CHECK(simplified({"negate %x", "add %p, %y"}) == "subtract(y, x)");
  CHECK(simplified({"negate %x", "subtract %y, %p"}) == "add(y, x)");
  CHECK(simplified({"negate %x", "subtract %p, %y"}) == "subtract(negate(x), y)");
  CHECK(simplified({"negate %x", "negate %y", "multiply %p, %q"}) == "multiply(x, y)");
  CHECK(simplified({"negate %x", "multiply %p, %y"}) == "multiply(negate(x), y)");
  CHECK(simplified({"negate %x", "abs %p"}) == "abs(x)");
  CHECK(simplified({"abs %x", "cos %p"}) == "cos(x)");
  CHECK(simplified({"negate %x", "sin %p"}) == "sin(negate(x))");
  CHECK(simplified("abs %u") == "u");
  CHECK(simplified("abs %s") == "abs(s)");
}

TEST_CASE("powers") {
  CHECK(simplified("power 1: f32, %x") == "1");
  CHECK(simplified("power %x, 0: f32") == "1");
  CHECK(simplified("power %x, 1: f32") == "x");
  CHECK(simplified("power %x, 2: f32") == "square(x)");
  CHECK(simplified("power %x, -1: f32") == "divide(1, x)");
  CHECK(simplified("power %x, 3: f32") == "power(x, 3)");
  CHECK(simplified("multiply %x, %x") == "square(x)");
  CHECK(simplified({"floor %x", "round %p"}) == "floor(x)");
  CHECK(simplified({"sqrt %x", "round %p"}) == "round(sqrt(x))");
}

TEST_CASE("logic: of floats no comparison is the opposite of another, but of equality") {
  CHECK(simplified("and %b, %b") == "b");
  CHECK(simplified("min %x, %x") == "x");
  CHECK(simplified("max %x, %y") == "max(x, y)");
  CHECK(simplified("and %b, true: bool") == "b");
  CHECK(simplified("and %b, false: bool") == "false");
  CHECK(simplified("or %b, true: bool") == "true");
  CHECK(simplified("or false: bool, %b") == "b");
  CHECK(simplified({"not %b", "not %p"}) == "b");
  CHECK(simplified({"lessThan %i, %j", "not %p"}) == "greaterThanOrEqual(i, j)");
  CHECK(simplified({"lessThan %x, %y", "not %p"}) == "not(lessThan(x, y))");
  CHECK(simplified({"equal %x, %y", "not %p"}) == "notEqual(x, y)");
  CHECK(simplified({"isNaN %x", "not %p"}) == "not(isNaN(x))");
  CHECK(simplified("equal %i, %i") == "true");
  CHECK(simplified("lessThanOrEqual %i, %i") == "true");
  CHECK(simplified("greaterThan %i, %i") == "false");
  CHECK(simplified("notEqual %i, %i") == "false");
  CHECK(simplified("equal %x, %x") == "equal(x, x)");
}

TEST_CASE("choices") {
  CHECK(simplified("select %x, %x by %b") == "x");
  CHECK(simplified("select %x, %y by true: bool") == "x");
  CHECK(simplified("select %x, %y by false: bool") == "y");
  CHECK(simplified("select %x, %v by true: bool") == "broadcast(x)");
  CHECK(simplified({"not %b", "select %x, %y by %p"}) == "select(y, x, b)");
  CHECK(simplified("select true: bool, false: bool by %b") == "b");
  CHECK(simplified("select false: bool, true: bool by %b") == "select(false, true, b)");
  CHECK(simplified("select 1: f32, 0: f32 by %b") == "select(1, 0, b)");
}

TEST_CASE("conversions that lose nothing on the way, or wrap alike") {
  const auto twice = [](const std::string& from, const std::string& between, const std::string& to) {
    return simplified({"dataTypeCast " + from + " to " + between, "dataTypeCast %p to " + to});
  };
  CHECK(simplified("dataTypeCast %x to f32") == "x");
  CHECK(twice("%h", "f32", "f16") == "h");
  CHECK(twice("%x", "f64", "f16") == "dataTypeCast(x)");
  CHECK(twice("%x", "f16", "f32") == "dataTypeCast(dataTypeCast(x))");
  CHECK(twice("%h", "bf16", "f32") == "dataTypeCast(dataTypeCast(h))");
  CHECK(twice("%i", "i64", "i32") == "i");
  CHECK(twice("%i", "i16", "i8") == "dataTypeCast(i)");
  CHECK(twice("%i", "i8", "i16") == "dataTypeCast(dataTypeCast(i))");
  CHECK(twice("%s", "u8", "i32") == "dataTypeCast(dataTypeCast(s))");
  CHECK(twice("%u", "i16", "f32") == "dataTypeCast(u)");
  CHECK(twice("%u", "f16", "f32") == "dataTypeCast(u)");
  CHECK(twice("%u", "bf16", "f32") == "dataTypeCast(u)");
  CHECK(twice("%s", "f32", "i8") == "s");
  CHECK(twice("%i", "f64", "i8") == "dataTypeCast(dataTypeCast(i))");
  CHECK(twice("%i", "f32", "i64") == "dataTypeCast(dataTypeCast(i))");
  CHECK(twice("%b", "f16", "bool") == "b");
  CHECK(twice("%i", "bool", "i32") == "dataTypeCast(dataTypeCast(i))");
}

TEST_CASE("what moves elements about, and back") {
  CHECK(simplified("shapeCast %v to 3") == "v");
  CHECK(simplified({"shapeCast %w to 6", "shapeCast %p to 3 x 2"}) == "shapeCast(w)");
  CHECK(simplified({"padShape %v at 0", "squeezeShape %p at 0"}) == "v");
  CHECK(simplified("slice %v from 0 upto 3") == "v");
  CHECK(simplified("slice %v from 0 upto 2") == "slice(v)");
  CHECK(simplified("slice %v from 1 upto 3") == "slice(v)");
  CHECK(simplified("slice %n from 0 upto N") == "n");
  CHECK(simplified({"slice %v from 1 upto 3", "slice %p from 1 upto 2"}) == "slice(v)");
  CHECK(simplified({"slice %v from 0 upto 3 by 2", "slice %p from 1 upto 2"}) == "slice(slice(v))");
  CHECK(simplified("pad %v by (0, 0) with %x") == "v");
  CHECK(simplified("pad %v by (0, 1) with %x") == "pad(v, x)");
  CHECK(simplified("pad %v by (1, 0) with %x") == "pad(v, x)");
  CHECK(simplified("transpose %w by 0, 1") == "w");
  CHECK(simplified("transpose %v") == "v");
  CHECK(simplified({"transpose %w", "transpose %p by 1, 0"}) == "w");
  CHECK(simplified({"reverse %w along 0", "reverse %p along 0"}) == "w");
  CHECK(simplified({"reverse %w along 0, 1", "reverse %p along 1"}) == "reverse(w)");
  CHECK(simplified({"broadcast %v to 2 x 3", "broadcast %p to 4 x 2 x 3"}) == "broadcast(v)");
  CHECK(simplified({"padShape %v at 0", "broadcast %p to 2 x 3"}) == "broadcast(v)");
  CHECK(simplified({"padShape %v at 1", "broadcast %p to 3 x 2"}) == "broadcast(padShape(v))");
  CHECK(simplified({"broadcast %v to 2 x 3", "add %p, %w"}) == "add(v, w)");
  CHECK(simplified({"broadcast %v to 2 x 3", "add %p, %x"}) == "add(broadcast(v), x)");
  CHECK(simplified({"broadcast %x to 2 x 3", "transpose %p"}) == "broadcast(x)");
  CHECK(simplified({"broadcast %v to 2 x 3", "transpose %p"}) == "transpose(broadcast(v))");
  CHECK(simplified({"broadcast %v to 2 x 3", "exp %p"}) == "broadcast(exp(v))");
  CHECK(simplified("concatenate %v along 0") == "v");
}

TEST_CASE("reductions of one element, and parts of aggregates") {
  CHECK(simplified({"padShape %v at 0", "reduce %p by add init %x along 0"}) == "add(x, v)");
  CHECK(simplified("reduce %w by add init %x along 0") == "reduce(w, x)");
  CHECK(simplified({"literal (%x, %i)", "extract 1 from %p"}) == "i");
  CHECK(simplified({"insert %y to %t at 0", "extract 0 from %p"}) == "y");
  CHECK(simplified({"insert %y to %t at 0", "extract 1 from %p"}) == "extract(t)");
  CHECK(simplified({"literal (%x, %i)", "insert %y to %p at 0"}) == "literal(y, i)");
  CHECK(simplified({"checkIndex %i from 0 upto 5", "checkIndex %p from 0 upto 5"}) == "checkIndex(i)");
  CHECK(simplified({"checkIndex %i from 0 upto 5", "checkIndex %p from -1 upto 6"}) == "checkIndex(i)");
  CHECK(simplified({"checkIndex %i from 0 upto 5", "checkIndex %p from 1 upto 5"}) ==
        "checkIndex(checkIndex(i))");
  CHECK(simplified({"checkIndex %i from 0 upto 5", "checkIndex %p from 0 upto 4"}) ==
        "checkIndex(checkIndex(i))");
  CHECK(simplified("detach %x") == "x");
}
