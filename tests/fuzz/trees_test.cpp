// Recursive enums as numbers of nodes, and derivatives through them, against the interpreter of enums.
#include "tests/fuzz/trees.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/fuzz/same_values.h"

using namespace dlvm;

namespace {

std::unique_ptr<Module> parsed(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  auto module = parse(*sources.add("trees.dl", text), sources, diagnostics);
  REQUIRE_MESSAGE(module, render(diagnostics) << text);
  REQUIRE_MESSAGE(verify(*module, diagnostics), render(diagnostics) << text);
  return module;
}

using Inputs = std::vector<RuntimeValue>;

std::vector<Inputs> drawn_inputs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Inputs> all;
  for (std::int64_t n = 0; n < 4; ++n)
    all.push_back({derivatives::draw(random, ElementType::f64, {}, -1, 1),
                   derivatives::draw(random, ElementType::f64, {3}, -1, 1),
                   Tensor::scalar(ElementType::i32, n)});
  return all;
}

RuntimeValue result(const Module& module, const char* name, const Inputs& inputs) {
  InterpretOptions options;
  options.dimensions = {{"f_nodes", 50},    {"f_steps", 100},   {"first_steps", 100},  {"second_steps", 100},
                        {"make_depth", 12}, {"fold_depth", 12}, {"forward_steps", 100}};
  const Interpretation run = interpret(*module.function(name), inputs, options);
  REQUIRE_MESSAGE(run, run.error->text);
  return run.value;
}

bool holds_enums(const Module& module) {
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        if (function->name() == "f" && instruction->opcode() == Opcode::branchEnum) return true;
  return false;
}

using Transform = bool (*)(Module&, Diagnostics&);

bool expansion(Module& module, Diagnostics& diagnostics) {
  return run_passes(module, std::vector{pass_named("EE"), pass_named("AE")}, diagnostics,
                    {.verify_each = true});
}
bool late_expansion(Module& module, Diagnostics& diagnostics) {
  std::vector<const Pass*> list;
  for (const char* name : {"AE", "INL", "CFGCan", "EE", "AE", "CP", "CFGSimp", "CSE", "DCE"})
    list.push_back(pass_named(name));
  return run_passes(module, list, diagnostics, {.verify_each = true});
}
bool lowering(Module& module, Diagnostics& diagnostics) {
  return optimize(module, diagnostics, {.verify_each = true}) &&
         lower_control_flow(module, diagnostics, {.verify_each = true});
}

void check_values(std::uint64_t seed) {
  const std::string text = fuzz::random_trees(seed, 0);
  const auto original = parsed(text);
  for (const Transform transform : {expansion, late_expansion, lowering}) {
    const auto changed = parsed(text);
    Diagnostics diagnostics;
    INFO("seed ", seed, "\n", text);
    REQUIRE(transform(*changed, diagnostics));
    CHECK_FALSE(holds_enums(*changed));
    for (const Inputs& inputs : drawn_inputs(seed))
      CHECK(fuzz::same(result(*original, "f", inputs), result(*changed, "f", inputs)));
  }
}

/// The derivative of `value_at` by each element of the first two arguments, by central differences.
template <typename Value>
std::vector<double> differences(const Inputs& inputs, Value value_at) {
  std::vector<double> all;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t i = 0; i < inputs[a].tensor().size(); ++i) {
      constexpr double step = 1e-5;
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        Inputs moved = inputs;
        Tensor tensor = inputs[a].tensor();
        tensor.set(i, tensor.real(i) + (side == 0 ? step : -step));
        moved[a] = RuntimeValue(tensor);
        sides[side] = value_at(moved);
      }
      all.push_back((sides[0] - sides[1]) / (2 * step));
    }
  return all;
}

std::vector<double> elements(const RuntimeValue& tuple) {
  std::vector<double> all;
  for (const RuntimeValue& each : tuple.elements())
    for (std::size_t i = 0; i < each.tensor().size(); ++i) all.push_back(each.tensor().real(i));
  return all;
}

void check_close(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  double largest = 1;
  for (const double each : expected) largest = std::max(largest, std::fabs(each));
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    CHECK(std::fabs(actual[i] - expected[i]) < tolerance * largest);
}

/// The first derivative against differences of the interpreter of enums.
void check_first(const Module& original, const Module& changed, const Inputs& inputs) {
  const auto value = [&](const Inputs& at) { return result(original, "f", at).tensor().real(0); };
  check_close(elements(result(changed, "first", inputs)), differences(inputs, value), 1e-7);
}

/// The second derivative against differences of the first, and forward mode against the first.
void check_second(const Module& changed, const Inputs& inputs) {
  const auto slope = [&](const Inputs& at) { return elements(result(changed, "first", at))[0]; };
  check_close(elements(result(changed, "second", inputs)), differences(inputs, slope), 1e-7);
  const auto first = elements(result(changed, "first", inputs));
  Inputs with_tangents = inputs;
  with_tangents.insert(with_tangents.end(), inputs.begin(), inputs.begin() + 2);
  double expected = first[0] * inputs[0].tensor().real(0);
  for (std::size_t i = 0; i < 3; ++i) expected += first[i + 1] * inputs[1].tensor().real(i);
  check_close(elements(result(changed, "forward", with_tangents)), {expected}, 1e-10);
}

/// Adjoints compute again what they need, each order more often, so that the second is of small trees.
void check_derivatives(std::uint64_t seed, int order) {
  const std::string text = fuzz::random_trees(seed, order);
  INFO("seed ", seed, "\n", text);
  const auto original = parsed(fuzz::random_trees(seed, 0));
  const auto changed = parsed(text);
  Diagnostics diagnostics;
  const bool good = order == 1 ? lowering(*changed, diagnostics) : expand_gradients(*changed, diagnostics);
  REQUIRE_MESSAGE(good, render(diagnostics));
  for (const Inputs& inputs : drawn_inputs(seed)) {
    const bool small = inputs[2].tensor().integer(0) < 2;
    check_first(*original, *changed, inputs);
    if (order == 2 && small) check_second(*changed, inputs);
  }
}

}  // namespace

TEST_CASE("random trees: enums as numbers give the same bits") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) check_values(seed);
}

TEST_CASE("random trees: derivatives agree with differences") {
  for (std::uint64_t seed = 0; seed < 2; ++seed) check_derivatives(seed, 1);
  for (std::uint64_t seed = 2; seed < 5; ++seed) check_derivatives(seed, 2);
}

TEST_CASE("random trees, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 1000; seed < 1400; ++seed) check_values(seed);
  for (std::uint64_t seed = 1000; seed < 1100; ++seed)
    check_derivatives(seed, 1 + static_cast<int>(seed % 2));
}
