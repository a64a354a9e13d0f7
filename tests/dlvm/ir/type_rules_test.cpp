#include "dlvm/ir/instruction_table.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// The type of what an instruction gives, of the operands %s: f32, %v: <3 x f32>, %n: <N x f32>,
/// %a: <2 x 3 x f32>, %b: <3 x 4 x f32>, %c: <5 x 2 x 3 x f32>, %r: <1 x 3 x f32>, %i: <4 x i32>, %m: <2 x 3
/// x bool> and %g: <1 x 4 x 8 x f32>.
std::string type_of(std::string instruction) {
  constexpr std::pair<std::string_view, std::string_view> operands[]{{"%s", "f32"},
                                                                     {"%v", "<3 x f32>"},
                                                                     {"%n", "<N x f32>"},
                                                                     {"%a", "<2 x 3 x f32>"},
                                                                     {"%b", "<3 x 4 x f32>"},
                                                                     {"%c", "<5 x 2 x 3 x f32>"},
                                                                     {"%r", "<1 x 3 x f32>"},
                                                                     {"%i", "<4 x i32>"},
                                                                     {"%m", "<2 x 3 x bool>"},
                                                                     {"%g", "<1 x 4 x 8 x f32>"}};
  std::string types, arguments;
  for (const auto& [name, type] : operands) {
    const std::string use = std::string(name) + ": " + std::string(type);
    for (auto at = instruction.find(name); at != std::string::npos;
         at = instruction.find(name, at + use.size()))
      instruction.replace(at, name.size(), use);
    types += (types.empty() ? "" : ", ") + std::string(type);
    arguments += (arguments.empty() ? "" : ", ") + use;
  }
  const parsed::Text text("func @two: (f32, f32) -> f32\nfunc @f: (" + types + ") -> f32 {\n'entry(" +
                          arguments + "):\n    %y = " + instruction + "\n    return %s: f32\n}\n");
  return text.function().entry().instructions().front()->type().text();
}

}  // namespace

TEST_CASE("elementwise instructions have the shape to which their operands stretch") {
  CHECK(type_of("add %s, %s") == "f32");
  CHECK(type_of("add %s, %v") == "<3 x f32>");
  CHECK(type_of("add %a, %s") == "<2 x 3 x f32>");
  CHECK(type_of("add %v, %a") == "<2 x 3 x f32>");
  CHECK(type_of("add %r, %a") == "<2 x 3 x f32>");
  CHECK(type_of("add %c, %r") == "<5 x 2 x 3 x f32>");
  CHECK(type_of("add %a, 1: <2 x 1 x f32>") == "<2 x 3 x f32>");
  CHECK(type_of("add %r, 1: <2 x 1 x f32>") == "<2 x 3 x f32>");
  CHECK(type_of("add %n, %n") == "<N x f32>");
  CHECK(type_of("add %n, 1: <1 x f32>") == "<N x f32>");
  CHECK(type_of("lessThan %a, %v") == "<2 x 3 x bool>");
  CHECK(type_of("lessThan %s, %s") == "bool");
  CHECK(type_of("select %v, %s by %m") == "<2 x 3 x f32>");
  CHECK(type_of("select %s, %r by true: bool") == "<1 x 3 x f32>");
  CHECK(type_of("dataTypeCast %a to i8") == "<2 x 3 x i8>");
  CHECK(type_of("bitCast %v to u32") == "<3 x u32>");
}

