// Windows and convolutions, most of small integers whose results are counted by hand.
#include <cmath>

#include "tests/dlvm/analysis/parsed.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;
using Numbers = std::vector<double>;

namespace {

/// What the instruction gives for %x, the numbers 1, 2, … of that shape, and the kernel %k.
Numbers result(const std::string& instruction, const std::string& type, const Tensor& x,
               const Tensor& kernel = test::f32({1, 1, 1}, {})) {
  const auto text_of = [](const Tensor& tensor) {
    Shape shape;
    for (const auto extent : tensor.extents()) shape.emplace_back(extent);
    return Type::tensor(tensor.element(), shape).text();
  };
  const std::string of_x = text_of(x), of_k = text_of(kernel);
  std::string written = instruction;
  for (const auto& [name, with_type] : {std::pair{"%x", "%x: " + of_x}, {"%k", "%k: " + of_k}})
    if (const auto at = written.find(name); at != std::string::npos) written.replace(at, 2, with_type);
  const parsed::Text text("func @f: (" + of_x + ", " + of_k + ") -> " + type + " {\n'entry(%x: " + of_x +
                          ", %k: " + of_k + "):\n    %y = " + written + "\n    return %y: " + type + "\n}\n");
  const auto found = interpret(text.function(), std::vector<RuntimeValue>{x, kernel});
  REQUIRE_MESSAGE(found, found.error->text);
  return values(found.value.tensor());
}

Tensor counted(std::vector<std::int64_t> extents) {
  Tensor tensor(ElementType::f32, std::move(extents));
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, static_cast<double>(i + 1));
  return tensor;
}

}  // namespace

TEST_CASE("a window takes its taps a stride apart, and its initial value outside") {
  const Tensor x = counted({5});
  const std::string sum = "reduceWindow %x by add init 0: f32 ";
  CHECK(result(sum + "dims 2", "<4 x f32>", x) == Numbers{3, 5, 7, 9});
  CHECK(result(sum + "dims 2 strides 2", "<2 x f32>", x) == Numbers{3, 7});
  CHECK(result(sum + "dims 3 strides 2", "<2 x f32>", x) == Numbers{6, 12});
  CHECK(result(sum + "dims 5", "<1 x f32>", x) == Numbers{15});
  CHECK(result(sum + "dims 2 padding (1, 2)", "<7 x f32>", x) == Numbers{1, 3, 5, 7, 9, 5, 0});
  CHECK(result(sum + "dims 2 padding (-1, 0)", "<3 x f32>", x) == Numbers{5, 7, 9});
  CHECK(result(sum + "dims 3 padding half", "<5 x f32>", x) == Numbers{3, 6, 9, 12, 9});
  CHECK(result(sum + "dims 3 padding full", "<7 x f32>", x) == Numbers{1, 3, 6, 9, 12, 9, 5});
  CHECK(result(sum + "dims 2 leftDilation 2", "<8 x f32>", x) == Numbers{1, 2, 2, 3, 3, 4, 4, 5});
  CHECK(result("reduceWindow %x by max init 4: f32 dims 2 padding (1, 0)", "<5 x f32>", x) ==
        Numbers{4, 4, 4, 4, 5});
  CHECK(result("reduceWindow %x by multiply init 2: f32 dims 2", "<4 x f32>", x) == Numbers{4, 12, 24, 40});
}

TEST_CASE("windows of two axes are in row-major order") {
  const std::string sum = "reduceWindow %x by add init 0: f32 ";
  CHECK(result(sum + "dims 2, 2", "<1 x 2 x f32>", counted({2, 3})) == Numbers{12, 16});
  CHECK(result(sum + "dims 1, 3", "<2 x 1 x f32>", counted({2, 3})) == Numbers{6, 15});
  CHECK(result(sum + "dims 2, 1 padding (1, 0), (0, 1)", "<2 x 4 x f32>", counted({2, 3})) ==
        Numbers{1, 2, 3, 0, 5, 7, 9, 0});
}

TEST_CASE("a convolution sums over channels and taps, for each filter of its group") {
  const std::string plain = "convolve %x kernel %k";
  const Tensor pair = test::f32({1, 1, 2}, {1, 10});
  CHECK(result(plain, "<1 x 1 x 3 x f32>", counted({1, 1, 4}), pair) == Numbers{21, 32, 43});
  CHECK(result(plain, "<2 x 1 x 1 x f32>", counted({2, 1, 2}), pair) == Numbers{21, 43});
  CHECK(result(plain + " strides 2 padding (1, 1)", "<1 x 1 x 3 x f32>", counted({1, 1, 4}), pair) ==
        Numbers{10, 32, 4});
  CHECK(result(plain + " rightDilation 2", "<1 x 1 x 2 x f32>", counted({1, 1, 4}), pair) == Numbers{31, 42});
  CHECK(result(plain + " leftDilation 2", "<1 x 1 x 4 x f32>", counted({1, 1, 3}), pair) ==
        Numbers{1, 20, 2, 30});
  const Tensor channels = test::f32({2, 2, 1}, {1, 10, 2, 20});
  CHECK(result(plain, "<1 x 2 x 2 x f32>", counted({1, 2, 2}), channels) == Numbers{31, 42, 62, 84});
  const Tensor grouped = test::f32({4, 1, 1}, {1, 10, 100, 1000});
  CHECK(result(plain + " groups 2", "<1 x 4 x 2 x f32>", counted({1, 2, 2}), grouped) ==
        Numbers{1, 2, 10, 20, 300, 400, 3000, 4000});
}

TEST_CASE("each element of a convolution is summed by taps, and for each tap by channels") {
  // More filters and positions than are computed together, and numbers whose sum depends on the order.
  const auto thirds = [](std::vector<std::int64_t> extents) {
    Tensor tensor(ElementType::f64, std::move(extents));
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, std::sin(static_cast<double>(i)) / 3);
    return tensor;
  };
  const std::int64_t groups = 2, filters = 19, channels = 3, height = 11, width = 13;
  const Tensor x = thirds({2, groups * channels, height, width}),
               kernel = thirds({groups * filters, channels, 2, 3});
  Numbers expected;
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t f = 0; f < groups * filters; ++f)
      for (std::int64_t i = 0; i < height + 1; ++i)
        for (std::int64_t j = 0; j < width; ++j) {
          double sum = 0;
          for (std::int64_t s = 0; s < 2; ++s)
            for (std::int64_t t = 0; t < 3; ++t)
              for (std::int64_t k = 0; k < channels; ++k) {
                const std::int64_t row = i + s - 1, column = j + t - 1;
                if (row < 0 || row >= height || column < 0 || column >= width) continue;
                const std::int64_t channel = (n * groups + f / filters) * channels + k;
                sum += x.real(static_cast<std::size_t>((channel * height + row) * width + column)) *
                       kernel.real(static_cast<std::size_t>(((f * channels + k) * 2 + s) * 3 + t));
              }
          expected.push_back(sum);
        }
  CHECK(result("convolve %x kernel %k padding (1, 1), (1, 1) groups 2", "<2 x 38 x 12 x 13 x f64>", x,
               kernel) == expected);
}
