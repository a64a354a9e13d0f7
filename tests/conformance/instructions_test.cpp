// Every instruction with every element type that it takes, on the processor against the interpreter.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

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
