#include "dlvm/ir/identity.h"

#include <doctest/doctest.h>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"

namespace dlvm {
namespace {

/// Values of the type, the smallest and the largest among them.
std::vector<Tensor> values(ElementType element) {
  if (is_boolean(element)) return {Tensor(element, {}), Tensor::scalar(element, std::int64_t{1})};
  std::vector<Tensor> result{identity_of(Opcode::max, element), identity_of(Opcode::min, element)};
  for (const std::int64_t value : {0, 1, 2, -3, 77}) result.push_back(Tensor::scalar(element, value));
  return result;
}

void check_identity(Opcode opcode, ElementType element) {
  const Type scalar = Type::scalar(element);
  Function function("combine", Type::function({scalar, scalar}, scalar));
  Builder builder(*function.add_entry());
  const auto& arguments = builder.block().arguments();
  const auto* combined = as_instruction(builder.create(opcode, {arguments[0].get(), arguments[1].get()}, {}));
  const Tensor identity = identity_of(opcode, element);
  for (const Tensor& value : values(element)) {
    CHECK(fold(*combined, std::vector{identity, value}) == value);
    CHECK(fold(*combined, std::vector{value, identity}) == value);
  }
}

TEST_CASE("the identity of every combinator changes no value of any type") {
  int combinators = 0;
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!definition(opcode).is(Trait::associative)) continue;
    ++combinators;
    CAPTURE(definition(opcode).name);
    for (const ElementTypeInfo& type : element_types)
      if (accepts(definition(opcode), type.type)) check_identity(opcode, type.type);
  }
  CHECK(combinators == 6);
}

}  // namespace
}  // namespace dlvm
