#include <doctest/doctest.h>

#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

using Values = std::vector<Value*>;
using Body = std::function<Value*(Builder&, const Values&)>;
constexpr ElementType element = ElementType::f64;

struct Outcome {
  bool good;
  Diagnostics diagnostics;
  const Diagnostic* only() const { return diagnostics.all().size() == 1 ? &diagnostics.all()[0] : nullptr; }
};

Outcome outcome(const std::vector<Type>& parameters, const Body& body, Module& module) {
  GradientDeclaration declaration;
  declaration.of = define(module, "f", parameters, body);
  declare(module, "g", declaration);
  Outcome out;
  out.good = differentiate(module, out.diagnostics);
  return out;
}

void gives(const DiagnosticKind& kind, const std::string& text, const std::vector<std::string>& notes,
           const std::vector<Type>& parameters, const Body& body, Module module = Module("m")) {
  const Outcome out = outcome(parameters, body, module);
  CHECK(out.good == (kind.severity == Severity::warning));
  REQUIRE(out.only() != nullptr);
  CHECK(out.only()->kind == &kind);
  CHECK(out.only()->text == text);
  std::vector<std::string> seen;
  for (const auto& note : out.only()->notes) seen.push_back(note.text);
  CHECK(seen == notes);
}

}  // namespace

TEST_CASE("an instruction without a known derivative is an error that shows the path") {
  Module module("m");
  const Function* quotient = define(module, "quotient", {f64(), f64()},
                                    [](Builder& b, const Values& x) { return b.divide(x[0], x[1]); });
  gives(
      differentiation::not_known,
      "the derivative of result 0 of @f by argument 0 is not known: of 'scatter', only a scatter by add, "
      "multiply, max or min, or by a function that gives its second argument, has a known derivative",
      {"through 'sin' in @f", "through 'scatter' in @f, whose derivative is not known",
       "through 'exp' in @f"},
      {f64({2})},
      [&](Builder& b, const Values& x) {
        Value* index = b.iota({2}, 0, ElementType::i32);
        Value* scattered = b.scatter(b.unary(Opcode::sin, x[0]), b.splat(f64({3}), 1), {index},
                                     {Opcode::add, quotient}, {0});
        return b.unary(Opcode::exp, scattered);
      },
      std::move(module));
}

TEST_CASE("a combinator has a derivative through 32 calls, one in the other") {
  const auto reduced_through = [](int calls, Module& module) {
    return outcome(
        {f64({2})},
        [&](Builder& b, const Values& x) {
          const Function* by = nullptr;
          for (int i = 0; i <= calls; ++i)
            by = define(module, "by" + std::to_string(i), {f64(), f64()},
                        [by](Builder& inner, const Values& y) {
                          return by == nullptr ? inner.multiply(y[0], y[1]) : inner.apply(by, y);
                        });
          return b.reduce(x[0], {Opcode::add, by}, b.constant(element, 1), {0});
        },
        module);
  };
  Module within("m"), beyond("m");
  CHECK(reduced_through(32, within).good);
  const Outcome out = reduced_through(33, beyond);
  REQUIRE(out.only() != nullptr);
  CHECK(out.only()->text ==
        "the derivative of result 0 of @f by argument 0 is not known: of 'reduce', the combinator is not "
        "made of "
        "elementwise instructions alone");
}

TEST_CASE("an external function, inside a callee") {
  Module module("m");
  Function* external = module.add_function("outside", Type::function({f64()}, f64()));
  const Function* callee = define(module, "callee", {f64()}, [&](Builder& b, const Values& x) {
    return b.apply(external, {b.negate(x[0])});
  });
  const Outcome out =
      outcome({f64()}, [&](Builder& b, const Values& x) { return b.apply(callee, x); }, module);
  CHECK_FALSE(out.good);
  REQUIRE(out.only() != nullptr);
  CHECK(out.only()->kind == &differentiation::not_known);
  CHECK(out.only()->text ==
        "the derivative of result 0 of @f by argument 0 is not known: @outside is external; "
        "'[derivative @g]' before its declaration names a function for it");
  REQUIRE(out.only()->notes.size() == 3);
  CHECK(out.only()->notes[0].text == "through @callee, whose derivative is not known");
  CHECK(out.only()->notes[2].text == "through @outside, whose derivative is not known");
}

TEST_CASE("what is not needed need not have a derivative") {
  Module module("m");
  Function* external = module.add_function("outside", Type::function({f64()}, f64()));
  const Outcome out = outcome(
      {f64()},
      [&](Builder& b, const Values& x) {
        Value* step = b.binary(Opcode::greaterThan, b.apply(external, x), b.constant(element, 0));
        return b.select(x[0], b.negate(x[0]), step);
      },
      module);
  CHECK(out.good);
  CHECK(out.diagnostics.all().empty());
}

