#include "codegen/object/link.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <array>
#include <set>

#include "codegen/object/runtime_assembly.h"

namespace codegen {
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

bool has_type(const llvm::Instruction& instruction, bool (llvm::Type::*is)() const) {
  const auto matches = [&](const llvm::Type* type) { return (type->getScalarType()->*is)(); };
  return matches(instruction.getType()) ||
         std::any_of(instruction.op_begin(), instruction.op_end(),
                     [&](const llvm::Use& use) { return matches(use->getType()); });
}

/// The library calls that an instruction may become, without `f` at the end for float.
std::string_view library_call_of(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() == llvm::Instruction::FRem) return "fmod";
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!intrinsic) return {};
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::floor:
      return "floor";
    case llvm::Intrinsic::ceil:
      return "ceil";
    case llvm::Intrinsic::trunc:
      return "trunc";
    case llvm::Intrinsic::rint:
      return "rint";
    case llvm::Intrinsic::nearbyint:
      return "nearbyint";
    case llvm::Intrinsic::round:
      return "round";
    case llvm::Intrinsic::roundeven:
      return "roundeven";
    case llvm::Intrinsic::fma:
      return "fma";
    default:
      return {};
  }
}

/// Whether the processor has the instructions, so that the call is never made.
bool has_instruction(std::string_view call, const llvm::TargetMachine& machine) {
  const auto* subtarget = machine.getMCSubtargetInfo();
  if (call == "fma") return subtarget->checkFeatures("+fma");
  if (call == "fmod" || call == "round") return false;
  return subtarget->checkFeatures("+sse4.1");
}

/// The library calls that the module makes, or that the code generator may make of its instructions; also
/// names that are none.
std::set<std::string> library_calls(const llvm::Module& module, const llvm::TargetMachine& machine) {
  std::set<std::string> wanted;
  for (const auto& function : module) {
    if (function.isDeclaration()) wanted.insert(function.getName().str());
    for (const auto& instruction : llvm::instructions(function)) {
      if (has_type(instruction, &llvm::Type::isHalfTy) || has_type(instruction, &llvm::Type::isBFloatTy))
        wanted.insert({"__extendhfsf2", "__truncsfhf2", "__truncdfhf2", "__truncsfbf2", "__truncdfbf2"});
      const std::string call(library_call_of(instruction));
      if (call.empty() || has_instruction(call, machine)) continue;
      wanted.insert({call, call + "f"});
    }
  }
  return wanted;
}

/// Internal, with attributes of the target: all that is defined but the C entries.
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

std::string link_runtime(llvm::Module& module, const llvm::TargetMachine& machine) {
  auto wanted = library_calls(module, machine);
  if (module.getFunction("tel_cuda_call")) wanted.insert("tel.cuda.functions.1");  // for the header alone
  auto text = runtime_assembly(wanted);
  if (!text) return llvm::toString(text.takeError());
  for (auto& function : module)
    if (function.isDeclaration() && !is_allowed_external(module, function.getName().str()))
      function.setDSOLocal(true);
  module.appendModuleInlineAsm(*text);
  return {};
}

bool is_allowed_external(const llvm::Module& module, const std::string& name) {
  static const std::set<std::string, std::less<>> allowed{"__errno_location",
                                                          "_GLOBAL_OFFSET_TABLE_",
                                                          "aligned_alloc",
                                                          "bcmp",
                                                          "clock_gettime",
                                                          "close",
                                                          "fchmod",
                                                          "free",
                                                          "fstat",
                                                          "fsync",
                                                          "getpid",
                                                          "malloc",
                                                          "memchr",
                                                          "memcmp",
                                                          "memcpy",
                                                          "memmove",
                                                          "memset",
                                                          "open",
                                                          "pread",
                                                          "qsort",
                                                          "realloc",
                                                          "realpath",
                                                          "rename",
                                                          "stat",
                                                          "strchr",
                                                          "strcmp",
                                                          "strdup",
                                                          "strlen",
                                                          "strncmp",
                                                          "strrchr",
                                                          "unlink",
                                                          "write"};
  static const std::set<std::string, std::less<>> emulator{"getenv",
                                                           "madvise",
                                                           "mmap",
                                                           "mprotect",
                                                           "munmap",
                                                           "pthread_create",
                                                           "pthread_join",
                                                           "pthread_mutex_destroy",
                                                           "pthread_mutex_init",
                                                           "pthread_mutex_lock",
                                                           "pthread_mutex_unlock",
                                                           "sched_yield",
                                                           "sysconf"};
  static const std::set<std::string, std::less<>> cuda{"calloc",
                                                       "dlclose",
                                                       "dlerror",
                                                       "dlopen",
                                                       "dlsym",
                                                       "getenv",
                                                       "pthread_mutex_lock",
                                                       "pthread_mutex_unlock"};
  return allowed.count(name) > 0 || (module.getFunction("tel_emulator_call") && emulator.count(name) > 0) ||
         (module.getFunction("tel_cuda_call") && cuda.count(name) > 0);
}

}  // namespace codegen
