#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "compare.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/text/parse.h"

/// What is fused: how many kernels a network becomes, of which stages, and what still passes through memory.
namespace kernel_tests {
namespace {

using codegen::kernel::Block;
using codegen::kernel::Program;
using codegen::kernel::Stage;
using codegen::kernel::Value;

struct Network {
  explicit Network(const std::string& text) {
    const dlvm::Source* source = sources.add("network.dl", text);
    dlvm::Diagnostics diagnostics;
    module = dlvm::parse(*source, sources, diagnostics);
    REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
    if (module->stage == dlvm::Module::Stage::raw) REQUIRE(differentiate(*module, diagnostics));
  }
  const dlvm::Function& operator[](const std::string& name) const { return *module->function(name); }

  dlvm::Sources sources;
  std::unique_ptr<dlvm::Module> module;
};

std::string outline(const Block& block) {
  std::string out;
  for (const auto& child : block.children) {
    if (!out.empty()) out += ", ";
    if (const auto* stage = std::get_if<Stage>(&child))
      out += stage->name;
    else
      out += outline(std::get<Block>(child));
  }
  std::string axes;
  for (const auto& axis : block.axes) axes += (axes.empty() ? "" : ", ") + axis.extent.text();
  return block.axes.empty() ? out : "for " + axes + " {" + out + "}";
}

/// A line a launch: its stages; last what lies in the arena.
std::string outline(const Program& program) {
  std::string out;
  for (const auto* launch : collect<codegen::kernel::Launch>(program.body))
    out += outline(program.kernels[launch->kernel].root) + "\n";
  std::string arena;
  for (const Value& value : program.values)
    if (value.place == Value::Place::arena) arena += fmt::format(" [{}]", text(value.shape));
  return out + "arena:" + arena;
}

void check(const dlvm::Function& function, const std::string& expected) {
  const Program p = program(function);
  const std::string found = outline(p), all = print(p);
  INFO(all);
  CHECK(found == expected);
  CHECK(differences(function, {0, 1, 3}) == "");
}

TEST_CASE("softmax is one kernel") {
  const Network n(R"(module "m"
stage canonical
func @softmax: (<N x 10 x f32>) -> <N x 10 x f32> {
'entry(%x: <N x 10 x f32>):
    %m = reduce %x: <N x 10 x f32> by max init -inf: f32 along 1
    %k = padShape %m: <N x f32> at 1
    %c = isFinite %k: <N x 1 x f32>
    %f = select %k: <N x 1 x f32>, 0: f32 by %c: <N x 1 x bool>
    %d = subtract %x: <N x 10 x f32>, %f: <N x 1 x f32>
    %e = exp %d: <N x 10 x f32>
    %s = reduce %e: <N x 10 x f32> by add init 0: f32 along 1
    %p = padShape %s: <N x f32> at 1
    %y = divide %e: <N x 10 x f32>, %p: <N x 1 x f32>
    return %y: <N x 10 x f32>
}
)");
  check(n["softmax"], "for N {reduce, exp, reduce, divide}\narena:");
}

TEST_CASE("layer normalisation is one kernel") {
  const Network n(R"(module "m"
stage canonical
func @normalise: (<N x 8 x f32>, <8 x f32>, <8 x f32>) -> <N x 8 x f32> {
'entry(%x: <N x 8 x f32>, %g: <8 x f32>, %b: <8 x f32>):
    %s = reduce %x: <N x 8 x f32> by add init 0: f32 along 1
    %m = divide %s: <N x f32>, 8: f32
    %k = padShape %m: <N x f32> at 1
    %d = subtract %x: <N x 8 x f32>, %k: <N x 1 x f32>
    %q = square %d: <N x 8 x f32>
    %t = reduce %q: <N x 8 x f32> by add init 0: f32 along 1
    %v = divide %t: <N x f32>, 8: f32
    %w = add %v: <N x f32>, 1e-5: f32
    %r = rsqrt %w: <N x f32>
    %u = padShape %r: <N x f32> at 1
    %h = multiply %d: <N x 8 x f32>, %u: <N x 1 x f32>
    %i = multiply %h: <N x 8 x f32>, %g: <8 x f32>
    %y = add %i: <N x 8 x f32>, %b: <8 x f32>
    return %y: <N x 8 x f32>
}
)");
  check(n["normalise"], "for N {reduce, reduce, add}\narena:");
}

constexpr const char* perceptron = R"(module "m"
stage raw
func @forward: (<N x 7 x f32>, <7 x 5 x f32>, <5 x f32>, <5 x 3 x f32>, <3 x f32>) -> <N x 3 x f32> {
'entry(%x: <N x 7 x f32>, %W1: <7 x 5 x f32>, %b1: <5 x f32>, %W2: <5 x 3 x f32>, %b2: <3 x f32>):
    %p1 = dot %x: <N x 7 x f32>, %W1: <7 x 5 x f32>
    %p2 = add %p1: <N x 5 x f32>, %b1: <5 x f32>
    %h = max %p2: <N x 5 x f32>, 0: f32
    %p4 = dot %h: <N x 5 x f32>, %W2: <5 x 3 x f32>
    %z = add %p4: <N x 3 x f32>, %b2: <3 x f32>
    %m = reduce %z: <N x 3 x f32> by max init -inf: f32 along 1
    %k = padShape %m: <N x f32> at 1
    %s = detach %k: <N x 1 x f32>
    %d = subtract %z: <N x 3 x f32>, %s: <N x 1 x f32>
    %e = exp %d: <N x 3 x f32>
    %t = reduce %e: <N x 3 x f32> by add init 0: f32 along 1
    %p = padShape %t: <N x f32> at 1
    %y = divide %e: <N x 3 x f32>, %p: <N x 1 x f32>
    return %y: <N x 3 x f32>
}

func @loss: (<N x 7 x f32>, <7 x 5 x f32>, <5 x f32>, <5 x 3 x f32>, <3 x f32>, <N x i32>) -> f32 {
'entry(%x: <N x 7 x f32>, %W1: <7 x 5 x f32>, %b1: <5 x f32>, %W2: <5 x 3 x f32>, %b2: <3 x f32>, %label: <N x i32>):
    %p1 = dot %x: <N x 7 x f32>, %W1: <7 x 5 x f32>
    %p2 = add %p1: <N x 5 x f32>, %b1: <5 x f32>
    %h = max %p2: <N x 5 x f32>, 0: f32
    %p4 = dot %h: <N x 5 x f32>, %W2: <5 x 3 x f32>
    %z = add %p4: <N x 3 x f32>, %b2: <3 x f32>
    %m = reduce %z: <N x 3 x f32> by max init -inf: f32 along 1
    %k = padShape %m: <N x f32> at 1
    %s = detach %k: <N x 1 x f32>
    %d = subtract %z: <N x 3 x f32>, %s: <N x 1 x f32>
    %e = exp %d: <N x 3 x f32>
    %t = reduce %e: <N x 3 x f32> by add init 0: f32 along 1
    %g = log %t: <N x f32>
    %i = iota N along 0: i32
    %c = checkIndex %label: <N x i32> from 0 upto 3
    %a = gather %d: <N x 3 x f32> at %i: <N x i32>, %c: <N x i32> along 0, 1
    %o = subtract %g: <N x f32>, %a: <N x f32>
    %u = reduce %o: <N x f32> by add init 0: f32 along 0
    %n = extent N: f32
    %l = divide %u: f32, %n: f32
    return %l: f32
}

[gradient @loss wrt 1, 2, 3, 4 keeping 0]
func @gradient: (<N x 7 x f32>, <7 x 5 x f32>, <5 x f32>, <5 x 3 x f32>, <3 x f32>, <N x i32>)
             -> (<7 x 5 x f32>, <5 x f32>, <5 x 3 x f32>, <3 x f32>, f32)
)";

TEST_CASE("elementwise kernels that meet at a point are one") {
  const Network n(R"(module "m"
stage canonical
func @f: (<N x 3 x f64>, <N x 3 x f64>, <N x 3 x f64>) -> (<N x 3 x f64>, <3 x N x f64>) {
'entry(%a: <N x 3 x f64>, %b: <N x 3 x f64>, %c: <N x 3 x f64>):
    %u = add %a: <N x 3 x f64>, %b: <N x 3 x f64>
    %p = exp %u: <N x 3 x f64>
    %v = transpose %b: <N x 3 x f64>
    %w = transpose %c: <N x 3 x f64>
    %t = multiply %v: <3 x N x f64>, %w: <3 x N x f64>
    %s = transpose %t: <3 x N x f64>
    %q = multiply %s: <N x 3 x f64>, %p: <N x 3 x f64>
    %x = transpose %u: <N x 3 x f64>
    %r = multiply %t: <3 x N x f64>, %x: <3 x N x f64>
    %o = literal (%q: <N x 3 x f64>, %r: <3 x N x f64>): (<N x 3 x f64>, <3 x N x f64>)
    return %o: (<N x 3 x f64>, <3 x N x f64>)
}
)");
  check(n["f"], "add\narena:");
}

TEST_CASE("an elementwise kernel becomes part of a reduction's epilogue, whichever comes first") {
  const auto function = [](const char* first, const char* second) {
    return fmt::format(R"(module "m"
stage canonical
func @f: (<N x 3 x 4 x f64>, <N x 3 x f64>, <N x 3 x f64>) -> (<N x 3 x f64>, <N x 3 x f64>) {{
'entry(%x: <N x 3 x 4 x f64>, %a: <N x 3 x f64>, %b: <N x 3 x f64>):
    {}
    {}
    %q = add %s: <N x 3 x f64>, %t: <N x 3 x f64>
    %r = multiply %t: <N x 3 x f64>, %t: <N x 3 x f64>
    %o = literal (%q: <N x 3 x f64>, %r: <N x 3 x f64>): (<N x 3 x f64>, <N x 3 x f64>)
    return %o: (<N x 3 x f64>, <N x 3 x f64>)
}}
)",
                       first, second);
  };
  const char* sum = "%s = reduce %x: <N x 3 x 4 x f64> by add init 0: f64 along 2";
  const char* product = "%t = multiply %a: <N x 3 x f64>, %b: <N x 3 x f64>";
  check(Network(function(sum, product))["f"], "reduce\narena:");
  check(Network(function(product, sum))["f"], "reduce\narena:");
}

