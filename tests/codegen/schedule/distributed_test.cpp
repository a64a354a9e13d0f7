#include "codegen/schedule/ir/linear_layout.h"

#include <fmt/format.h>

#include <set>

#include "codegen/schedule/verify/verify.h"
#include "interpreted.h"

/// Tiles that are distributed over a block's threads, and products on tensor cores.
namespace schedule_tests {
namespace {

using codegen::schedule::Buffer;
using codegen::schedule::InvertibleLayout;
using codegen::schedule::LinearLayout;

Buffer tile(dlvm::Shape shape, LinearLayout linear_layout) {
  Buffer buffer;
  buffer.shape = std::move(shape);
  buffer.linear_layout = std::move(linear_layout);
  return buffer;
}

const LinearLayout one_instruction{{{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}, {}};

TEST_CASE("the map of a tile has an inverse where each element is held once") {
  const auto layout =
      InvertibleLayout::of(tile({128, 64}, codegen::schedule::sums_of_tensor_cores(128, 64, 4, 2)));
  REQUIRE(layout.has_value());
  CHECK(layout->registers() == 32);
  CHECK(layout->threads() == 256);
  std::set<std::vector<std::int64_t>> all;
  for (std::int64_t thread = 0; thread < 256; ++thread)
    for (std::int64_t i = 0; i < 32; ++i) {
      const auto at = layout->coordinates({i, thread});
      all.insert(at);
      const auto place = layout->holder(at);
      CHECK((place.register_index == i && place.thread == thread));
    }
  CHECK(all.size() == 128 * 64);
  const auto is_map = [](LinearLayout linear_layout) {
    return InvertibleLayout::of(tile({16, 8}, std::move(linear_layout))).has_value();
  };
  CHECK(is_map(one_instruction));
  CHECK(is_map({{{0, 1}, {8, 1}}, one_instruction.lanes, {}}));  // a sum of others is another
  CHECK(!is_map({{{0, 1}, {8, 2}}, {{0, 2}, {0, 4}, {1, 0}, {8, 0}, {4, 0}}, {}}));  // (2, 0) is not reached
  CHECK(!is_map({{{0, 1}}, one_instruction.lanes, {}}));           // 64 places for 128 elements
  CHECK(!is_map({{{0, 1}, {16, 0}}, one_instruction.lanes, {}}));  // outside
  CHECK(!is_map({{{0, 1}, {8, 0}, {0, 2}}, {{0, 4}, {1, 0}, {2, 0}, {4, 0}}, {}}));  // 16 lanes
}

TEST_CASE("sums lie as the instruction's manual says") {
  const auto layout =
      InvertibleLayout::of(tile({16, 8}, codegen::schedule::sums_of_tensor_cores(16, 8, 1, 1)));
  REQUIRE(layout.has_value());
  for (std::int64_t lane = 0; lane < 32; ++lane)
    for (std::int64_t i = 0; i < 4; ++i) {
      const std::int64_t row = lane / 4 + (i < 2 ? 0 : 8), column = lane % 4 * 2 + i % 2;
      CHECK(layout->coordinates({i, lane}) == std::vector{row, column});
    }
}

/// A product of 16 x 16 by 16 x 8 elements in one warp.
struct Product {
  std::string element = "f16", panel_left = "<16 x 16 x f16> strides [1, 16]", panel_right = "<16 x 8 x f16>",
              linear_layout = "[[0, 1], [8, 0]] [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] []",
              on = "tensor_cores",
              multiply = "left[0, 0](16, 16) by right[0, 0](16, 8) into sum[0, 0](16, 8) upto (16, 8, 16)",
              fill = "sum[0, 0](16, 8)", row = "$r4 + 8*$h6", column = "2*$c5 + $j7", threads = "thread";

  std::string text() const {
    return fmt::format(
        R"((a: <16 x 16 x {0}>, b: <16 x 8 x {0}>, y: <16 x 8 x f32> written) {{
  shared left: {1}
  shared right: {2}
  registers sum: <16 x 8 x f32> linear_layout {3}
  variant {{ block $b0 in 1 {{
    allocate left
    allocate right
    allocate sum
    thread $t1 in 16 {{
      unrolled $p2 in 16 {{ %0: {0} = load a[$t1, $p2] store %0 to left[$p2, $t1] }}
      unrolled $q3 in 8 {{ %1: {0} = load b[$t1, $q3] store %1 to right[$t1, $q3] }}
    }}
    barrier
    fill {4} with f32 0
    multiply {5} on {6}
    {9} $r4 in 8 {{ thread $c5 in 4 {{ unrolled $h6 in 2 {{ unrolled $j7 in 2 {{
      %2: f32 = load sum[{7}, {8}]
      store %2 to y[{7}, {8}]
    }} }} }} }}
  }} }}
}})",
        element, panel_left, panel_right, linear_layout, fill, multiply, on, row, column, threads);
  }
  /// The invariant that is broken, or nothing.
  std::string broken() const {
    std::string error;
    const auto parsed = codegen::schedule::parse_schedule("schedule @s" + text(), error);
    REQUIRE_MESSAGE(parsed.has_value(), error);
    const auto problem = codegen::schedule::verify(*parsed);
    return problem ? problem->substr(std::string("schedule @s: ").size(), 2) : "";
  }
};

