// Every instruction with every element type that it takes, on the processor against the interpreter.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "dlvm/ir/take_along.h"
#include "dlvm/transform/composite_expansion.h"
#include "tests/conformance/target.h"

using namespace conformance;

namespace {

void check(const Cases& cases) {
  for (const std::string& wrong : disagreements(cases)) FAIL_CHECK(wrong);
}

std::vector<Opcode> elementwise(std::size_t operands) {
  std::vector<Opcode> all;
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto& d = definition(static_cast<Opcode>(i));
    const bool plain =
        std::ranges::all_of(d.parts, [](const Part& part) { return part.kind == PartKind::operand; });
    if (d.is(Trait::elementwise) && plain && d.parts.size() == operands) all.push_back(d.opcode);
  }
  return all;
}

Tensor shaped(const Tensor& tensor, std::vector<std::int64_t> extents) {
  Tensor result(tensor.element(), std::move(extents));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t bytes = info(tensor.element()).bytes;
    std::copy_n(tensor.data() + i % tensor.size() * bytes, bytes, result.data() + i * bytes);
  }
  return result;
}

/// 0, 1, 2 … of that shape, as far as the type goes.
Tensor counting(ElementType element, std::vector<std::int64_t> extents) {
  Tensor tensor(element, std::move(extents));
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, static_cast<std::int64_t>(i));
  return tensor;
}

/// Numbers between -1.5 and 1.5 of that shape; small integers.
Tensor moderate(ElementType element, std::vector<std::int64_t> extents) {
  Tensor tensor(element, std::move(extents));
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const auto number = static_cast<double>(i * 7919 % 31);
    tensor.set(i, is_floating(element)  ? number / 10 - 1.5
                  : is_boolean(element) ? double(i % 3 == 0)
                                        : number);
  }
  return tensor;
}

template <typename Body>
void for_each_type(Cases& cases, const std::string& name, Accepts accepted, Body add) {
  InstructionDefinition any{};
  any.accepts = accepted;
  for (const auto& entry : element_types)
    if (accepts(any, entry.type)) add(cases, fmt::format("{}.{}", name, entry.name), entry.type);
}

}  // namespace

TEST_CASE("unary elementwise instructions, every type, special values") {
  for (const Opcode opcode : elementwise(1)) {
    Cases cases;
    for_each_type(cases, std::string(definition(opcode).name), definition(opcode).accepts,
                  [&](Cases& c, const std::string& name, ElementType type) {
                    c.add(name, {samples(type)},
                          [&](Builder& b, const Arguments& a) { return b.create(opcode, a); });
                  });
    check(cases);
  }
}

TEST_CASE("binary elementwise instructions, every type, every pair of special values") {
  for (const Opcode opcode : elementwise(2)) {
    Cases cases;
    for_each_type(cases, std::string(definition(opcode).name), definition(opcode).accepts,
                  [&](Cases& c, const std::string& name, ElementType type) {
                    const Tensor all = samples(type);
                    const auto n = static_cast<std::int64_t>(all.size());
                    c.add(name, {shaped(all, {n, 1}), shaped(all, {1, n})},
                          [&](Builder& b, const Arguments& a) { return b.create(opcode, a); });
                  });
    check(cases);
  }
}

TEST_CASE("select and conversions between all types") {
  Cases cases;
  for (const auto& from : element_types) {
    const Tensor all = samples(from.type);
    Tensor condition(ElementType::boolean, all.extents());
    for (std::size_t i = 0; i < condition.size(); i += 2) condition.set(i, std::int64_t{1});
    cases.add(fmt::format("select.{}", from.name), {all, shaped(all, {1}), condition},
              [](Builder& b, const Arguments& a) { return b.select(a[0], a[1], a[2]); });
    for (const auto& to : element_types)
      cases.add(fmt::format("cast.{}.{}", from.name, to.name), {all},
                [&](Builder& b, const Arguments& a) { return b.cast(a[0], to.type); });
  }
  check(cases);
}

