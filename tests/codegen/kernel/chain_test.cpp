#include <doctest/doctest.h>

#include <random>
#include <set>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "compare.h"
#include "network.h"

/// Chains of products over rows that they share: which products become stages of one kernel, and that their
/// rows, taken in tiles, have the values that they have alone.
namespace kernel_tests {
namespace {

using codegen::kernel::Stage;

codegen::kernel::Program build_chains(const dlvm::Function& function) {
  dlvm::Diagnostics diagnostics;
  codegen::kernel::BuildOptions options;
  options.policy.chains = codegen::kernel::ProductChains::all;
  auto program = codegen::kernel::build(function, diagnostics, options);
  REQUIRE(program);
  return std::move(*program);
}

/// The numbers of products in the kernels of the launches, in order; kernels without a product are left out.
std::vector<std::int64_t> products(const dlvm::Function& function) {
  const auto program = build_chains(function);
  INFO(print(program));
  std::vector<std::int64_t> counts;
  for (const auto* launch : collect<codegen::kernel::Launch>(program.body)) {
    std::int64_t count = 0;
    codegen::kernel::walk<Stage>(program.kernels[launch->kernel].root,
                                 [&](const Stage& stage) { count += stage.contraction ? 1 : 0; });
    if (count > 0) counts.push_back(count);
  }
  return counts;
}

using Counts = std::vector<std::int64_t>;
using Sizes = std::vector<std::int64_t>;

std::int64_t accumulating_stages(const dlvm::Function& function) {
  const auto program = build_chains(function);
  std::int64_t count = 0;
  for (const codegen::kernel::Kernel& kernel : program.kernels)
    codegen::kernel::walk<Stage>(kernel.root,
                                 [&](const Stage& stage) { count += stage.accumulated.empty() ? 0 : 1; });
  return count;
}

TEST_CASE("attention is one kernel, and its gradient another") {
  const Network n(
      "q, k, v: in[2 x T x 20]\ny: out = softmax(q • k^T) • v\ngradient backward of y wrt q, k, v\n");
  for (std::size_t entry = 0; entry < n.module->entries.size(); ++entry) {
    const dlvm::Function& function = n.function(entry);
    const bool is_gradient = n.module->entries[entry].name == "backward";
    CHECK(products(function) == (is_gradient ? Counts{5} : Counts{2}));
    CHECK(accumulating_stages(function) == (is_gradient ? 2 : 0));
    // Without rows, derivatives that one column makes exactly zero are zero but for rounding.
    CHECK(differences(function, is_gradient ? Sizes{0, 3, 10, 70} : Sizes{0, 1, 3, 10, 70}) == "");
    CHECK(schedule_differences(function, {0, 9, 17}, 3, {}) == "");
  }
}

/// The elements that the program keeps between kernels for so many rows.
std::int64_t kept_elements(const dlvm::Function& function, std::int64_t rows) {
  std::int64_t elements = 0;
  for (const auto& value : build_chains(function).values)
    if (value.place == codegen::kernel::Value::Place::arena)
      elements += dlvm::unit_count(value.shape).evaluate({{"T", rows}}).value();
  return elements;
}

TEST_CASE("a batch of one is added up as each element of a batch") {
  const auto backward = [](const char* batch, const Sizes& sizes) {
    const Network n("q, k, v: in[" + std::string(batch) +
                    " x T x 20]\ny: out = softmax(q • k^T) • v\ngradient backward of y wrt q, k, v\n");
    for (std::size_t entry = 0; entry < n.module->entries.size(); ++entry)
      if (n.module->entries[entry].name == "backward") {
        CHECK(accumulating_stages(n.function(entry)) == 2);
        CHECK(differences(n.function(entry), sizes) == "");
      }
  };
  backward("N", {1, 4});
  backward("1", {1, 61});
}

TEST_CASE("adjoints compute the scores of attention again") {
  const Network n(
      "q, k, v: in[2 x T x 20]\ny: out = tanh(softmax(q • k^T + iota(T)) • v)\ngradient backward of y wrt q, "
      "k, v\n");
  const dlvm::Function& function = n.function(n.module->entries[0].name == "backward" ? 0 : 1);
  CHECK(products(function) == Counts{2, 5});
  CHECK(kept_elements(function, 1000) == 1000 * kept_elements(function, 1));
  CHECK(differences(function, {0, 1, 3, 70}) == "");
  CHECK(schedule_differences(function, {0, 9}, 3, {}) == "");
}

TEST_CASE("products are not computed again if that takes no memory away") {
  const Network n(
      "q, k, v: in[2 x T x 20]\np: out = softmax(q • k^T)\ny: out = tanh(p • v)\n"
      "gradient backward of y wrt q, k, v\n");
  for (std::size_t entry = 0; entry < n.module->entries.size(); ++entry)
    if (n.module->entries[entry].name == "forward") CHECK(products(n.function(entry)) == Counts{2});
  const Network wide(
      "q, k, v: in[2 x T x 200]\ny: out = tanh(softmax(q • k^T) • v)\ngradient g of y wrt q, k, v\n");
  for (std::size_t entry = 0; entry < wide.module->entries.size(); ++entry)
    if (wide.module->entries[entry].name == "g")
      CHECK(products(wide.function(entry)) == Counts{1, 1, 1, 1, 1, 1});
}

TEST_CASE("the other operand of a product of rows is computed before the rows") {
  const std::string inputs = "x: in[2 x T x 20]\nQ, K, V: in[20 x 20]\n";
  const Network n(inputs + "y: out = softmax((x • Q) • (x • K)^T) • tanh(x • V)\n");
  CHECK(products(n.function()) == Counts{1, 1, 3});
  CHECK(differences(n.function(), {0, 1, 10, 70}) == "");
  CHECK(schedule_differences(n.function(), {0, 17}, 3, {}) == "");
  const Network layers(inputs +
                       "h = x + softmax((x • Q) • (x • K)^T) • (x • V)\n"
                       "y: out = h + softmax((h • Q) • (h • K)^T) • (h • V)\n");
  CHECK(products(layers.function()) == Counts{1, 1, 3, 1, 1, 3});
  CHECK(differences(layers.function(), {0, 1, 20}) == "");
  // An operand that depends on the rows' product stays behind it.
  const Network dependent(inputs + "s = 0.01 * ((x • Q) • (x • K)^T)\ny: out = softmax(s) • (s • (x • V))\n");
  CHECK(differences(dependent.function(), {0, 1, 10}) == "");
  const Network parted(
      inputs + "s = (x • Q) • (x • K)^T\ny: out = softmax(s) • (x • V + sum(s, along: 2) as [2 x T x 1])\n");
  CHECK(differences(parted.function(), {0, 1, 10}) == "");
}

constexpr const char* two_layers =
    "x: in[2 x N x 8]\nA: in[2 x 8 x 17]\nB: in[2 x 17 x 9]\nz: in[2 x N x 16]\n"
    "a = tanh(x • A)\ny: out = relu(a • B)\n";

TEST_CASE("sums over the rows of a chain are stages that accumulate") {
  for (const char* sum : {"s: out = a^T • z\n", "s: out = z^T • a\n", "s: out = 2 * (z^T • a)\n"}) {
    CAPTURE(sum);
    const Network n(std::string(two_layers) + sum);
    CHECK(products(n.function()) == Counts{3});
    CHECK(accumulating_stages(n.function()) == 1);
    CHECK(differences(n.function(), {0, 1, 60, 61}) == "");
    CHECK(schedule_differences(n.function(), {0, 61}, 3, {}) == "");
  }
}

TEST_CASE("rows without products of their own are no kernel that accumulates") {
  for (const char* text : {"x: in[2 x T x 9]\nz: in[2 x T x 16]\ny: out = softmax(x)^T • z\n",
                           "x: in[2 x T x 9]\nw: in[9 x 5]\ny: out = softmax(x • w)^T • x\n"}) {
    CAPTURE(text);
    const Network n(text);
    CHECK(accumulating_stages(n.function()) == 0);
    CHECK(differences(n.function(), {0, 1, 61}) == "");
  }
}

TEST_CASE("nothing accumulates what another kernel reads, or where cores have no batch to share") {
  const Network read(std::string(two_layers) +
                     "s: out = a^T • z\nw: out = sum(reverse(a, 1), along: [0, 1])\n");
  CHECK(accumulating_stages(read.function()) == 0);
  CHECK(differences(read.function(), {0, 9}) == "");
  const Network one(
      "x: in[N x 20]\nA: in[20 x 40]\nB: in[40 x 9]\nz: in[N x 16]\n"
      "a = tanh(x • A)\ny: out = relu(a • B)\ns: out = a^T • z\n");
  CHECK(accumulating_stages(one.function()) == 0);
}

/// Draws products of a batch, and what is computed of them row by row.
class Batches {
 public:
  explicit Batches(unsigned seed)
      : random_(seed), scene_({batch({N, 5}), batch({N, 7}), batch({N, N}), batch({5, 7}), batch({7, 20})}) {
    for (std::size_t i = 0; i < 5; ++i) pool_.push_back(scene_[i]);
  }