TEST_CASE("a tile that is distributed or multiplied wrongly does not verify") {
  const auto with = [](auto change) {
    Product product;
    change(product);
    return product.broken();
  };
  CHECK(Product().broken() == "");
  CHECK(with([](Product& p) {
          p.linear_layout = "[[0, 1], [8, 0]] [[0, 2], [0, 4], [1, 0], [2, 0], [1, 0]] []";
        }) == "O1");
  // The registers' bits exchanged: still a map, but another than the instruction's.
  CHECK(with([](Product& p) {
          p.linear_layout = "[[8, 0], [0, 1]] [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] []";
        }) == "O3");
  // Another thread's element.
  CHECK(with([](Product& p) { p.row = "2*$r4 + $h6"; }) == "O2");
  CHECK(with([](Product& p) { p.column = "$c5 + 4*$j7"; }) == "O2");
  CHECK(with([](Product& p) { p.row = "$c5 + 8*$h6"; }) == "O2");
  // A register that is not known, bits that carry, threads that are missing.
  CHECK(with([](Product& p) { p.row = "mod($r4 / 4) + 8*$h6"; }) == "O2");
  CHECK(with([](Product& p) { p.row = "$r4 + 4*$h6"; }) == "O2");
  CHECK(with([](Product& p) { p.threads = "for"; }) == "O2");
  CHECK(with([](Product& p) { p.fill = "sum[0, 0](8, 8)"; }) == "O2");
  // What the cores do not take.
  CHECK(with([](Product& p) { p.on = "tensor_cores split"; }) == "O3");
  CHECK(with([](Product& p) { p.element = "f64", p.panel_left = p.panel_right = "<16 x 16 x f64>"; }) ==
        "O3");
  CHECK(with([](Product& p) { p.panel_right = "<16 x 8 x f16> strides [12, 1]"; }) == "O3");
  CHECK(with([](Product& p) { p.panel_left = "<16 x 16 x f16> strides [24, 1] swizzle 1, 3, 2"; }) == "O3");
  CHECK(with([](Product& p) {
          p.multiply = "left[0, 0](8, 16) by right[0, 0](8, 8) into sum[0, 0](16, 8) upto (16, 8, 8)";
        }) == "O3");
  CHECK(with([](Product& p) {
          p.multiply = "left[0, 0](16, 16) by right[0, 0](16, 8) into sum[0, 0](16, 8) upto (16, 7, 16)";
        }) == "O3");
}

TEST_CASE("a product on tensor cores is that of its operands in their precision") {
  Reals a, b, sums;
  for (int i = 0; i < 256; ++i) a.push_back(i % 13 - 6 + 0.25 * (i % 3));
  for (int i = 0; i < 128; ++i) b.push_back(i % 7 - 3 + 0.125 * (i % 5));
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 16; ++k) sum += a[16 * i + k] * b[8 * k + j];
      sums.push_back(sum);
    }
  const auto result = [&](const Product& product, dlvm::ElementType type) {
    const auto ran = run(product.text(), {tensor(type, a, {16, 16}), tensor(type, b, {16, 8}),
                                          tensor(dlvm::ElementType::f32, Reals(128), {16, 8})});
    CHECK(ran.error == "");
    return ran.result();
  };
  CHECK(result({}, dlvm::ElementType::f16) == sums);
  Product real;
  real.element = "f32";
  real.panel_left = "<16 x 16 x f32> strides [1, 16] swizzle 2, 2, 3";
  real.panel_right = "<16 x 8 x f32>";
  CHECK(result(real, dlvm::ElementType::f32) == sums);
  // 2^-11 is half of the last place of tf32 at 1: away from zero; in two terms nothing is lost.
  a.assign(256, 1 + 0x1p-11);
  b.assign(128, 0);
  b[0] = 1;
  CHECK(result(real, dlvm::ElementType::f32)[0] == 1 + 0x1p-10);
  real.on = "tensor_cores split";
  CHECK(result(real, dlvm::ElementType::f32)[0] == 1 + 0x1p-11);
}

}  // namespace
}  // namespace schedule_tests
