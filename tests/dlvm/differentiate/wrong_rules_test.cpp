#include "tests/dlvm/differentiate/wrong_rules.h"

#include <doctest/doctest.h>

#include <set>

#include "dlvm/differentiate/differentiate.h"
#include "dlvm/gradcheck/gradient_check.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

/// A module with an entry point `gradient` of a multiple of the sum of a rule's function, as a frontend would
/// make it.
void build_entry(Module& module, const wrong_rules::WrongRule& rule, double scale) {
  const Type matrix = f64({Extent::dimension("N"), 3});
  const Function* loss = define(module, "loss", {matrix}, [&](Builder& b, const std::vector<Value*>& x) {
    // Into (0.2, 0.9), wherever x is drawn.
    Value* low = b.constant(ElementType::f64, 0.55);
    Value* width = b.constant(ElementType::f64, 0.35);
    Value* inside = b.add(low, b.multiply(width, b.unary(Opcode::sin, x[0])));
    Value* result = rule.body(b, inside);
    Integers axes;
    for (std::size_t i = 0; i < result->type().rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    Value* sum = b.sum(b.multiply(result, result), axes);
    return b.tuple({b.multiply(sum, b.constant(ElementType::f64, scale))});
  });
  GradientDeclaration declaration;
  declaration.of = loss;
  declaration.keeping = {0};
  declare(module, "gradient", declaration);
  module.entries.push_back({EntryKind::gradient,
                            "gradient",
                            "gradient",
                            {{ArgumentRole::input, "x", ""}},
                            {{ResultRole::derivative, "x", ""}, {ResultRole::loss, "L", ""}},
                            "",
                            {}});
}

GradientCheck checked(const wrong_rules::WrongRule& rule, double scale = 1) {
  Module declared("m"), expanded("m");
  build_entry(declared, rule, scale);
  build_entry(expanded, rule, scale);
  Diagnostics diagnostics;
  REQUIRE(differentiate(expanded, diagnostics));
  return check_gradients(expanded, declared, {});
}

}  // namespace

TEST_CASE("each of ten wrong rules is found by the gradient check, and none where there is none") {
  for (const auto& rule : wrong_rules::all) {
    INFO(rule.mistake);
    const GradientCheck right = checked(rule);
    CHECK_MESSAGE(right.passed(), render(right));
    const ScopedDerivatives put_in({&rule.row, 1});
    const GradientCheck wrong = checked(rule);
    CHECK_FALSE(wrong.passed());
    CHECK(wrong.errors.empty());
  }
  CHECK(&derivative(Opcode::tanh) == &derivative_row(Opcode::tanh));
}

TEST_CASE("a wrong rule is found where all values are tiny") {
  const auto& rule = wrong_rules::all[0];
  const ScopedDerivatives put_in({&rule.row, 1});
  CHECK_FALSE(checked(rule, 1e-12).passed());
}
