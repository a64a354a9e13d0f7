#include "codegen/object/object.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <memory>
#include <set>
#include <system_error>

#include "codegen/object/code_parts.h"
#include "codegen/object/diagnostics.h"
#include "codegen/object/instrument_threads.h"
#include "codegen/object/link_runtime.h"
#include "codegen/object/passes.h"
#include "codegen/object/tables.h"
#include "codegen/object/translate.h"
#include "dlvm/support/system_diagnostics.h"

namespace codegen::object {
using interface::Interface;
using interface::SymbolNames;

namespace {

/// Returns the message of LLVM's verifier; empty if the module is valid.
std::string verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  return llvm::verifyModule(module, &stream) ? text : std::string();
}

/// How the names of compute functions and their kernels begin.
constexpr llvm::StringLiteral compute_prefix = "compute.";

/// Gives kernels the module's name in the place of the compiler's prefix, for profilers and debuggers.
void name_for_people(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (llvm::StringRef name = function.getName();
        function.hasLocalLinkage() && name.consume_front(compute_prefix))
      function.setName(module.getName() + "." + name);
}

std::set<std::string> entry_symbols(const Interface& interface) {
  const SymbolNames symbols(interface);
  std::set<std::string> names;
  for (const char* name :
       {"initialize", "initialize_state", "combine", "freeze", "frozen_size", "load", "save"})
    names.insert(symbols.of(name));
  for (const auto& entry : interface.entries)
    for (const char* part : {"", "prepare", "wait", "workspace"}) names.insert(symbols.of(entry, part));
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

/// Gives every definition but the C entries internal linkage.
void internalise(llvm::Module& module, const Interface& interface) {
  const auto entries = entry_symbols(interface);
  for (auto& value : module.global_values()) {
    if (value.isDeclaration() || value.getName().starts_with("llvm.")) continue;
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
    const bool entry = entries.count(value.getName().str()) > 0;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (!entry) value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// Sets the module's target, and gives every function its attributes.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (auto& function : module) set_attributes(function, machine);
}

/// Copies the functions of a level to a module that has those of others. Returns false if LLVM cannot.
bool copy_functions(llvm::Module& to, const LevelModule& level) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*level.module);
  for (llvm::Function& function : *copy)
    if (function.getName().starts_with(compute_prefix) && !function.isDeclaration()) {
      function.setName(function.getName() + level.code.suffix);
      function.setLinkage(
          llvm::GlobalValue::ExternalLinkage);  // until all are there, or it would be left out
    }
  return !llvm::Linker::linkModules(to, std::move(copy));
}

/// Gives the functions of all levels, the tables and the C entries to the module of the last one. Returns
/// what went wrong, or an empty text.
std::string join(std::span<const LevelModule> levels, const DeviceTables& devices) {
  const LevelModule& base = levels.back();
  std::vector<LevelCode> codes;
  for (const LevelModule& level : levels) {
    set_target(*level.module, *level.machine);
    codes.push_back(level.code);
  }
  for (const LevelModule& level : levels.first(levels.size() - 1))
    if (!copy_functions(*base.module, level)) return "the code of two feature levels cannot be joined";
  std::string error = add_tables(*base.module, codes, devices);
  for (llvm::Function& function : *base.module)
    if (!function.hasFnAttribute("target-cpu")) set_attributes(function, *base.machine);
  internalise(*base.module, *base.code.interface);
  return error.empty() ? verify(*base.module) : error;
}

}  // namespace

bool finalize_module(std::span<const LevelModule> levels, const DeviceTables& devices,
                     dlvm::Diagnostics& diagnostics, Sanitizer sanitizer) {
  if (const std::string error = join(levels, devices); !error.empty()) {
    diagnostics.report(broken_object, {}, error);
    return false;
  }
  llvm::Module& module = *levels.back().module;
  llvm::TargetMachine& machine = *levels.back().machine;
  name_for_people(module);
  optimise(module, machine);
  if (sanitizer == Sanitizer::thread) instrument_threads(module, machine);
  return true;
}

namespace {

/// Reports why the object could not be linked. An error of the system is not a mistake of the compiler.
void report(llvm::Error error, dlvm::Diagnostics& diagnostics) {
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase& what) {
    const bool is_of_system = what.convertToErrorCode().category() == std::generic_category();
    if (is_of_system)
      diagnostics.report(dlvm::file_failed, {}, "the object cannot be linked: " + what.message());
    else
      diagnostics.report(broken_object, {}, what.message());
  });
}

}  // namespace

std::optional<std::string> emit(llvm::Module& module, llvm::TargetMachine& machine, Emission emission,
                                dlvm::Diagnostics& diagnostics, dlvm::Times* times, Sanitizer sanitizer) {
  if (emission == Emission::llvm) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
  }
  if (emission == Emission::assembly) {
    const dlvm::ScopedTimer timer(times, "LLVM code");
    auto text = translate(module, machine, llvm::CodeGenFileType::AssemblyFile);
    if (!text) diagnostics.report(broken_object, {}, "the target cannot emit assembly");
    return text;
  }
  std::optional<std::vector<std::string>> objects;
  {
    const dlvm::ScopedTimer timer(times, "LLVM code");
    objects = translate_in_parts(module, machine, diagnostics);
  }
  if (!objects) return std::nullopt;
  const dlvm::ScopedTimer timer(times, "runtime");
  auto linked = link_runtime(*objects, sanitizer);
  if (linked) return std::move(*linked);
  report(linked.takeError(), diagnostics);
  return std::nullopt;
}

}  // namespace codegen::object
