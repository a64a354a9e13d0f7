#include "dlvm/io/report.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/dlvm/interpret/build.h"

using namespace test;

TEST_CASE("a summary shows few elements, and the range of many") {
  std::vector<double> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  many[99] = std::numeric_limits<double>::quiet_NaN();
  const NamedTensors results{
      {"y", f32({2}, {0.1, -3})}, {"label", i32({}, {7})}, {"big", f32({10, 10}, many)}};
  CHECK(summary(results) ==
        "y      float32[2]  0.1 -3\n"
        "label  int32  7\n"
        "big    float32[10 x 10]  0 … 98, mean 49  1 not finite\n");
}

TEST_CASE("the summary as JSON") {
  const NamedTensors results{{"y", f32({2}, {0.5, std::numeric_limits<double>::infinity()})}};
  const std::string json = summary_json("forward", "interpreter", results, {3, 1, 2});
  CHECK(json.find("\"values\": [\n        0.5,\n        \"inf\"\n      ]") != std::string::npos);
  CHECK(json.find("\"median_seconds\": 2.0") != std::string::npos);
}
