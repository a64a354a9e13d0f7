#include "dlvm/transform/rewrite.h"

#include "dlvm/transform/constant_propagation.h"
#include "dlvm/transform/literal_broadcasting_promotion.h"
#include "tests/dlvm/transform/expressions.h"

using namespace dlvm;

namespace {

using List = std::initializer_list<std::string>;

template <auto rule>
std::string rewritten(OpcodeSet of, List instructions) {
  static OpcodeSet opcodes{};
  opcodes = of;
  return expressions::rewritten(
      [](Module& module) {
        const RewriteRule rules[]{{opcodes, rule}};
        rewrite(*module.function("f"), rules);
      },
      instructions);
}

Value* sine_of(Instruction& i, Builder& b) {
  return b.unary(i.opcode() == Opcode::sin ? Opcode::cos : Opcode::sin, i.operand(0));
}
Value* other_type(Instruction&, Builder& b) { return b.constant(ElementType::f64, 0); }
Value* grows(Instruction& i, Builder& b) { return b.unary(Opcode::exp, b.unary(Opcode::exp, i.operand(0))); }

std::string folded(List instructions) {
  return expressions::rewritten([](Module& module) { constant_propagation(*module.function("f")); },
                                instructions);
}
std::string promoted(List instructions) {
  return expressions::rewritten([](Module& module) { literal_broadcasting_promotion(*module.function("f")); },
                                instructions);
}
/// A list of so many different numbers.
std::string list(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i == 0 ? "<" : ", ") + std::to_string(i) + ": f32";
  return all + ">: <" + std::to_string(count) + " x f32>";
}

}  // namespace

TEST_CASE("a rule is for its opcodes, and for what it has built itself") {
  CHECK(rewritten<sine_of>({Opcode::exp}, {"exp %x"}) == "sin(x)");
  CHECK(rewritten<sine_of>({Opcode::exp, Opcode::sin}, {"exp %x"}) == "cos(x)");
  CHECK(rewritten<sine_of>({Opcode::exp}, {"exp %x", "exp %p"}) == "sin(sin(x))");
  CHECK(rewritten<sine_of>({Opcode::log}, {"exp %x"}) == "exp(x)");
}

TEST_CASE("what a rule gives in another type is not taken") {
  CHECK(rewritten<other_type>({Opcode::exp}, {"exp %x"}) == "exp(x)");
}

TEST_CASE("rules that build more and more come to an end") {
  const std::string result = rewritten<grows>({Opcode::exp}, {"exp %x"});
  CHECK(result.starts_with("exp(exp("));
  CHECK(result.size() < 1000);
}

TEST_CASE("literals are splats of a number and its sign, and merged locations are few") {
  Function f("f", Type::function({}, Type()));
  const Value *zero = f.literal(ElementType::f32, 0), *minus = f.literal(ElementType::f32, -0.0);
  CHECK(is_splat(zero, 0.0));
  CHECK_FALSE(is_splat(zero, -0.0));
  CHECK(is_splat(minus, -0.0));
  CHECK_FALSE(is_splat(minus, 0.0));
  CHECK_FALSE(is_splat(zero, 1.0));
  CHECK(splat_value(zero) == 0.0);
  const Source source("a", "");
  Instruction one(Opcode::trap, Type(), {}, {}), other(Opcode::trap, Type(), {}, {});
  for (std::uint32_t line = 1; line <= 20; ++line) other.add_location({&source, line, 1, 1});
  merge_locations(one, other);
  CHECK(one.locations().size() == 16);
  CHECK(one.locations().back().line == 16);
}

TEST_CASE("literals are computed where the result is small, or no larger than what it is of") {
  CHECK(folded({"add 1: f32, 2: f32"}) == "3");
  CHECK(folded({"exp 0: <N x f32>"}) == "1");
  CHECK(folded({"add %x, 2: f32"}) == "add(x, 2)");
  CHECK(folded({"extent 3: i64"}) == "3");
  CHECK(folded({"extent N: i64"}) == "extent()");
  CHECK(folded({"broadcast " + list(8) + " to 2 x 8"}) == "literal");
  CHECK(folded({"broadcast " + list(9) + " to 2 x 9"}) == "broadcast(literal)");
  CHECK(folded({"reverse " + list(40) + " along 0"}) == "literal");
  CHECK(folded({"dataTypeCast " + list(40) + " to f16"}) == "literal");
  CHECK(folded({"dataTypeCast " + list(40) + " to f64"}) == "dataTypeCast(literal)");
  CHECK(folded({"slice " + list(40) + " from 1 upto 2"}) == "literal");
  CHECK(folded({"gather " + list(3) + " at 5: i32 along 0"}) == "gather(literal, 5)");
}

TEST_CASE("literals that are the same everywhere are one number") {
  CHECK(promoted({"broadcast 2: f32 to 3"}) == "2");
  CHECK(promoted({"concatenate 2: <2 x f32>, 2: <3 x f32> along 0"}) == "2");
  CHECK(promoted({"concatenate 2: <2 x f32>, 3: <3 x f32> along 0"}) == "concatenate(2, 3)");
  CHECK(promoted({"concatenate 0: <2 x f32>, -0: <3 x f32> along 0"}) == "concatenate(0, -0)");
  CHECK(promoted({"concatenate 2: <2 x f32>, %v along 0"}) == "concatenate(2, v)");
  CHECK(promoted({"add %v, <2: f32, 2: f32, 2: f32>: <3 x f32>"}) == "add(v, 2)");
  CHECK(promoted({"add %v, <2: f32, 2: f32, 3: f32>: <3 x f32>"}) == "add(v, literal)");
  CHECK(promoted({"add %v, <1: f32, 2: f32, 2: f32>: <3 x f32>"}) == "add(v, literal)");
  CHECK(promoted({"literal 2: f32", "add %x, %p"}) == "add(x, 2)");
}
