// The table of derivatives: for each instruction that has one, random functions of it alone. The adjoint is
// compared with central differences, forward mode with reverse mode, and the second order with differences of
// the first.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/dlvm/differentiate/drawing.h"
#include "tests/dlvm/differentiate/wrong_rules.h"

using namespace derivatives;

namespace {

constexpr double tolerance = 1e-6, forward_tolerance = 1e-9;

struct Errors {
  double adjoint = 0, forward = 0, second = 0;
  std::string where;  ///< empty if all are within their tolerance

  void widen(const Errors& other) {
    adjoint = std::max(adjoint, other.adjoint);
    forward = std::max(forward, other.forward);
    second = std::max(second, other.second);
  }
};

const Function* function_of(Module& module, const Draw& draw) {
  return define(module, "f", draw.parameters,
                [&](Builder& b, const Values& x) { return draw.body(module, b, x); });
}

Errors errors_of(const Drawer& drawer, std::uint64_t seed) {
  Drawing drawing(seed);
  drawer.draw(drawing, drawer.opcode);
  const Draw& draw = drawing.draw;
  Module module("m"), other("m");
  const auto through = seed % 2 == 0 ? Through::differentiation : Through::pipeline;
  const Disagreement d = disagreement(module, *function_of(module, draw), draw.inputs, 2, seed, through);
  if (d.failure) return {INFINITY, 0, 0, *d.failure};
  Errors errors{d.by_order[0], 0, d.by_order[1], d.worst < tolerance ? "" : d.where};
  errors.forward =
      forward_disagreement(other, *function_of(other, draw), draw.inputs, seed).value_or(INFINITY);
  if (errors.forward >= forward_tolerance) errors.where += fmt::format("; forward mode: {}", errors.forward);
  return errors;
}

/// Returns the errors of one draw. One whose inputs stand at a kink is drawn again: a wrong rule is wrong
/// everywhere.
Errors errors_near(const Drawer& drawer, std::uint64_t seed) {
  Errors errors;
  for (std::uint64_t attempt = 0; attempt < 3; ++attempt) {
    errors = errors_of(drawer, seed * 4 + attempt);
    if (errors.where.empty()) return errors;
  }
  return errors;
}

/// Returns a row of the table for each drawer, with the first draws of its instruction.
std::string table(std::uint64_t draws) {
  std::string text =
      "| instruction | draws | adjoint | forward mode | second order |\n| --- | --- | --- | --- | --- |\n";
  for (const Drawer& drawer : drawers()) {
    Errors worst;
    const std::string name(definition(drawer.opcode).name);
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
      const Errors errors = errors_near(drawer, seed);
      CHECK_MESSAGE(errors.where.empty(), name << ", draw " << seed << ": " << errors.where);
      worst.widen(errors);
    }
    text += fmt::format("| `{}` | {} | {:.0e} | {:.0e} | {:.0e} |\n", name, draws, worst.adjoint,
                        worst.forward, worst.second);
  }
  return text;
}

bool has_derivative(Opcode opcode) {
  const auto& rule = derivative_row(opcode).rule;
  return std::holds_alternative<Partials>(rule) || std::holds_alternative<Linear>(rule) ||
         std::holds_alternative<CustomRule>(rule);
}

}  // namespace

TEST_CASE("every instruction with a derivative is drawn, once") {
  std::multiset<Opcode> drawn;
  for (const Drawer& drawer : drawers()) drawn.insert(drawer.opcode);
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    CAPTURE(definition(opcode).name);
    CHECK(drawn.count(opcode) <= 1);
    if (has_derivative(opcode)) CHECK(drawn.count(opcode) == 1);
  }
}

TEST_CASE("derivatives of every instruction agree with differences") { table(24); }

TEST_CASE("the table of derivatives, the long sweep" * doctest::skip()) { fmt::print("{}", table(250)); }

TEST_CASE("the table of derivatives finds wrong rules") {
  for (const auto& rule : wrong_rules::all) {
    const ScopedDerivatives put_in({&rule.row, 1});
    const auto all = drawers();
    const auto drawer = std::find_if(all.begin(), all.end(),
                                     [&](const Drawer& each) { return each.opcode == rule.row.opcode; });
    REQUIRE(drawer != all.end());
    bool found = false;
    for (std::uint64_t seed = 0; seed < 12 && !found; ++seed)
      found = !errors_near(*drawer, seed).where.empty();
    CHECK_MESSAGE(found, rule.mistake);
  }
}