TEST_CASE("broadcasting: ranks 0 to 5, constant and free extents") {
  using Shape = std::vector<std::int64_t>;
  const std::pair<Shape, Shape> pairs[]{{{}, {}},
                                        {{}, {3}},
                                        {{5}, {}},
                                        {{4, 1}, {1, 3}},
                                        {{2, 1, 3}, {4, 1}},
                                        {{1, 1, 1}, {2, 3, 4}},
                                        {{2, 3, 1, 3}, {3}},
                                        {{2, 1, 2, 1, 3}, {2, 1, 2, 1}},
                                        {{0, 3}, {3}},
                                        {{17}, {17}},
                                        {{3, 33}, {33}}};
  for (const bool free : {false, true}) {
    Cases cases;
    for (std::size_t i = 0; i < std::size(pairs); ++i) {
      const auto& [x, y] = pairs[i];
      if (free && !x.empty() && !y.empty() && i != 3)
        continue;  // free extents never stretch, nor are two equal
      cases.add(
          fmt::format("add.{}", i), {moderate(ElementType::f32, x), moderate(ElementType::f32, y)},
          [](Builder& b, const Arguments& a) { return b.add(a[0], a[1]); }, free);
    }
    check(cases);
  }
}

TEST_CASE("instructions that move elements, every type") {
  Cases cases;
  for_each_type(cases, "", Accepts::any, [](Cases& c, const std::string& name, ElementType type) {
    const auto x = [&] { return std::vector<Tensor>{shaped(samples(type), {2, 3, 4})}; };
    const auto add = [&](const std::string& what, auto body) {
      c.add(what + name, x(), [&](Builder& b, const Arguments& a) { return body(b, a[0]); });
    };
    add("transpose", [](Builder& b, Value* v) { return b.transpose(v, {2, 0, 1}); });
    add("reverse", [](Builder& b, Value* v) { return b.reverse(v, {0, 2}); });
    add("slice", [](Builder& b, Value* v) { return b.slice(v, {0, 1, 0}, {2, 3, 4}, {1, 1, 3}); });
    add("pad", [&](Builder& b, Value* v) { return b.pad(v, {{1, 0}, {0, 2}, {1, 1}}, b.constant(type, 1)); });
    add("concatenate", [](Builder& b, Value* v) { return b.concatenate({v, v, v}, 1); });
    add("reshape", [](Builder& b, Value* v) { return b.shape_cast(v, {4, 6}); });
    add("squeeze", [](Builder& b, Value* v) { return b.squeeze_shape(b.pad_shape(v, 1), 1); });
    add("broadcast", [](Builder& b, Value* v) { return b.broadcast(v, {5, 2, 3, 4}); });
    add("chain", [](Builder& b, Value* v) {
      return b.transpose(b.shape_cast(b.reverse(b.slice(v, {0, 0, 1}, {2, 3, 3}), {1}), {3, 4}), {1, 0});
    });
  });
  check(cases);
}

TEST_CASE("iota and random, every type") {
  Cases cases;
  for_each_type(cases, "", Accepts::numeric, [](Cases& c, const std::string& name, ElementType type) {
    c.add("iota" + name, {}, [&](Builder& b, const Arguments&) { return b.iota({3, 40}, 1, type); });
    c.add("random" + name, {counting(ElementType::u64, {})}, [&](Builder& b, const Arguments& a) {
      Value* key = b.add(a[0], b.constant(ElementType::u64, 123456789));
      return b.random({7, 5}, b.constant(type, 1), b.constant(type, 9), key, b.constant(ElementType::u64, 3));
    });
  });
  check(cases);
}

