// These tests hold which functions a module differentiates, by gradient declarations and by hand.
#include "dlvm/gradcheck/differentiated.h"

#include "dlvm/gradcheck/gradient_check.h"
#include "dlvm/pipeline.h"
#include "tests/dlvm/analysis/parsed.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

/// A module as it is written and with its declarations expanded, and the check of its entry points.
struct Checked {
  parsed::Text declared, expanded;
  GradientCheck check;

  explicit Checked(const std::string& text) : declared(text), expanded(text) {
    Diagnostics diagnostics;
    auto& module = const_cast<Module&>(expanded.module());
    REQUIRE_MESSAGE(expand_gradients(module, diagnostics), render(diagnostics));
    check = check_gradients(module, declared.module(), {});
  }
  /// The names of the derivatives that were compared, with how many elements of each.
  std::string compared() const {
    std::string all;
    for (const auto& row : check.rows)
      all +=
          row.entry + " " + row.name + " " + std::to_string(row.checked) + (row.agrees() ? ";" : " WRONG;");
    for (const auto& error : check.errors) all += error.entry + ": " + error.why + ";";
    return all;
  }
};

const std::string layer = R"(
module "m"
stage raw
func @layer: (<N x 3 x f64>, <3 x 2 x f64>, <2 x f64>) -> (f64, <N x 2 x f64>) {
'entry(%x: <N x 3 x f64>, %w: <3 x 2 x f64>, %b: <2 x f64>):
    %p = dot %x: <N x 3 x f64>, %w: <3 x 2 x f64>
    %z = add %p: <N x 2 x f64>, %b: <2 x f64>
    %y = tanh %z: <N x 2 x f64>
    %s = reduce %y: <N x 2 x f64> by add init 0: f64 along 0, 1
    %both = literal (%s: f64, %y: <N x 2 x f64>)
    return %both: (f64, <N x 2 x f64>)
}
)";

}  // namespace

TEST_CASE("a gradient declaration is compared with differences of the function that it is of") {
  CHECK(Checked(layer + R"(
entry gradient "g" @g(input "x", parameter "w", parameter "b") -> (derivative "w", derivative "b", loss "L")
parameter "w": <3 x 2 x f64>
parameter "b": <2 x f64>
[gradient @layer wrt 1, 2 keeping 0]
func @g: (<N x 3 x f64>, <3 x 2 x f64>, <2 x f64>) -> (<3 x 2 x f64>, <2 x f64>, f64)
)")
            .compared() == "g w 6;g b 2;");
}

TEST_CASE("a declaration without arguments to differentiate by is by all of them") {
  CHECK(Checked(layer + R"(
entry gradient "g" @g(input "x", input "w", input "b") -> (derivative "x", derivative "w", derivative "b")
[gradient @layer]
func @g: (<N x 3 x f64>, <3 x 2 x f64>, <2 x f64>) -> (<N x 3 x f64>, <3 x 2 x f64>, <2 x f64>)
)")
            .compared() == "g x 9;g w 6;g b 2;");
}

TEST_CASE("the cotangent of a seedable declaration weighs the outputs, each its own") {
  CHECK(Checked(layer + R"(
entry gradient "g" @g(input "x", input "w", input "b", cotangent "y") -> (derivative "w", output "y")
[gradient @layer from 1 wrt 1 keeping 1 seedable]
func @g: (<N x 3 x f64>, <3 x 2 x f64>, <2 x f64>, <N x 2 x f64>) -> (<3 x 2 x f64>, <N x 2 x f64>)
)")
            .compared() == "g w 6;");
}

TEST_CASE("an entry point may call a declaration with more arguments than it takes itself") {
  CHECK(Checked(layer + R"(
entry gradient "g" @g(input "x") -> (derivative "h", loss "L")
[gradient @layer wrt 1 keeping 0]
func @by: (<N x 3 x f64>, <3 x 2 x f64>, <2 x f64>) -> (<3 x 2 x f64>, f64)
func @g: (<N x 3 x f64>) -> (<3 x 2 x f64>, f64) {
'entry(%x: <N x 3 x f64>):
    %h = broadcast 0.25: f64 to 3 x 2
    %r = apply @by(%x: <N x 3 x f64>, %h: <3 x 2 x f64>, 1: <2 x f64>) -> (<3 x 2 x f64>, f64)
    return %r: (<3 x 2 x f64>, f64)
}
)")
            .compared() == "g h 6;");
}

