#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

TEST_CASE("what is located names a source, a line and a column, and marks one character") {
  const parsed::Text text(R"(
func @f: (f32) -> f32 {
'entry(%x: f32):
    %y = negate %x: f32 at "a.tel":3:14
    return %y: f32
}
)");
  const auto& locations = text.block("entry")->instructions().front()->locations();
  REQUIRE(locations.size() == 1);
  CHECK(locations[0].source->name() == "a.tel");
  CHECK_FALSE(locations[0].source->text());
  CHECK(locations[0].line == 3);
  CHECK(locations[0].column == 14);
  CHECK(locations[0].length == 1);
}
