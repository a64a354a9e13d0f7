#include "dlvm/interpret/value.h"

#include <doctest/doctest.h>

#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

RuntimeValue cons(std::int64_t head, RuntimeValue tail) {
  return RuntimeValue::enumerator(1, {Tensor::scalar(ElementType::i64, head), std::move(tail)});
}

RuntimeValue list(std::int64_t length) {
  RuntimeValue all = RuntimeValue::enumerator(0, {});
  for (std::int64_t i = 0; i < length; ++i) all = cons(i, std::move(all));
  return all;
}

}  // namespace

TEST_CASE("values know what they are, and how many bytes their tensors have") {
  const RuntimeValue nothing, tensor = test::f32({2, 3}, {}), pair(std::vector{tensor, tensor});
  CHECK_FALSE(nothing.is_tensor());
  CHECK(nothing.elements().empty());
  CHECK(nothing.byte_count() == 0);
  CHECK(nothing.enum_case() == -1);
  CHECK(tensor.is_tensor());
  CHECK(tensor.elements().empty());
  CHECK(tensor.byte_count() == 24);
  CHECK_FALSE(pair.is_tensor());
  CHECK(pair.elements().size() == 2);
  CHECK(pair.enum_case() == -1);
  CHECK(pair.byte_count() == 48);
  const RuntimeValue one = cons(7, nothing);
  CHECK(one.enum_case() == 1);
  CHECK(one.elements()[0].tensor().integer(0) == 7);
  CHECK(one.byte_count() == 8);
  CHECK_FALSE(one.is_stack());
  CHECK(one.pointer() == nullptr);
}

TEST_CASE("the bytes of values that hold each other twice are counted up to a limit") {
  RuntimeValue doubled = test::f32({1}, {});
  for (int i = 0; i < 70; ++i) doubled = RuntimeValue(std::vector{doubled, doubled});
  CHECK(doubled.byte_count() == RuntimeValue::most_bytes);
}

TEST_CASE("a list longer than the machine's stack is deep is freed, but for what others hold of it") {
  RuntimeValue long_list = list(300000);
  RuntimeValue rest = long_list.elements()[1].elements()[1];
  long_list = RuntimeValue();
  CHECK(rest.elements()[0].tensor().integer(0) == 299997);
  CHECK(rest.elements()[1].elements()[0].tensor().integer(0) == 299996);
  rest = RuntimeValue();
  CHECK(rest.elements().empty());
}
