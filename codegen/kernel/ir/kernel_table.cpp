#include "codegen/kernel/ir/kernel_table.h"

#include <fmt/format.h>

namespace codegen::kernel {

std::uint32_t KernelTable::add(Kernel kernel) {
  const auto [known, added] =
      known_.try_emplace(without_annotations(kernel), static_cast<std::uint32_t>(kernels_.size()));
  if (!added) return known->second;
  const std::string name = kernel.name;
  for (std::size_t i = kernels_.size(); !names_.insert(kernel.name).second; ++i)
    kernel.name = fmt::format("{}_{}", name, i);
  kernels_.push_back(std::move(kernel));
  return known->second;
}

}  // namespace codegen::kernel
