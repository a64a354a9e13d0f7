#include <doctest/doctest.h>

#include <fmt/format.h>

#include "dlvm/call/entry_call.h"
#include "tests/conformance/target.h"
#include "tests/support/object.h"

namespace {

using namespace conformance;

constexpr std::int64_t columns = 81;

/// x • w for `count` rows of x, each of `summed` elements, and `across` columns of w, which has them as rows
/// of memory if it is transposed.
Module product_of(ElementType type, const Extent& count, const Extent& summed, const Extent& across = columns,
                  bool transposed = false) {
  Module module("batch");
  const Type x = Type::tensor(type, {count, summed}),
             w = Type::tensor(type, transposed ? Shape{across, summed} : Shape{summed, across}),
             y = Type::tensor(type, {count, across});
  Function* function = module.add_function("forward", Type::function({x, w}, Type::tuple({y})));
  Builder b(*function->add_entry());
  const auto& arguments = function->entry().arguments();
  b.return_(b.tuple({b.dot(arguments[0].get(), arguments[1].get(), {{1, transposed ? 1 : 0}})}));
  EntryPoint entry{EntryKind::forward, "forward", "forward", {}, {{ResultRole::output, "y", ""}}, "", {}};
  for (const char* name : {"x", "w"}) entry.arguments.push_back({ArgumentRole::input, name, ""});
  module.entries.push_back(std::move(entry));
  return module;
}

/// Row i is the same whatever the count.
Tensor rows(ElementType type, std::int64_t count, std::int64_t length) {
  Tensor result(type, {count, length});
  for (std::size_t i = 0; i < result.size(); ++i)
    result.set(i, static_cast<double>(i * 7919 % 1009) / 509 - 0.99);
  return result;
}

/// The bytes of the call's result; on the processor they are the same on any number of threads.
std::vector<std::byte> result(codegen::jit::LoadedObject& object, const Module& module,
                              const EntryInputs& given) {
  std::vector<std::string> problems;
  const auto call = prepare_call(module, module.entries[0], given, problems);
  REQUIRE(call.has_value());
  const auto on = [&](int threads) {
    codegen::jit::CallTarget place = place_under_test();
    place.threads = threads;
    std::string why;
    auto loaded = object.prepare(module.entries[0], *call, why, place);
    const bool ran = loaded && loaded->run(why);
    REQUIRE_MESSAGE(ran, why);
    const Tensor result = loaded->results()[0].tensor;
    return std::vector<std::byte>(result.data(), result.data() + result.byte_count());
  };
  auto alone = on(0);
  if (place_under_test().kind != codegen::jit::CallTarget::Kind::processor) return alone;
  for (const int threads : {1, 2, 3, 8}) {
    INFO(threads, " threads");
    CHECK(on(threads) == alone);
  }
  return alone;
}

/// The elements of the product of these rows.
std::vector<std::byte> product(codegen::jit::LoadedObject& object, const Module& module, const Tensor& x,
                               std::int64_t across = columns, bool transposed = false) {
  const std::int64_t summed = x.extents()[1];
  EntryInputs given;
  given.inputs = {{"x", x},
                  {"w", transposed ? rows(x.element(), across, summed) : rows(x.element(), summed, across)}};
  return result(object, module, given);
}

/// The first row of the product of so many rows.
std::vector<std::byte> first_row(codegen::jit::LoadedObject& object, const Module& module, ElementType type,
                                 std::int64_t count) {
  auto bytes = product(object, module, rows(type, count, 129));
  bytes.resize(columns * info(type).bytes);
  return bytes;
}

/// Extents of a convolution's input and kernel without the batch, its strides and its padding on either side.
struct Convolved {
  std::vector<std::int64_t> input, kernel, strides, padding;
};

Module convolution_of(const Convolved& c, const Extent& count) {
  Module module("batch");
  const auto type = [](const std::vector<std::int64_t>& extents, const std::optional<Extent>& first) {
    Shape shape(extents.begin(), extents.end());
    if (first) shape.insert(shape.begin(), *first);
    return Type::tensor(ElementType::f32, std::move(shape));
  };
  std::vector<WindowAxis> axes;
  for (std::size_t i = 0; i < c.strides.size(); ++i) {
    WindowAxis axis;
    axis.stride = c.strides[i];
    axis.low = axis.high = c.padding[i];
    axes.push_back(axis);
  }
  const Type x = type(c.input, count), k = type(c.kernel, std::nullopt);
  const auto body = [&](Function& function) {
    Builder b(*function.add_entry());
    const auto& arguments = function.entry().arguments();
    Value* all = b.tuple({b.convolve(arguments[0].get(), arguments[1].get(), axes)});
    b.return_(all);
    return all->type();
  };
  Module scratch("scratch");  // a function has a result type before it has a body
  const Type result = body(*scratch.add_function("probe", Type::function({x, k}, Type())));
  body(*module.add_function("forward", Type::function({x, k}, result)));
  EntryPoint entry{EntryKind::forward, "forward", "forward", {}, {{ResultRole::output, "y", ""}}, "", {}};
  for (const char* name : {"x", "k"}) entry.arguments.push_back({ArgumentRole::input, name, ""});
  module.entries.push_back(std::move(entry));
  return module;
}

Tensor numbers(std::vector<std::int64_t> extents) {
  Tensor result(ElementType::f32, std::move(extents));
  for (std::size_t i = 0; i < result.size(); ++i)
    result.set(i, static_cast<double>(i * 7919 % 1009) / 509 - 0.99);
  return result;
}

/// The bytes of the convolution of so many inputs.
std::vector<std::byte> convolved(const Module& module, const Convolved& c, std::int64_t count) {
  std::string why;
  const auto object = test::load(module, "batch", why);
  REQUIRE_MESSAGE(object != nullptr, why);
  std::vector<std::int64_t> extents = c.input;
  extents.insert(extents.begin(), count);
  EntryInputs given;
  given.inputs = {{"x", numbers(extents)}, {"k", numbers(c.kernel)}};
  return result(*object, module, given);
}

}  // namespace

