// What programs are lowered to, and that long programs need neither a deep stack nor much time.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "dlvm/text/print.h"
#include "frontend/frontend.h"

namespace {

/// The printed module; the messages where there is none.
std::string lowered(const std::string& text) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = frontend::compile(*sources.add("m.tel", text), sources, {}, diagnostics);
  return module ? dlvm::print(*module) : dlvm::render(diagnostics);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a module has an entry point for each thing that it can be asked") {
  const std::string text = lowered(
      "x: in[N x 3]\nlabel: in int32[N]\nW: param[3 x 2] = glorot()\nlogits = x • W\n"
      "y: out = softmax(logits)\nL: loss = cross_entropy(logits, label)\ngradient slope of L wrt x, logits "
      "keeping y\n");
  CHECK(holds(text, "entry forward \"forward\" @forward(input \"x\", parameter \"W\") -> (output \"y\")"));
  CHECK(holds(
      text,
      "entry evaluate \"evaluate\" @evaluate(input \"x\", input \"label\", parameter \"W\") -> (loss \"L\", "
      "output \"y\")"));
  CHECK(holds(text, "-> (derivative \"W\", loss \"L\", output \"y\")"));
  CHECK(holds(text, "entry named_gradient \"slope\""));
  CHECK(holds(text, "-> (derivative \"x\", derivative \"logits\", kept \"y\")"));
  CHECK(holds(text, "%logits = dot %x: <N x 3 x f32>, %W: <3 x 2 x f32>"));
  CHECK(holds(text, "parameter \"W\": <3 x 2 x f32> initialized @initialize.W"));
}

TEST_CASE("the nets of an array share a function, and tensors are in the order of declaration") {
  const std::string text = lowered(
      "net D(n) {\n  W: param[n] = random(0, 1)\n  func apply(x: [s... x n]) -> [s... x n] = x * W\n}\n"
      "net P(n) {\n  g: param[n] = 1\n  d: [2] D(n)\n  h: param[n] = 2\n"
      "  func apply(x: [s... x n]) -> [s... x n] = d(x * g) * h\n}\n"
      "x: in[N x 3]\na: param = 1\np: [2] P(3)\nb: param = 2\nq: D(3)\ny: out = q(p(x * a)) * b\n");
  CHECK(
      holds(text,
            "@forward(input \"x\", parameter \"a\", parameter \"p.0.g\", parameter \"p.0.d.0.W\", parameter "
            "\"p.0.d.1.W\", parameter \"p.0.h\", parameter \"p.1.g\", parameter \"p.1.d.0.W\", parameter "
            "\"p.1.d.1.W\", parameter \"p.1.h\", parameter \"b\", parameter \"q.W\")"));
  CHECK(holds(text, "func @D.apply: (<N x 3 x f32>, <3 x f32>)"));
  CHECK(holds(text, "func @P.apply: (<N x 3 x f32>, <3 x f32>, <3 x f32>, <3 x f32>, <3 x f32>)"));
  CHECK(!holds(text, "func @D.apply.1"));
  CHECK(!holds(text, "func @P.apply.1"));
}

TEST_CASE("without a loss the gradient takes cotangents") {
  CHECK(holds(lowered("x: in[N]\nW: param = 1\ny: out = W * x\n"),
              "cotangent \"y\") -> (derivative \"W\", output \"y\")"));
  const std::string two = lowered("x: in[N]\nW: param = 1\ny: out = W * x\nz: out = W + x\n");
  CHECK(holds(two, "cotangent \"y\", cotangent \"z\") -> (derivative \"W\", output \"y\", output \"z\")"));
  CHECK(!holds(lowered("x: in[N]\nW: param = 1\ny: out = floor(W * x)\n"), "@gradient"));
}

TEST_CASE("what cannot be proved is required on entry") {
  const std::string text = lowered("x: in[N]\nz: in[M]\ny: out = x + z\n");
  CHECK(holds(text, "must be equal (N and M)"));
  CHECK(holds(text, "shapeCast %z: <M x f32> to N"));
}

