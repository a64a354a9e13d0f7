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

/// The global symbols of the parts of an object.
struct Symbols {
  std::set<std::string> entries;  ///< what is defined for others
  std::set<std::string> hidden;   ///< what is defined for the other parts
  std::set<std::string> needed;   ///< what is not defined in each part that uses it
};

/// Adds the symbols of a part.
llvm::Error add_symbols(llvm::StringRef part, Symbols& symbols) {
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(part, "object"));
  if (!object) return object.takeError();
  for (const auto& symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags) return flags.takeError();
    if (!name) return name.takeError();
    if (*flags & SymbolRef::SF_Undefined)
      symbols.needed.insert(name->str());
    else if (*flags & SymbolRef::SF_Hidden)
      symbols.hidden.insert(name->str());
    else if (*flags & SymbolRef::SF_Global)
      symbols.entries.insert(name->str());
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<std::string> link_runtime(const std::vector<std::string>& parts, Sanitizer sanitizer) {
  Symbols symbols;
  for (const std::string& part : parts)
    if (llvm::Error error = add_symbols(part, symbols)) return error;
  auto runtime = runtime_symbols(sanitizer);
  if (!runtime) return runtime.takeError();
  for (const std::string& name : symbols.needed)
    if (!name.empty() && !symbols.entries.contains(name) && !symbols.hidden.contains(name) &&
        !is_always_there(name) && !is_of(sanitizer, name) && !runtime->contains(name))
      return llvm::createStringError("it needs '" + name + "', which is not in libc");
  auto linked = link_relocatable(parts, runtime_archive(sanitizer));
  if (!linked) return linked.takeError();
  std::set<std::string> globals = std::move(symbols.entries);
  for (const auto& name : *runtime)
    if (name.getKey().starts_with("tel.")) globals.insert(name.getKey().str());
  return localize_symbols(*linked, globals);
}

}  // namespace codegen::object
