// Values that late users recompute instead of reading them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/ir/lifetimes.h"
#include "codegen/kernel/text/text.h"
#include "compare.h"

namespace kernel_tests {
namespace {

using codegen::kernel::Program;
using codegen::kernel::Value;
using dlvm::Opcode;

Program program(const dlvm::Function& function, codegen::kernel::RecomputeLimits limits) {
  dlvm::Diagnostics diagnostics;
  codegen::kernel::BuildOptions options;
  options.policy.recompute = limits;
  auto result = codegen::kernel::build(function, diagnostics, options);
  REQUIRE(result.has_value());
  return std::move(*result);
}

/// The most elements of the arena that are alive in one launch, where all dimensions are n.
std::int64_t max_alive(const Program& program, std::int64_t n) {
  dlvm::Extent::Bindings bindings;
  for (const auto& name : program.dimensions) bindings[name] = n;
  const auto [life, launches, positions, live] = lifetimes(program);
  std::int64_t most = 0;
  for (std::size_t launch = 0; launch < launches.size(); ++launch) {
    std::int64_t alive = 0;
    for (std::size_t value = 0; value < program.values.size(); ++value)
      if (program.values[value].place == Value::Place::arena && life[value].first <= launch &&
          launch <= life[value].last)
        alive += *unit_count(program.values[value].shape).evaluate(bindings);
    most = std::max(most, alive);
  }
  return most;
}

constexpr std::int64_t width = 8;

/// x • w, `activation` of it into six further products, then again with their result, as in a gradient.
struct Layers {
  template <typename Activation>
  explicit Layers(Activation activation, bool keeps_sum = true)
      : scene({f32({N, width}), f32({width, width})}) {
    dlvm::Builder& b = scene.b;
    dlvm::Value* sum = b.dot(scene[0], scene[1], {{1, 0}});
    dlvm::Value* active = activation(b, sum);
    dlvm::Value* late = active;
    for (int i = 0; i < 6; ++i) late = b.dot(late, scene[1], {{1, 0}});
    if (keeps_sum) late = b.binary(Opcode::multiply, late, sum);
    function = &scene.results({b.dot(active, late, {{0, 0}}), late});
  }
  /// How many tensors of [N x width] less are alive at once than where all is read.
  std::int64_t saved(codegen::kernel::RecomputeLimits limits = {}) const {
    constexpr std::int64_t n = 100;
    return (max_alive(program(*function, {0, 0}), n) - max_alive(program(*function, limits), n)) /
           (n * width);
  }

  Scene scene;
  const dlvm::Function* function = nullptr;
};

dlvm::Value* relu(dlvm::Builder& b, dlvm::Value* x) {
  return b.binary(Opcode::max, x, b.constant(dlvm::ElementType::f32, 0));
}

}  // namespace

TEST_CASE("what is cheap to compute again is not kept for its late users") {
  const Layers layers(relu);
  CHECK(layers.saved() == 1);
  CHECK(differences(*layers.function) == "");
}

TEST_CASE("what takes much work, by the target's measure, is kept") {
  const Layers layers([](dlvm::Builder& b, dlvm::Value* x) { return b.unary(Opcode::exp, x); });
  CHECK(layers.saved() == 0);
  CHECK(layers.saved({32, 32}) == 1);
}

TEST_CASE("nothing is kept in order to compute what is not kept") { CHECK(Layers(relu, false).saved() == 0); }

TEST_CASE("products compute no operands where the target says so") { CHECK(Layers(relu).saved({8, 0}) == 0); }

TEST_CASE("a softmax is computed again from its exponentials and sums") {
  Scene s({f32({N, 64}), f32({64, 64})});
  dlvm::Value* e = s.b.unary(Opcode::exp, s.b.dot(s[0], s[1], {{1, 0}}));
  dlvm::Value* y = s.b.divide(e, s.b.pad_shape(s.b.sum(e, {1}), 1));
  dlvm::Value* late = y;
  for (int i = 0; i < 6; ++i) late = s.b.dot(late, s[1], {{1, 0}});
  late = s.b.binary(Opcode::multiply, s.b.binary(Opcode::multiply, late, y), e);
  const dlvm::Function& function = s.results({s.b.dot(y, late, {{0, 0}})});
  const std::int64_t before = max_alive(program(function, {0, 0}), 100),
                     after = max_alive(program(function, {}), 100);
  CHECK(before - after >= 100 * 63);
  CHECK(differences(function) == "");
}

}  // namespace kernel_tests
