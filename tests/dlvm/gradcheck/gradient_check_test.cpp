#include "dlvm/gradcheck/gradient_check.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "dlvm/call/random_inputs.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;
using Arguments = std::vector<Value*>;

namespace {

const Extent N = Extent::dimension("N");

/// A module with an entry `gradient` that gives (derivative by x, loss), both written by hand.
struct Network {
  Module module{"test"};

  template <typename Body>
  Network(const Type& x, Body body) {
    const Type scalar = Type::scalar(ElementType::f32);
    Function* f = module.add_function("gradient", Type::function({x}, Type::tuple({x, scalar})));
    Builder b(*f->add_entry({"x"}));
    const auto [derivative, loss] = body(b, static_cast<Value*>(f->entry().arguments()[0].get()));
    b.return_(b.tuple({derivative, loss}));
    module.entries.push_back({EntryKind::gradient,
                              "gradient",
                              "gradient",
                              {{ArgumentRole::input, "x", ""}},
                              {{ResultRole::derivative, "x", ""}, {ResultRole::loss, "L", ""}},
                              "",
                              {}});
  }

  GradientCheck check(const GradientCheckOptions& options = {}) const {
    return check_gradients(module, module, options);
  }
};

using Pair = std::pair<Value*, Value*>;

}  // namespace

TEST_CASE("a right derivative passes, a wrong one does not") {
  const auto cubes = [](double factor) {
    return Network(f32({N}), [&](Builder& b, Value* x) {
      Value* square = b.unary(Opcode::square, x);
      return Pair(b.multiply(b.constant(ElementType::f32, factor), square),
                  b.sum(b.multiply(square, x), {0}));
    });
  };
  const auto right = cubes(3).check();
  CHECK_MESSAGE(right.passed(), render(right));
  REQUIRE(right.rows.size() == 1);
  CHECK(right.rows[0].checked == 3);
  const auto wrong = cubes(3.0001).check();
  CHECK_FALSE(wrong.passed());
  CHECK(wrong.errors.empty());
  CHECK(render(wrong).find("WRONG") != std::string::npos);
}

TEST_CASE("large tensors are sampled, and checked along a direction") {
  const auto halves = [](bool wrong_at_one) {
    return Network(f32({1000}), [&](Builder& b, Value* x) {
      Value* derivative = x;
      if (wrong_at_one) {
        Value* first = b.pad(b.broadcast(b.constant(ElementType::f32, 1), {1}), {{777, 222}},
                             b.constant(ElementType::f32, 0));
        derivative = b.add(x, first);
      }
      return Pair(derivative,
                  b.multiply(b.constant(ElementType::f32, 0.5), b.sum(b.unary(Opcode::square, x), {0})));
    });
  };
  CHECK(halves(false).check().passed());
  CHECK_FALSE(halves(true).check().passed());
}

TEST_CASE("what rounding of the values explains is no error") {
  const Network thirds(f32({N}), [&](Builder& b, Value* x) {
    Value* third = b.constant(ElementType::f32, 1 / 3.0);
    return Pair(b.broadcast(third, {N}), b.sum(b.multiply(x, third), {0}));
  });
  GradientCheckOptions options;
  options.tolerance = 0;
  const auto check = thirds.check(options);
  CHECK_MESSAGE(check.passed(), render(check));
  REQUIRE(check.rows.size() == 1);
  CHECK(check.rows[0].worst_ratio > 0);
}

TEST_CASE("a random direction has length 1") {
  // The number is odd: to write behind so many elements breaks the heap.
  const Network first_wrong(f32({49}), [&](Builder& b, Value* x) {
    Value* first =
        b.binary(Opcode::equal, b.iota({49}, 0, ElementType::i32), b.constant(ElementType::i32, 0));
    return Pair(b.cast(first, ElementType::f32), b.sum(b.multiply(x, b.constant(ElementType::f32, 0)), {0}));
  });
  GradientCheckOptions options;
  options.elements = 1;
  const auto check = first_wrong.check(options);
  REQUIRE(check.rows.size() == 1);
  CHECK(check.rows[0].direction);
  CHECK(check.rows[0].worst_ratio == doctest::Approx((1 / 7.0) / (1e-6 * (1 / 7.0 + 1))));
}