TEST_CASE("sums of products in index notation are contractions") {
  const std::string inputs = "A: in[N x K]\nB: in[K x M]\nS: in[P x N x K]\nv: in[K]\n";
  CHECK(holds(lowered(inputs + "C[i, j]: out = sum(A[i, k] * B[k, j] for k)\n"),
              "%C = dot %A: <N x K x f32>, %B: <K x M x f32> at"));
  CHECK(holds(lowered(inputs + "C[i, j]: out = sum(B[k, j] * A[i, k] for k)\n"),
              "%C = dot %A: <N x K x f32>, %B: <K x M x f32> at"));
  CHECK(holds(lowered(inputs + "C[p, i, j]: out = sum(S[p, i, k] * S[p, j, k] for k)\n"),
              "contract 2 with 2 batch 0 with 0"));
  CHECK(holds(lowered(inputs + "y[i]: out = sum(A[i, k] * v[k] for k)\n"),
              "dot %A: <N x K x f32>, %v: <K x f32>"));
  const std::string three =
      lowered(inputs + "y[i]: out = sum(A[i, k] * B[k, j] * B[l, j] * v[l] for k, j, l)\n");
  CHECK(!holds(three, "reduce "));
  CHECK(!holds(three, "multiply"));
  // No product of a matrix that is stored for its sum alone.
  const std::string rows = lowered(inputs + "y[i]: out = sum(exp(A[i, k]) * v[k] for k)\n");
  CHECK(holds(rows, "reduce "));
  CHECK(!holds(rows, "dot"));
}

TEST_CASE("sums of products over windows are convolutions") {
  const std::string inputs =
      "x: in[N x 3 x H x W]\nk: in[F x 3 x 3 x 5]\nd: in[3 x 3 x 3]\nz: in[H]\nt: in[3]\n";
  const auto convolution = [&](const std::string& text) { return lowered(inputs + text); };
  CHECK(holds(convolution("y[n, f, i, j]: out = sum(x[n, c, i + u, j + v] * k[f, c, u, v] for c, u, v)\n"),
              "%y = convolve %x: <N x 3 x H x W x f32> kernel %k: <F x 3 x 3 x 5 x f32> at"));
  CHECK(holds(
      convolution("y[n, f, i, j]: out = sum(x[n, c, 2*i + u, 3*j + 4*v] * k[f, c, u, v] for c, u, v)\n"),
      "%y = convolve %x: <N x 3 x H x W x f32> kernel %k: <F x 3 x 3 x 5 x f32> strides 2, 3 rightDilation "
      "1, 4"));
  CHECK(holds(convolution("y[n, c, i, j]: out = sum(x[n, c, i + u, j + v] * d[c, u, v] for u, v)\n"),
              "groups 3"));
  CHECK(holds(convolution("y[i]: out = sum(z[i + u] * t[u] for u)\n"), "convolve"));
  CHECK(holds(convolution("y[i]: out = sum(z[i - u + 2] * t[u] for u)\n"), "reverse %"));
}

TEST_CASE("other reductions over windows are those of an instruction") {
  const std::string inputs = "x: in[N x 3 x 8 x 9]\n";
  CHECK(holds(
      lowered(inputs + "y[n, c, i, j]: out = max(x[n, c, 2*i + u, 2*j + v] for u in 0..2, v in 0..2)\n"),
      "%y = reduceWindow %x: <N x 3 x 8 x 9 x f32> by max init -inf: f32 dims 1, 1, 2, 2 strides 1, 1, 2, "
      "2"));
  CHECK(holds(lowered(inputs + "y[n, c, i, j]: out = sum(x[n, c, i + u, j]^2 for u in 0..3)\n"),
              "dims 1, 1, 3, 1"));
  // Both indices are used otherwise as well.
  CHECK(
      holds(lowered(inputs + "y[n, c, i, j]: out = sum(x[n, c, i + u, j] * u for u in 0..3)\n"), "convolve"));
  CHECK(holds(lowered(inputs + "y[n, c, i, j]: out = sum(abs(x[n, c, i + u, j] - u) for u in 0..3)\n"),
              "gather"));
}

