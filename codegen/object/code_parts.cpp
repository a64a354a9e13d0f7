// A module cannot be shared by threads: each part is read anew from the module's bitcode, without the bodies
// of the functions that other parts have.
#include "codegen/object/code_parts.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>

#include "codegen/object/diagnostics.h"
#include "codegen/object/translate.h"

namespace codegen::object {
namespace {

/// The instructions of a part, about, and the largest number of parts.
constexpr std::size_t instructions_of_part = 20'000, max_parts = 8;

/// The part of each function that the module defines.
using Assignment = llvm::StringMap<std::size_t>;

/// Returns the number of parts in which the module is translated. Modules with aliases or groups of
/// definitions that stand or fall together are not divided.
std::size_t count_parts(const llvm::Module& module) {
  if (!module.alias_empty() || !module.ifunc_empty() || !module.getComdatSymbolTable().empty()) return 1;
  std::size_t instructions = 0;
  for (const llvm::Function& function : module) instructions += function.getInstructionCount();
  return std::clamp<std::size_t>(instructions / instructions_of_part, 1, max_parts);
}

/// Gives each function, the largest first, to the part that has the fewest instructions.
Assignment assign(const llvm::Module& module, std::size_t parts) {
  std::vector<const llvm::Function*> functions;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  std::ranges::stable_sort(functions, std::greater(), &llvm::Function::getInstructionCount);
  Assignment assignment;
  std::vector<std::size_t> instructions(parts);
  for (const llvm::Function* function : functions) {
    const auto least = std::ranges::min_element(instructions);
    assignment[function->getName()] = static_cast<std::size_t>(least - instructions.begin());
    *least += function->getInstructionCount();
  }
  return assignment;
}

/// Lets the parts refer to each other's definitions. The runtime, which they are linked with later, defines
/// none of these names.
void export_definitions(llvm::Module& module) {
  for (llvm::GlobalValue& value : module.global_values()) {
    if (!value.hasLocalLinkage()) continue;
    if (!value.hasName()) value.setName("unnamed");
    value.setLinkage(llvm::GlobalValue::ExternalLinkage);
    value.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

/// Leaves declarations of what other parts define. The first part has all variables.
void remove_others(llvm::Module& module, const Assignment& assignment, std::size_t part) {
  for (llvm::Function& function : module)
    if (const auto at = assignment.find(function.getName()); at != assignment.end() && at->second != part)
      function.deleteBody();
  if (part == 0) return;
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (variable.hasAppendingLinkage()) {
      variable.eraseFromParent();
    } else if (variable.hasInitializer()) {
      variable.setInitializer(nullptr);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  }
}

std::unique_ptr<llvm::TargetMachine> copy(const llvm::TargetMachine& machine) {
  return std::unique_ptr<llvm::TargetMachine>(machine.getTarget().createTargetMachine(
      machine.getTargetTriple(), machine.getTargetCPU(), machine.getTargetFeatureString(), machine.Options,
      machine.getRelocationModel(), machine.getCodeModel(), machine.getOptLevel()));
}

/// Returns the object of a part; nothing if LLVM cannot make one.
std::optional<std::string> translate_part(llvm::StringRef bitcode, const Assignment& assignment,
                                          std::size_t part, const llvm::TargetMachine& like) {
  llvm::LLVMContext context;
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "module"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return std::nullopt;
  }
  remove_others(**module, assignment, part);
  if (llvm::Error error = (*module)->materializeAll()) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return translate(**module, *copy(like), llvm::CodeGenFileType::ObjectFile);
}

/// Calls `of(i)` for each i < count, in as many threads as this machine has processors, if the system gives
/// them. Throws what a call has thrown.
template <typename Of>
void for_each_in_threads(std::size_t count, const Of& of) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(count);
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        of(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> others;
    std::size_t wanted = std::min<std::size_t>(count, std::max(std::thread::hardware_concurrency(), 1U)) - 1;
    while (others.size() < wanted) try {
        others.emplace_back(work);
      } catch (const std::system_error&) {
        wanted = others.size();
      }
    work();
  }
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

}  // namespace

std::optional<std::vector<std::string>> translate_in_parts(llvm::Module& module, llvm::TargetMachine& machine,
                                                           dlvm::Diagnostics& diagnostics) {
  const std::size_t parts = count_parts(module);
  std::vector<std::optional<std::string>> objects(parts);
  if (parts == 1) {
    objects[0] = translate(module, machine, llvm::CodeGenFileType::ObjectFile);
  } else {
    const Assignment assignment = assign(module, parts);
    export_definitions(module);
    llvm::SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(module, stream);
    for_each_in_threads(parts, [&](std::size_t part) {
      objects[part] = translate_part({bitcode.data(), bitcode.size()}, assignment, part, machine);
    });
  }
  std::vector<std::string> result;
  for (auto& object : objects) {
    if (!object) {
      diagnostics.report(broken_object, {}, "the target cannot emit an object");
      return std::nullopt;
    }
    result.push_back(std::move(*object));
  }
  return result;
}

}  // namespace codegen::object