TEST_CASE("effort is divided: what is large is sampled, the same with the same seed") {
  // Two inputs of 20 elements, and a value that costs about 1000.
  Network network(f32({20}), [](Builder& b, Value* x) {
    Value* large = b.broadcast(b.sum(b.unary(Opcode::square, x), {0}), {300});
    return Pair(b.multiply(x, b.constant(ElementType::f32, 600)), b.sum(large, {0}));
  });
  GradientCheckOptions options;
  const auto whole = network.check(options);
  CHECK(whole.rows.at(0).checked == 20);
  CHECK(!whole.rows[0].sampled);
  options.effort_limit = 300000;  // all of it is for the only tensor
  CHECK(!network.check(options).rows.at(0).sampled);
  options.effort_limit = 150000;
  CHECK(network.check(options).rows.at(0).sampled);
  options.effort_limit = 30000;
  const auto part = network.check(options);
  CHECK_MESSAGE(part.passed(), render(part));
  CHECK(part.rows[0].checked > 0);
  CHECK(part.rows[0].checked < 20);
  CHECK(part.rows[0].sampled);
  CHECK(part.rows[0].direction);
  CHECK(render(part, 7).find("1 of 1 tensors were sampled, with seed 7: ") != std::string::npos);
  CHECK(render(part) == render(network.check(options)));
  options.effort_limit = 6000;  // half of it is for the value and its derivatives
  const auto least = network.check(options);
  REQUIRE(least.rows.size() == 1);
  CHECK(least.rows[0].checked == 1);
  CHECK(!least.rows[0].direction);
  CHECK(least.passed());
}

TEST_CASE("no effort is left for some entry points and derivatives") {
  Network network(f32({20}), [](Builder& b, Value* x) {
    return Pair(b.multiply(x, b.constant(ElementType::f32, 2)), b.sum(b.unary(Opcode::square, x), {0}));
  });
  EntryPoint& entry = network.module.entries[0];
  Function* twice = network.module.add_function(
      "twice", Type::function({f32({20}), f32({20})},
                              Type::tuple({f32({20}), f32({20}), Type::scalar(ElementType::f32)})));
  Builder b(*twice->add_entry({"x", "z"}));
  Value *x = twice->entry().arguments()[0].get(), *z = twice->entry().arguments()[1].get();
  b.return_(b.tuple({z, x, b.sum(b.multiply(x, z), {0})}));
  entry.function = "twice";
  entry.arguments.push_back({ArgumentRole::input, "z", ""});
  entry.results = {
      {ResultRole::derivative, "x", ""}, {ResultRole::derivative, "z", ""}, {ResultRole::loss, "L", ""}};
  GradientCheckOptions options;
  CHECK(network.check(options).passed());
  options.effort_limit = 2400;
  std::set<std::string> compared;
  for (options.given.seed = 0; options.given.seed < 8; ++options.given.seed) {
    const auto check = network.check(options);
    REQUIRE(check.rows.size() == 2);
    CHECK(check.rows[0].name == "x");
    CHECK(check.rows[0].compared() != check.rows[1].compared());
    CHECK(check.rows[0].left_out != check.rows[1].left_out);
    CHECK(
        render(check).find("1 of 2 tensors were not compared, 1 of them for lack of time: give dimensions") !=
        std::string::npos);
    compared.insert(check.rows[0].compared() ? "x" : "z");
  }
  CHECK(compared.size() == 2);
}

TEST_CASE("an evaluation that is too long is an error, or compares nothing behind another entry point") {
  Network network(f32({20}), [](Builder& b, Value* x) {
    return Pair(b.multiply(x, b.constant(ElementType::f32, 2)), b.sum(b.unary(Opcode::square, x), {0}));
  });
  GradientCheckOptions options;
  options.effort_limit = 100;
  const auto first = network.check(options);
  CHECK(first.rows.empty());
  REQUIRE(first.errors.size() == 1);
  CHECK(first.errors[0].why.find("takes too long") != std::string::npos);
  options.effort_limit = 2400;
  CHECK(network.check(options).passed());

  Function* large = network.module.add_function(
      "large", Type::function({f32({3000})}, Type::tuple({f32({3000}), Type::scalar(ElementType::f32)})));
  Builder b(*large->add_entry({"x"}));
  Value* x = large->entry().arguments()[0].get();
  b.return_(b.tuple({b.broadcast(b.constant(ElementType::f32, 1), {3000}), b.sum(x, {0})}));
  EntryPoint entry = network.module.entries[0];
  entry.name = entry.function = "large";
  network.module.entries.push_back(entry);
  const auto both = network.check(options);
  CHECK(both.passed());
  REQUIRE(both.rows.size() == 2);
  CHECK(both.rows[0].compared());
  CHECK(both.rows[1].left_out);
  CHECK(both.rows[1].elements == 3000);
  std::swap(network.module.entries[0], network.module.entries[1]);
  CHECK(network.check(options).errors.size() == 1);
  options.effort_limit = 1e6;
  CHECK(network.check(options).rows.at(1).compared());
}

