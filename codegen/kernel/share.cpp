#include "codegen/kernel/share.h"

#include <fmt/format.h>

#include "codegen/kernel/hash.h"

namespace codegen::kernel {
std::uint32_t KernelTable::add(Kernel kernel) {
  const auto [first, last] = known_.equal_range(hash(kernel));
  for (auto known = first; known != last; ++known)
    if (kernels_[known->second] == kernel) return known->second;
  const auto position = static_cast<std::uint32_t>(kernels_.size());
  known_.emplace(hash(kernel), position);
  const std::string name = kernel.name;
  for (std::size_t i = kernels_.size(); !names_.insert(kernel.name).second; ++i)
    kernel.name = fmt::format("{}_{}", name, i);
  kernels_.push_back(std::move(kernel));
  return position;
}

}  // namespace codegen::kernel
