#include <doctest/doctest.h>

#include <cmath>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/dlvm/differentiate/wrong_rules.h"
#include "tests/fuzz/programs.h"

using namespace derivatives;

namespace {

enum class Outcome { agrees, disagrees, steps_only };

/// Whether both orders of a random program's derivatives agree with differences. A program whose inputs lie
/// at a kink, or whose values vary too much for differences, is drawn again: a wrong rule is wrong
/// everywhere.
Outcome check_program(std::uint64_t seed, Through through, std::string& where) {
  const fuzz::Program program = fuzz::random_program(seed);
  for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
    Module module("fuzz");
    const Function* f = define(module, "f", program.parameters,
                               [&](Builder& b, const auto& x) { return fuzz::build(program, b, x); });
    std::mt19937_64 random(seed * 4 + attempt);
    std::vector<Tensor> inputs;
    for (const auto& extents : program.extents)
      inputs.push_back(draw(random, ElementType::f64, extents, -1.5, 1.5));
    const Disagreement d = disagreement(module, *f, inputs, 2, seed * 4 + attempt, through);
    INFO("seed ", seed);
    // A derivative that is zero but for steps is an error by design.
    if (d.failure && d.failure->find("piecewise constant") != std::string::npos) return Outcome::steps_only;
    REQUIRE_MESSAGE(!d.failure, d.failure.value_or(""));
    if (d.worst < 1e-6) return Outcome::agrees;
    where = d.where;
  }
  return Outcome::disagrees;
}

void sweep(std::uint64_t first, std::uint64_t count, Through through) {
  std::uint64_t checked = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::string where;
    const Outcome outcome = check_program(seed, through, where);
    CHECK_MESSAGE(outcome != Outcome::disagrees, "seed " << seed << ": " << where);
    checked += outcome == Outcome::agrees;
  }
  CHECK(checked * 10 > count * 9);
}

double product(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.real(i) * b.real(i);
  return sum;
}

/// Returns how far v * (J * t) of forward mode is from (v * J) * t of reverse mode, relative to their terms;
/// nothing if the program has no derivative.
std::optional<double> forward_disagreement(std::uint64_t seed) {
  const fuzz::Program program = fuzz::random_program(seed);
  Module module("fuzz");
  const Function* f = define(module, "f", program.parameters,
                             [&](Builder& b, const auto& x) { return fuzz::build(program, b, x); });
  GradientDeclaration declaration;
  declaration.of = f;
  declaration.mode = GradientDeclaration::Mode::forward;
  const Function* forward = declare(module, "forward", declaration);
  declaration.mode = GradientDeclaration::Mode::reverse;
  declaration.seedable = true;
  const Function* reverse = declare(module, "reverse", declaration);
  Diagnostics diagnostics;
  if (!differentiate(module, diagnostics)) return std::nullopt;
  std::mt19937_64 random(seed);
  std::vector<Tensor> inputs, tangents;
  for (auto* tensors : {&inputs, &tangents})
    for (const auto& extents : program.extents)
      tensors->push_back(draw(random, ElementType::f64, extents, -1.5, 1.5));
  std::vector<Tensor> arguments = inputs;
  arguments.insert(arguments.end(), tangents.begin(), tangents.end());
  const Tensor tangent = evaluate(*forward, arguments)[0];
  const Tensor cotangent = draw(random, ElementType::f64, tangent.extents(), -1, 1);
  arguments = inputs;
  arguments.push_back(cotangent);
  const std::vector<Tensor> derivatives = evaluate(*reverse, arguments);
  double by_forward = product(cotangent, tangent), by_reverse = 0, scale = 1e-300;
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    by_reverse += product(derivatives[i], tangents[i]);
    for (std::size_t k = 0; k < tangents[i].size(); ++k)
      scale += std::abs(derivatives[i].real(k) * tangents[i].real(k));
  }
  for (std::size_t k = 0; k < tangent.size(); ++k) scale += std::abs(cotangent.real(k) * tangent.real(k));
  if (!std::isfinite(scale)) return std::isfinite(by_forward) == std::isfinite(by_reverse) ? 0 : 1;
  return std::abs(by_forward - by_reverse) / scale;
}

}  // namespace

TEST_CASE("random programs: forward mode agrees with reverse mode") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto disagreement = forward_disagreement(seed);
    compared += disagreement ? 1 : 0;
    CHECK_MESSAGE(disagreement.value_or(0) < 1e-10, "seed " << seed << ": " << *disagreement);
  }
  CHECK(compared > 300);
}

TEST_CASE("random programs: derivatives of two orders agree with differences") {
  sweep(0, 200, Through::differentiation);
}

TEST_CASE("random programs, the long sweep" * doctest::skip()) {
  sweep(1000, 20000, Through::differentiation);
  sweep(30000, 20000, Through::pipeline);
}

TEST_CASE("random programs through the whole pipeline") { sweep(200, 200, Through::pipeline); }

TEST_CASE("random programs find wrong rules") {
  for (const auto& rule : wrong_rules::all) {
    const ScopedDerivatives put_in({&rule.row, 1});
    std::uint64_t seed = 0, end = 300;
    std::string where;
    while (seed < end && check_program(seed, Through::differentiation, where) != Outcome::disagrees) ++seed;
    CHECK_MESSAGE(seed < end, rule.mistake);
  }
}
