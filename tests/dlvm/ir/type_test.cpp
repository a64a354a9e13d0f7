#include "dlvm/ir/type.h"

#include <doctest/doctest.h>

using namespace dlvm;

namespace {

const Extent N = Extent::dimension("N"), M = Extent::dimension("M");
const Type f = Type::scalar(ElementType::f32), i = Type::scalar(ElementType::i32);
Type vector(const Extent& extent) { return Type::tensor(ElementType::f32, {extent}); }

/// struct $Pair { #a: f32, #b: *$List }, enum $List { ?nil ?cons(i32, box{$List}) }, and an opaque type.
struct Declared {
  TypeDeclaration pair{TypeDeclaration::Kind::structure, "Pair", {}, {}, {}};
  TypeDeclaration list{TypeDeclaration::Kind::enumeration, "List", {}, {}, {}};
  TypeDeclaration opaque{TypeDeclaration::Kind::opaque, "O", {}, {}, {}};
  const Type of_pair = Type::declared(pair), of_list = Type::declared(list),
             of_opaque = Type::declared(opaque);
  Declared() {
    pair.members = {{"a", {f}}, {"b", {Type::pointer(of_list)}}};
    list.members = {{"nil", {}}, {"cons", {i, Type::box(of_list)}}};
  }
};

}  // namespace

TEST_CASE("types are equal where all their parts are") {
  CHECK(Type() == Type::tuple({}));
  CHECK(vector(N + 1) == vector(1 + N));
  CHECK_FALSE(vector(N) == vector(M));
  CHECK_FALSE(vector(N) == Type::tensor(ElementType::f64, {N}));
  CHECK_FALSE(f == vector(1));
  CHECK(Type::tuple({f, i}) == Type::tuple({f, i}));
  CHECK_FALSE(Type::tuple({f, i}) == Type::tuple({i, f}));
  CHECK_FALSE(Type::tuple({f}) == f);
  CHECK_FALSE(Type::function({f}, i) == Type::function({f}, f));
  CHECK_FALSE(Type::array(2, f) == Type::array(3, f));
  CHECK_FALSE(Type::pointer(f) == Type::box(f));
  const Declared one, other;
  CHECK(Type::declared(one.pair) == one.of_pair);
  CHECK_FALSE(one.of_pair == other.of_pair);
}

TEST_CASE("the text of a type") {
  const Declared declared;
  CHECK(f.text() == "f32");
  CHECK(Type::tensor(ElementType::boolean, {N, 3}).text() == "<N x 3 x bool>");
  CHECK(Type().text() == "()");
  CHECK(Type::tuple({f, Type::tuple({i})}).text() == "(f32, (i32))");
  CHECK(Type::function({f, i}, Type()).text() == "(f32, i32) -> ()");
  CHECK(Type::array(3, vector(2)).text() == "[3 x <2 x f32>]");
  CHECK(Type::pointer(Type::pointer(f)).text() == "**f32");
  CHECK(Type::pointer(Type::function({f}, i)).text() == "*((f32) -> i32)");
  CHECK(Type::box(declared.of_list).text() == "box{$List}");
  CHECK(Type::stack().text() == "stack");
}

TEST_CASE("components of aggregates, and of tensors along their first axis") {
  const Declared declared;
  CHECK(component_type(Type::tuple({f, i}), 1) == i);
  CHECK_FALSE(component_type(Type::tuple({f, i}), 2));
  CHECK_FALSE(component_type(Type::tuple({f, i}), -1));
  CHECK(component_type(declared.of_pair, 0) == f);
  CHECK_FALSE(component_type(declared.of_list, 0));
  CHECK(component_type(Type::array(2, i), 1) == i);
  CHECK_FALSE(component_type(Type::array(2, i), 2));
  CHECK(component_type(Type::array(2, i), -1) == i);
  CHECK_FALSE(component_type(Type::array(0, i), -1));
  CHECK(component_type(Type::tensor(ElementType::f32, {2, N}), 1) == vector(N));
  CHECK_FALSE(component_type(Type::tensor(ElementType::f32, {2, N}), 2));
  CHECK(component_type(vector(N), 100) == f);
  CHECK(component_type(vector(2), -1) == f);
  CHECK_FALSE(component_type(f, 0));
  CHECK(Type::array(2, i).components() == std::vector{i, i});
  CHECK(declared.of_pair.components() == std::vector{f, Type::pointer(declared.of_list)});
  CHECK(declared.pair.find("b") == 1);
  CHECK_FALSE(declared.pair.find("c"));
}

TEST_CASE("there is a zero of tensors, of pointers, and of what is made of such") {
  const Declared declared;
  for (const Type& type :
       {f, vector(N), Type::pointer(declared.of_list), Type::box(declared.of_list), Type::tuple({f, i}),
        Type(), declared.of_pair, Type::array(2, f), Type::array(0, declared.of_list)})
    CHECK(has_zero(type));
  for (const Type& type : {declared.of_list, declared.of_opaque, Type::function({}, f), Type::stack(),
                           Type::tuple({f, declared.of_list}), Type::array(1, declared.of_list)})
    CHECK_FALSE(has_zero(type));
}

TEST_CASE("a type holds what it is made of, also behind pointers and in declarations") {
  const Declared declared;
  CHECK(holds(declared.of_list, declared.list));
  CHECK(holds(Type::tuple({f, Type::array(2, declared.of_pair)}), declared.list));
  CHECK(holds(declared.of_pair, declared.list));
  CHECK_FALSE(holds(declared.of_list, declared.pair));
  CHECK_FALSE(holds(f, declared.list));
}

TEST_CASE("dimensions of a type are collected, replaced, and bound by those of another one") {
  const Type pair = Type::tuple({vector(N), Type::array(2, vector(2 * M))});
  std::set<std::string> names;
  Type::function({pair}, vector(Extent::dimension("K"))).collect_names(names);
  CHECK(names == std::set<std::string>{"K", "M", "N"});
  CHECK(pair.substitute({{"N", 3}, {"M", N}}) == Type::tuple({vector(3), Type::array(2, vector(2 * N))}));
  Extent::Substitution bound;
  CHECK(unify(Type::tensor(ElementType::f32, {2 * N, N}), Type::tensor(ElementType::f32, {6, 3}), bound));
  CHECK(bound.at("N").is(3));
  CHECK_FALSE(unify(vector(N), vector(4), bound));
  CHECK_FALSE(unify(vector(M), f, bound));
  CHECK_FALSE(unify(vector(M), Type::tensor(ElementType::f64, {4}), bound));
  CHECK(unify(Type::tuple({vector(M), vector(N)}), Type::tuple({vector(M + 1), vector(3)}), bound));
  CHECK(bound.at("M") == M + 1);
  CHECK_FALSE(unify(Type::tuple({f, f}), Type::tuple({f}), bound));
  CHECK_FALSE(unify(Type::tuple({f, i}), Type::tuple({f, f}), bound));
  CHECK(unify(Type::function({f}, i), Type::function({f}, i), bound));
  CHECK_FALSE(unify(Type::function({f}, i), Type::function({i}, i), bound));
}
