#include <doctest/doctest.h>

#include <set>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "compare.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"

/// Chains of products over rows that they share: which products become stages of one kernel, and that their
/// rows, taken in tiles, have the values that they have alone.
namespace kernel_tests {
namespace {

using codegen::kernel::Stage;

struct Network {
  explicit Network(const std::string& text) {
    dlvm::Diagnostics diagnostics;
    module = frontend::compile(*sources.add("chain.tel", "module chain\n" + text), sources, {}, diagnostics);
    REQUIRE(module != nullptr);
    REQUIRE(optimize(*module, diagnostics));
  }
  const dlvm::Function& function(std::size_t entry = 0) const {
    return *module->function(module->entries[entry].function);
  }
  dlvm::Sources sources;
  std::unique_ptr<dlvm::Module> module;
};

/// The numbers of products in the kernels of the launches, in order; kernels without a product are left out.
std::vector<std::int64_t> products(const dlvm::Function& function) {
  dlvm::Diagnostics diagnostics;
  codegen::kernel::BuildOptions options;
  options.policy.chain_products = true;
  const auto program = codegen::kernel::build(function, diagnostics, options);
  REQUIRE(program);
  INFO(print(*program));
  std::vector<std::int64_t> counts;
  for (const auto* launch : collect<codegen::kernel::Launch>(program->body)) {
    std::int64_t count = 0;
    codegen::kernel::walk<Stage>(program->kernels[launch->kernel].root,
                                 [&](const Stage& stage) { count += stage.contraction ? 1 : 0; });
    if (count > 0) counts.push_back(count);
  }
  return counts;
}

using Counts = std::vector<std::int64_t>;

TEST_CASE("attention is one kernel, and its gradient four") {
  const Network n(
      "q, k, v: in[2 x T x 20]\ny: out = softmax(q • k^T) • v\ngradient backward of y wrt q, k, v\n");
  for (std::size_t entry = 0; entry < n.module->entries.size(); ++entry) {
    const dlvm::Function& function = n.function(entry);
    const bool is_gradient = n.module->entries[entry].name == "backward";
    CHECK(products(function) == (is_gradient ? Counts{2, 1, 1, 1} : Counts{2}));
    CHECK(differences(function, {0, 1, 3, 10, 70}) == "");
    CHECK(schedule_differences(function, {0, 9, 17}, 3, {}) == "");
  }
}

TEST_CASE("narrow layers are one kernel") {
  const Network n(
      "x: in[N x 70]\nA: in[70 x 40]\nB: in[40 x 33]\nC: in[33 x 5]\n"
      "y: out = softmax(tanh(relu(x • A) • B) • C)\n");
  CHECK(products(n.function()) == Counts{3});
  CHECK(differences(n.function(), {0, 1, 8, 9, 64, 100}) == "");
}

TEST_CASE("heads are not joined with the product of all of them") {
  const Network n(
      "p: in[N x 4 x T x T]\nv: in[N x 4 x T x 2]\nA: in[8 x 8]\n"
      "y: out = transpose(p • v, [0, 2, 1, 3]) as [N x T x 8] • A\n");
  CHECK(products(n.function()) == Counts{1, 1});
  CHECK(differences(n.function(), {1, 9, 14}) == "");
}

TEST_CASE("a row that two others could overwrite is overwritten by one") {
  const Network n(
      "x: in[N x 7]\nA: in[7 x 6]\nB: in[6 x 5]\nz = tanh(x • A) • B\n"
      "y: out = softmax(z)\nl: out = sum(log_softmax(z) * z, along: 1)\n");
  CHECK(products(n.function()) == Counts{2});
  CHECK(differences(n.function(), {1, 9, 70}) == "");
}

TEST_CASE("a row of several axes is read as one") {
  const Network n("x: in[N x 4 x 6]\nA: in[6 x 2]\nB: in[8 x 5]\ny: out = tanh(x • A) as [N x 8] • B\n");
  CHECK(differences(n.function(), {1, 9, 70}) == "");
}

TEST_CASE("rows of several axes are shared") {
  const Network n("x: in[N x T x 30]\nA: in[30 x 40]\nB: in[40 x 33]\ny: out = tanh(x • A) • B\n");
  CHECK(products(n.function()) == Counts{2});
  CHECK(differences(n.function(), {0, 1, 8, 17}) == "");
}

TEST_CASE("wide layers are no chain, nor is one product") {
  const Network wide("x: in[N x 200]\nA: in[200 x 150]\nB: in[150 x 140]\ny: out = relu(x • A) • B\n");
  CHECK(products(wide.function()) == Counts{1, 1});
  const Network one("x: in[N x 20]\nA: in[20 x 10]\ny: out = softmax(x • A)\n");
  CHECK(products(one.function()) == Counts{1});
}

TEST_CASE("products with other rows are no chain") {
  const Network columns("x: in[N x 20]\nA: in[20 x 10]\nB: in[N x 12]\ny: out = relu(x • A)^T • B\n");
  CHECK(products(columns.function()) == Counts{1, 1});
  const Network right("x: in[N x 20]\nA: in[20 x N]\nB: in[20 x 12]\ny: out = relu(A • x) • B\n");
  CHECK(products(right.function()) == Counts{2});
  const Network of_right("x: in[20 x N]\nA: in[N x 10]\nB: in[12 x 20]\ny: out = B • relu(x • A)\n");
  CHECK(products(of_right.function()) == Counts{1, 1});
}

}  // namespace
}  // namespace kernel_tests