TEST_CASE("a convolution has the same bits whether the batch is a name or a number") {
  if (place_under_test().kind != codegen::jit::CallTarget::Kind::processor || test::recording()) return;
  const Convolved all[]{
      {{16, 8}, {1, 16, 8}, {1}, {2}},                   // few columns and rows, and lines of terms
      {{5, 8, 5}, {1, 5, 8, 3}, {2, 2}, {0, 1}},         // the same in a plane
      {{16, 20, 20}, {16, 16, 20, 20}, {2, 1}, {2, 1}},  // many terms, nine positions
      {{3, 20, 12}, {2, 3, 9, 9}, {1, 2}, {1, 1}},       // long lines
      {{64, 5, 4}, {16, 64, 5, 4}, {1, 1}, {0, 0}},      // many terms, one position
      {{3, 12, 12}, {8, 3, 3, 3}, {1, 1}, {1, 1}},
  };
  for (const Convolved& c : all) {
    const Module named = convolution_of(c, Extent::dimension("N"));
    const bool has_one_position = &c == &all[4];
    for (const std::int64_t count : {1, 2, 4, 9}) {
      if (has_one_position && count == 1) continue;
      INFO("case ", &c - all, ", a batch of ", count);
      CHECK(convolved(convolution_of(c, count), c, count) == convolved(named, c, count));
    }
  }
}