TEST_CASE("a function by hand gives outputs beside their cotangents, where it gives no loss") {
  const auto by_hand = [](const std::string& derivative) {
    return Checked(R"(
entry gradient "g" @g(input "x", cotangent "y") -> (derivative "x", output "y")
func @g: (<3 x f64>, <3 x f64>) -> (<3 x f64>, <3 x f64>) {
'entry(%x: <3 x f64>, %dy: <3 x f64>):
    %y = sin %x: <3 x f64>
    %c = cos %x: <3 x f64>
    %d = )" + derivative +
                   R"(
    return (%d: <3 x f64>, %y: <3 x f64>)
}
)")
        .compared();
  };
  CHECK(by_hand("multiply %c: <3 x f64>, %dy: <3 x f64>") == "g x 3;");
  CHECK(by_hand("add %c: <3 x f64>, 0: f64") == "g x 3 WRONG;");
}

TEST_CASE("a term of the loss that is not finite does not hide the outputs") {
  const auto by_hand = [](const std::string& derivative) {
    return Checked(R"(
entry gradient "g" @g(input "x", cotangent "y") -> (derivative "x", output "y", loss "L")
func @g: (<3 x f64>, <4 x f64>) -> (<3 x f64>, <4 x f64>, f64) {
'entry(%x: <3 x f64>, %dy: <4 x f64>):
    %s = sin %x: <3 x f64>
    %y = concatenate %s: <3 x f64>, <inf: f64>: <1 x f64> along 0
    %terms = multiply %y: <4 x f64>, %dy: <4 x f64>
    %loss = reduce %terms: <4 x f64> by add init 0: f64 along 0
    %first = slice %dy: <4 x f64> from 0 upto 3
    %c = cos %x: <3 x f64>
    %d = multiply %c: <3 x f64>, )" +
                   derivative + R"(
    return (%d: <3 x f64>, %y: <4 x f64>, %loss: f64)
}
)")
        .compared();
  };
  CHECK(by_hand("%first: <3 x f64>") == "g x 3;");
  CHECK(by_hand("%c: <3 x f64>") == "g x 3 WRONG;");
}

TEST_CASE("nor does it hide the outputs that a declaration keeps") {
  CHECK(Checked(R"(
entry gradient "g" @g(input "x", cotangent "y") -> (derivative "x", output "y", loss "L")
func @net: (<3 x f64>, <4 x f64>) -> (f64, <4 x f64>) {
'entry(%x: <3 x f64>, %dy: <4 x f64>):
    %s = sin %x: <3 x f64>
    %y = concatenate %s: <3 x f64>, <inf: f64>: <1 x f64> along 0
    %terms = multiply %y: <4 x f64>, %dy: <4 x f64>
    %loss = reduce %terms: <4 x f64> by add init 0: f64 along 0
    return (%loss: f64, %y: <4 x f64>)
}
[gradient @net wrt 0 keeping 1, 0]
func @g: (<3 x f64>, <4 x f64>) -> (<3 x f64>, <4 x f64>, f64)
)")
            .compared() == "g x 3;");
}

TEST_CASE("what says nothing of a value to differentiate is an error, and so is a name of no argument") {
  const auto by_hand = [](const std::string& results) {
    return Checked("entry gradient \"g\" @g(input \"x\") -> (" + results + R"()
func @g: (<3 x f64>) -> (<3 x f64>, f64) {
'entry(%x: <3 x f64>):
    return (%x: <3 x f64>, 1: f64)
}
)")
        .compared();
  };
  CHECK(by_hand("derivative \"x\", output \"y\"") ==
        "g: neither a gradient declaration nor a result says what is differentiated;");
  CHECK(by_hand("derivative \"z\", loss \"L\"") == "g: no argument is called 'z';");
}

TEST_CASE("functions whose derivatives are declared are named where an entry point reaches them") {
  const Checked checked(R"(
entry gradient "g" @g(input "x") -> (derivative "x", loss "L")
func @back: (f64, f64) -> f64 {
'entry(%x: f64, %dy: f64):
    return %dy: f64
}
[derivative @back]
func @used: (f64) -> f64 {
'entry(%x: f64):
    return %x: f64
}
[derivative @back]
func @unused: (f64) -> f64 {
'entry(%x: f64):
    return %x: f64
}
func @f: (f64) -> f64 {
'entry(%x: f64):
    %y = apply @used(%x: f64) -> f64
    return %y: f64
}
[gradient @f keeping 0]
func @g: (f64) -> (f64, f64)
)");
  CHECK(checked.compared() == "g x 1;");
  REQUIRE(checked.check.custom.size() == 1);
  CHECK(checked.check.custom[0].function == "used");
}
