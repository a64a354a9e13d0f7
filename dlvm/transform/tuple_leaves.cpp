#include "dlvm/transform/tuple_leaves.h"

#include "dlvm/analysis/leaves.h"

namespace dlvm {

std::vector<Value*> leaves_of(Value* value, Builder& builder) {
  if (!value->type().is_tuple()) return {value};
  const Instruction* literal = match(value, Opcode::literal);
  std::vector<Value*> all;
  for (std::size_t i = 0; i < value->type().elements().size(); ++i) {
    Value* element =
        literal != nullptr ? literal->operand(i) : builder.extract(value, static_cast<std::int64_t>(i));
    const std::vector<Value*> inner = leaves_of(element, builder);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

Value* from_leaves(const Type& type, std::span<Value* const> leaves, Builder& builder) {
  if (!type.is_tuple()) return leaves.front();
  std::vector<Value*> elements;
  for (const Type& element : type.elements()) {
    const std::size_t count = leaf_count(element);
    elements.push_back(from_leaves(element, leaves.first(count), builder));
    leaves = leaves.subspan(count);
  }
  return builder.tuple(std::move(elements));
}

}  // namespace dlvm
