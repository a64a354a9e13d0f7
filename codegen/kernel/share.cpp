#include "codegen/kernel/share.h"

#include <fmt/format.h>

#include "codegen/kernel/text.h"

namespace codegen::kernel {
namespace {

void blank_names(Block& block) {
  for (Axis& axis : block.axes) axis.name = fmt::format("a{}", axis.id);
  for (auto& child : block.children) {
    if (auto* inner = std::get_if<Block>(&child)) {
      blank_names(*inner);
      continue;
    }
    Stage& stage = std::get<Stage>(child);
    stage.name.clear();
    for (Axis& axis : stage.axes) axis.name = fmt::format("a{}", axis.id);
  }
}

std::string key(Kernel kernel) {
  kernel.name.clear();
  for (std::size_t b = 0; b < kernel.buffers.size(); ++b) kernel.buffers[b].name = fmt::format("b{}", b);
  blank_names(kernel.root);
  return print(kernel);
}

}  // namespace

std::uint32_t KernelTable::add(Kernel kernel) {
  const auto [place, fresh] = known_.try_emplace(key(kernel), static_cast<std::uint32_t>(kernels_.size()));
  if (!fresh) return place->second;
  const std::string name = kernel.name;
  for (std::size_t i = kernels_.size(); !names_.insert(kernel.name).second; ++i)
    kernel.name = fmt::format("{}_{}", name, i);
  kernels_.push_back(std::move(kernel));
  return place->second;
}

}  // namespace codegen::kernel