TEST_CASE("gather, scatter and checks of indices") {
  Cases cases;
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::i64, ElementType::boolean})
    for (const ElementType index : {ElementType::i32, ElementType::i64, ElementType::u8}) {
      const std::string name = fmt::format(".{}.{}", info(type).name, info(index).name);
      const Tensor x = moderate(type, {4, 3, 2});
      Tensor i(index, {5}), outside(index, {5});
      for (std::size_t k = 0; k < 5; ++k) i.set(k, static_cast<std::int64_t>(k * 2 % 3));
      outside.set(3, std::int64_t{100});
      for (std::int64_t axis = 0; axis < 2; ++axis)
        cases.add(fmt::format("gather{}.{}", axis, name), {x, i},
                  [&](Builder& b, const Arguments& a) { return b.gather(a[0], {a[1]}, {axis}); });
      cases.add("joint" + name, {x, i, i},
                [](Builder& b, const Arguments& a) { return b.gather(a[0], {a[1], a[2]}, {0, 1}); });
      cases.add("outside" + name, {x, outside},
                [](Builder& b, const Arguments& a) { return b.gather(a[0], {a[1]}, {0}); });
      cases.add("check" + name, {outside},
                [](Builder& b, const Arguments& a) { return b.check_index(a[0], 0, 100); });
      if (!is_boolean(type))
        cases.add("scatter" + name, {moderate(type, {5, 3, 2}), x, i}, [](Builder& b, const Arguments& a) {
          return b.scatter(a[0], a[1], {a[2]}, {Opcode::add, nullptr}, {0});
        });
    }
  check(cases);
}

TEST_CASE("reductions and scans, every type, every axis") {
  for (const Opcode by :
       {Opcode::add, Opcode::multiply, Opcode::min, Opcode::max, Opcode::and_, Opcode::or_}) {
    Cases cases;
    for_each_type(cases, std::string(definition(by).name), definition(by).accepts,
                  [&](Cases& c, const std::string& name, ElementType type) {
                    const Combinator combinator{by, nullptr};
                    for (const Integers& axes :
                         {Integers{0}, Integers{1}, Integers{2}, Integers{0, 2}, Integers{0, 1, 2}})
                      c.add(fmt::format("reduce.{}.{}", name, fmt::join(axes, "_")),
                            {moderate(type, {3, 4, 37})}, [&](Builder& b, const Arguments& a) {
                              return b.reduce(a[0], combinator, b.constant(type, 1), axes);
                            });
                    c.add("empty." + name, {Tensor(type, {3, 0})}, [&](Builder& b, const Arguments& a) {
                      return b.reduce(a[0], combinator, b.constant(type, 1), {1});
                    });
                    for (std::int64_t axis = 0; axis < 3; ++axis)
                      c.add(fmt::format("scan.{}.{}", name, axis), {moderate(type, {3, 4, 19})},
                            [&](Builder& b, const Arguments& a) { return b.scan(a[0], combinator, axis); });
                  });
    check(cases);
  }
}

TEST_CASE("positions of extrema, every type, equals and NaN") {
  Cases cases;
  for_each_type(cases, "", Accepts::numeric, [](Cases& c, const std::string& name, ElementType type) {
    for (const Opcode opcode : {Opcode::argmax, Opcode::argmin})
      for (std::int64_t axis = 0; axis < 2; ++axis)
        for (const bool special : {false, true})
          c.add(fmt::format("{}{}.{}.{}", definition(opcode).name, name, axis, special),
                {special ? shaped(samples(type), {5, 9}) : moderate(type, {5, 9})},
                [&](Builder& b, const Arguments& a) { return b.create(opcode, {a[0]}, {Integers{axis}}); });
  });
  check(cases);
}

