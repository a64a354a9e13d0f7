// The gradients of a perceptron, a convolution layer and an LSTM step take no more work than those derived by
// hand. The networks stand in docs/ir.md, which shows what becomes of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

constexpr std::int64_t rows = 5;  // the value of N

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  REQUIRE_MESSAGE(!text.str().empty(), path);
  return text.str();
}

/// The block of the page that is a file of this name.
std::string block_of_page(const std::string& name) {
  const std::string page = file_text(TEST_FOLDER "/../../docs/ir.md"),
                    begin = fmt::format("```dl file={}.dl\n", name);
  const std::size_t from = page.find(begin);
  REQUIRE_MESSAGE(from != std::string::npos, "docs/ir.md lacks " << begin);
  return page.substr(from + begin.size(), page.find("```", from + 3) - from - begin.size());
}

std::unique_ptr<Module> parsed(const std::string& text, Sources& sources) {
  Diagnostics diagnostics;
  auto module = parse(*sources.add("net.dl", text), sources, diagnostics);
  REQUIRE_MESSAGE(module, render(diagnostics));
  return module;
}

std::int64_t count(const Extent& extent) { return *extent.evaluate({{"N", rows}}); }
std::int64_t elements(const Value* value) { return count(unit_count(value->type().shape())); }

/// The additions and multiplications of contractions and reductions, and the cost of each element of the
/// others.
std::int64_t work(const Instruction& i) {
  if (!i.type().is_tensor()) return 0;
  if (const auto dot = as<Dot>(i)) {
    std::int64_t terms = elements(&i);
    for (const auto& [left, right] : dot.axes().contract)
      terms *= count(dot.left()->type().shape()[static_cast<std::size_t>(left)]);
    return 2 * terms;
  }
  if (const auto convolve = as<Convolve>(i))
    return 2 * elements(&i) * elements(convolve.kernel()) / count(convolve.kernel()->type().shape()[0]);
  if (const auto reduce = as<Reduce>(i)) return elements(reduce.input());
  return i.definition().cost * elements(&i);
}

std::int64_t work(const Function& function) {
  std::int64_t sum = 0;
  for (const auto& instruction : function.entry().instructions()) sum += work(*instruction);
  return sum;
}

bool holds(const Function& function, auto&& condition) {
  return std::ranges::any_of(function.entry().instructions(),
                             [&](const auto& each) { return condition(*each); });
}

bool leaves(Module& module, const char* pass) {
  bool changed = false;
  PipelineOptions options{.verify_each = true};
  options.after = [&](const Pass&, bool now, double, const Module&) { changed = now; };
  Diagnostics diagnostics;
  REQUIRE(run_passes(module, std::vector{pass_named(pass)}, diagnostics, options));
  return !changed;
}

void check_same_results(const Function& a, const Function& b) {
  std::mt19937_64 random(3);
  std::vector<Tensor> inputs;
  for (const Type& type : a.type().parameters()) {
    std::vector<std::int64_t> extents;
    for (const Extent& extent : type.shape()) extents.push_back(count(extent));
    inputs.push_back(draw(random, ElementType::f64, extents, -1, 1));
  }
  const auto x = evaluate(a, inputs), y = evaluate(b, inputs);
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t e = 0; e < x[i].size(); ++e) CHECK(x[i].real(e) == doctest::Approx(y[i].real(e)));
}

}  // namespace

TEST_CASE("gradients take no more work than those derived by hand") {
  for (const std::string name : {"perceptron", "convolution", "lstm"}) {
    Sources sources;
    Diagnostics diagnostics;
    const auto made = parsed(block_of_page(name), sources);
    REQUIRE_MESSAGE(optimize(*made, diagnostics), render(diagnostics));
    const auto derived =
        parsed(file_text(fmt::format(TEST_FOLDER "/differentiate/by_hand/{}.dl", name)), sources);
    const Function &gradient = *made->function("gradient"), &by_hand = *derived->function("by_hand");
    INFO(print(gradient), print(by_hand));
    check_same_results(gradient, by_hand);
    CHECK(work(gradient) <= work(by_hand));
    CHECK_FALSE(
        holds(gradient, [](const Instruction& i) { return i.users().empty() && !i.is(Trait::terminator); }));
    CHECK_FALSE(holds(gradient, [](const Instruction& i) {
      const auto transpose = as<Transpose>(i);
      return transpose && as<Transpose>(transpose.input());
    }));
    for (const char* pass : {"DCE", "CSE", "LAF", "AS"}) CHECK(leaves(*made, pass));
  }
}
