#include "dlvm/ir/instruction_views.h"

#include <doctest/doctest.h>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

namespace dlvm {
namespace {

const Extent N = Extent::dimension("N");

struct Body {
  Module module{"test"};
  Function* function =
      module.add_function("f", Type::function({Type::tensor(ElementType::f32, {N, 3, 4})}, Type()));
  Builder b{*function->add_entry()};
  Value* x = function->entry().arguments()[0].get();
  Value* index = b.constant(ElementType::i32, 1);
  Value* zero = b.constant(ElementType::f32, 0);
  Combinator add{Opcode::add, nullptr};
};

TEST_CASE("a view is there for its instruction and for no other") {
  Body body;
  Value* gather = body.b.gather(body.x, {body.index}, {1});
  CHECK(as<Gather>(gather));
  CHECK(!as<Scatter>(gather));
  CHECK(!as<Gather>(body.x));
  CHECK(!as<Gather>(body.index));
  CHECK(!as<Gather>(static_cast<const Value*>(nullptr)));
  CHECK(as<ArgExtremum>(body.b.create(Opcode::argmax, {body.x}, {Integers{1}})).axis() == 1);
  CHECK(as<ArgExtremum>(body.b.create(Opcode::argmin, {body.x}, {Integers{2}})).axis() == 2);
  const Attribute descending = Combinator{Opcode::greaterThan, nullptr};
  const auto ascending = as<Sort>(body.b.create(Opcode::sort, {body.x}, {Attribute(), Integers{1}}));
  CHECK(ascending.axis() == 1);
  CHECK(!ascending.is_descending());
  CHECK(as<Sort>(body.b.create(Opcode::argsort, {body.x}, {descending, Integers{2}})).is_descending());
  const auto largest = as<TopK>(body.b.create(Opcode::topk, {body.x}, {Shape{3}, Integers{2}}));
  CHECK(largest.count() == Extent(3));
  CHECK(largest.axis() == 2);
  CHECK(as<Recurrence>(body.b.create(Opcode::recurrence, {body.x, body.x}, {Integers{1}})).axis() == 1);
}

TEST_CASE("views name the parts that the builder was given") {
  Body body;
  Builder& b = body.b;
  Value *x = body.x, *zero = body.zero, *index = body.index;

  const auto gather = as<Gather>(b.gather(x, {index}, {1}));
  CHECK(gather.input() == x);
  CHECK(gather.indices()[0] == index);
  CHECK(gather.axes() == Integers{1});
  Value* updates = b.gather(x, {index}, {1});
  const auto scatter = as<Scatter>(b.scatter(updates, x, {index}, body.add, {1}));
  CHECK(scatter.updates() == updates);
  CHECK(scatter.input() == x);
  CHECK(scatter.indices().size() == 1);
  CHECK(scatter.combinator().is(Opcode::add));
  CHECK(scatter.axes() == Integers{1});

  CHECK(as<Transpose>(b.transpose(x, {1, 0, 2})).permutation() == Integers{1, 0, 2});
  CHECK(as<Transpose>(b.create(Opcode::transpose, {x}, {Attribute()})).permutation() == Integers{2, 1, 0});
  CHECK(as<PadShape>(b.pad_shape(x, 2)).axis() == 2);
  CHECK(as<SqueezeShape>(b.squeeze_shape(b.pad_shape(x, 2), 2)).axis() == 2);
  CHECK(as<Reverse>(b.reverse(x, {0, 2})).axes() == Integers{0, 2});
  CHECK(as<Concatenate>(b.concatenate({x, x}, 1)).axis() == 1);
  CHECK(as<Concatenate>(b.concatenate({x, x}, 1)).inputs().size() == 2);
  const auto pad = as<Pad>(b.pad(x, {{0, 0}, {1, 2}, {0, 0}}, zero));
  CHECK(pad.fill() == zero);
  CHECK(pad.amounts()[1] == std::pair<Extent, Extent>(1, 2));

  const auto slice = as<Slice>(b.slice(x, {0, 1, 0}, {N, 3, 4}));
  CHECK(slice.first()[1].is(1));
  CHECK(slice.end()[0] == N);
  CHECK(!slice.has_steps());
  CHECK(slice.step(2) == 1);
  CHECK(as<Slice>(b.slice(x, {0, 1, 0}, {N, 3, 4}, {1, 1, 2})).step(2) == 2);

  CHECK(as<Iota>(b.iota({N, 3}, 1, ElementType::i32)).axis() == 1);
  CHECK(as<ExtentValue>(b.extent(N, ElementType::i32)).extent() == N);
  const auto check = as<CheckIndex>(b.check_index(index, -1, N));
  CHECK(check.first() == Extent(-1));
  CHECK(check.end() == N);

  const auto reduce = as<Reduce>(b.reduce(x, body.add, zero, {0, 1}));
  CHECK(reduce.initial() == zero);
  CHECK(reduce.axes() == Integers{0, 1});
  CHECK(as<Scan>(b.scan(x, body.add, 2)).axis() == 2);
  CHECK(as<Dot>(b.dot(x, x, {{1, 1}}, {{0, 0}})).axes().left_free == Integers{2});

  const auto random = as<Random>(b.random({N}, zero, zero));
  CHECK(random.high() == zero);
  CHECK(random.key() == nullptr);
  Value* word = b.constant(ElementType::u64, 7);
  CHECK(as<Random>(b.random({N}, zero, zero, word, word)).counter() == word);

  Value* tuple = b.tuple({x, zero});
  const auto insert = as<Insert>(b.create(Opcode::insert, {zero, tuple}, {Integers{1}}));
  CHECK(insert.element() == zero);
  CHECK(insert.position() == 1);
  CHECK(as<Extract>(b.extract(tuple, 1)).aggregate() == tuple);
  CHECK(as<Extract>(b.extract(tuple, 1)).position() == 1);
}

TEST_CASE("an instruction is written as its enumerator, without the underscore") {
  CHECK(definition(Opcode::not_).name == "not");
  CHECK(definition(Opcode::return_).name == "return");
  CHECK(opcode_named("log1p") == Opcode::log1p);
  CHECK(!opcode_named("not_"));
}

}  // namespace
}  // namespace dlvm
