#include "dlvm/analysis/induction.h"

#include <fmt/format.h>

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// "least upto most" of how the %i of a loop grows where these instructions make its %next; empty where that
/// is not known.
std::string steps(const std::string& instructions, const std::string& type = "i32") {
  const parsed::Text text(fmt::format(R"(
func @f: (bool, {0}) -> {0} {{
'entry(%c: bool, %k: {0}):
    branch 'loop(3: {0})
'loop(%i: {0}):
{1}    conditional %c: bool then 'loop(%next: {0}) else 'end()
'end():
    return %i: {0}
}}
)",
                                      type, instructions));
  const ControlFlow flow(text.function());
  const LoopNest loops(flow, DominatorTree(flow));
  const Loop& loop = *loops.loops().front();
  const Argument& counter = *loop.header->arguments()[0];
  const auto found = steps_of(counter, loop, flow);
  const auto variable = induction(counter, loop, flow);
  CHECK(variable.has_value() == (found && found->least == found->most));
  if (variable) CHECK(as_literal(variable->start)->data().integer(0) == 3);
  return found ? fmt::format("{} upto {}", found->least, found->most) : "";
}

std::string sum(const std::string& of, const std::string& more, const std::string& type = "i32") {
  return steps(fmt::format("    %next = add {0}: {2}, {1}: {2}\n", of, more, type), type);
}

}  // namespace

TEST_CASE("a variable of a loop grows by the literals that are added to it") {
  CHECK(sum("%i", "2") == "2 upto 2");
  CHECK(sum("2", "%i") == "2 upto 2");
  CHECK(sum("%i", "-1") == "-1 upto -1");
  CHECK(sum("%i", "0") == "0 upto 0");
  CHECK(steps("    %next = subtract %i: i32, 5: i32\n") == "-5 upto -5");
  CHECK(steps("    %a = add %i: i32, 2: i32\n    %next = add %a: i32, 3: i32\n") == "5 upto 5");
  CHECK(steps("    %a = add %i: i32, 2: i32\n    %next = select %a: i32, %i: i32 by %c: bool\n") ==
        "0 upto 2");
  CHECK(steps("    %a = add %i: i32, 2: i32\n    %b = subtract %i: i32, 1: i32\n"
              "    %next = select %a: i32, %b: i32 by %c: bool\n") == "-1 upto 2");
}

TEST_CASE("no more than 64 values are followed back") {
  const auto ones = [](int count) {
    std::string text, last = "%i";
    for (int i = 1; i <= count; ++i) {
      const std::string next = i == count ? "%next" : fmt::format("%a{}", i);
      text += fmt::format("    {} = add {}: i32, 1: i32\n", next, last);
      last = next;
    }
    return steps(text);
  };
  CHECK(ones(64) == "64 upto 64");
  CHECK(ones(65).empty());
}

TEST_CASE("what is made in another way has no steps") {
  CHECK(sum("%i", "%k").empty());
  CHECK(sum("%k", "1").empty());
  CHECK(steps("    %next = multiply %i: i32, 2: i32\n").empty());
  CHECK(steps("    %next = subtract 1: i32, %i: i32\n").empty());
  CHECK(steps("    %next = add %i: f32, 1: f32\n", "f32").empty());
  CHECK(steps("    %next = add %i: <2 x i32>, 1: i32\n", "<2 x i32>").empty());
}

TEST_CASE("steps are numbers that the type has, of either sign") {
  CHECK(sum("%i", "127", "i8") == "127 upto 127");
  CHECK(sum("%i", "-127", "i8") == "-127 upto -127");
  CHECK(steps("    %a = add %i: i8, 100: i8\n    %next = add %a: i8, 27: i8\n", "i8") == "127 upto 127");
  CHECK(steps("    %a = add %i: i8, 100: i8\n    %next = add %a: i8, 28: i8\n", "i8").empty());
  CHECK(steps("    %next = subtract %i: u8, 255: u8\n", "u8") == "-255 upto -255");
  CHECK(steps("    %a = subtract %i: u8, 255: u8\n    %next = subtract %a: u8, 1: u8\n", "u8").empty());
  CHECK(sum("%i", "9223372036854775807", "i64") == "9223372036854775807 upto 9223372036854775807");
  CHECK(steps("    %next = subtract %i: i64, -9223372036854775808: i64\n", "i64").empty());
}

TEST_CASE("ways through blocks that meet are all ways, and an inner loop may pass the value on") {
  const std::string meet =
      "    %a = add %i: i32, 1: i32\n    conditional %c: bool then 'one() else 'join(%a: i32)\n'one():\n"
      "    %b = add %i: i32, 4: i32\n    branch 'join(%b: i32)\n'join(%m: i32):\n"
      "    %next = add %m: i32, 1: i32\n";
  CHECK(steps(meet) == "2 upto 5");
  const std::string inner =
      "    %a = add %i: i32, 1: i32\n    branch 'inner(%a: i32)\n'inner(%m: i32):\n"
      "    conditional %c: bool then 'inner(%m: i32) else 'behind()\n'behind():\n"
      "    %next = add %m: i32, 1: i32\n";
  CHECK(steps(inner) == "2 upto 2");
  const std::string grows =
      "    branch 'inner(%i: i32)\n'inner(%m: i32):\n    %n = add %m: i32, 1: i32\n"
      "    conditional %c: bool then 'inner(%n: i32) else 'behind()\n'behind():\n"
      "    %next = add %m: i32, 1: i32\n";
  CHECK(steps(grows).empty());
}

TEST_CASE("a sum of many literals is followed through 64 values") {
  const auto chain = [](int length) {
    std::string all;
    for (int i = 0; i < length; ++i)
      all += fmt::format("    {} = add {}: i32, 1: i32\n", i + 1 == length ? "%next" : fmt::format("%s{}", i),
                         i == 0 ? "%i" : fmt::format("%s{}", i - 1));
    return all;
  };
  CHECK(steps(chain(64)) == "64 upto 64");
  CHECK(steps(chain(65)).empty());
}