TEST_CASE("steps alone are an error, steps beside a smooth path are not") {
  gives(differentiation::only_steps,
        "the derivative of result 0 of @f by argument 0 is zero wherever it exists: every path is piecewise "
        "constant",
        {"through 'square' in @f", "through 'floor' in @f, which is piecewise constant"}, {f64({2})},
        [](Builder& b, const Values& x) { return b.unary(Opcode::floor, b.unary(Opcode::square, x[0])); });
  Module module("m");
  const Outcome out = outcome(
      {f64({2})},
      [](Builder& b, const Values& x) {
        Value* positive = b.cast(b.binary(Opcode::greaterThan, x[0], b.constant(element, 0)), element);
        return b.multiply(x[0], positive);
      },
      module);
  CHECK(out.good);
  CHECK(out.diagnostics.all().empty());
}

TEST_CASE("independence gives zeros and a warning") {
  const auto body = [](Builder& b, const Values& x) { return b.add(x[0], b.unary(Opcode::detach, x[1])); };
  gives(differentiation::independent, "result 0 of @f does not depend on argument 1: its derivative is zero",
        {"through 'detach' in @f, which has no derivative by declaration", "through 'add' in @f"},
        {f64({2}), f64({2})}, body);
  Module module("m");
  outcome({f64({2}), f64({2})}, body, module);
  const auto out = evaluate(*module.function("g"), {Tensor(element, {2}), Tensor(element, {2})});
  CHECK(out[0].real(1) == 1);
  CHECK(out[1].extents() == std::vector<std::int64_t>{2});
  CHECK(out[1].real(1) == 0);
}

TEST_CASE("a gradient of itself") {
  Module module("m");
  Function* g = module.add_function("g", Type::function({f64()}, Type::tuple({f64()})));
  const Function* f = define(module, "f", {f64()},
                             [&](Builder& b, const Values& x) { return b.extract(b.apply(g, {x[0]}), 0); });
  g->gradient = GradientDeclaration{};
  g->gradient->of = f;
  Diagnostics diagnostics;
  CHECK_FALSE(differentiate(module, diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].kind == &differentiation::of_itself);
}

TEST_CASE("declarations that cannot be") {
  struct Wrong {
    const char* why;
    std::function<void(GradientDeclaration&)> change;
  };
  const Wrong cases[]{
      {"@f has no result 2", [](auto& d) { d.from = 2; }},
      {"result 1 of @f is i32, which is not a floating-point tensor", [](auto& d) { d.from = 1; }},
      {"@f has no argument 5", [](auto& d) { d.wrt = Integers{5}; }},
      {"argument 0 is named twice", [](auto& d) { d.wrt = Integers{0, 0}; }},
      {"argument 1 of @f is i32, which has no derivative", [](auto& d) { d.wrt = Integers{1}; }},
      {"@f has no result -1 to keep", [](auto& d) { d.keeping = {-1}; }},
      {"it is declared (f64) -> f64, and should be (f64, i32) -> (f64)", [](auto&) {}},
      {"it is declared (f64) -> f64, and should be (f64, i32, f64) -> (f64)",
       [](auto& d) { d.mode = GradientDeclaration::Mode::forward; }},
      {"forward mode has tangents and no seed",
       [](auto& d) {
         d.mode = GradientDeclaration::Mode::forward;
         d.seedable = true;
       }},
  };
  for (const Wrong& wrong : cases) {
    Module module("m");
    const Type integer = Type::scalar(ElementType::i32);
    const Function* f = define(module, "f", {f64(), integer},
                               [](Builder& b, const Values& x) { return b.tuple({x[0], x[1]}); });
    Function* g = module.add_function("g", Type::function({f64()}, f64()));
    g->gradient = GradientDeclaration{};
    g->gradient->of = f;
    wrong.change(*g->gradient);
    Diagnostics diagnostics;
    CHECK_FALSE(differentiate(module, diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].text == std::string("the gradient @g is not possible: ") + wrong.why);
  }
}

TEST_CASE("a derivative of too many instructions is an error") {
  const auto gradient_of_sines = [](int sines, Diagnostics& diagnostics) {
    Module module("m");
    GradientDeclaration declaration;
    declaration.of = define(module, "f", {f64()}, [&](Builder& b, const Values& x) {
      Value* value = x[0];
      for (int i = 0; i < sines; ++i) value = b.unary(Opcode::sin, value);
      return value;
    });
    declare(module, "g", declaration);
    return differentiate(module, diagnostics, {.max_instructions = 300});
  };
  Diagnostics few, many;
  CHECK(gradient_of_sines(95, few));
  CHECK_FALSE(gradient_of_sines(101, many));
  REQUIRE(many.all().size() == 1);
  CHECK(many.all()[0].kind == &differentiation::too_large);
}
