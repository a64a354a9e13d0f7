#include "codegen/kernel/build/build.h"

#include <doctest/doctest.h>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "compare.h"

namespace kernel_tests {
namespace {

using dlvm::Combinator;
using dlvm::ElementType;
using dlvm::Opcode;
using dlvm::Type;
using dlvm::Value;

constexpr ElementType f = ElementType::f32;

Combinator by(Opcode opcode) { return {opcode, nullptr}; }

TEST_CASE("elementwise instructions broadcast") {
  Scene s({f32({N, 4}), f32({4}), f32({N, 1}), f32({})});
  Value* x = s.b.multiply(s.b.add(s[0], s[1]), s.b.subtract(s[2], s[3]));
  CHECK(differences(s.results({s.b.unary(Opcode::exp, x), x})) == "");
}

TEST_CASE("every elementwise instruction of one operand") {
  for (std::size_t i = 0; i < dlvm::opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const auto& d = dlvm::definition(opcode);
    if (!d.is(dlvm::Trait::elementwise) || opcode == Opcode::dataTypeCast || opcode == Opcode::bitCast)
      continue;
    INFO(d.name);
    for (const ElementType type :
         {ElementType::f32, ElementType::i32, ElementType::boolean, ElementType::f16}) {
      if (!accepts(d, type)) continue;
      Scene s({tensor(type, {N, 3}), tensor(type, {3}), tensor(ElementType::boolean, {N, 1})});
      std::vector<Value*> operands;
      for (std::size_t k = 0; k < d.parts.size(); ++k) operands.push_back(s[k]);
      CHECK(differences(s.results({s.b.create(opcode, operands)})) == "");
    }
  }
}

TEST_CASE("conversions between all types") {
  for (const auto& from : dlvm::element_types)
    for (const auto& to : dlvm::element_types) {
      INFO(from.name, " to ", to.name);
      Scene s({tensor(from.type, {N})});
      CHECK(differences(s.results({s.b.cast(s[0], to.type)}), {3}) == "");
    }
}

TEST_CASE("bit casts between all types of one size") {
  for (const auto& from : dlvm::element_types)
    for (const auto& to : dlvm::element_types) {
      if (from.bytes != to.bytes || is_boolean(from.type) || is_boolean(to.type)) continue;
      INFO(from.name, " to ", to.name);
      Scene s({tensor(from.type, {N})});
      CHECK(differences(s.results({s.b.create(Opcode::bitCast, {s[0]}, {to.type})}), {3}) == "");
    }
}

TEST_CASE("views") {
  Scene s({f32({N, 4, 6})});
  Value* x = s.b.add(s[0], s[0]);
  const auto view = [&](Value* v) { return s.b.add(v, v); };
  const auto& function =
      s.results({view(s.b.transpose(x, {2, 0, 1})), view(s.b.reverse(x, {0, 2})), view(s.b.pad_shape(x, 1)),
                 view(s.b.slice(x, {0, 1, 1}, {N, 4, 6}, {1, 2, 2})), view(s.b.shape_cast(x, {N, 24})),
                 view(s.b.shape_cast(x, {N, 2, 2, 3, 2})), view(s.b.shape_cast(x, {N * 4, 6})),
                 view(s.b.shape_cast(x, {6, N, 4})), s.b.transpose(s.b.shape_cast(x, {N * 24}), {0}),
                 view(s.b.pad(x, {{1, 2}, {0, 0}, {N, 1}}, s.b.constant(f, 3))),
                 view(s.b.pad(s.b.unary(Opcode::exp, s[0]), {{0, 0}, {1, 0}, {0, 0}}, s.b.constant(f, 3))),
                 view(s.b.broadcast(s.b.pad_shape(x, 0), {5, N, 4, 6}))});
  CHECK(differences(function) == "");
}

TEST_CASE("squeezed, nested pads, results that are views or inputs") {
  Scene s({f32({N, 1, 3})});
  Value* x = s.b.squeeze_shape(s[0], 1);
  Value* padded =
      s.b.pad(s.b.pad(x, {{1, 0}, {1, 1}}, s.b.constant(f, 5)), {{0, 2}, {1, 0}}, s.b.constant(f, -1));
  CHECK(differences(s.results({x, padded, s[0], s[0], padded, s.b.splat(f32({N, 2}), 4)})) == "");
}

TEST_CASE("what is padded is at the point anyway") {
  Scene s({f32({N, 4})});
  Value* x = s.b.add(s[0], s[0]);
  Value* inner = s.b.slice(s[0], {0, 1}, {N, 3});
  Value* padded = s.b.pad(inner, {{0, 0}, {1, 1}}, s.b.constant(f, 9));
  Value* kept = s.b.pad(s.b.slice(x, {0, 1}, {N, 3}), {{0, 0}, {1, 1}}, s.b.constant(f, 9));
  CHECK(differences(s.results({s.b.add(s[0], padded), x, s.b.add(x, kept), kept})) == "");
}

TEST_CASE("concatenate") {
  Scene s({f32({N, 3}), f32({N, 1}), f32({N, 0})});
  Value* joined = s.b.concatenate({s.b.negate(s[0]), s[1], s[2], s[0]}, 1);
  Value* rows = s.b.concatenate({s[0], s[0], s.b.unary(Opcode::tanh, s[0])}, 0);
  CHECK(differences(s.results({joined, rows, s.b.sum(joined, {1}), s.b.add(rows, rows)})) == "");
}

TEST_CASE("reductions by every instruction and type") {
  for (const auto& info : dlvm::element_types)
    for (const Opcode opcode :
         {Opcode::add, Opcode::multiply, Opcode::min, Opcode::max, Opcode::and_, Opcode::or_}) {
      if (!accepts(dlvm::definition(opcode), info.type)) continue;
      INFO(info.name, " ", dlvm::definition(opcode).name);
      Scene s({tensor(info.type, {N, 3, 2}), tensor(info.type, {})});
      Value* one = s.b.constant(info.type, 1);
      CHECK(differences(
                s.results({s.b.reduce(s[0], by(opcode), s[1], {1}), s.b.reduce(s[0], by(opcode), one, {0, 2}),
                           s.b.reduce(s[0], by(opcode), s[1], {0, 1, 2}),
                           s.b.reduce(s[0], by(opcode), s[1], {}), s.b.scan(s[0], by(opcode), 1)})) == "");
    }
}

TEST_CASE("reductions of the same points by every pair of instructions") {
  for (const Opcode first : {Opcode::add, Opcode::multiply, Opcode::min, Opcode::max})
    for (const Opcode second : {Opcode::add, Opcode::multiply, Opcode::min, Opcode::max})
      for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::i32}) {
        INFO(dlvm::definition(first).name, " ", dlvm::definition(second).name);
        Scene s({tensor(type, {N, 3, 2}), tensor(type, {})});
        const auto pair = [&](const std::vector<std::int64_t>& axes) {
          return std::vector{s.b.reduce(s[0], by(first), s[1], axes),
                             s.b.reduce(s.b.add(s[0], s[0]), by(second), s[1], axes)};
        };
        const std::vector<Value*> columns = pair({0}), rows = pair({1, 2}), all = pair({0, 1, 2});
        CHECK(differences(s.results({columns[0], columns[1], rows[0], rows[1], all[0], all[1]})) == "");
      }
}

