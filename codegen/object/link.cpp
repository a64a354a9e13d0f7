#include "codegen/object/link.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <array>
#include <set>

#include "codegen/object/runtime_bitcode.h"

namespace codegen {
namespace {

constexpr llvm::StringRef prefix = "tel_libcall_";

/// Library calls are kept through the optimiser by this: the code generator asks for them by name, later.
void name_library_calls(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> calls;
  for (auto& function : module) {
    if (!function.getName().starts_with(prefix)) continue;
    const std::string name = function.getName().drop_front(prefix.size()).str();
    if (auto* declared = module.getFunction(name)) {
      declared->replaceAllUsesWith(&function);
      declared->eraseFromParent();
    }
    function.setName(name);
    function.addFnAttr(llvm::Attribute::NoBuiltin);
    calls.push_back(&function);
  }
  llvm::appendToCompilerUsed(module, calls);
}

std::set<std::string> entry_symbols(const Interface& interface) {
  std::set<std::string> names;
  for (const char* name : {"initialize", "load", "save"}) names.insert(module_symbol(interface, name));
  for (const auto& entry : interface.entries)
    for (const char* part : {"", "prepare", "workspace"}) names.insert(entry_symbol(interface, entry, part));
  return names;
}

/// One processor for all functions, whatever clang wrote for the runtime.
void set_attributes(llvm::Function& function, const llvm::TargetMachine& machine) {
  for (const char* name : {"tune-cpu", "frame-pointer", "no-trapping-math", "stack-protector-buffer-size"})
    function.removeFnAttr(name);
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  if (!machine.getTargetFeatureString().empty())
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  else
    function.removeFnAttr("target-features");
  function.setDoesNotThrow();
  function.setUWTableKind(llvm::UWTableKind::Default);
}

}  // namespace

std::string link_runtime(llvm::Module& module, const Interface& interface,
                         const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  const std::string_view bytes = runtime_bitcode();
  auto runtime = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "runtime"), module.getContext());
  if (!runtime) return "the runtime's bitcode: " + llvm::toString(runtime.takeError());
  (*runtime)->setTargetTriple(machine.getTargetTriple());
  (*runtime)->setDataLayout(machine.createDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*runtime))) return "the runtime does not link";
  name_library_calls(module);
  const auto entries = entry_symbols(interface);
  for (auto& function : module) set_attributes(function, machine);
  for (auto& value : module.global_values()) {
    if (value.isDeclaration() || value.getName().starts_with("llvm.")) continue;
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
    const bool entry = entries.count(value.getName().str()) > 0;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (!entry) value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return {};
}

namespace {

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

}  // namespace

void drop_unused_library_calls(llvm::Module& module, const llvm::TargetMachine& machine) {
  std::set<std::string, std::less<>> wanted;
  for (auto& function : module) {
    for (auto& instruction : llvm::instructions(function)) {
      if (has_type(instruction, &llvm::Type::isHalfTy) || has_type(instruction, &llvm::Type::isBFloatTy))
        wanted.insert({"__extendhfsf2", "__truncsfhf2", "__truncdfhf2", "__truncsfbf2", "__truncdfbf2"});
      const std::string call(library_call_of(instruction));
      if (call.empty() || has_instruction(call, machine)) continue;
      wanted.insert({call, call + "f"});
    }
  }
  auto* used = module.getNamedGlobal("llvm.compiler.used");
  if (!used) return;
  std::vector<llvm::Function*> dropped;
  llvm::removeFromUsedLists(module, [&](llvm::Constant* constant) {
    auto* function = llvm::dyn_cast<llvm::Function>(constant->stripPointerCasts());
    if (!function || wanted.count(function->getName()) > 0) return false;
    dropped.push_back(function);
    return true;
  });
  for (auto* function : dropped)
    if (function->use_empty()) function->eraseFromParent();
}

bool is_allowed_external(const std::string& name) {
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
  return allowed.count(name) > 0;
}

}  // namespace codegen
