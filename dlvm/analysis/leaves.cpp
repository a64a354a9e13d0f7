#include "dlvm/analysis/leaves.h"

namespace dlvm {
namespace {

void collect(const Type& type, std::vector<Type>& out) {
  if (type.is_tensor()) {
    out.push_back(type);
  } else if (type.is_aggregate()) {
    for (std::size_t i = 0; i < type.component_count(); ++i) collect(type.component(i), out);
  }
}

}  // namespace

std::vector<Type> leaves(const Type& type) {
  std::vector<Type> out;
  collect(type, out);
  return out;
}

std::size_t leaf_count(const Type& type) {
  if (type.is_tensor()) return 1;
  return type.is_aggregate() ? leaf_offset(type.components(), type.component_count()) : 0;
}

std::size_t leaf_offset(const std::vector<Type>& elements, std::size_t position) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < position; ++i) count += leaf_count(elements[i]);
  return count;
}

std::vector<std::size_t> leaf_offsets(const std::vector<Type>& types) {
  std::vector<std::size_t> offsets{0};
  for (const Type& type : types) offsets.push_back(offsets.back() + leaf_count(type));
  return offsets;
}

bool has_floating_leaf(const Type& type) {
  for (const Type& leaf : leaves(type))
    if (is_floating(leaf.element())) return true;
  return false;
}

bool is_differentiable(const Type& type) {
  const std::vector<Type> all = leaves(type);
  for (const Type& leaf : all)
    if (!is_floating(leaf.element())) return false;
  return !all.empty();
}

}  // namespace dlvm
