#include "dlvm/ir/type_hash.h"

#include <functional>

namespace dlvm {
namespace {

std::size_t mix(std::size_t hash, std::size_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15U; }

}  // namespace

std::size_t TypeHash::operator()(const Type& type) const {
  const std::size_t kind = mix(0, static_cast<std::size_t>(type.kind()));
  if (type.is_tensor()) {
    std::size_t hash = mix(kind, static_cast<std::size_t>(type.element()));
    for (const Extent& extent : type.shape())
      hash = mix(hash, static_cast<std::size_t>(extent.constant().value_or(-1)));
    return hash;
  }
  switch (type.kind()) {
    case Type::Kind::structure:
    case Type::Kind::enumeration:
    case Type::Kind::opaque:
      return mix(kind, std::hash<const TypeDeclaration*>()(&type.declaration()));
    case Type::Kind::array:
      return type.component_count() == 0 ? kind
                                         : mix(mix(kind, type.component_count()), (*this)(type.component(0)));
    default: {
      std::size_t hash = kind;
      for (const Type& part : type.parts()) hash = mix(hash, (*this)(part));
      return hash;
    }
  }
}

}  // namespace dlvm