TEST_CASE("an access of an index for each axis is a slice, or nothing at all") {
  CHECK(!holds(lowered("x: in[N x M]\ny[i, j]: out = 2 * x[i, j]\n"), "slice"));
  CHECK(holds(lowered("x: in[N]\ny[i]: out = x[2*i + 1]\n"), "slice %x: <N x f32> from 1 upto"));
  CHECK(holds(lowered("x: in[N]\ny[i]: out = x[N - 1 - i]\n"), "%y = reverse %x: <N x f32> along 0"));
  CHECK(!holds(lowered("x: in[N]\ny[i]: out = x[N - 1 - i]\n"), "slice"));
  CHECK(holds(lowered("x: in[N x N]\ny[i]: out = x[i, i]\n"), "along 0, 1"));
}

TEST_CASE("numbers take the type of their context") {
  CHECK(holds(lowered("x: in float16[N]\ny: out = 2 * x\n"), "multiply 2: f16, %x: <N x f16>"));
  CHECK(holds(lowered("x: in int8[N]\ny: out = x - 100 - 28\n"), "28: i8"));
  CHECK(holds(lowered("x: in float64[N]\ny: out = (1 / 3) * x\n"), "0.3333333333333333: f64"));
  CHECK(holds(lowered("x: in[N]\ny: out = x + if x > 0 then 1 else 1 - 2^3\n"), "-7: f32"));
}

TEST_CASE("indices count from the end where they are negative, and are checked") {
  const std::string text = lowered("x: in[5 x 4]\ni: in int32[N]\ny: out = x[i]\nz: out = x[-1, ::-2]\n");
  CHECK(holds(text, "checkIndex %i: <N x i32> from -5 upto 5"));
  CHECK(holds(text, "reverse %x: <5 x 4 x f32> along 1"));
  CHECK(holds(text, "from 4, 0 upto 5, 4 by 1, 2"));
}

TEST_CASE("a chain of declarations is as long as it likes") {
  std::string text = "x: in[N]\ny: out = a20000\n";
  for (int i = 20000; i > 0; --i) text += "a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " + 1\n";
  CHECK(holds(lowered(text + "a0 = x\n"), "%a20000 = add %a19999: <N x f32>, 1: f32"));
  CHECK(holds(lowered(text + "a0 = a20000\n"), "TEL-E0204: a cycle: a20000"));
}

TEST_CASE("expressions may have thousands of operators and hundreds of brackets") {
  std::string sum = "x", nested = "x", conditional;
  for (int i = 0; i < 2000; ++i)
    sum += " + x", conditional += "if x > " + std::to_string(i) + " then 0 else ";
  for (int i = 0; i < 200; ++i) nested = "exp(-(" + nested + "))";
  CHECK(holds(
      lowered("x: in[N]\na: out = " + sum + "\nb: out = " + nested + "\nc: out = " + conditional + "x\n"),
      "module \"m\""));
}

TEST_CASE("200 conditionals stand in each other, as expressions in brackets and as statements") {
  std::string expression = "x", statements = "r = r * 2 ";
  for (int i = 0; i < 200; ++i) {
    expression = "(if x[0] > 0 then " + expression + " else x)";
    statements = "if r[0] > 0 { " + statements + "} ";
  }
  CHECK(holds(lowered("x: in[3]\ny: out = " + expression + "\n"), "module \"m\""));
  CHECK(holds(
      lowered("func f(a: [3]) -> [3] { var r = a " + statements + "return r }\nx: in[3]\ny: out = f(x)\n"),
      "module \"m\""));
}

TEST_CASE("statements may be nested in hundreds of blocks") {
  constexpr int levels = 250;
  std::string begin, loops, end, function = "func f(x: []) -> [] {\nvar y = x\n";
  for (int i = 0; i < levels; ++i) {
    begin += fmt::format("if x > {} {{\n", i);
    loops += fmt::format("for i{} in 0..2 {{\n", i);
    end += "}\n";
  }
  const std::string statement = "y = 2 * y\n", rest = end + "return y\n}\nx: in\ny: out = f(x)\n";
  CHECK(holds(lowered(function + begin + statement + rest), "module \"m\""));
  CHECK(holds(lowered(function + loops + statement + rest), "module \"m\""));
}