TEST_CASE("a kernel that another one reads in between stays before that") {
  const Network n(R"(module "m"
stage canonical
func @f: (<N x 3 x f64>, <N x 3 x f64>, <N x 3 x f64>) -> (<N x 3 x f64>, f64) {
'entry(%a: <N x 3 x f64>, %b: <N x 3 x f64>, %c: <N x 3 x f64>):
    %u = multiply %a: <N x 3 x f64>, %b: <N x 3 x f64>
    %s = reduce %u: <N x 3 x f64> by add init 0: f64 along 0, 1
    %t = multiply %b: <N x 3 x f64>, %c: <N x 3 x f64>
    %p = multiply %t: <N x 3 x f64>, %u: <N x 3 x f64>
    %q = add %p: <N x 3 x f64>, %t: <N x 3 x f64>
    %r = multiply %q: <N x 3 x f64>, %s: f64
    %o = literal (%r: <N x 3 x f64>, %s: f64): (<N x 3 x f64>, f64)
    return %o: (<N x 3 x f64>, f64)
}
)");
  check(n["f"], "multiply\nreduce\nmultiply\narena: [N x 3]");
}

TEST_CASE("reductions of the same points are one stage") {
  const auto function = [](const std::string& third) {
    return R"(module "m"
stage canonical
func @f: (<N x 5 x f32>, <N x 5 x f32>) -> (<5 x f32>, <5 x f32>, <5 x f32>) {
'entry(%x: <N x 5 x f32>, %y: <N x 5 x f32>):
    %s = reduce %x: <N x 5 x f32> by add init 0: f32 along 0
    %p = multiply %x: <N x 5 x f32>, %y: <N x 5 x f32>
    %m = reduce %p: <N x 5 x f32> by max init -inf: f32 along 0
)" + third +
           R"(
    %o = literal (%s: <5 x f32>, %m: <5 x f32>, %t: <5 x f32>): (<5 x f32>, <5 x f32>, <5 x f32>)
    return %o: (<5 x f32>, <5 x f32>, <5 x f32>)
}
)";
  };
  const Network beside(function("    %t = reduce %y: <N x 5 x f32> by add init 2: f32 along 0"));
  check(beside["f"], "reduce\narena:");
  const Program all = program(beside["f"]);
  CHECK(std::get<Stage>(all.kernels[0].root.children[0]).reduction->named ==
        std::vector{dlvm::Opcode::add, dlvm::Opcode::max, dlvm::Opcode::add});
  // A third one that reads the first has a kernel of its own.
  check(Network(function(R"(    %k = padShape %s: <5 x f32> at 0
    %d = subtract %x: <N x 5 x f32>, %k: <1 x 5 x f32>
    %t = reduce %d: <N x 5 x f32> by add init 0: f32 along 0)"))["f"],
        "reduce\nreduce\narena:");
}

