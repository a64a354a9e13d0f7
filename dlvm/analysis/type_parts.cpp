#include "dlvm/analysis/type_parts.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace dlvm {

bool any_part_of(const Type& type, const std::function<bool(const Type&)>& wanted) {
  std::vector<Type> open{type};
  std::unordered_set<const TypeDeclaration*> known;
  while (!open.empty()) {
    const Type next = open.back();
    open.pop_back();
    if (wanted(next)) return true;
    const bool declared = next.is_structure() || next.is_enumeration();
    if (declared && !known.insert(&next.declaration()).second) continue;
    if (declared) {
      for (const auto& member : next.declaration().members)
        open.insert(open.end(), member.types.begin(), member.types.end());
    } else if (!next.is_tensor()) {
      const std::vector<Type> parts = next.parts();
      open.insert(open.end(), parts.begin(), parts.end());
    }
  }
  return false;
}

namespace {

class PartReplacement {
 public:
  explicit PartReplacement(const std::function<std::optional<Type>(const Type&)>& replacement)
      : replacement_(replacement) {}

  Type replaced(const Type& type) {
    if (auto other = replacement_(type)) return *other;
    if (type.is_pointer()) return Type::pointer(replaced(type.pointee()));
    if (type.is_box()) return Type::box(replaced(type.pointee()));
    if (!type.is_aggregate()) return type;
    if (type.is_structure() && !open_.insert(&type.declaration()).second) return type;
    std::vector<Type> components = type.components();
    const bool array = type.kind() == Type::Kind::array;
    if (array) components.resize(std::min<std::size_t>(1, components.size()));
    bool changed = false;
    for (Type& component : components) {
      Type other = replaced(component);
      changed = changed || !(other == component);
      component = std::move(other);
    }
    if (type.is_structure()) open_.erase(&type.declaration());
    if (!changed) return type;
    if (array) return Type::array(static_cast<std::int64_t>(type.component_count()), components[0]);
    return Type::tuple(std::move(components));
  }

 private:
  const std::function<std::optional<Type>(const Type&)>& replacement_;
  std::unordered_set<const TypeDeclaration*> open_;
};

}  // namespace

Type with_parts_replaced(const Type& type,
                         const std::function<std::optional<Type>(const Type&)>& replacement) {
  return PartReplacement(replacement).replaced(type);
}

bool is_address(const Type& type) { return type.is_pointer() || type.is_box(); }

bool is_made_of_tensors(const Type& type) {
  if (type.is_tensor()) return true;
  if (type.kind() == Type::Kind::array && type.component_count() > 0)
    return is_made_of_tensors(type.component(0));
  return type.is_aggregate() && std::ranges::all_of(type.components(), is_made_of_tensors);
}

}  // namespace dlvm
