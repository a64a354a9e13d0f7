#include "dlvm/call/random_inputs.h"

#include <cmath>

#include "tests/dlvm/analysis/parsed.h"

using parsed::Text;
using namespace dlvm;

TEST_CASE(
    "random inputs: floats are of the interval, integers of the range of their indices, bools are both") {
  const Text text(R"(
entry forward "f" @f(input "x", input "i", input "c") -> (output "y", output "z")
func @f: (<90 x f32>, <90 x i32>, <90 x bool>) -> (<90 x f32>, <90 x f32>) {
'entry(%x: <90 x f32>, %i: <90 x i32>, %c: <90 x bool>):
    %y = gather <1: f32, 2: f32, 3: f32>: <3 x f32> at %i: <90 x i32> along 0
    %z = select %x: <90 x f32>, %y: <90 x f32> by %c: <90 x bool>
    return (%y: <90 x f32>, %z: <90 x f32>)
}
)");
  Draw draw(7);
  std::string why;
  const auto call = random_call(text.module(), text.module().entries[0], {}, 4, {-0.5, 0.5}, draw, why, 0);
  REQUIRE_MESSAGE(call, why);
  double least = 1, largest = -1;
  std::int64_t indices[3]{}, bools[2]{};
  for (std::size_t k = 0; k < 90; ++k) {
    least = std::min(least, call->arguments[0].tensor().real(k));
    largest = std::max(largest, call->arguments[0].tensor().real(k));
    const std::int64_t index = call->arguments[1].tensor().integer(k);
    REQUIRE((index >= 0 && index < 3));
    ++indices[index];
    ++bools[call->arguments[2].tensor().integer(k)];
  }
  CHECK((least >= -0.5 && least < -0.4 && largest > 0.4 && largest < 0.5));
  for (const std::int64_t count : {indices[0], indices[1], indices[2], bools[0], bools[1]}) CHECK(count > 10);
}
