#include "codegen/target/gpu/contents/read_object.h"

#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>

namespace codegen::target::gpu {
namespace {

using llvm::object::ObjectFile;

std::string message(llvm::Error error) { return llvm::toString(std::move(error)); }

/// What a file is that is no object for x86-64 Linux; empty where it is one.
std::string other_kind(llvm::StringRef bytes) {
  const llvm::file_magic magic = llvm::identify_magic(bytes);
  if (magic == llvm::file_magic::archive) return "it is an archive; take its objects out of it (ar x)";
  if (magic == llvm::file_magic::elf_shared_object || magic == llvm::file_magic::elf_executable)
    return "it is a linked program or library; the linker leaves out what is asked for";
  if (magic == llvm::file_magic::bitcode) return "it is LLVM bitcode";
  if (magic != llvm::file_magic::elf_relocatable) return "it is no object file for Linux (ELF)";
  return {};
}

bool read_sections(const ObjectFile& object, std::vector<ObjectContents>& networks, std::string& why) {
  for (const auto& section : object.sections()) {
    auto name = section.getName();
    if (!name) return why = message(name.takeError()), false;
    if (*name != contents_section) continue;
    auto contents = section.getContents();
    if (!contents) return why = message(contents.takeError()), false;
    if (!read_contents(*contents, networks, why)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<ObjectContents>> device_contents(const std::string& bytes, std::string& why) {
  why = other_kind(bytes);
  if (!why.empty()) return std::nullopt;
  auto object = ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  if (!object) {
    why = message(object.takeError());
    return std::nullopt;
  }
  std::vector<ObjectContents> networks;
  if (!read_sections(**object, networks, why)) return std::nullopt;
  return networks;
}

}  // namespace codegen::target::gpu