TEST_CASE("reductions are one stage where another kernel reads one of them") {
  // The kernel between reads the first sum and computes what the second one reads: the sums are apart.
  const Network apart(R"(module "m"
stage canonical
func @f: (<N x 5 x f32>) -> (<5 x f32>, <5 x f32>) {
'entry(%x: <N x 5 x f32>):
    %s = reduce %x: <N x 5 x f32> by add init 0: f32 along 0
    %e = exp %s: <5 x f32>
    %k = padShape %e: <5 x f32> at 0
    %p = multiply %x: <N x 5 x f32>, %k: <1 x 5 x f32>
    %t = reduce %p: <N x 5 x f32> by add init 0: f32 along 0
    %o = literal (%e: <5 x f32>, %t: <5 x f32>): (<5 x f32>, <5 x f32>)
    return %o: (<5 x f32>, <5 x f32>)
}
)");
  check(apart["f"], "reduce\nreduce\narena:");
  // Here it does not, and the later sum becomes a part of the earlier kernel.
  const Network joined(R"(module "m"
stage canonical
func @f: (<N x 5 x f32>) -> (<N x 5 x f32>, <5 x f32>) {
'entry(%x: <N x 5 x f32>):
    %s = reduce %x: <N x 5 x f32> by add init 0: f32 along 0
    %k = padShape %s: <5 x f32> at 0
    %d = subtract %x: <N x 5 x f32>, %k: <1 x 5 x f32>
    %q = square %x: <N x 5 x f32>
    %t = reduce %q: <N x 5 x f32> by add init 0: f32 along 0
    %o = literal (%d: <N x 5 x f32>, %t: <5 x f32>): (<N x 5 x f32>, <5 x f32>)
    return %o: (<N x 5 x f32>, <5 x f32>)
}
)");
  check(joined["f"], "reduce\nsubtract\narena: [5]");
}

TEST_CASE("a perceptron is a kernel a layer, then softmax") {
  const Network n(perceptron);
  check(n["forward"], "dot\ndot\nfor N {reduce, exp, reduce, divide}\narena: [N x 5] [N x 3]");
  const Program p = program(n["forward"]);
  const auto& first = std::get<Stage>(p.kernels[0].root.children[0]);
  REQUIRE(first.contraction);
  CHECK(first.body.size() == 3);  // the operands are plain loads, bias and max are in the epilogue
}

TEST_CASE("the gradient of a cross entropy") {
  const Network n(perceptron);
  // Forward: a kernel a layer, of the hidden one what the adjoint needs too; then all that is done along a
  // row of the last layer, the derivative by it included; the loss; then for each layer the derivative by the
  // bias, by the weights and by the layer before, with the mask of max in the epilogue.
  check(n["gradient"],
        "dot\ndot\nfor N {reduce, exp, reduce, checkIndex, add}\nreduce\nreduce\ndot\ndot\nreduce\ndot\n"
        "arena: [N x 5] [N x 5] [N x 3] [N] [N] [N] [N x 3] [N x 5]");
}

}  // namespace
}  // namespace kernel_tests
