#include "codegen/target/gpu/device.h"

#include <algorithm>

namespace codegen::target::gpu {

const KernelModule& module_for(std::span<const KernelModule> modules, const Architecture& architecture) {
  for (const KernelModule& module : modules)
    if (module.architecture <= architecture.number) return module;
  return modules.back();
}

ObjectContents contents_of(const std::string& module, std::vector<std::string> entries,
                           std::span<const ProgramTables> tables) {
  ObjectContents contents;
  contents.module = module;
  contents.entries = std::move(entries);
  contents.emulator =
      std::ranges::any_of(tables, [](const ProgramTables& table) { return table.is_emulated; });
  for (const ProgramTables& table : tables) {
    for (const Image& image : table.images) {
      const std::size_t bytes = image.bytes.size() + (image.beside ? image.beside->bytes.size() : 0);
      contents.images.push_back({image.architecture.name(), image.is_ptx, static_cast<std::int64_t>(bytes)});
    }
    for (const Kernel& kernel : table.kernels->all) {
      auto& described = contents.kernels.emplace_back();
      described = {kernel.name, kernel.threads, kernel.shared, {}};
      for (const Image& image : table.images)
        if (const auto at = image.kernels.find(kernel.name); at != image.kernels.end())
          described.code.push_back(at->second);
    }
  }
  return contents;
}

}  // namespace codegen::target::gpu