TEST_CASE("shapes that are cut, joined, padded and turned") {
  CHECK(type_of("padShape %a at 2") == "<2 x 3 x 1 x f32>");
  CHECK(type_of("padShape %s at 0") == "<1 x f32>");
  CHECK(type_of("squeezeShape %r at 0") == "<3 x f32>");
  CHECK(type_of("shapeCast %a to 3 x 2") == "<3 x 2 x f32>");
  CHECK(type_of("shapeCast %n to 2 x M") == "<2 x M x f32>");
  CHECK(type_of("transpose %c") == "<3 x 2 x 5 x f32>");
  CHECK(type_of("transpose %c by 1, 2, 0") == "<2 x 3 x 5 x f32>");
  CHECK(type_of("slice %v from 0 upto 3") == "<3 x f32>");
  CHECK(type_of("slice %v from 3 upto 3") == "<0 x f32>");
  CHECK(type_of("slice %v from 0 upto 3 by 2") == "<2 x f32>");
  CHECK(type_of("slice %v from 1 upto 3 by 2") == "<1 x f32>");
  CHECK(type_of("slice %a from 1, 0 upto 2, 2 by 1, 3") == "<1 x 1 x f32>");
  CHECK(type_of("slice %n from 2 upto N") == "<N - 2 x f32>");
  CHECK(type_of("concatenate %a, %a, %r along 0") == "<5 x 3 x f32>");
  CHECK(type_of("concatenate %n, %v along 0") == "<N + 3 x f32>");
  CHECK(type_of("concatenate %v along 0") == "<3 x f32>");
  CHECK(type_of("pad %a by (1, 2), (0, N) with %s") == "<5 x N + 3 x f32>");
  CHECK(type_of("broadcast %v to 5 x 2 x 3") == "<5 x 2 x 3 x f32>");
  CHECK(type_of("broadcast %s to N") == "<N x f32>");
  CHECK(type_of("shape of %c") == "<3 x i64>");
}

TEST_CASE("gathers and scatters replace the axes of the indices by the shape of these") {
  CHECK(type_of("gather %c at %i along 0") == "<4 x 2 x 3 x f32>");
  CHECK(type_of("gather %c at %i along 2") == "<5 x 2 x 4 x f32>");
  CHECK(type_of("gather %c at %i, %i along 1, 2") == "<5 x 4 x f32>");
  CHECK(type_of("gather %v at 1: i64 along 0") == "f32");
  CHECK(type_of("scatter 1: <4 x 3 x f32> to %a at %i by add along 0") == "<2 x 3 x f32>");
  CHECK(type_of("scatter 1: <4 x f32> to %a at %i, %i by max along 0, 1") == "<2 x 3 x f32>");
  CHECK(type_of("iota 2 x N along 1: u8") == "<2 x N x u8>");
  CHECK(type_of("random 2 x 3 from %s upto %s key 1: u64") == "<2 x 3 x f32>");
}

TEST_CASE("reductions leave axes out, scans and sorts leave them, and searches give positions") {
  CHECK(type_of("reduce %c by add init %s along 1") == "<5 x 3 x f32>");
  CHECK(type_of("reduce %c by @two init %s along 2, 0") == "<2 x f32>");
  CHECK(type_of("reduce %v by max init %s along 0") == "f32");
  CHECK(type_of("scan %a by multiply along 1") == "<2 x 3 x f32>");
  CHECK(type_of("argmax %a along 0") == "<3 x i32>");
  CHECK(type_of("argsort %a by greaterThan along 1") == "<2 x 3 x i32>");
  CHECK(type_of("sort %a by lessThan along 1") == "<2 x 3 x f32>");
  CHECK(type_of("topk %a count 3 along 1") == "(<2 x 3 x f32>, <2 x 3 x i32>)");
  CHECK(type_of("topk %a count 0 along 0") == "(<0 x 3 x f32>, <0 x 3 x i32>)");
}