TEST_CASE("sorts, every type, every length of a run, equals and NaN") {
  Cases cases;
  const Attribute descending = Combinator{Opcode::greaterThan, nullptr};
  for_each_type(cases, "", Accepts::numeric, [&](Cases& c, const std::string& name, ElementType type) {
    for (const bool special : {false, true}) {
      const auto given = [&](std::vector<std::int64_t> extents) {
        return special ? shaped(samples(type), std::move(extents)) : moderate(type, std::move(extents));
      };
      const auto add = [&](const std::string& what, std::vector<std::int64_t> extents, const Attribute& by,
                           std::int64_t axis, bool free) {
        c.add(
            fmt::format("{}{}.{}.{}", what, name, special, axis), {given(std::move(extents))},
            [&](Builder& b, const Arguments& a) {
              return b.create(Opcode::argsort, {a[0]}, {by, Integers{axis}});
            },
            free);
      };
      add("row", {37}, {}, 0, false);
      add("long", {700}, descending, 0, true);
      add("rows", {5, 33}, descending, 1, false);
      add("columns", {9, 5}, {}, 0, true);
      add("inner", {2, 7, 3}, {}, 1, false);
    }
  });
  for (const std::int64_t length : {0, 1, 2, 3, 4, 6, 8, 63, 257, 1030})
    for (const bool free : {false, true})
      cases.add(
          fmt::format("length{}.{}", length, free), {moderate(ElementType::f32, {3, length})},
          [&](Builder& b, const Arguments& a) {
            return b.create(Opcode::argsort, {a[0]}, {Attribute(), Integers{1}});
          },
          free);
  for (const bool free : {false, true})
    for (const std::int64_t axis : {0, 1}) {
      const auto add = [&](const std::string& name, const auto& made) {
        cases.add(fmt::format("{}.{}.{}", name, axis, free), {shaped(samples(ElementType::f32), {6, 19})},
                  made, free);
      };
      add("sort", [&](Builder& b, const Arguments& a) {
        return b.create(Opcode::sort, {a[0]}, {Attribute(), Integers{axis}});
      });
      // The adjoint of a sort.
      add("back", [&](Builder& b, const Arguments& a) {
        Value* order = b.create(Opcode::argsort, {a[0]}, {Attribute(), Integers{axis}});
        const auto indices = indices_along(b, order, static_cast<std::size_t>(axis));
        Value* finite = b.select(a[0], b.constant(ElementType::f32, 3), b.unary(Opcode::isFinite, a[0]));
        return b.scatter(finite, b.splat(a[0]->type(), 1), indices, {Opcode::add, nullptr}, {0, 1});
      });
      for (const std::int64_t part : {0, 1})
        add(fmt::format("topk{}", part), [&](Builder& b, const Arguments& a) {
          const Extent& extent = a[0]->type().shape()[static_cast<std::size_t>(axis)];
          const Shape count{free ? Extent::floor_divide(extent + Extent(1), 2) : Extent(4)};
          return b.extract(b.create(Opcode::topk, {a[0]}, {count, Integers{axis}}), part);
        });
    }
  // Code generation takes what this pass leaves.
  for (const auto& function : cases.module.functions()) composite_expansion(*function);
  check(cases);
}

TEST_CASE("recurrences, every type and axis") {
  Cases cases;
  for_each_type(cases, "", Accepts::floating, [&](Cases& c, const std::string& name, ElementType type) {
    for (const std::int64_t axis : {0, 1, 2})
      for (const bool free : {false, true})
        c.add(
            fmt::format("recurrence{}.{}.{}", name, axis, free),
            {moderate(type, {3, 4, 19}), moderate(type, {3, 4, 19})},
            [&](Builder& b, const Arguments& a) {
              Value* half = b.multiply(a[0], b.constant(type, 0.5));
              return b.create(Opcode::recurrence, {half, b.reverse(half, {axis})}, {Integers{axis}});
            },
            free);
  });
  const double infinity = std::numeric_limits<double>::infinity();
  Tensor factors(ElementType::f32, {4}), terms(ElementType::f32, {4});
  for (const auto& [i, factor, term] :
       {std::tuple{0UL, infinity, 0.0}, {1UL, infinity, 0.0}, {2UL, 2.0, 1.0}, {3UL, 0.0, infinity}}) {
    factors.set(i, factor);
    terms.set(i, term);
  }
  cases.add("absorbing", {factors, terms}, [](Builder& b, const Arguments& a) {
    return b.create(Opcode::recurrence, {a[0], a[1]}, {Integers{0}});
  });
  check(cases);
}

