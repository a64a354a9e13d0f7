// Random sums, products and functions of finite numbers: what --fast-math makes of them is close to what they
// were.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/fast_math.h"
#include "tests/fuzz/reduce.h"

using namespace dlvm;

namespace {

/// A function that returns all that it computes of two positive numbers.
std::unique_ptr<Module> random_function(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto below = [&](std::size_t end) { return engine() % end; };
  const Type f64 = Type::scalar(ElementType::f64);
  auto module = std::make_unique<Module>("fuzz");
  constexpr std::size_t count = 10;
  Function* function =
      module->add_function("f", Type::function({f64, f64}, Type::tuple(std::vector<Type>(count, f64))));
  Builder b(*function->add_entry({"x", "y"}));
  std::vector<Value*> values{function->entry().arguments()[0].get(), function->entry().arguments()[1].get()};
  constexpr Opcode binary[]{Opcode::add, Opcode::multiply, Opcode::subtract, Opcode::divide};
  constexpr Opcode unary[]{Opcode::exp,    Opcode::log,   Opcode::sqrt,
                           Opcode::square, Opcode::expm1, Opcode::log1p};
  constexpr double literals[]{0, -0.0, 1, 3, 0.7, -2, 500};
  for (std::size_t i = 0; i < count; ++i) {
    // Near values first, so that neighbours meet.
    const auto any = [&] {
      return values[values.size() - 1 - below(std::min<std::size_t>(values.size(), 3))];
    };
    Value *left = any(), *right = below(3) == 0 ? b.constant(ElementType::f64, literals[below(7)]) : any();
    if (below(4) == 0) std::swap(left, right);
    const bool two = below(5) < 3 || as_literal(left) != nullptr;
    values.push_back(two ? b.binary(binary[below(4)], left, right) : b.unary(unary[below(6)], left));
  }
  b.return_(b.tuple(std::vector<Value*>(values.end() - count, values.end())));
  return module;
}

bool is_ordinary(double x) { return std::isfinite(x) && std::abs(x) < 1e8 && (x == 0 || std::abs(x) > 1e-6); }

}  // namespace

TEST_CASE("random finite numbers: --fast-math changes their functions by roundings alone") {
  std::size_t compared = 0, changed = 0;
  for (std::uint64_t seed = 0; seed < 8'000; ++seed) {
    const auto module = random_function(seed), fast = fuzz::copied(*module);
    const std::vector<RuntimeValue> inputs{Tensor::scalar(ElementType::f64, 0.6),
                                           Tensor::scalar(ElementType::f64, 1.7)};
    const Interpretation before = interpret(*module->function("f"), inputs);
    REQUIRE(before);
    if (!std::ranges::all_of(before.value.elements(),
                             [](const auto& each) { return is_ordinary(each.tensor().real(0)); }))
      continue;
    ++compared;
    if (!fast_math(*fast->function("f"))) continue;
    ++changed;
    const Interpretation after = interpret(*fast->function("f"), inputs);
    REQUIRE(after);
    for (std::size_t i = 0; i < before.value.elements().size(); ++i) {
      const double x = before.value.elements()[i].tensor().real(0),
                   y = after.value.elements()[i].tensor().real(0);
      CHECK_MESSAGE(std::abs(x - y) <= 1e-6 * std::max({std::abs(x), std::abs(y), 1.0}), "seed ", seed,
                    ", value ", i, ": ", x, " became ", y, "\n", print(*module));
    }
  }
  CHECK(compared > 1000);
  CHECK(changed > 400);
}
