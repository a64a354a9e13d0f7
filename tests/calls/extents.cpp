// Every form of extent, in inputs and outputs, with every wrong value, in C++.
#include "extents.hpp"

#include <functional>
#include <string>
#include <vector>

#include "check.h"
#include "linear.hpp"

namespace {

constexpr std::size_t largest = 512;
const std::vector<float> memory(largest);

using Line = tel::View<const float, tel::dynamic>;

/// One input or output of one axis: what it must be, its setter in either struct.
struct Axis {
  std::string tensor;
  std::size_t right;
  std::string of;
  std::function<void(std::size_t)> set;
};

struct Call {
  extents::ForwardInputs inputs;
  extents::ForwardOutputs outputs;
  std::vector<Axis> axes;
  std::vector<std::vector<float>> results;  // of which none overlaps another
  tel::Workspace workspace{1 << 20};

  Call(std::size_t n, std::size_t m) {
    const std::string of_n = "N = " + std::to_string(n) + " (axis 0 of 'n')",
                      of_m = "M = " + std::to_string(m) + " (axis 0 of 'm')", of_both = of_n + ", " + of_m;
    inputs.five = memory.data();
    add("n", n, "", inputs.n), add("m", m, "", inputs.m);
    add("twice", 2 * n, of_n, inputs.twice), add("y_twice", 2 * n, of_n, outputs.y_twice);
    add("plus", n + 2, of_n, inputs.plus), add("y_plus", n + 2, of_n, outputs.y_plus);
    add("minus", n - 1, of_n, inputs.minus), add("y_minus", n - 1, of_n, outputs.y_minus);
    add("product", n * m, of_both, inputs.product), add("y_product", n * m, of_both, outputs.y_product);
    add("half", n / 2, of_n, inputs.half), add("y_half", n / 2, of_n, outputs.y_half);
    add("windows", (n - 1) / 2, of_n, inputs.windows), add("y_windows", (n - 1) / 2, of_n, outputs.y_windows);
    add("blocks", (n + m) / (m + 1), of_both, inputs.blocks);
    add("y_blocks", (n + m) / (m + 1), of_both, outputs.y_blocks);
    add("sum", n + m, of_both, inputs.sum), add("y_sum", n + m, of_both, outputs.y_sum);
    add("polynomial", n * m + 2 * n + 3, of_both, inputs.polynomial);
    add("y_polynomial", n * m + 2 * n + 3, of_both, outputs.y_polynomial);
    add("sliced", n, of_n, outputs.sliced);
    add("cube", m, of_m, [this, n](std::size_t extent) { inputs.cube = {memory.data(), extent, 2 * n}; });
  }

  void add(const char* tensor, std::size_t right, const std::string& of, Line& view) {
    add(tensor, right, of, [&view](std::size_t extent) { view = {memory.data(), extent}; });
  }
  void add(const char* tensor, std::size_t right, const std::string& of,
           tel::View<float, tel::dynamic>& view) {
    float* result = results.emplace_back(largest).data();
    add(tensor, right, of, [&view, result](std::size_t extent) { view = {result, extent}; });
  }
  void add(const char* tensor, std::size_t right, const std::string& of,
           std::function<void(std::size_t)> set) {
    axes.push_back({tensor, right, of, std::move(set)});
    axes.back().set(right);
  }
  tel::Result<extents::ForwardOutputs> call() { return extents::try_forward(inputs, outputs, workspace); }
};

void test(std::size_t n, std::size_t m) {
  Call call(n, m);
  CHECK(call.call());
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    const auto& [tensor, right, of, set] = call.axes[i];
    for (std::size_t value = 0; value < 48; ++value) {
      if (value == right) continue;
      set(value);
      const auto tried = call.call();
      CHECK(!tried && tried.status() == tel::Status::extent);
      const std::string text = tried.error().text;
      const std::string expected = "extents::forward: axis 0 of '" + tensor + "' is " +
                                   std::to_string(value) + ", expected " + std::to_string(right) + " for " +
                                   of;
      CHECK(text == expected || of.empty());
    }
    set(right);
  }
  CHECK(call.call());
}

// The program that crashed: `a: in[N]`, `b: in[2*N]` and a slice of it.
void test_slice() {
  const std::vector<float> values(9);
  const auto tried = linear::try_forward({.even = values,
                                          .longer = values,
                                          .shorter = values,
                                          .turned = Line(values.data(), 2),
                                          .both = values});
  CHECK(!tried && tried.status() == tel::Status::extent);
  CHECK(std::string(tried.error().text) ==
        "linear::forward: axis 0 of 'even' is 9, expected 2 * N with a whole number N of at least 0");
}

}  // namespace

int main() {
  for (std::size_t n = 1; n < 7; ++n)
    for (std::size_t m = 0; m < 4; ++m) test(n, m);
  test_slice();
}
