#include "codegen/object/link.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Target/TargetMachine.h>

#include <set>

#include "codegen/object/linker.h"
#include "codegen/object/runtime_archive.h"

namespace codegen::object {
using interface::entry_symbol;
using interface::Interface;
using interface::module_symbol;

namespace {

std::set<std::string> entry_symbols(const Interface& interface) {
  std::set<std::string> names;
  for (const char* name : {"initialize", "combine", "load", "save"})
    names.insert(module_symbol(interface, name));
  for (const auto& entry : interface.entries)
    for (const char* part : {"", "prepare", "wait", "workspace"})
      names.insert(entry_symbol(interface, entry, part));
  return names;
}

void set_attributes(llvm::Function& function, const llvm::TargetMachine& machine) {
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  if (!machine.getTargetFeatureString().empty())
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  else
    function.removeFnAttr("target-features");
  function.setDoesNotThrow();
  function.setUWTableKind(llvm::UWTableKind::Default);
}

/// Gives every definition but the C entries internal linkage, and every function the target's attributes.
void internalise(llvm::Module& module, const Interface& interface, const llvm::TargetMachine& machine) {
  const auto entries = entry_symbols(interface);
  for (auto& function : module) set_attributes(function, machine);
  for (auto& value : module.global_values()) {
    if (value.isDeclaration() || value.getName().starts_with("llvm.")) continue;
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
    const bool entry = entries.count(value.getName().str()) > 0;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (!entry) value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace

void prepare_module(llvm::Module& module, const Interface& interface, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  internalise(module, interface, machine);
}

namespace {

using llvm::object::SymbolRef;

/// Whether LLVM calls the function without being asked to, or a linker defines the symbol.
bool is_always_there(llvm::StringRef name) {
  static const llvm::StringSet<> names{"memcpy", "memmove", "memset",
                                       "memcmp", "bcmp",    "_GLOBAL_OFFSET_TABLE_"};
  return names.contains(name);
}

llvm::Expected<llvm::StringSet<>> runtime_symbols() {
  auto archive = llvm::object::Archive::create(llvm::MemoryBufferRef(runtime_archive(), "runtime"));
  if (!archive) return archive.takeError();
  llvm::StringSet<> names;
  for (const auto& symbol : (*archive)->symbols()) names.insert(symbol.getName());
  return names;
}

/// Returns the names that the object defines for others; an error where it uses what neither the runtime nor
/// every C library has.
llvm::Expected<std::set<std::string>> entries_of(llvm::StringRef bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  if (!object) return object.takeError();
  auto known = runtime_symbols();
  if (!known) return known.takeError();
  std::set<std::string> entries;
  for (const auto& symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags) return flags.takeError();
    if (!name) return name.takeError();
    if (*flags & SymbolRef::SF_Undefined) {
      if (!name->empty() && !is_always_there(*name) && !known->contains(*name))
        return llvm::createStringError("it needs '" + *name + "', which is not in libc");
    } else if (*flags & SymbolRef::SF_Global) {
      entries.insert(name->str());
    }
  }
  return entries;
}

}  // namespace

llvm::Expected<std::string> link_runtime(llvm::StringRef object) {
  auto globals = entries_of(object);
  if (!globals) return globals.takeError();
  auto linked = link_relocatable(object, runtime_archive());
  if (!linked) return linked.takeError();
  globals->insert("tel.*");
  return localize_symbols(*linked, *globals);
}

}  // namespace codegen::object
