#include "dlvm/differentiate/leaf_cotangents.h"

#include "dlvm/differentiate/rules.h"

namespace dlvm {

std::vector<bool> leaf_mask(const std::vector<std::size_t>& offsets, const Integers& chosen) {
  std::vector<bool> mask(offsets.back());
  for (const std::int64_t i : chosen)
    for (auto leaf = offsets[static_cast<std::size_t>(i)]; leaf < offsets[static_cast<std::size_t>(i) + 1];
         ++leaf)
      mask[leaf] = true;
  return mask;
}

Value* element_of(Builder& b, Value* result, std::size_t position) {
  if (!result->type().is_tuple()) return result;
  if (Instruction* literal = match(result, Opcode::literal)) return literal->operand(position);
  return b.extract(result, static_cast<std::int64_t>(position));
}

void append_leaves(Builder& b, Value* value, std::vector<Value*>& into) {
  if (value->type().is_tensor()) return into.push_back(value);
  if (!value->type().is_aggregate()) return;
  for (std::size_t i = 0; i < value->type().component_count(); ++i)
    append_leaves(b, b.extract(value, static_cast<std::int64_t>(i)), into);
}

Value* assembled(Builder& b, const Type& type, const std::vector<Value*>& leaves, std::size_t& at) {
  if (type.is_tensor()) {
    Value* leaf = leaves[at++];
    return leaf != nullptr ? leaf : zeros(b, type);
  }
  std::vector<Value*> elements;
  for (const Type& element : type.components()) elements.push_back(assembled(b, element, leaves, at));
  return b.aggregate(type, std::move(elements));
}

}  // namespace dlvm