TEST_CASE(
    "contractions have the axes of a batch, those that are left of the left operand, and of the right one") {
  CHECK(type_of("dot %a, %b") == "<2 x 4 x f32>");
  CHECK(type_of("dot %v, %b") == "<4 x f32>");
  CHECK(type_of("dot %a, %v") == "<2 x f32>");
  CHECK(type_of("dot %v, %v") == "f32");
  CHECK(type_of("dot %s, %v") == "<3 x f32>");
  CHECK(type_of("dot %c, %b") == "<5 x 2 x 4 x f32>");
  CHECK(type_of("dot %a, %a contract 0 with 0 batch () with ()") == "<3 x 3 x f32>");
  CHECK(type_of("dot %a, %c contract 1 with 2 batch 0 with 1") == "<2 x 5 x f32>");
  CHECK(type_of("dot %a, %a contract 0, 1 with 0, 1 batch () with ()") == "f32");
  CHECK(type_of("dot %v, %v contract () with () batch () with ()") == "<3 x 3 x f32>");
  CHECK(type_of("convolve %g kernel 1: <6 x 4 x 3 x f32>") == "<1 x 6 x 6 x f32>");
  CHECK(type_of("convolve %g kernel 1: <6 x 2 x 8 x f32> groups 2") == "<1 x 6 x 1 x f32>");
  CHECK(type_of("convolve %g kernel 1: <8 x 1 x 3 x f32> strides 2 padding (1, 1) groups 4") ==
        "<1 x 8 x 4 x f32>");
  CHECK(type_of("convolve %g kernel 1: <2 x 4 x 3 x f32> rightDilation 3") == "<1 x 2 x 2 x f32>");
  CHECK(type_of("convolve %g kernel 1: <2 x 4 x 3 x f32> leftDilation 2") == "<1 x 2 x 13 x f32>");
  CHECK(type_of("reduceWindow %a by add init %s dims 2, 3") == "<1 x 1 x f32>");
  CHECK(type_of("reduceWindow %a by add init %s dims 1, 2 strides 1, 2") == "<2 x 1 x f32>");
  CHECK(type_of("reduceWindow %a by add init %s dims 1, 3 padding half") == "<2 x 3 x f32>");
  CHECK(type_of("reduceWindow %a by add init %s dims 1, 4 padding half") == "<2 x 3 x f32>");
  CHECK(type_of("reduceWindow %a by add init %s dims 2, 3 padding full") == "<3 x 5 x f32>");
  CHECK(type_of("reduceWindow %a by add init %s dims 1, 5 padding (0, 0), (1, 1)") == "<2 x 1 x f32>");
}

TEST_CASE("what is made of values has the parts of its type, and an enum those of a case that it has") {
  const Type f = Type::scalar(ElementType::f32), i = Type::scalar(ElementType::i32);
  TypeDeclaration maybe{TypeDeclaration::Kind::enumeration, "Maybe", {}, {}, {}};
  maybe.members = {{"none", {}}, {"some", {f, i}}};
  const Type declared = Type::declared(maybe);
  const auto made = [](const std::vector<Type>& values, const Attribute& type, const Attribute& at) {
    std::string why;
    const std::vector<Attribute> attributes{type, at};
    const auto found = infer_type(Opcode::literal, {values, attributes}, why);
    return found ? found->text() : why;
  };
  CHECK(made({f, i}, Attribute(), Attribute()) == "(f32, i32)");
  CHECK(made({}, Attribute(), Attribute()) == "()");
  CHECK(made({f}, Attribute(), Integers{0}) == "a case without an enum");
  CHECK(made({f}, f, Attribute()) == "f32");
  CHECK(made({f, f}, Type::array(2, f), Attribute()) == "[2 x f32]");
  CHECK(made({f, i}, declared, Integers{1}) == "$Maybe");
  CHECK(made({}, declared, Integers{0}) == "$Maybe");
  CHECK(made({f}, declared, Integers{0}) != "$Maybe");
  CHECK(made({i, f}, declared, Integers{1}) != "$Maybe");
  for (const std::int64_t at : {-1, 2}) CHECK(made({}, declared, Integers{at}) == "no such case in $Maybe");
  for (const Integers& at : {Integers{}, Integers{0, 0}})
    CHECK(made({}, declared, at) == "$Maybe is not made of values");
  CHECK(made({}, declared, Attribute()) == "$Maybe is not made of values");
  CHECK(made({}, Type::pointer(f), Integers{0}) == "*f32 is not made of values");
}

TEST_CASE("an element pointer names each position that is a value") {
  const Type array = Type::array(4, Type::scalar(ElementType::f32));
  const std::vector<Type> pointer_alone{Type::pointer(array)};
  std::string why;
  const std::vector<Attribute> path{Integers{position_of_value}};
  CHECK_FALSE(infer_type(Opcode::elementPointer, {pointer_alone, path}, why));
  CHECK(why == "a position is missing");
}
