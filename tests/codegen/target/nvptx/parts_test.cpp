#include "codegen/target/nvptx/parts.h"

#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <set>

using namespace codegen;

namespace {

/// Kernels `k0`, `k1` … that call one function, which reads a table.
std::unique_ptr<llvm::Module> kernels(int count, llvm::LLVMContext& context) {
  std::string text = R"(@table = internal constant [2 x i32] [i32 1, i32 2]
@shared = external addrspace(3) global [0 x i8]
define internal i32 @f(i32 %i) {
  %at = getelementptr [2 x i32], ptr @table, i32 0, i32 %i
  %value = load i32, ptr %at
  ret i32 %value
}
)";
  for (int i = 0; i < count; ++i)
    text += "define void @k" + std::to_string(i) +
            "(ptr %p) {\n  %value = call i32 @f(i32 1)\n  store i32 %value, ptr %p\n"
            "  store i32 2, ptr addrspace(3) @shared\n  ret void\n}\n";
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  REQUIRE(module != nullptr);
  return module;
}

}  // namespace

TEST_CASE("a kernel is in one part, with what it calls under names of that part") {
  llvm::LLVMContext context;
  const auto whole = kernels(5, context);
  const auto parts = target::nvptx::split(*whole, {1, 3});
  REQUIRE(parts.size() == 3);
  std::vector<std::string> names;
  std::set<std::string> functions;
  for (const std::string& bitcode : parts) {
    const auto part = llvm::cantFail(llvm::parseBitcodeFile({bitcode, "part"}, context));
    CHECK(!llvm::verifyModule(*part));
    for (const llvm::Function& function : *part)
      if (function.hasLocalLinkage())
        CHECK(functions.insert(function.getName().str()).second);
      else
        names.push_back(function.getName().str());
    CHECK(part->getGlobalVariable("shared") != nullptr);
    CHECK(part->getGlobalVariable("table", true) == nullptr);
  }
  CHECK(names == std::vector<std::string>{"k0", "k1", "k2", "k3", "k4"});
  CHECK(target::nvptx::split(*whole, {1, 3}) == parts);
  CHECK(target::nvptx::split(*whole).size() == 1);
}

TEST_CASE("the PTX of parts has one head") {
  const std::string head = "//\n// Generated\n//\n\n.version 7.8\n.target sm_80\n.address_size 64\n\n",
                    shared = ".extern .shared .align 16 .b8 tel_shared[];\n",
                    first = ".visible .entry a()\n{\n\t// a\n\tret;\n}\n",
                    second = ".visible .entry b()\n{\n\tret;\n}\n";
  const std::string one = head + shared + first;
  CHECK(target::nvptx::join_ptx({one}) == one);
  const std::string both = target::nvptx::join_ptx({one, head + shared + second});
  CHECK(both.starts_with(one));
  CHECK(both.find(second) != std::string::npos);
  CHECK(both.find(".version", one.size()) == std::string::npos);
  CHECK(both.find(".extern", one.size()) == std::string::npos);
  // The first part that uses shared memory declares it.
  const std::string later =
      target::nvptx::join_ptx({head + first, head + shared + second, head + shared + second});
  CHECK(later == head + first + "\n\n" + shared + second + "\n\n" + second);
}
