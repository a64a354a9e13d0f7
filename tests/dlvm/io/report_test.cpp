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

TEST_CASE("a summary shows up to 16 elements, each in the fewest digits of its type") {
  const auto shown = [](const Tensor& tensor) { return summary({{"x", tensor}}); };
  std::vector<double> numbers(17, 1);
  numbers[16] = 2;
  CHECK(shown(f32({16}, std::vector<double>(16, 1))) == "x  float32[16]  1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
  CHECK(shown(f32({17}, numbers)) == "x  float32[17]  1 … 2, mean 1.05882\n");
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(shown(f32({20}, std::vector<double>(20, -inf))) == "x  float32[20]  20 not finite\n");
  CHECK(shown(f32({17}, {-3})) == "x  float32[17]  -3 … 0, mean -0.176471\n");
  CHECK(shown(tensor(ElementType::f64, {}, {0.1})) == "x  float64  0.1\n");
  CHECK(shown(f32({4}, {0.1, inf, -inf, std::numeric_limits<double>::quiet_NaN()})) ==
        "x  float32[4]  0.1 inf -inf nan\n");
  CHECK(shown(tensor(ElementType::boolean, {2}, {0, 1})) == "x  bool[2]  false true\n");
  CHECK(shown(Tensor::scalar(ElementType::u64, std::int64_t{-1})) == "x  u64  18446744073709551615\n");
  CHECK(shown(Tensor::scalar(ElementType::i64, std::int64_t{-1})) == "x  int64  -1\n");
}

TEST_CASE("the JSON of a summary has the range of the finite numbers, and the numbers where they are few") {
  const auto json = [](const Tensor& tensor) {
    std::string text = summary_json("f", "cpu", {{"x", tensor}}, {});
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    const std::string_view before = R"({"entry":"f","device":"cpu","results":[)";
    REQUIRE(text.starts_with(before));
    REQUIRE(text.ends_with("]}"));
    return text.substr(before.size(), text.size() - before.size() - 2);
  };
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(json(f32({3}, {1, -inf, 3})) ==
        R"({"name":"x","type":"float32","shape":[3],"min":1.0,"max":3.0,"mean":2.0,"not_finite":1,)"
        R"("values":[1.0,"-inf",3.0]})");
  CHECK(json(f32({}, {std::numeric_limits<double>::quiet_NaN()})) ==
        R"({"name":"x","type":"float32","shape":[],"not_finite":1,"values":["nan"]})");
  CHECK(json(f32({17}, {})) ==
        R"({"name":"x","type":"float32","shape":[17],"min":0.0,"max":0.0,"mean":0.0,"not_finite":0})");
  CHECK(json(tensor(ElementType::boolean, {2}, {0, 1})).ends_with(R"("values":[false,true]})"));
  CHECK(json(Tensor::scalar(ElementType::u64, std::int64_t{-1})).ends_with(R"([18446744073709551615]})"));
  CHECK(json(Tensor::scalar(ElementType::i8, std::int64_t{-1})).ends_with(R"([-1]})"));
}

TEST_CASE("the median is the middle number, or the mean of the two in the middle") {
  CHECK(median({}) == 0);
  CHECK(median({5}) == 5);
  CHECK(median({3, 1}) == 2);
  CHECK(median({9, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 9}) == 3);
}