  const dlvm::Function& generate(int steps) {
    for (int i = 0; i < steps; ++i)
      if (dlvm::Value* next = step()) pool_.push_back(next);
    return scene_.results({any(), any(), pool_.back()});
  }

 private:
  static dlvm::Type batch(dlvm::Shape shape) {
    shape.insert(shape.begin(), dlvm::Extent(2));
    return tensor(dlvm::ElementType::f64, std::move(shape));
  }
  std::size_t below(std::size_t n) { return random_() % n; }
  dlvm::Value* any() {
    return pool_[below(3) == 0 ? below(pool_.size())
                               : pool_.size() - 1 - below(std::min<std::size_t>(4, pool_.size()))];
  }

  dlvm::Value* step() {
    dlvm::Value* v = any();
    switch (below(6)) {
      case 0:
        return scene_.b.unary(dlvm::Opcode::tanh, v);
      case 1: {  // of each row
        dlvm::Value* sum = scene_.b.reduce(v, {dlvm::Opcode::max, nullptr},
                                           scene_.b.constant(dlvm::ElementType::f64, 0), {2});
        return scene_.b.subtract(v, scene_.b.pad_shape(sum, 2));
      }
      default: {
        dlvm::Value* w = any();
        for (std::int64_t i = 1; i < 3; ++i)
          for (std::int64_t j = 1; j < 3; ++j)
            if (v->type().shape()[static_cast<std::size_t>(i)] ==
                    w->type().shape()[static_cast<std::size_t>(j)] &&
                below(2) == 0)  // bounded, so that the tolerance stays meaningful
              return scene_.b.unary(dlvm::Opcode::tanh, scene_.b.dot(v, w, {{i, j}}, {{0, 0}}));
        return nullptr;
      }
    }
  }

  std::mt19937 random_;
  Scene scene_;
  std::vector<dlvm::Value*> pool_;
};

TEST_CASE("random chains of products of a batch") {
  std::int64_t accumulating = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    INFO("seed ", seed);
    Batches generator(seed);
    const dlvm::Function& function = generator.generate(6 + static_cast<int>(seed % 6));
    const bool accumulates = accumulating_stages(function) > 0;
    accumulating += accumulates ? 1 : 0;
    REQUIRE(differences(function, accumulates ? Sizes{0, 1, 65} : Sizes{0, 9}, 3, accumulates) == "");
  }
  CHECK(accumulating > 4);
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
