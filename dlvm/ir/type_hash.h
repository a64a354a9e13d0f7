#pragma once

#include <cstddef>

#include "dlvm/ir/type.h"

namespace dlvm {

/// Lets types be the keys of unordered maps.
struct TypeHash {
  std::size_t operator()(const Type& type) const;
};

}  // namespace dlvm