TEST_CASE("long sums of the same points") {
  Scene s({f32({N, 40}), f32({N, 40})});
  Value* product = s.b.multiply(s[0], s[1]);
  Value* zero = s.b.constant(f, 0);
  const auto sum = [&](Value* value, std::int64_t axis) {
    return s.b.reduce(value, by(Opcode::add), zero, {axis});
  };
  CHECK(differences(s.results({sum(s[0], 0), sum(product, 0), sum(s[0], 1), sum(product, 1),
                               s.b.reduce(product, by(Opcode::max), zero, {0})}),
                    {0, 1, 255, 600}) == "");
}

/// a + b + a * b: associative, not the identity of any instruction.
std::unique_ptr<dlvm::Function> combination() {
  const Type scalar = Type::scalar(f);
  auto function = std::make_unique<dlvm::Function>("join", Type::function({scalar, scalar}, scalar));
  dlvm::BasicBlock* block = function->add_entry();
  dlvm::Builder b(*block);
  Value *x = block->arguments()[0].get(), *y = block->arguments()[1].get();
  b.return_(b.add(b.add(x, y), b.multiply(x, y)));
  return function;
}

TEST_CASE("reduction, scan and scatter by a function") {
  const auto join = combination();
  Scene s({f32({N, 3}), f32({}), i32({N})});
  const Combinator combinator{Opcode::add, join.get()};
  CHECK(differences(s.results({s.b.reduce(s[0], combinator, s[1], {1}),
                               s.b.reduce(s[0], combinator, s[1], {0, 1}), s.b.scan(s[0], combinator, 0),
                               s.b.scatter(s[0], s.b.splat(f32({4, 3}), 1), {s[2]}, combinator, {0})})) ==
        "");
}

