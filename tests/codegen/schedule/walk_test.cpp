#include "codegen/schedule/ir/walk.h"

#include "codegen/schedule/ir/index.h"
#include "interpreted.h"

namespace schedule_tests {
namespace {

using codegen::schedule::Place;

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
    visit_places(schedule.variants[0].body, [&](const Place& place) {
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
  visit_places(parsed.schedule.variants[0].body,
               [](const Place& place) { place.put_in_front(codegen::schedule::constant_index(3)); });
  const std::string text = print(parsed.schedule);
  CHECK(text.find("copy x[3, 0, 0](1, 2, 2) to y[3, 0, 0](1, 2, 2)") != std::string::npos);
  CHECK(
      text.find("multiply x[3, 0, 0](2, 2) strides [1, 4] by x[3, 2, 2](1, 2, 2) into y[3, 0, 0](1, 2, 2)") !=
      std::string::npos);
}

}  // namespace
}  // namespace schedule_tests
