#include "codegen/object/passes.h"

#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

#include "codegen/object/target.h"

namespace codegen::object {
namespace {

/// How many calls are left of a module in which a function calls a mathematical one so many times.
std::ptrdiff_t calls_left(int calls) {
  std::string text =
      "define internal double @math(double %x) memory(none) {\n  %y = fdiv double %x, 3.0\n"
      "  %z = fmul double %y, %y\n  ret double %z\n}\n"
      "define double @kernel(double %v0) {\n";
  for (int i = 0; i < calls; ++i)
    text += "  %v" + std::to_string(i + 1) + " = call double @math(double %v" + std::to_string(i) + ")\n";
  text += "  ret double %v" + std::to_string(calls) + "\n}\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text, error, context);
  REQUIRE_MESSAGE(module != nullptr, error.getMessage().str());
  dlvm::Diagnostics diagnostics;
  const auto machine = make_target_machine({}, diagnostics);
  REQUIRE_MESSAGE(machine != nullptr, dlvm::render(diagnostics));
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  optimise(*module, *machine);
  const auto instructions = llvm::instructions(*module->getFunction("kernel"));
  return std::ranges::count_if(instructions,
                               [](const auto& each) { return llvm::isa<llvm::CallInst>(each); });
}

TEST_CASE("mathematical functions are inlined, unless there are very many calls of one") {
  CHECK(calls_left(1) == 0);
  CHECK(calls_left(256) == 0);
  CHECK(calls_left(257) == 257);
}

}  // namespace
}  // namespace codegen::object
