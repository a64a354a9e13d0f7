#include "dlvm/support/source.h"

#include <doctest/doctest.h>

namespace dlvm {
namespace {

TEST_CASE("lines, and the bytes at which their characters stand") {
  const Source source("a", "\xEF\xBB\xBFone\r\n\nd\xC3\xBCne\nend");
  CHECK(source.line(1) == "one");
  CHECK(source.line(2).empty());
  CHECK(source.line(3) == "d\xC3\xBCne");
  CHECK(source.line(4) == "end");
  CHECK(source.line(0).empty());
  CHECK(source.line(5).empty());
  CHECK(source.offset(1, 1) == 0);
  CHECK(source.offset(1, 3) == 2);
  CHECK(source.offset(1, 9) == 3);
  CHECK(source.offset(2, 1) == 5);
  CHECK(source.offset(3, 2) == 7);
  CHECK(source.offset(3, 3) == 9);
  CHECK(source.offset(4, 3) == 14);
  CHECK(source.offset(4, 4) == 15);
  CHECK(source.offset(0, 1) == 15);
  CHECK(source.offset(5, 1) == 15);
  for (const auto& [line, column] : {std::pair{1U, 2U}, {2U, 1U}, {3U, 3U}, {4U, 4U}}) {
    const Position back = position_of(*source.text(), source.offset(line, column));
    CHECK(back.line == line);
    CHECK(back.column == column);
  }
}

TEST_CASE("a source of which only the name is known has no lines") {
  Sources sources;
  const Source* named = sources.named("a");
  CHECK(sources.named("a") == named);
  CHECK(sources.named("b") != named);
  CHECK_FALSE(named->text());
  CHECK(named->line(1).empty());
  CHECK(named->offset(1, 1) == 0);
}

}  // namespace
}  // namespace dlvm
