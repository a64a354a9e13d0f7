#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "compare.h"
#include "network.h"

/// Softmaxes between products: which of them are kernels that keep no rows, and that they have the values of
/// those that do.
namespace kernel_tests {
namespace {

using codegen::kernel::Kernel;
using codegen::kernel::ProductChains;
using codegen::kernel::Stage;
using dlvm::Tensor;

codegen::kernel::Program build_online(const dlvm::Function& function) {
  dlvm::Diagnostics diagnostics;
  codegen::kernel::BuildOptions options;
  options.policy = {.recompute = {32, 0}, .chains = ProductChains::online};
  auto program = codegen::kernel::build(function, diagnostics, options);
  REQUIRE(program);
  return std::move(*program);
}

std::size_t online_kernels(const codegen::kernel::Program& program) {
  return static_cast<std::size_t>(std::ranges::count_if(program.kernels, [](const Kernel& kernel) {
    bool accumulates = false;
    codegen::kernel::walk<Stage>(
        kernel.root, [&](const Stage& stage) { accumulates = accumulates || !stage.accumulated.empty(); });
    return accumulates;
  }));
}

constexpr const char* operands = "q, k, v: in[2 x T x 20]\nw: in[T x T]\n";

TEST_CASE("attention keeps no rows") {
  for (const char* result : {
           "softmax(q • k^T) • v",
           "softmax(0.25 * (q • k^T) + w) • v",
           "(softmax(q • k^T) * w) • v",
           "tanh(softmax(q • k^T) • v) + q",
           "softmax(q • k^T) • relu(v)",
       }) {
    CAPTURE(result);
    const Network n(std::string(operands) + "y: out = " + result + "\n");
    const auto program = build_online(n.function());
    INFO(print(program));
    CHECK(online_kernels(program) == 1);
    for (const Kernel& kernel : program.kernels)
      for (const auto& buffer : kernel.buffers)
        if (buffer.space == codegen::kernel::Buffer::Space::local) CHECK(buffer.shape.empty());
    CHECK(differences(n.function(), {0, 1, 10, 70}) == "");
    CHECK(schedule_differences(n.function(), {0, 1, 67}, 3, {{true}, {1}}) == "");
  }
}

TEST_CASE("scores have other uses beside their weights") {
  for (const char* text : {
           "q, k, v: in[2 x T x 8]\ns = 0.25 * (q • k^T)\nt = s - (iota(T) as float32) * 0.1\n"
           "y: out = (exp(t - max(t, along: -1, keep: true)) * s) • v\n",
           "q, k, v: in[2 x T x 8]\nw: in[T x 1]\ns = 0.25 * (q • k^T)\n"
           "y: out = (softmax(max(s, 0.5) + w) * s) • v\n",
       }) {
    CAPTURE(text);
    const Network n(text);
    CHECK(online_kernels(build_online(n.function())) == 1);
    CHECK(differences(n.function(), {0, 1, 70}) == "");
    CHECK(schedule_differences(n.function(), {67}, 3, {{true}, {1}}) == "");
  }
}

TEST_CASE("factors that are used again and again are one factor") {
  std::string text = std::string(operands) + "s0 = softmax(q • k^T)\nf0 = 0.5 * w\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = std::to_string(i - 1), own = std::to_string(i);
    text += "f" + own + " = f" + before + " * 0.5 * f" + before + "\n";
  }
  const Network n(text + "y: out = (s0 * f40) • v\n");
  CHECK(online_kernels(build_online(n.function())) == 1);
  CHECK(differences(n.function(), {1, 9}) == "");
  std::string powers = std::string(operands) + "s0 = softmax(q • k^T)\n";
  for (int i = 1; i <= 20; ++i) {
    const std::string before = std::to_string(i - 1);
    powers += "s" + std::to_string(i) + " = s" + before + " * s" + before + "\n";
  }
  CHECK(online_kernels(build_online(Network(powers + "y: out = s20 • v\n").function())) == 0);
}

TEST_CASE("products before the scores and behind the sums have kernels of their own") {
  for (const char* text : {"W: in[20 x 9]\ny: out = softmax(q • k^T) • v • W\n",
                           "W: in[20 x 20]\ny: out = softmax((q • W) • k^T) • v\n",
                           "W: in[20 x 20]\ny: out = softmax((q • W) • k^T) • v • W\n"}) {
    CAPTURE(text);
    const Network n(std::string(operands) + text);
    CHECK(online_kernels(build_online(n.function())) == 1);
    CHECK(differences(n.function(), {0, 1, 70}) == "");
  }
}

TEST_CASE("heads share keys and values") {
  const Network n("q: in[2 x 3 x T x 20]\nk, v: in[2 x 1 x T x 20]\ny: out = softmax(q • k^T) • (2 * v)\n");
  CHECK(online_kernels(build_online(n.function())) == 1);
  CHECK(differences(n.function(), {0, 1, 70}) == "");
  CHECK(schedule_differences(n.function(), {67}, 3, {{true}, {1}}) == "");
}

TEST_CASE("projections are no part of the kernel that keeps no rows") {
  const Network n(
      "x: in[2 x T x 20]\nQ, K, V: in[20 x 20]\ny: out = softmax((x • Q) • (x • K)^T) • (x • V)\n");
  CHECK(online_kernels(build_online(n.function())) == 1);
  CHECK(differences(n.function(), {0, 1, 70}) == "");
}

TEST_CASE("attention of 16-bit floats keeps no rows, and its weights are float32") {
  for (const char* type : {"float16", "bfloat16"}) {
    CAPTURE(type);
    const Network n(std::string("type ") + type + "\n" + operands +
                    "y: out = softmax(0.25 * (q • k^T) + w) • v\n");
    const auto program = build_online(n.function());
    INFO(print(program));
    CHECK(online_kernels(program) == 1);
    CHECK(differences(n.function(), {0, 1, 70}) == "");
    CHECK(schedule_differences(n.function(), {1, 67}, 3, {{true}, {1}}) == "");
  }
  // Weights of float32 are not multiplied with values of 16 bits.
  const Network mixed(
      "q, k: in[2 x T x 20]\nv: in bfloat16[2 x T x 20]\ny: out = softmax(q • k^T) • (v as float32)\n");
  CHECK(differences(mixed.function(), {0, 1, 70}) == "");
}

TEST_CASE("elements between products are computed where they are needed") {
  for (const std::string text : {
           "q, k, v: in[2 x T x 20]\ny: out = exp(q • k^T) • v\n",
           "q, k, v: in[2 x T x 20]\np: out = softmax(q • k^T)\ny: out = p • v\n",
           "q, k, r, v: in[2 x T x 20]\ny: out = (tanh(q • k^T) * (q • r^T)) • v\n",
       }) {
    CAPTURE(text);
    const Network n(text);
    CHECK(online_kernels(build_online(n.function())) == 1);
    CHECK(differences(n.function(), {0, 1, 70}) == "");
    CHECK(schedule_differences(n.function(), {5}, 3, {{true}, {1}}) == "");
  }
}

TEST_CASE("the derivative of attention keeps no rows") {
  for (const std::string text : {
           "y: out = softmax(0.25 * (q • k^T) + w) • v\ngradient g of y wrt q, k, v\n",
           "y: out = (softmax(0.25 * (q • k^T)) * w) • v\ngradient g of y wrt q, k, v\n",
       }) {
    CAPTURE(text);
    const Network n(std::string(operands) + text);
    for (std::size_t entry = 0; entry < n.module->entries.size(); ++entry) {
      if (n.module->entries[entry].name != "g") continue;
      const auto program = build_online(n.function(entry));
      INFO(print(program));
      CHECK(online_kernels(program) >= 3);
      for (const auto& value : program.values)
        if (value.place == codegen::kernel::Value::Place::arena)
          CHECK(std::ranges::count(value.shape, dlvm::Extent::dimension("T")) < 2);
      CHECK(differences(n.function(entry), {10}) == "");
      CHECK(schedule_differences(n.function(entry), {5}, 3, {{true}, {1}}) == "");
    }
  }
}

TEST_CASE("rows that are read elsewhere, few columns and other forms are kept") {
  for (const std::string text : {
           "q, k, v: in[2 x 100 x 20]\ny: out = softmax(q • k^T) • v\n",
           "q, k, v: in[T x 20]\ny: out = exp(q • k^T) • v\n",
           "q, k, v: in[2 x T x 20]\ny: out = (softmax(q • k^T) + 1) • v\n",
           "q, k, v: in[2 x T x 20]\ny: out = (softmax(q • k^T) * softmax(q • k^T)) • v\n",
           "q, k, v: in[2 x T x 200]\ny: out = softmax(q • k^T) • v\n",
           "q, k: in[2 x T x 20]\nv: in[T x T]\ny: out = softmax(q • k^T) • v\n",
       }) {
    CAPTURE(text);
    const Network n(text);
    CHECK(online_kernels(build_online(n.function())) == 0);
    CHECK(differences(n.function(), {0, 1, 40}) == "");
  }
}

/// q, k, v of 2 x 90 x 20, v times `scale`, and scores that are added, w of 90 x 90.
std::vector<Tensor> inputs_with(const std::function<double(std::size_t row, std::size_t column)>& score,
                                double scale = 1) {
  constexpr std::size_t rows = 90;
  std::vector<Tensor> inputs;
  for (int i = 0; i < 3; ++i) {
    inputs.emplace_back(dlvm::ElementType::f32, std::vector<std::int64_t>{2, rows, 20});
    for (std::size_t e = 0; e < inputs.back().size(); ++e)
      inputs.back().set(e, (0.25 * static_cast<double>((e * 7 + static_cast<std::size_t>(i)) % 9) - 1) *
                               (i == 2 ? scale : 1));
  }
  inputs.emplace_back(dlvm::ElementType::f32, std::vector<std::int64_t>{rows, rows});
  for (std::size_t e = 0; e < rows * rows; ++e) inputs.back().set(e, score(e / rows, e % rows));
  return inputs;
}

TEST_CASE("infinite scores and scores that grow have the weights that they have in a whole row") {
  const Network n(std::string(operands) + "y: out = softmax(q • k^T + w) • v\n");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const dlvm::Extent::Bindings dimensions{{"T", 90}};
  const std::vector<Call> calls{
      // The first tiles of columns are masked, and the last.
      {inputs_with([](std::size_t, std::size_t column) { return column < 70 ? -infinity : 0; }), dimensions},
      {inputs_with([](std::size_t, std::size_t column) { return column >= 20 ? -infinity : 0; }), dimensions},
      {inputs_with([](std::size_t row, std::size_t column) { return column > row ? -infinity : 0; }),
       dimensions},
      // Rows of nothing, of infinity, and of NaN.
      {inputs_with([](std::size_t row, std::size_t) { return row % 2 == 0 ? -infinity : 0; }), dimensions},
      {inputs_with([](std::size_t row, std::size_t column) { return row == column ? infinity : 0; }),
       dimensions},
      {inputs_with([](std::size_t row, std::size_t column) { return row == column ? std::nan("") : 0; }),
       dimensions},
      // Values that are infinite when they are added up, at columns that have no weight.
      {inputs_with([](std::size_t, std::size_t column) { return column < 70 ? -infinity : 0; }, 2e37),
       dimensions},
      // Each tile has a larger maximum than the ones before, by more than what a float's exp can hold.
      {inputs_with([](std::size_t, std::size_t column) { return 8.0 * static_cast<double>(column); }),
       dimensions},
      {inputs_with([](std::size_t, std::size_t column) { return -8.0 * static_cast<double>(column); }),
       dimensions},
  };
  CHECK(schedule_differences(n.function(), calls, {{true}, {1}}) == "");
}

}  // namespace
}  // namespace kernel_tests