TEST_CASE("looking for a point where the value is finite ends with the effort") {
  const Network network(f32({5}), [](Builder& b, Value* x) {
    Value* zero = b.multiply(x, b.constant(ElementType::f32, 0));
    return Pair(x, b.sum(b.unary(Opcode::log, zero), {0}));
  });
  int instructions = 0;
  GradientCheckOptions options;
  options.progress = [&](const GradientProgress&) { ++instructions; };
  const auto all = network.check(options);
  const int without_limit = std::exchange(instructions, 0);
  options.effort_limit = 10000;
  const auto some = network.check(options);
  CHECK(instructions < without_limit / 2);
  REQUIRE(some.errors.size() == 1);
  CHECK(some.errors[0].why == "no point was found where the value is finite; give inputs");
  CHECK(all.errors.at(0).why == some.errors[0].why);
}

TEST_CASE("points at a kink are drawn again and counted") {
  const Network network(f32({40}), [](Builder& b, Value* x) {
    // Steps of 1e-5 over [-2, 2): a kink lies within reach of any point.
    Value* scaled = b.multiply(x, b.constant(ElementType::f32, 1e6));
    Value* whole = b.unary(Opcode::floor, scaled);
    return Pair(b.broadcast(b.constant(ElementType::f32, 0), {40}), b.sum(whole, {0}));
  });
  const auto check = network.check();
  REQUIRE(check.rows.size() == 1);
  CHECK(check.rows[0].kinks > 0);
  CHECK(check.rows[0].skipped > 0);
  GradientCheckOptions short_of_effort;
  short_of_effort.effort_limit = 4000;  // for about four points
  const auto some = network.check(short_of_effort);
  REQUIRE(some.rows.size() == 1);
  CHECK(some.rows[0].kinks == 1);
  CHECK(!some.rows[0].compared());
  const Network relu(f32({20}), [](Builder& b, Value* x) {
    Value* zero = b.constant(ElementType::f32, 0);
    Value* positive = b.binary(Opcode::greaterThan, x, zero);
    return Pair(b.cast(positive, ElementType::f32), b.sum(b.binary(Opcode::max, x, zero), {0}));
  });
  GradientCheckOptions at_zero;
  at_zero.given.inputs.push_back({"x", Tensor(ElementType::f32, {20})});
  CHECK(relu.check(at_zero).rows[0].skipped == 20);
  const auto random = relu.check();
  CHECK_MESSAGE(random.passed(), render(random));
  CHECK(random.rows[0].checked == 20);
}

TEST_CASE("what is detached counts as a constant") {
  const Network network(f32({3}), [](Builder& b, Value* x) {
    Value* constant = b.unary(Opcode::detach, x);
    return Pair(constant, b.sum(b.multiply(constant, x), {0}));
  });
  const auto check = network.check();
  CHECK_MESSAGE(check.passed(), render(check));
}

TEST_CASE("inputs are drawn where the function is finite") {
  const Network network(f32({5}), [](Builder& b, Value* x) {
    return Pair(b.divide(b.constant(ElementType::f32, 1), x), b.sum(b.unary(Opcode::log, x), {0}));
  });
  const auto check = network.check();
  CHECK_MESSAGE(check.passed(), render(check));
}

TEST_CASE("the range of an index follows from its uses") {
  const Built built(
      {f32({N, 7}), type(ElementType::i32, {2}), type(ElementType::i32, {4}), type(ElementType::i32, {})},
      [](Builder& b, const Arguments& a) {
        Value* label = b.check_index(b.pad_shape(a[1], 0), 0, 7);
        Value* shifted = b.add(a[2], b.constant(ElementType::i32, 2));
        return b.tuple({label, b.gather(a[0], {shifted}, {0}), a[3]});
      });
  const auto ranges = index_ranges(*built.function);
  REQUIRE(ranges[1].size() == 1);
  CHECK(ranges[1][0].end == Extent(7));
  REQUIRE(ranges[2].size() == 1);
  CHECK(ranges[2][0].first == Extent(-2));
  CHECK(ranges[2][0].end == N - Extent(2));
  CHECK(ranges[3].empty());
}

TEST_CASE("a scalar that was not compared counts, a tensor without elements does not") {
  GradientCheck check;
  check.rows.push_back({"gradient", "x", 1});
  check.rows.push_back({"gradient", "empty", 0});
  CHECK(render(check, 0).find("1 of 2 tensors were not compared") != std::string::npos);
}
