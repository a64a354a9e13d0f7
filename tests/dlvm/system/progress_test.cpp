#include "dlvm/system/progress.h"

#include <doctest/doctest.h>

#include <utility>

using namespace dlvm;

TEST_CASE("progress is shown after a while, at times, and erased") {
  double now = 100;
  std::string terminal;
  int asked = 0;
  const auto at = [&](Progress& progress, double time, const char* text) {
    now = time;
    progress.update([&] { return ++asked, std::string(text); });
    return std::exchange(terminal, "");
  };
  {
    Progress progress([&] { return now; }, [&](std::string_view text) { terminal += text; });
    CHECK(at(progress, 101.9, "one").empty());
    CHECK(asked == 0);
    CHECK(at(progress, 102, "two") == "\r\033[Ktwo");
    CHECK(at(progress, 102.1, "three").empty());
    CHECK(at(progress, 102.3, "four") == "\r\033[Kfour");
    CHECK(at(progress, 103, std::string(200, 'x').c_str()) == "\r\033[K" + std::string(79, 'x'));
    CHECK(asked == 3);
  }
  CHECK(terminal == "\r\033[K");
}

TEST_CASE("a short run shows nothing") {
  std::string terminal;
  {
    Progress progress([] { return 0.0; }, [&](std::string_view text) { terminal += text; });
  }
  CHECK(terminal.empty());
}
