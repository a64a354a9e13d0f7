#include <doctest/doctest.h>

#include "dlvm/ir/instruction_table.h"

using namespace dlvm;

TEST_CASE("an element pointer names each position that is a value") {
  const Type array = Type::array(4, Type::scalar(ElementType::f32));
  const std::vector<Type> pointer_alone{Type::pointer(array)};
  std::string why;
  const std::vector<Attribute> path{Integers{position_of_value}};
  CHECK_FALSE(infer_type(Opcode::elementPointer, {pointer_alone, path}, why));
  CHECK(why == "a position is missing");
}