TEST_CASE("argmax and argmin: ties, NaN, nothing") {
  Scene s({f32({N, 5}), i32({5, N}), tensor(ElementType::u8, {5, 2})});
  Value* nan = s.b.divide(s.b.constant(f, 0), s.b.constant(f, 0));
  Value* some = s.b.select(nan, s[0], s.b.binary(Opcode::greaterThan, s[0], s.b.constant(f, 1)));
  std::vector<Value*> results;
  for (const Opcode opcode : {Opcode::argmax, Opcode::argmin})
    for (Value* x : {s[0], some, s.b.splat(f32({N, 3}), -1e30)})
      for (const std::int64_t axis : {0, 1})
        results.push_back(s.b.create(opcode, {x}, {dlvm::Integers{axis}}));
  results.push_back(s.b.create(Opcode::argmax, {s[1]}, {dlvm::Integers{0}}));
  results.push_back(s.b.create(Opcode::argmin, {s[2]}, {dlvm::Integers{0}}));
  CHECK(differences(s.results(results)) == "");
}

TEST_CASE("sorts: equals, NaN, nothing") {
  Scene s({f32({N, 5}), i32({5, N}), tensor(ElementType::u8, {5, 2})});
  Value* nan = s.b.divide(s.b.constant(f, 0), s.b.constant(f, 0));
  Value* some = s.b.select(nan, s[0], s.b.binary(Opcode::greaterThan, s[0], s.b.constant(f, 1)));
  std::vector<Value*> results;
  for (const dlvm::Attribute& order :
       {dlvm::Attribute(), dlvm::Attribute(by(Opcode::lessThan)), dlvm::Attribute(by(Opcode::greaterThan))})
    for (Value* x : {s[0], some, s[1], s[2], s.b.splat(f32({N, 3}), -1e30)})
      for (const std::int64_t axis : {0, 1})
        results.push_back(s.b.create(Opcode::argsort, {x}, {order, dlvm::Integers{axis}}));
  CHECK(differences(s.results(results)) == "");
}

TEST_CASE("a sort's positions are indices that need no check") {
  Scene s({f32({N, 5})});
  Value* order = s.b.create(Opcode::argsort, {s[0]}, {dlvm::Attribute(), dlvm::Integers{1}});
  Value* rows = s.b.iota({N, 5}, 0, ElementType::i64);
  const auto built = kernel_tests::program(s.results({s.b.gather(s[0], {rows, order}, {0, 1})}));
  CHECK(built.check_sites.empty());
  CHECK(differences(*s.function) == "");
}

