#include "tests/fuzz/traced_derivatives.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/fuzz/trace.h"

namespace fuzz {
namespace {

using namespace dlvm;

GradientDeclaration by_floats(const Function& of) {
  GradientDeclaration declaration;
  declaration.of = &of;
  declaration.wrt = Integers{0, 1};
  declaration.warned = true;
  return declaration;
}

double worst_difference(const RuntimeValue& a, const RuntimeValue& b) {
  double worst = 0, largest = 1;
  for (std::size_t i = 0; i < a.elements().size(); ++i) {
    const Tensor &left = a.elements()[i].tensor(), &right = b.elements()[i].tensor();
    REQUIRE(left.size() == right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double x = left.real(k), y = right.real(k);
      largest = std::max({largest, std::fabs(x), std::fabs(y)});
      if (!(x == y) && !(std::isnan(x) && std::isnan(y))) worst = std::max(worst, std::fabs(x - y));
    }
  }
  return worst / largest;
}

/// Σ a b over all elements of two tuples.
double product(std::span<const RuntimeValue> a, std::span<const RuntimeValue> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].tensor().size(); ++k)
      sum += a[i].tensor().real(k) * b[i].tensor().real(k);
  return sum;
}

/// Whether the derivative in forward mode is that in reverse mode times the tangents.
void check_forward(const RuntimeValue& first, std::span<const RuntimeValue> tangents,
                   const RuntimeValue& forward) {
  const double expected = product(first.elements(), tangents),
               actual = forward.elements()[0].tensor().real(0);
  double largest = 1;
  for (const RuntimeValue& each : first.elements())
    for (std::size_t k = 0; k < each.tensor().size(); ++k)
      largest = std::max(largest, std::fabs(each.tensor().real(k)));
  if (std::isfinite(expected)) CHECK(std::fabs(actual - expected) / largest < 1e-10);
}

}  // namespace

void declare_derivatives(Module& module, const Function& f) {
  const Function* first = derivatives::declare(module, "first", by_floats(f));
  derivatives::declare(module, "second", by_floats(*first));
  GradientDeclaration forward = by_floats(f);
  forward.mode = GradientDeclaration::Mode::forward;
  derivatives::declare(module, "forward", forward);
}

int compare_with_trace(const Module& differentiated, const Function& original,
                       const std::vector<RuntimeValue>& inputs, std::uint64_t seed,
                       const InterpretOptions& options) {
  Module traced("trace");
  std::vector<Type> types;
  for (const RuntimeValue& input : inputs) {
    Shape shape;
    for (const auto extent : input.tensor().extents()) shape.emplace_back(extent);
    types.push_back(Type::tensor(input.tensor().element(), shape));
  }
  Value* result = nullptr;
  Function* straight = derivatives::define(traced, "f", types,
                                           [&](Builder& b, const std::vector<Value*>& arguments) -> Value* {
                                             result = trace(b, inputs, original);
                                             return result != nullptr ? b.extract(result, 0) : arguments[0];
                                           });
  if (result == nullptr) return 0;
  declare_derivatives(traced, *straight);
  Diagnostics ignored;
  if (!run_passes(traced, std::vector{pass_named("AD")}, ignored)) return 0;
  std::mt19937_64 random(seed);
  RuntimeValue first;
  int compared = 0;
  for (const char* name : {"first", "second", "forward"}) {
    std::vector<RuntimeValue> arguments = inputs;
    if (name == std::string("forward")) {
      arguments.emplace_back(derivatives::draw(random, ElementType::f64, {}, -1, 1));
      arguments.emplace_back(derivatives::draw(random, ElementType::f64, {3}, -1, 1));
    }
    const auto expected = interpret(*traced.function(name), arguments);
    const auto actual = interpret(*differentiated.function(name), arguments, options);
    INFO(std::string(name), "\n", print(*straight));
    REQUIRE(expected);
    REQUIRE_MESSAGE(actual, actual.error->text);
    CHECK(worst_difference(expected.value, actual.value) < 1e-10);
    ++compared;
    if (name == std::string("first")) first = actual.value;
    if (name == std::string("forward")) check_forward(first, std::span(arguments).last(2), actual.value);
  }
  return compared;
}

}  // namespace fuzz
