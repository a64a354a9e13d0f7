#include "codegen/target/nvptx/utilities.h"

#include <doctest/doctest.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include "runtime/abi.h"

TEST_CASE("the kernels that the runtime launches are as it launches them") {
  llvm::LLVMContext context;
  llvm::Module module("kernels", context);
  codegen::target::nvptx::add_utilities(module);
  CHECK(!llvm::verifyModule(module));
  const auto threads = [&](const char* name, std::size_t parameters) {
    const llvm::Function* function = module.getFunction(name);
    REQUIRE(function != nullptr);
    CHECK(function->getCallingConv() == llvm::CallingConv::PTX_Kernel);
    CHECK(function->arg_size() == parameters);
    return function->getFnAttribute("nvvm.reqntid").getValueAsString();
  };
  CHECK(threads(runtime::argument_kernel, 3) == std::to_string(runtime::argument_chunk_words));
  const llvm::Type* words = module.getFunction(runtime::argument_kernel)->getParamByValType(2);
  CHECK(words->getArrayNumElements() == runtime::argument_chunk_words);
  CHECK(threads(runtime::update_kernel, 4) == std::to_string(runtime::update_threads));
  for (const runtime::CombineKernel& kernel : runtime::combine_kernels)
    CHECK(threads(kernel.name, 5) == std::to_string(runtime::combine_threads));
}