TEST_CASE("a scatter at a sort's positions needs no order") {
  for (const std::int64_t axis : {0, 1}) {
    Scene s({f32({N, 5}), f32({N, 5})});
    Value* order = s.b.create(Opcode::argsort, {s[0]}, {dlvm::Attribute(), dlvm::Integers{axis}});
    Value* other = s.b.iota({N, 5}, 1 - axis, ElementType::i64);
    const std::vector<Value*> indices = axis == 0 ? std::vector{order, other} : std::vector{other, order};
    const auto built =
        kernel_tests::program(s.results({s.b.scatter(s[1], s[0], indices, by(Opcode::add), {0, 1})}));
    bool distinct = false;
    for (const auto& kernel : built.kernels)
      codegen::kernel::walk<codegen::kernel::Stage>(kernel.root, [&](const codegen::kernel::Stage& stage) {
        for (const auto& store : stage.stores) distinct = distinct || store.distinct;
      });
    CHECK(distinct);
    CHECK(differences(*s.function) == "");
  }
  // The positions alone name elements of a row several times.
  Scene s({f32({N, 5})});
  Value* order = s.b.create(Opcode::argsort, {s[0]}, {dlvm::Attribute(), dlvm::Integers{1}});
  const dlvm::Type five = f32({5});
  CHECK(differences(s.results({s.b.scatter(s[0], s.b.splat(five, 1), {order}, by(Opcode::add), {0})})) == "");
}

TEST_CASE("recurrences along every axis") {
  Scene s({f32({N, 3, M}), f32({N, 3, M})});
  std::vector<Value*> results;
  for (const std::int64_t axis : {0, 1, 2})
    results.push_back(s.b.create(Opcode::recurrence, {s[0], s[1]}, {dlvm::Integers{axis}}));
  Value* single = s.b.pad_shape(s[0], 1);
  results.push_back(s.b.create(Opcode::recurrence, {single, single}, {dlvm::Integers{1}}));
  CHECK(differences(s.results(results)) == "");
}

TEST_CASE("contractions") {
  Scene s({f32({N, 3, 4}), f32({4, 2}), f32({N, 4, 2}), f32({4}), f32({N, 4}), f32({N})});
  CHECK(differences(
            s.results({s.b.dot(s[0], s[1], {{2, 0}}), s.b.dot(s[0], s[2], {{2, 1}}, {{0, 0}}),
                       s.b.dot(s[4], s[3], {{1, 0}}), s.b.dot(s[3], s[3], {{0, 0}}),
                       s.b.dot(s[4], s[5], {{0, 0}}), s.b.dot(s[5], s[3], {}), s.b.dot(s[4], s[4], {{1, 1}}),
                       s.b.dot(s[0], s[2], {{0, 0}, {2, 1}}), s.b.dot(s[5], s[5], {}, {{0, 0}})})) == "");
}

TEST_CASE("contractions of every type") {
  for (const auto& info : dlvm::element_types) {
    if (info.kind == dlvm::ElementClass::boolean) continue;
    INFO(info.name);
    Scene s({tensor(info.type, {N, 4}), tensor(info.type, {4, 2})});
    Value* y = s.b.dot(s[0], s[1], {{1, 0}});
    CHECK(differences(s.results({s.b.binary(Opcode::max, y, s.b.constant(info.type, 0))})) == "");
  }
}

TEST_CASE("gather and its checks") {
  Scene s({f32({4, 5, 3}), i32({N, 2}), i32({N, 2})});
  Value* joint = s.b.gather(s.b.unary(Opcode::exp, s[0]), {s[1], s[2]}, {0, 1});
  Value* checked = s.b.check_index(s[1], 0, 4);
  Value* rows = s.b.gather(s[0], {checked}, {0});
  CHECK(differences(s.results({joint, rows, s.b.gather(s[0], {s[2]}, {1}),
                               s.b.pad(joint, {{1, 1}, {0, 0}, {0, 0}}, s.b.constant(f, 0))})) == "");
}