TEST_CASE("a convolution that is divided along its filters has the bits of one thread") {
  if (place_under_test().kind != codegen::jit::CallTarget::Kind::processor || test::recording()) return;
  const Convolved all[]{
      {{64, 28, 28}, {7, 64, 3, 3}, {1, 1}, {1, 1}},     // two tiles of filters, and several blocks of terms
      {{520, 9, 9}, {530, 520, 1, 1}, {1, 1}, {0, 0}},   // all sums are kept
      {{520, 9, 9}, {1100, 520, 1, 1}, {1, 1}, {0, 0}},  // all terms are kept
      {{64, 28, 28}, {128, 64, 1, 1}, {2, 2}, {0, 0}},   // one block of terms
  };
  for (const Convolved& c : all)
    for (const std::int64_t count : {1, 3}) {
      INFO("case ", &c - all, ", a batch of ", count);
      CHECK_FALSE(convolved(convolution_of(c, Extent::dimension("N")), c, count).empty());
    }
}

TEST_CASE("the first row of a product has the same bits in every batch") {
  for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::bf16}) {
    const Module module = product_of(type, Extent::dimension("N"), 129), of_one = product_of(type, 1, 129);
    std::string why;
    if (test::recording()) {
      for (const Module* each : {&module, &of_one}) CHECK_MESSAGE(test::record(*each, "batch", why), why);
      continue;
    }
    const auto object = test::load(module, "batch", why, devices_under_test());
    REQUIRE_MESSAGE(object != nullptr, why);
    const auto one = first_row(*object, module, type, 1);
    if (place_under_test().kind == codegen::jit::CallTarget::Kind::processor) {
      const auto alone = test::load(of_one, "batch", why);
      REQUIRE_MESSAGE(alone != nullptr, why);
      INFO(info(type).name, ", one row by declaration");
      CHECK(first_row(*alone, of_one, type, 1) == one);
    }
    for (const std::int64_t count : {7, 16, 17, 129, 1000}) {
      INFO(info(type).name, ", ", count, " rows");
      CHECK(first_row(*object, module, type, count) == one);
    }
  }
}

TEST_CASE("rows of a product that is computed in groups have the bits that they have alone") {
  if (place_under_test().kind != codegen::jit::CallTarget::Kind::processor || test::recording()) return;
  constexpr std::int64_t count = 2200, summed = 600;
  const Module module = product_of(ElementType::f32, Extent::dimension("N"), summed);
  std::string why;
  const auto object = test::load(module, "batch", why);
  REQUIRE_MESSAGE(object != nullptr, why);
  const Tensor x = rows(ElementType::f32, count, summed);
  const auto all = product(*object, module, x);
  constexpr std::size_t row_bytes = columns * sizeof(float);
  for (const std::int64_t row : {0, 1007, 1008, 1055, 1056, 2015, 2199}) {
    Tensor one(ElementType::f32, {1, summed});
    for (std::int64_t k = 0; k < summed; ++k)
      one.set(static_cast<std::size_t>(k), x.real(static_cast<std::size_t>(row * summed + k)));
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(row * row_bytes);
    INFO("row ", row);
    CHECK(product(*object, module, one) == std::vector(at, at + row_bytes));
  }
}

TEST_CASE("a few rows of a product with a large matrix have the bits that they have among many") {
  if (place_under_test().kind != codegen::jit::CallTarget::Kind::processor || test::recording()) return;
  struct Matrix {
    Extent terms, columns;  ///< as declared
    std::int64_t k, n;      ///< as called
    bool transposed = false;
  };
  const Extent named = Extent::dimension("K");
  const Matrix matrices[]{{129, 1003, 129, 1003},    // one chain, and a part of the last step
                          {1029, 240, 1029, 240},    // blocks of k, and whole tiles
                          {600, 2112, 600, 2112},    // several blocks of columns
                          {named, 1100, 0, 1100},    // no terms
                          {named, 1100, 300, 1100},  // blocks of k that are not known
                          {1029, 250, 1029, 250, true}, {named, 1100, 300, 1100, true}};
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const Matrix& matrix : matrices) {
      const auto of_rows = [&](const Extent& count) {
        return product_of(type, count, matrix.terms, matrix.columns, matrix.transposed);
      };
      const auto called = [&](auto& object, const Module& of, std::int64_t count) {
        return product(object, of, rows(type, count, matrix.k), matrix.n, matrix.transposed);
      };
      const Module module = of_rows(Extent::dimension("N"));
      std::string why;
      const auto object = test::load(module, "batch", why);
      REQUIRE_MESSAGE(object != nullptr, why);
      const auto many = called(*object, module, 40);
      for (const std::int64_t count : {0, 1, 2, 3, 4, 7, 16}) {
        INFO(info(type).name, ", ", matrix.k, " x ", matrix.n, ", ", count, " rows, ", matrix.transposed);
        const auto few = called(*object, module, count);
        CHECK(few == std::vector(many.begin(), many.begin() + static_cast<std::ptrdiff_t>(few.size())));
        // One row that is declared is no product with a transposed matrix, but sums along its rows.
        if (count != 7 && (count != 1 || matrix.transposed)) continue;
        const Module declared = of_rows(count);
        const auto of_declared = test::load(declared, "batch", why);
        REQUIRE_MESSAGE(of_declared != nullptr, why);
        CHECK(called(*of_declared, declared, count) == few);
      }
    }
}

