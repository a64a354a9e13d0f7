#include <doctest/doctest.h>
#include <llvm/IR/Module.h>

#include <regex>
#include <sstream>

#include "codegen/object/link.h"
#include "codegen/object/runtime_assembly.h"

using codegen::runtime_assembly;

namespace {

std::string assembly(const std::set<std::string>& wanted) {
  auto text = runtime_assembly(wanted);
  REQUIRE(bool(text));
  return *text;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("only what is wanted of the runtime, and what that uses") {
  CHECK(assembly({}).empty());
  CHECK(assembly({"no_such_function", "malloc"}).empty());
  const std::string floor = assembly({"floor"});
  CHECK(count(floor, "\nfloor:\n") == 1);
  CHECK(count(floor, "@function") == 1);
  const std::string call = assembly({"tel_call"});
  CHECK(count(call, "\ntel_call:\n") == 1);
  CHECK(count(call, "\ntel_save:\n") == 0);
  CHECK(assembly({"tel_call", "tel_save"}).size() > call.size());
}

namespace {

/// Every name that the parts use is one of theirs, or such that `module` may leave it to libc.
void check_names(const std::set<std::string>& parts, const llvm::Module& module) {
  std::istringstream lines(assembly(parts));
  const std::regex label("([A-Za-z_.][^:]*):"), relocation("\\.reloc [^,]*, R_[A-Z0-9_]+, ([^+-]+)[+-].*");
  std::set<std::string> defined, used;
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 300) continue;
    if (std::regex_match(line, found, label)) CHECK(defined.insert(found[1]).second);
    if (line.starts_with(".reloc")) {
      REQUIRE(std::regex_match(line, found, relocation));
      used.insert(found[1]);
    }
  }
  CHECK(used.size() > 50);
  for (const std::string& name : used) {
    CAPTURE(name);
    CHECK((defined.count(name) > 0 || codegen::is_allowed_external(module, name)));
  }
}

}  // namespace

TEST_CASE("what the runtime's assembly uses is in it, or in libc") {
  llvm::LLVMContext context;
  const llvm::Module module("plain", context);
  CHECK(!codegen::is_allowed_external(module, "pthread_create"));
  check_names({"tel_call", "tel_prepare", "tel_workspace", "tel_initialize", "tel_load", "tel_save", "fma",
               "__truncdfhf2"},
              module);
}

TEST_CASE("the emulator is taken where it is wanted, and then needs threads") {
  const std::string plain = assembly({"tel_call", "tel_prepare", "tel_workspace"});
  CHECK(plain.find("tel_emulator") == std::string::npos);
  CHECK(plain.find("divergent") == std::string::npos);  // nor its texts
  llvm::LLVMContext context;
  llvm::Module module("emulated", context);
  module.getOrInsertFunction("tel_emulator_call", llvm::Type::getInt32Ty(context));
  CHECK(codegen::is_allowed_external(module, "pthread_create"));
  check_names({"tel_call", "tel_emulator_call", "tel_emulator_access", "tel_device_multiply_bf16"}, module);
}

TEST_CASE("the driver is opened where there is code for GPUs, by state that programs share") {
  CHECK(assembly({"tel_call", "tel_prepare", "tel_workspace"}).find("tel_cuda") == std::string::npos);
  llvm::LLVMContext context;
  llvm::Module module("gpu", context);
  CHECK(!codegen::is_allowed_external(module, "dlopen"));
  module.getOrInsertFunction("tel_cuda_call", llvm::Type::getInt32Ty(context));
  CHECK(codegen::is_allowed_external(module, "dlopen"));
  const std::set<std::string> parts{"tel_call", "tel_cuda_call", "tel_cuda_workspace", "tel_choose_device",
                                    "tel_wait"};
  check_names(parts, module);
  const std::string text = assembly(parts);
  CHECK(count(text, ".weak") == 1);
  CHECK(count(text, ".weak tel.cuda.3\n.hidden tel.cuda.3\n") == 1);
}

TEST_CASE("functions of the runtime can be unwound") {
  const std::string text = assembly({"tel_call", "tel_load"});
  CHECK(count(text, ".cfi_startproc") == count(text, ".section .text,"));
  CHECK(count(text, ".cfi_startproc") == count(text, ".cfi_endproc"));
}
