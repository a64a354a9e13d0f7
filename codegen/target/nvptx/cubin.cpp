#include "codegen/target/nvptx/cubin.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELF.h>

namespace codegen::target::nvptx {
namespace {

namespace elf = llvm::ELF;
using File = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// Toolkits from 13 on have the architecture's number in other bits.
unsigned architecture_of(const File::Elf_Ehdr& header) {
  const bool is_new = header.e_ident[elf::EI_ABIVERSION] >= elf::ELFABIVERSION_CUDA_V2;
  return is_new ? (header.e_flags & elf::EF_CUDA_SM_MASK) >> elf::EF_CUDA_SM_OFFSET
                : header.e_flags & elf::EF_CUDA_SM;
}

/// The names of the functions that have code.
llvm::Expected<std::set<std::string>> functions_of(const File& file) {
  std::set<std::string> names;
  auto sections = file.sections();
  if (!sections) return sections.takeError();
  for (const auto& section : *sections) {
    if (section.sh_type != elf::SHT_SYMTAB) continue;
    auto symbols = file.symbols(&section);
    if (!symbols) return symbols.takeError();
    auto text = file.getStringTableForSymtab(section, *sections);
    if (!text) return text.takeError();
    for (const auto& symbol : *symbols) {
      const bool has_code = symbol.getType() == elf::STT_FUNC && symbol.st_shndx != elf::SHN_UNDEF;
      if (!has_code || symbol.st_size == 0) continue;
      auto name = symbol.getName(*text);
      if (!name) return name.takeError();
      names.insert(name->str());
    }
  }
  return names;
}

}  // namespace

std::string what_is_wrong(const std::string& cubin, const target::gpu::Architecture& architecture,
                          const std::set<std::string>& kernels) {
  auto file = File::create(cubin);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "it is not an ELF file";
  }
  const auto& header = file->getHeader();
  if (!header.checkMagic() || header.e_ident[elf::EI_CLASS] != elf::ELFCLASS64 ||
      header.e_machine != elf::EM_CUDA)
    return "it is not an ELF file for GPUs";
  if (const unsigned number = architecture_of(header); number != static_cast<unsigned>(architecture.number))
    return fmt::format("it is for sm_{}", number);
  auto functions = functions_of(*file);
  if (!functions) return "it is broken: " + llvm::toString(functions.takeError());
  for (const std::string& kernel : kernels)
    if (!functions->contains(kernel)) return fmt::format("it lacks kernel {}", kernel);
  return {};
}

}  // namespace codegen::target::nvptx
