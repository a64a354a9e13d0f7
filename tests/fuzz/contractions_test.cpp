// Random chains and sums of matrix products: the passes that change contractions.
#include <doctest/doctest.h>

#include <algorithm>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/fuzz/same_values.h"

using namespace derivatives;

namespace {

using Values = std::vector<Value*>;
using Extents = std::vector<std::int64_t>;

struct Drawn {
  Module module{"fuzz"};
  std::vector<RuntimeValue> inputs;
  Function* function = nullptr;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine(seed) {}
  std::int64_t below(std::int64_t end) {
    return std::uniform_int_distribution(std::int64_t{0}, end - 1)(engine);
  }
  std::mt19937_64 engine;
};

Type type_of(ElementType element, const Extents& extents) {
  return Type::tensor(element, Shape(extents.begin(), extents.end()));
}

/// Operands of a chain: vectors at its ends at times, and tensors of three axes within.
std::vector<Extents> chain_operands(Random& random) {
  const std::int64_t count = 3 + random.below(4);
  std::vector<Extents> all;
  std::int64_t last = 1 + random.below(9);
  for (std::int64_t i = 0; i < count; ++i) {
    Extents extents;
    if (i > 0 || random.below(4) != 0) extents.push_back(last);
    if (i > 0 && random.below(6) == 0) extents.push_back(1 + random.below(3));
    last = 1 + random.below(9);
    if (i + 1 < count || random.below(4) != 0 || extents.empty()) extents.push_back(last);
    if (i == 0 && extents.size() == 1) last = extents[0];
    all.push_back(extents);
  }
  return all;
}

Value* random_product(Random& random, Builder& b, const Values& x, std::size_t first, std::size_t end) {
  if (end - first == 1) return x[first];
  const std::size_t middle =
      first + 1 + static_cast<std::size_t>(random.below(static_cast<std::int64_t>(end - first) - 1));
  Value* left = random_product(random, b, x, first, middle);
  Value* right = random_product(random, b, x, middle, end);
  return b.create(Opcode::dot, {left, right}, {Attribute(), Attribute()});
}

void make(Drawn& drawn, Random& random, const std::vector<Type>& types,
          const std::function<Value*(Builder&, const Values&)>& body) {
  drawn.function = define(drawn.module, "f", types, body);
  drawn.module.stage = Module::Stage::canonical;
  for (const Type& type : types) {
    Extents extents;
    for (const Extent& extent : type.shape()) extents.push_back(*extent.constant());
    drawn.inputs.emplace_back(draw(random.engine, type.element(), extents, -5, 5));
  }
}

template <ElementType element>
void make_chain(Drawn& drawn, std::uint64_t seed) {
  Random random(seed);
  std::vector<Type> types;
  for (const Extents& extents : chain_operands(random)) types.push_back(type_of(element, extents));
  const std::uint64_t shape = random.engine();
  make(drawn, random, types, [&](Builder& b, const Values& x) {
    Random again(shape);  // the body is built twice
    return random_product(again, b, x, 0, x.size());
  });
}

/// 200 matrices, multiplied from the left.
void make_long_chain(Drawn& drawn, std::uint64_t seed) {
  Random random(seed);
  std::vector<Type> types;
  for (std::int64_t i = 0, rows = 9; i < 200; ++i) {
    const std::int64_t columns = 1 + random.below(9);
    types.push_back(type_of(ElementType::i32, {rows, columns}));
    rows = columns;
  }
  make(drawn, random, types, [](Builder& b, const Values& x) {
    Value* product = x[0];
    for (std::size_t i = 1; i < x.size(); ++i)
      product = b.create(Opcode::dot, {product, x[i]}, {Attribute(), Attribute()});
    return product;
  });
}

std::int64_t multiplications(const Function& function) {
  std::int64_t sum = 0;
  for (const auto& instruction : function.entry().instructions())
    if (const auto dot = as<Dot>(*instruction))
      sum += *(unit_count(dot.type().shape()) * dot.left()->type().shape().back()).constant();
  return sum;
}

/// The fewest multiplications of operands first to last - 1, by trying all orders.
std::int64_t fewest(const std::vector<Type>& types, std::size_t first, std::size_t last) {
  if (last - first == 1) return 0;
  std::int64_t best = INT64_MAX;
  for (std::size_t middle = first + 1; middle < last; ++middle) {
    Extent elements = 1;
    for (std::size_t i = first; i < last; ++i) {
      const Shape& shape = types[i].shape();
      for (std::size_t axis = i > first ? 1 : 0; axis + (i + 1 < last ? 1 : 0) < shape.size(); ++axis)
        elements = elements * shape[axis];
    }
    const std::int64_t here = *(elements * types[middle].shape()[0]).constant();
    best = std::min(best, fewest(types, first, middle) + fewest(types, middle, last) + here);
  }
  return best;
}

/// Two products of which one or both are transposed, concatenated, added or subtracted.
void make_sum(Drawn& drawn, std::uint64_t seed) {
  Random random(seed);
  const ElementType element = random.below(2) == 0 ? ElementType::i32 : ElementType::f64;
  const std::int64_t n = 1 + random.below(4), k = 1 + random.below(4), m = 1 + random.below(6);
  const bool transposed[]{random.below(2) == 0, random.below(2) == 0, random.below(2) == 0};
  const bool exchanged = random.below(2) == 0, batched = random.below(3) == 0;
  const std::int64_t kind = random.below(5), along = random.below(2);
  const auto matrix = [&](std::int64_t rows, std::int64_t columns, bool is_transposed) {
    Extents extents = is_transposed ? Extents{columns, rows} : Extents{rows, columns};
    if (batched) extents.insert(extents.begin(), 2);
    return type_of(element, extents);
  };
  const std::vector<Type> types{matrix(n, k, transposed[0]), matrix(n, k, transposed[0]),
                                matrix(k, m, transposed[1])};
  const Integers swap = batched ? Integers{0, 2, 1} : Integers{1, 0};
  const std::int64_t axis = batched ? 1 : 0;
  make(drawn, random, types, [&](Builder& b, const Values& x) {
    const auto upright = [&](Value* v, bool is_transposed) {
      return is_transposed ? b.transpose(v, swap) : v;
    };
    const auto product = [&](Value* left) {
      Value *l = upright(left, transposed[0]), *r = upright(x[2], transposed[1]);
      const AxisPairs batch = batched ? AxisPairs{{0, 0}} : AxisPairs{};
      // Of the transposes: (l r) is the transpose of (r^T l^T).
      Value* p = exchanged ? b.transpose(b.dot(r, l, {{axis, axis + 1}}, batch), swap)
                           : b.dot(l, r, {{axis + 1, axis}}, batch);
      return transposed[2] ? b.transpose(p, swap) : p;
    };
    switch (kind) {
      case 0:
        return b.concatenate({product(x[0]), product(x[1])}, axis + along);
      case 1:
        return b.add(product(x[0]), product(x[1]));
      case 2:
        return b.subtract(product(x[0]), product(x[1]));
      default:
        return product(x[0]);
    }
  });
}

template <typename Make>
std::int64_t check_pass(std::string_view name, const Make& make, std::uint64_t seed) {
  Drawn drawn;
  make(drawn, seed);
  INFO("seed ", seed, "\n", print(drawn.module));
  const Interpretation before = interpret(*drawn.function, drawn.inputs);
  REQUIRE(before);
  Diagnostics diagnostics;
  REQUIRE(run_passes(drawn.module, std::vector{pass_named(name)}, diagnostics, {.verify_each = true}));
  const Interpretation after = interpret(*drawn.function, drawn.inputs);
  REQUIRE(after);
  CHECK_MESSAGE(fuzz::same(before.value, after.value), "became\n" << print(drawn.module));
  return multiplications(*drawn.function);
}

}  // namespace

TEST_CASE("random chains of matrix products take the fewest multiplications") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Drawn drawn;
    make_chain<ElementType::i32>(drawn, seed);
    const auto& types = drawn.function->type().parameters();
    CHECK(check_pass("MMR", make_chain<ElementType::i32>, seed) == fewest(types, 0, types.size()));
  }
}

TEST_CASE("a long chain of matrix products is reordered in parts") {
  Drawn drawn;
  make_long_chain(drawn, 1);
  CHECK(check_pass("MMR", make_long_chain, 1) < multiplications(*drawn.function) / 2);
}

TEST_CASE("random sums of matrix products keep their bits") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) check_pass("LAF", make_sum, seed);
}

TEST_CASE("random chains of matrix products keep their bits in passes that round nothing differently") {
  for (const Pass& pass : passes())
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      if (!pass.rounds_differently) check_pass(pass.short_name, make_chain<ElementType::f64>, seed);
}
