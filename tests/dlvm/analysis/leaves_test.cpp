#include "dlvm/analysis/leaves.h"

#include <doctest/doctest.h>

#include "dlvm/analysis/expanded_type.h"

using namespace dlvm;

namespace {

const Type f = Type::scalar(ElementType::f32), i = Type::scalar(ElementType::i32), pointer = Type::pointer(f);

/// enum $Some { ?none ?one(f32) ?two(i32, (f32, f32)) }, struct $Pair { #a: $Some, #b: f32 } and
/// enum $List { ?nil ?cons(f32, $List) }.
struct Declared {
  TypeDeclaration some{TypeDeclaration::Kind::enumeration, "Some", {}, {}, {}};
  TypeDeclaration pair{TypeDeclaration::Kind::structure, "Pair", {}, {}, {}};
  TypeDeclaration list{TypeDeclaration::Kind::enumeration, "List", {}, {}, {}};
  const Type of_some = Type::declared(some), of_pair = Type::declared(pair), of_list = Type::declared(list);
  Declared() {
    some.members = {{"none", {}}, {"one", {f}}, {"two", {i, Type::tuple({f, f})}}};
    pair.members = {{"a", {of_some}}, {"b", {f}}};
    list.members = {{"nil", {}}, {"cons", {f, of_list}}};
  }
};

std::string text(const std::vector<Type>& types) {
  std::string all;
  for (const Type& type : types) all += (all.empty() ? "" : " ") + type.text();
  return all;
}

}  // namespace

TEST_CASE("the leaves of a type are its tensors, in order; pointers and enums have none") {
  const Type nested = Type::tuple({f, Type::tuple({i, pointer, Type::array(2, f)}), Type()});
  CHECK(text(leaves(nested)) == "f32 i32 f32 f32");
  CHECK(leaf_count(nested) == 4);
  CHECK(leaf_count(f) == 1);
  CHECK(leaf_count(pointer) == 0);
  CHECK(leaves(Declared().of_some).empty());
  CHECK(leaf_offset({f, nested, i}, 0) == 0);
  CHECK(leaf_offset({f, nested, i}, 2) == 5);
  CHECK(leaf_offsets({f, nested, pointer, i}) == std::vector<std::size_t>{0, 1, 5, 5, 6});
}

TEST_CASE("a type has a derivative where it has leaves, and all of them are floats") {
  CHECK(is_differentiable(f));
  CHECK(is_differentiable(Type::tuple({f, Type::tuple({f})})));
  CHECK_FALSE(is_differentiable(Type::tuple({f, i})));
  CHECK_FALSE(is_differentiable(i));
  CHECK_FALSE(is_differentiable(Type()));
  CHECK_FALSE(is_differentiable(pointer));
  CHECK(has_floating_leaf(Type::tuple({i, f})));
  CHECK_FALSE(has_floating_leaf(Type::tuple({i, pointer})));
}

TEST_CASE("an enum that does not hold itself is the number of its case and all payloads") {
  const Declared declared;
  CHECK(is_recursive(declared.list));
  CHECK_FALSE(is_recursive(declared.some));
  CHECK(is_compound(declared.of_some));
  CHECK(is_compound(declared.of_pair));
  CHECK_FALSE(is_compound(declared.of_list));
  CHECK_FALSE(is_compound(f));
  CHECK(text(expanded_types(declared.of_some)) == "i32 f32 i32 f32 f32");
  CHECK(text(expanded_types(declared.of_pair)) == "i32 f32 i32 f32 f32 f32");
  CHECK(text(expanded_types(Type::tuple({declared.of_list, pointer}))) == "$List *f32");
  CHECK(expanded_count(Type::array(3, Type::tuple({f, i}))) == 6);
  CHECK(expanded_offset(declared.of_pair, 0) == 0);
  CHECK(expanded_offset(declared.of_pair, 1) == 5);
  CHECK(expanded_offset(declared.of_some, 1, 0) == 1);
  CHECK(expanded_offset(declared.of_some, 2, 0) == 2);
  CHECK(expanded_offset(declared.of_some, 2, 1) == 3);
}
