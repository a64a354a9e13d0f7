#pragma once

#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "codegen/object/target.h"

namespace test {

/// A module of LLVM's text, and the target for which it is compiled. The test fails where there is an error.
struct ParsedModule {
  explicit ParsedModule(const std::string& text) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(text, error, context);
    REQUIRE_MESSAGE(module != nullptr, error.getMessage().str());
    machine = codegen::object::make_target_machine({}, diagnostics);
    REQUIRE_MESSAGE(machine != nullptr, dlvm::render(diagnostics));
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
  }

  llvm::LLVMContext context;
  dlvm::Diagnostics diagnostics;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
};

}  // namespace test