TEST_CASE("scans and recurrences of long rows") {
  Cases cases;
  const Type scalar = Type::scalar(ElementType::f32);
  Function* join = cases.module.add_function("join", Type::function({scalar, scalar}, scalar));
  Builder in_join(*join->add_entry());
  Value *x = join->entry().arguments()[0].get(), *y = join->entry().arguments()[1].get();
  // Associative, and the monoid of no instruction: a + b + a b.
  in_join.return_(in_join.add(in_join.add(x, y), in_join.multiply(x, y)));
  for (const std::int64_t length : {256, 257, 1025, 1300})
    for (const std::int64_t axis : {0, 1})
      for (const bool free : {false, true}) {
        const std::vector<std::int64_t> extents =
            axis == 0 ? std::vector<std::int64_t>{length, 2} : std::vector<std::int64_t>{2, length};
        const auto add = [&](const std::string& name, ElementType type, const auto& made) {
          cases.add(fmt::format("{}.{}.{}.{}", name, length, axis, free), {moderate(type, extents)}, made,
                    free);
        };
        for (const ElementType type : {ElementType::f32, ElementType::i64, ElementType::f16})
          for (const Opcode by : {Opcode::add, Opcode::max})
            add(fmt::format("{}{}", definition(by).name, info(type).name), type,
                [&](Builder& b, const Arguments& a) {
                  // Whole numbers, whose sums are exact.
                  const bool whole = !is_floating(type);
                  Value* x = whole ? a[0] : b.unary(Opcode::rint, b.multiply(a[0], b.constant(type, 10)));
                  return b.scan(x, {by, nullptr}, axis);
                });
        add("join", ElementType::f32, [&](Builder& b, const Arguments& a) {
          Value* small = b.multiply(a[0], b.constant(ElementType::f32, 0.01));
          return b.scan(small, {Opcode::add, join}, axis);
        });
        add("recurrence", ElementType::f32, [&](Builder& b, const Arguments& a) {
          Value* factors = b.multiply(a[0], b.constant(ElementType::f32, 0.6));
          return b.create(Opcode::recurrence, {factors, b.reverse(a[0], {axis})}, {Integers{axis}});
        });
      }
  check(cases);
}

TEST_CASE("bit casts, every pair of types of one size, and properties") {
  Cases cases;
  for (const auto& from : element_types)
    for (const auto& to : element_types)
      if (from.bytes == to.bytes && !is_boolean(from.type) && !is_boolean(to.type))
        cases.add(
            fmt::format("{}_{}", from.name, to.name), {moderate(from.type, {3, 11})},
            [&](Builder& b, const Arguments& a) { return b.create(Opcode::bitCast, {a[0]}, {to.type}); });
  for (const Opcode property : {Opcode::rank, Opcode::shape, Opcode::unitCount})
    for (const bool free : {false, true})
      for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{}, {7}, {2, 0, 5}})
        cases.add(
            fmt::format("{}.{}.{}", definition(property).name, free, extents.size()),
            {moderate(ElementType::f32, extents)},
            [&](Builder& b, const Arguments& a) { return b.create(property, {a[0]}); }, free);
  for (const auto& function : cases.module.functions()) composite_expansion(*function);
  check(cases);
}

TEST_CASE("contractions, every type and arrangement") {
  Cases cases;
  for_each_type(cases, "", Accepts::numeric, [](Cases& c, const std::string& name, ElementType type) {
    const auto add = [&](const std::string& what, std::vector<std::int64_t> x, std::vector<std::int64_t> y,
                         const AxisPairs& contract, const AxisPairs& batch) {
      c.add(what + name, {moderate(type, std::move(x)), moderate(type, std::move(y))},
            [&](Builder& b, const Arguments& a) { return b.dot(a[0], a[1], contract, batch); });
    };
    add("vectors", {9}, {9}, {{0, 0}}, {});
    add("matrices", {5, 7}, {7, 3}, {{1, 0}}, {});
    add("large", {19, 70}, {70, 35}, {{1, 0}}, {});
    add("transposed", {7, 5}, {3, 7}, {{0, 1}}, {});
    add("batched", {2, 5, 7}, {2, 7, 3}, {{2, 1}}, {{0, 0}});
    add("inner_batch", {5, 2, 7}, {7, 3, 2}, {{2, 0}}, {{1, 2}});
    add("two_contracted", {2, 5, 7}, {7, 2, 3}, {{2, 0}, {0, 1}}, {});
    add("outer", {4}, {3}, {}, {});
    add("empty", {4, 0}, {0, 3}, {{1, 0}}, {});
  });
  check(cases);
}
