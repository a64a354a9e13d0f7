#include "codegen/object/link_runtime.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ObjectFile.h>

#include <set>

#include "codegen/object/relocatable_linker.h"
#include "codegen/object/runtime_archive.h"

namespace codegen::object {
namespace {

using llvm::object::SymbolRef;

/// Whether LLVM calls the function without being asked to, or a linker defines the symbol.
bool is_always_there(llvm::StringRef name) {
  static const llvm::StringSet<> names{"memcpy", "memmove", "memset",
                                       "memcmp", "bcmp",    "_GLOBAL_OFFSET_TABLE_"};
  return names.contains(name);
}

bool is_of(Sanitizer sanitizer, llvm::StringRef name) {
  return sanitizer == Sanitizer::thread && name.starts_with("__tsan_");
}

llvm::Expected<llvm::StringSet<>> runtime_symbols(Sanitizer sanitizer) {
  auto archive = llvm::object::Archive::create(llvm::MemoryBufferRef(runtime_archive(sanitizer), "runtime"));
  if (!archive) return archive.takeError();
  llvm::StringSet<> names;
  for (const auto& symbol : (*archive)->symbols()) names.insert(symbol.getName());
  return names;
}

/// Returns the names that the object defines for others; an error where it uses what neither the runtime nor
/// every C library has.
llvm::Expected<std::set<std::string>> entries_of(llvm::StringRef bytes, Sanitizer sanitizer) {
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  if (!object) return object.takeError();
  auto known = runtime_symbols(sanitizer);
  if (!known) return known.takeError();
  std::set<std::string> entries;
  for (const auto& symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags) return flags.takeError();
    if (!name) return name.takeError();
    if (*flags & SymbolRef::SF_Undefined) {
      if (!name->empty() && !is_always_there(*name) && !is_of(sanitizer, *name) && !known->contains(*name))
        return llvm::createStringError("it needs '" + *name + "', which is not in libc");
    } else if (*flags & SymbolRef::SF_Global) {
      entries.insert(name->str());
    }
  }
  return entries;
}

}  // namespace

llvm::Expected<std::string> link_runtime(llvm::StringRef object, Sanitizer sanitizer) {
  auto globals = entries_of(object, sanitizer);
  if (!globals) return globals.takeError();
  auto linked = link_relocatable(object, runtime_archive(sanitizer));
  if (!linked) return linked.takeError();
  globals->insert("tel.*");
  return localize_symbols(*linked, *globals);
}

}  // namespace codegen::object
