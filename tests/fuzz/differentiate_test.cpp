#include <doctest/doctest.h>

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

/// Returns how far forward mode is from reverse mode; nothing if the program has no derivative.
std::optional<double> forward_disagreement_of(std::uint64_t seed) {
  const fuzz::Program program = fuzz::random_program(seed);
  Module module("fuzz");
  const Function* f = define(module, "f", program.parameters,
                             [&](Builder& b, const auto& x) { return fuzz::build(program, b, x); });
  std::mt19937_64 random(seed);
  std::vector<Tensor> inputs;
  for (const auto& extents : program.extents)
    inputs.push_back(draw(random, ElementType::f64, extents, -1.5, 1.5));
  return forward_disagreement(module, *f, inputs, seed);
}

}  // namespace

TEST_CASE("random programs: forward mode agrees with reverse mode") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto disagreement = forward_disagreement_of(seed);
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
  sweep(60000, 5000, Through::budget);
}

TEST_CASE("random programs through the whole pipeline") { sweep(200, 200, Through::pipeline); }

TEST_CASE("random programs within a memory budget") { sweep(400, 100, Through::budget); }

TEST_CASE("random programs find wrong rules") {
  for (const auto& rule : wrong_rules::all) {
    const ScopedDerivatives put_in({&rule.row, 1});
    std::uint64_t seed = 0, end = 300;
    std::string where;
    while (seed < end && check_program(seed, Through::differentiation, where) != Outcome::disagrees) ++seed;
    CHECK_MESSAGE(seed < end, rule.mistake);
  }
}
