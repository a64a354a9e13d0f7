#include "codegen/schedule/ir/walk.h"

#include <utility>

#include "codegen/schedule/ir/index.h"
#include "interpreted.h"

namespace schedule_tests {
namespace {

using codegen::schedule::BufferAccess;

struct Parsed {
  explicit Parsed(const std::string& body) {
    std::string error;
    auto parsed = codegen::schedule::parse_schedule(
        "schedule @s(x: <4 x 4 x f32>, y: <4 x 4 x f32> written) {\n  variant {\n" + body + "\n  }\n}\n",
        error);
    REQUIRE_MESSAGE(parsed.has_value(), error);
    schedule = std::move(*parsed);
  }
  /// Buffer and use of every place, in order.
  std::string places() {
    std::string text;
    visit_buffer_accesses(schedule.variants[0].body, [&](const BufferAccess& place) {
      text += schedule.buffers[place.buffer].name + (place.read ? " read" : "") +
              (place.written ? " written" : "") + ", ";
    });
    return text;
  }
  codegen::schedule::Schedule schedule;
};

TEST_CASE("every place is visited once, as read, written or both") {
  CHECK(Parsed("for $i0 in 4 { %0: f32 = load x[$i0, 0] store %0 to y[$i0, 0] store %0 to y[$i0, 1] by add }")
            .places() == "x read, y written, y read written, ");
  CHECK(Parsed("multiply x[0, 0](2, 2) by x[2, 2](2, 2) into y[0, 0](2, 2) upto (2, 2, 2)").places() ==
        "x read, x read, y read written, ");
}

TEST_CASE("a place in a buffer with one more axis") {
  Parsed parsed(
      "copy x[0, 0](2, 2) to y[0, 0](2, 2)\nmultiply x[0, 0](2, 2) strides [1, 4] by x[2, 2](2, 2) "
      "into y[0, 0](2, 2) upto (2, 2, 2)");
  visit_buffer_accesses(parsed.schedule.variants[0].body, [](const BufferAccess& place) {
    place.put_in_front(codegen::schedule::constant_index(3));
  });
  const std::string text = print(parsed.schedule);
  CHECK(text.find("copy x[3, 0, 0](1, 2, 2) to y[3, 0, 0](1, 2, 2)") != std::string::npos);
  CHECK(
      text.find("multiply x[3, 0, 0](2, 2) strides [1, 4] by x[3, 2, 2](1, 2, 2) into y[3, 0, 0](1, 2, 2)") !=
      std::string::npos);
}

/// The values and indices that the first statement uses, in order.
std::string uses(const std::string& body) {
  Parsed parsed(body);
  std::string text;
  const auto add_value = [&](codegen::schedule::ValueId value) { text += "%" + std::to_string(value) + " "; };
  const auto add_index = [&](const codegen::schedule::Index& index) {
    const auto constant = codegen::kernel::constant(index);
    text += constant ? constant->text() + " " : "index ";
  };
  bool first = true;
  codegen::schedule::walk<codegen::schedule::Statement>(
      parsed.schedule.variants[0].body, [&](auto& statement) {
        if (std::exchange(first, false)) visit_uses(statement, dlvm::Overloaded{add_value, add_index});
      });
  return text;
}

TEST_CASE("a statement's uses are its values and its indices, without those of statements inside of it") {
  CHECK(uses("%0: f32 = load x[1, 2]") == "1 2 ");
  CHECK(uses("%3: f32 = add %1, %2") == "%1 %2 ");
  CHECK(uses("%3: f32 = load x[1, 2] within (3 of 4) else %1") == "1 2 3 %1 ");
  CHECK(uses("store %0 to y[1, 2] within (3 of 4)") == "1 2 3 %0 ");
  CHECK(uses("for $i0 in 4 within ($i0 of 3) { store %0 to y[$i0, 0] }") == "index ");
  CHECK(uses("multiply x[0, 1](2, 2) by x[2, 3](2, 2) into y[0, 0](2, 2) upto (2, 3, 4)") ==
        "0 0 0 1 2 3 2 3 4 ");
}

TEST_CASE("a perfect nest ends where a body has more than the next loop, or one of another kind") {
  const auto depth = [](const std::string& body) {
    const Parsed parsed(body);
    return perfect_nest(std::get<codegen::schedule::Loop>(parsed.schedule.variants[0].body[0].node)).size();
  };
  CHECK(depth("block $i0 in 4 { block $j1 in 4 { thread $k2 in 4 { } } }") == 2);
  CHECK(depth("block $i0 in 4 { block $j1 in 4 { } block $k2 in 4 { } }") == 1);
}

}  // namespace
}  // namespace schedule_tests
