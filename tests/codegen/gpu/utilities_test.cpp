#include "codegen/gpu/utilities.h"

#include <doctest/doctest.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include "runtime/abi.h"

TEST_CASE("the kernels that the runtime launches are as it launches them") {
  llvm::LLVMContext context;
  llvm::Module module("kernels", context);
  codegen::gpu::add_utilities(module);
  CHECK(!llvm::verifyModule(module));
  const auto threads = [&](const char* name) {
    const llvm::Function* function = module.getFunction(name);
    REQUIRE(function != nullptr);
    CHECK(function->getCallingConv() == llvm::CallingConv::PTX_Kernel);
    CHECK(function->arg_size() == 3);
    return function->getFnAttribute("nvvm.reqntid").getValueAsString();
  };
  CHECK(threads(runtime::words_kernel) == std::to_string(runtime::words_limit));
  const llvm::Type* words = module.getFunction(runtime::words_kernel)->getParamByValType(2);
  CHECK(words->getArrayNumElements() == runtime::words_limit);
  for (const runtime::AddKernel& kernel : runtime::add_kernels)
    CHECK(threads(kernel.name) == std::to_string(runtime::add_threads));
}
