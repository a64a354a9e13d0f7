#include "dlvm/analysis/gradient_type.h"

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// The type of a derivative of a function with such a type, or why there is none.
std::string type(const std::string& of, const std::string& clauses) {
  const parsed::Text text("stage raw\nfunc @f: " + of);
  GradientDeclaration declaration;
  declaration.of = &text.function();
  std::string rest = clauses;
  const auto numbers = [&](const std::string& word) {
    std::optional<Integers> found;
    const auto at = rest.find(word);
    if (at == std::string::npos) return found;
    found.emplace();
    for (std::size_t i = at + word.size(); i < rest.size() && (rest[i] == ' ' || std::isdigit(rest[i])); ++i)
      if (rest[i] != ' ') found->push_back(rest[i] - '0');
    return found;
  };
  declaration.wrt = numbers("wrt");
  declaration.keeping = numbers("keeping").value_or(Integers());
  declaration.from = numbers("from").value_or(Integers{0}).front();
  declaration.seedable = rest.find("seedable") != std::string::npos;
  if (rest.find("forward") != std::string::npos) declaration.mode = GradientDeclaration::Mode::forward;
  std::string why;
  const auto found = gradient_type(declaration, why);
  return found ? found->text() : why;
}

}  // namespace

TEST_CASE("a gradient takes what the function takes, and gives derivatives and what it keeps") {
  CHECK(type("(f32, <N x f64>) -> f32", "") == "(f32, <N x f64>) -> (f32, <N x f64>)");
  CHECK(type("(f32, i32, f64) -> f32", "") == "(f32, i32, f64) -> (f32, f64)");
  CHECK(type("(f32, f64) -> (f32, f16)", "wrt 1 keeping 1 0") == "(f32, f64) -> (f64, f16, f32)");
  CHECK(type("(f32, f64) -> (f32, f16)", "from 1 wrt 0 seedable") == "(f32, f64, f16) -> (f32)");
  CHECK(type("(f32, f64) -> (f32, f16)", "from 1 wrt 1 0 keeping 0 forward") ==
        "(f32, f64, f64, f32) -> (f16, f32)");
}

TEST_CASE("why there is no such derivative") {
  CHECK(type("(f32) -> f32", "from 1") == "@f has no result 1");
  CHECK(type("(f32) -> (f32, f32)", "from 2") == "@f has no result 2");
  CHECK(type("(f32) -> i32", "") == "result 0 of @f is i32, which is not a floating-point tensor");
  CHECK(type("(f32) -> ((f32))", "") == "result 0 of @f is (f32), which is not a floating-point tensor");
  CHECK(type("(f32) -> f32", "wrt 1") == "@f has no argument 1");
  CHECK(type("(f32) -> f32", "wrt 0 0") == "argument 0 is named twice");
  CHECK(type("(f32, i32) -> f32", "wrt 1") == "argument 1 of @f is i32, which has no derivative");
  CHECK(type("(i32) -> f32", "") == "@f has no argument with a derivative");
  CHECK(type("(f32) -> f32", "keeping 1") == "@f has no result 1 to keep");
  CHECK(type("(f32) -> f32", "forward seedable") == "forward mode has tangents and no seed");
}

TEST_CASE("a declaration has names of its own for dimensions, and may leave some of the result open") {
  const auto declared = [](const std::string& declaration, const std::string& expected) {
    const parsed::Text text("stage raw\nfunc @f: " + declaration + "\nfunc @g: " + expected);
    return declares(text.function("f").type(), text.function("g").type());
  };
  CHECK(declared("(<M x f32>) -> (<M x f32>)", "(<N x f32>) -> (<N x f32>)"));
  CHECK(declared("(<4 x f32>) -> (<4 x f32>)", "(<N x f32>) -> (<N x f32>)"));
  CHECK(declared("(<M x f32>) -> (<_ x f32>)", "(<N x f32>) -> (<N x f32>)"));
  CHECK_FALSE(declared("(<M x f32>) -> (<M x f32>)", "(<4 x f32>) -> (<4 x f32>)"));
  CHECK_FALSE(declared("(<4 x f32>) -> (<5 x f32>)", "(<N x f32>) -> (<N x f32>)"));
  CHECK_FALSE(declared("(f32, f32) -> (f32)", "(f32) -> (f32)"));
  CHECK_FALSE(declared("(f32) -> (f32, f32)", "(f32) -> (f32)"));
}

TEST_CASE("a leaf of a derivative's result belongs to the result that it differentiates or keeps") {
  const parsed::Text text(R"(
stage raw
func @f: (f32, (f32, f32)) -> (f32, (f16, f16), f64)
[gradient @f from 2 keeping 1, 0]
func @g: (f32, (f32, f32)) -> (f32, (f32, f32), (f16, f16), f32)
[jvp @f from 2 wrt 0 keeping 1]
func @j: (f32, (f32, f32), f32) -> (f64, (f16, f16))
)");
  const auto leaves = [&](std::string_view name, std::size_t count) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(differentiated_leaf(text.function(name), i));
    return all;
  };
  CHECK(leaves("g", 6) == std::vector<std::size_t>{3, 3, 3, 1, 2, 0});
  CHECK(leaves("j", 3) == std::vector<std::size_t>{3, 1, 2});
}