TEST_CASE("numbers without a type choose a signature by their ranks") {
  const std::string labels = "x: in[N x 5]\nlabel: in int32[N]\n";
  CHECK(holds(lowered(labels + "y: out = cross_entropy(x, 0.9 * one_hot(label, 5) + 0.1 / 5)\n"), "module"));
  CHECK(holds(lowered("x: in[3 x 5]\ny: out = cross_entropy(x, [1, 2, 3])\n"), "module"));
  const std::string layers =
      "import torch\nx: in[T x 2 x 6]\ngru: GRU(6, 8)\nboth: BidirectionalLSTM(6, 8)\n";
  CHECK(holds(lowered(layers + "y: out = gru(x, [1, 2])\nz: out = both.last(x, [1, 2])\n"), "module"));
  CHECK(holds(lowered(layers + "y: out = gru(x, [1, 2; 3, 4])\nz: out = both(x)\n"), "TEL-E0342"));
}

TEST_CASE("a predictor needs neither a loss nor a floating-point out") {
  const std::string text = lowered("x: in[N x 4]\nW: param[4 x 3] = glorot()\nb: out = argmax(x • W)\n");
  CHECK(holds(text, "entry forward"));
  CHECK(!holds(text, "@gradient"));
}

TEST_CASE("a chain of calls is as long as it likes, and calls that double are counted first") {
  std::string chain = "func f0(x: [s...]) -> [s...] = x + 1\n", doubling = chain;
  for (int i = 1; i < 1 << 14; ++i)
    chain += "func f" + std::to_string(i) + "(x: [s...]) -> [s...] = 2 * f" + std::to_string(i - 1) + "(x)\n";
  for (int i = 1; i < 80; ++i) {
    const std::string callee = "f" + std::to_string(i - 1);
    doubling +=
        "func f" + std::to_string(i) + "(x: [s...]) -> [s...] = " + callee + "(x) * " + callee + "(x + 0)\n";
  }
  CHECK(holds(lowered(chain + "x: in[N]\ny: out = f16383(x)\n"), "apply @f16383"));
  CHECK(holds(lowered(doubling + "x: in[N]\ny: out = f79(x)\n"),
              "come to more than 10^19 operations, more than 200000"));
}

TEST_CASE("a chain of custom gradients is as long as it likes, with what its functions require") {
  std::string text =
      "func f0(x: [a x b]) -> [a x b] = x * (x as [? x 3])[0, 0]\n"
      "custom gradient f0(x, dy) = dy\n";
  constexpr int length = 60;
  for (int i = 1; i < length; ++i)
    text += fmt::format(
        "func f{0}(x: [a x b]) -> [a x b] = 2 * f{1}(x)\n"
        "custom gradient f{0}(x, dy) = dy * f{1}(x)\n",
        i, i - 1);
  const std::string ir = lowered(text + fmt::format("x: in[N x 4]\ny: out = f{}(x)\n", length - 1));
  CHECK(holds(ir, fmt::format("[derivative @f{}.derivative]", length - 1)));
  CHECK(ir.find("a reshape keeps") == ir.rfind("a reshape keeps"));
}

TEST_CASE("exact numbers take a bounded time") {
  std::string text = "x: in[N]\n";
  for (int i = 0; i < 2000; ++i) text += "a" + std::to_string(i) + " = 1e4000 / 3e3999\n";
  const std::string messages = lowered(text + "y: out = x\n");
  CHECK(holds(messages, "TEL-E0353"));
  CHECK(messages.find("TEL-E0353") == messages.rfind("TEL-E0353"));
}

TEST_CASE("a dimension may be given the value 0 where every extent stays legal") {
  const auto with = [](const std::string& text, std::int64_t value) {
    dlvm::Sources sources;
    dlvm::Diagnostics diagnostics;
    frontend::Options options;
    options.dimensions.emplace_back("M", value);
    const auto module = frontend::compile(*sources.add("m.tel", text), sources, options, diagnostics);
    return module ? dlvm::print(*module) : dlvm::render(diagnostics);
  };
  CHECK(holds(with("dim M = 3\nx: in[N + M]\ny: out = x * (M + 1)\n", 0), "multiply %x: <N x f32>, 1: f32"));
  CHECK(holds(with("x: in[M]\ny: out = x\n", 0), "TEL-E0311"));
  CHECK(holds(with("x: in[N + M]\ny: out = x\n", -1), "TEL-E0227"));
}