TEST_CASE("an index outside is an error in both") {
  Scene s({f32({3, 2}), i32({N})});
  CHECK(differences(s.results({s.b.gather(s[0], {s[1]}, {0})}), {0, 9}, 5) == "");
  Scene empty({f32({M, 2}), i32({N})});
  CHECK(differences(empty.results({empty.b.gather(empty[0], {empty[1]}, {0})}), {0, 9}, 7) == "");
  Scene unused({f32({3, 2}), i32({N})});
  unused.b.check_index(unused[1], 1, 3);
  CHECK(differences(unused.results({unused[0]}), {0, 4}, 4) == "");
}

TEST_CASE("scatter") {
  Scene s({f32({N, 3}), f32({5, 3}), i32({N}), f32({N}), i32({N, 2}), f32({N, 2})});
  Value* rows = s.b.scatter(s.b.negate(s[0]), s.b.unary(Opcode::exp, s[1]), {s[2]}, by(Opcode::add), {0});
  Value* iota = s.b.iota({N}, 0, ElementType::i64);
  Value* zeros = s.b.splat(f32({N, 5}), 0);
  Value* wide = s.b.cast(s[2], ElementType::i64);
  Value* picked = s.b.scatter(s[3], zeros, {iota, wide}, by(Opcode::add), {0, 1});
  Value* largest = s.b.scatter(s[5], s.b.splat(f32({7}), -5), {s[4]}, by(Opcode::max), {0});
  CHECK(differences(s.results({rows, picked, s.b.sum(picked, {1}), largest, s.b.add(rows, rows)})) == "");
}

TEST_CASE("random, iota, extent") {
  Scene s({f32({N, 2}), tensor(ElementType::u64, {})});
  Value* u =
      s.b.random({N, 5}, s.b.constant(f, -1), s.b.constant(f, 2), s[1], s.b.constant(ElementType::u64, 3));
  Value* d = s.b.random({N}, s.b.constant(ElementType::f64, 0), s.b.constant(ElementType::f64, 1));
  Value* i =
      s.b.random({3, N}, s.b.constant(ElementType::i32, -4), s.b.constant(ElementType::i32, 9), s[1], s[1]);
  CHECK(differences(s.results({u, s.b.add(u, s.b.transpose(s.b.transpose(u, {1, 0}), {1, 0})), d, i,
                               s.b.iota({N, 3}, 0, ElementType::f16), s.b.iota({2, N}, 1, ElementType::u8),
                               s.b.extent(N * N + 1, ElementType::i64), s.b.extent(N, f)})) == "");
}

TEST_CASE("literals that are not splats") {
  Scene s({f32({N, 2})});
  dlvm::Tensor data(f, {2});
  data.set(0, 1.5);
  data.set(1, -3.0);
  Value* literal = s.function->literal(f32({2}), data);
  CHECK(differences(s.results({s.b.add(s[0], literal), literal, s.b.concatenate({literal, literal}, 0)})) ==
        "");
}

TEST_CASE("tuples are taken apart") {
  Scene s({f32({N})});
  Value* t = s.b.tuple({s.b.negate(s[0]), s.b.add(s[0], s[0])});
  Value* u = s.b.create(Opcode::insert, {s[0], t}, {dlvm::Integers{0}});
  CHECK(differences(s.results({s.b.extract(u, 1), s.b.extract(u, 0), s.b.extract(t, 0)})) == "");
}

TEST_CASE("what has no kernels is refused") {
  dlvm::Diagnostics diagnostics;
  Scene callee({f32({})});
  callee.results({callee[0]});
  Scene s({f32({})});
  const auto& function = s.results({s.b.apply(callee.function.get(), {s[0]})});
  CHECK_FALSE(codegen::kernel::build(function, diagnostics));
  REQUIRE(diagnostics.error_count() == 1);
  CHECK(diagnostics.all()[0].text ==
        "@scene: the call of @scene is left after inlining, and no code can be generated for it");
}

}  // namespace
}  // namespace kernel_tests