TEST_CASE("rows that are apart in memory have the product that they have next to each other") {
  if (place_under_test().kind != codegen::jit::CallTarget::Kind::processor || test::recording()) return;
  constexpr std::int64_t heads = 3, depth = 16, summed = heads * depth;
  const Extent batch = Extent::dimension("N"), steps = Extent::dimension("T");
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const bool is_deep : {false, true}) {  // the order of a head's axes in memory
      Module module("batch");
      const Shape shape = is_deep ? Shape{batch, heads, depth, steps} : Shape{batch, heads, steps, depth};
      const Type x = Type::tensor(type, shape), w = Type::tensor(type, {summed, columns}),
                 y = Type::tensor(type, {batch, steps, columns});
      Function* function = module.add_function("forward", Type::function({x, w}, Type::tuple({y})));
      Builder b(*function->add_entry());
      const auto& arguments = function->entry().arguments();
      Value* apart = b.transpose(arguments[0].get(), is_deep ? Integers{0, 3, 1, 2} : Integers{0, 2, 1, 3});
      Value* together = b.shape_cast(apart, {batch, steps, summed});
      b.return_(b.tuple({b.dot(together, arguments[1].get(), {{2, 0}})}));
      EntryPoint entry{EntryKind::forward, "forward", "forward", {}, {{ResultRole::output, "y", ""}}, "", {}};
      for (const char* name : {"x", "w"}) entry.arguments.push_back({ArgumentRole::input, name, ""});
      module.entries.push_back(std::move(entry));
      const Module dense = product_of(type, Extent::dimension("N"), summed);
      std::string why;
      const auto object = test::load(module, "batch", why), of_dense = test::load(dense, "batch", why);
      REQUIRE_MESSAGE((object && of_dense), why);
      for (const std::int64_t n : {1, 2, 5})
        for (const std::int64_t t : {1, 5, 8, 9, 23}) {
          INFO(info(type).name, ", ", is_deep, ", ", n, " x ", t);
          const Tensor all = rows(type, n * t, summed);
          Tensor given(type, is_deep ? std::vector{n, heads, depth, t} : std::vector{n, heads, t, depth});
          for (std::int64_t i = 0; i < n * t * summed; ++i) {
            const std::int64_t k = i % summed, row = i / summed, head = k / depth, d = k % depth;
            const std::int64_t of_head = (row / t) * heads + head, step = row % t;
            const std::int64_t at =
                is_deep ? (of_head * depth + d) * t + step : (of_head * t + step) * depth + d;
            given.set(static_cast<std::size_t>(at), all.real(static_cast<std::size_t>(i)));
          }
          EntryInputs inputs;
          inputs.inputs = {{"x", given}, {"w", rows(type, summed, columns)}};
          CHECK(result(*object, module, inputs) == product(*of_dense, dense, all));
        }
    }
}
