#include "codegen/kernel/ir/program.h"

#include <algorithm>

namespace codegen::kernel {

std::vector<Lifetime> lifetimes(const Program& program) {
  std::vector<Lifetime> result(program.values.size());
  for (std::size_t i = 0; i < program.launches.size(); ++i)
    for (const std::uint32_t value : program.launches[i].values) {
      result[value].first = std::min(result[value].first, i);
      result[value].last = i;
    }
  return result;
}

}  // namespace codegen::kernel
