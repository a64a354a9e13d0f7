// Whole programs: compute functions by clang, objects by codegen/object, headers by codegen/header, linked
// with applications by the compilers of the system.
#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <sstream>

#include "codegen/header/header.h"
#include "codegen/object/object.h"
#include "dlvm/support/output_files.h"
#include "tests/header/networks.h"
#include "tests/header/support.h"

using namespace codegen;
using namespace codegen::interface;
using namespace codegen::object;
using namespace header_tests;

namespace header_tests {

bool finalize(llvm::Module& module, const Interface& interface, llvm::TargetMachine& machine,
              dlvm::Diagnostics& diagnostics) {
  return finalize_module(std::vector<LevelModule>{{&module, &machine, {&interface}}}, {}, diagnostics);
}

void build(const Folder& folder, const Interface& interface, const std::string& cpu, std::string name) {
  if (name.empty()) name = interface.module;
  folder.run(std::string(TEST_CLANG) + " -O1 -ffreestanding -march=" + cpu + " -S -emit-llvm -w " +
             (sources / "compute.c").string() + " -o compute.ll");
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseIRFile((folder.path / "compute.ll").string(), error, context);
  REQUIRE(module);
  dlvm::Diagnostics diagnostics;
  TargetOptions options;
  options.cpu = cpu;
  const auto machine = make_target_machine(options, diagnostics);
  REQUIRE(machine);
  const bool complete = finalize(*module, interface, *machine, diagnostics);
  INFO(dlvm::render(diagnostics));
  REQUIRE(complete);
  const auto object = emit(*module, *machine, Emission::object, diagnostics);
  REQUIRE(object);
  dlvm::OutputFiles files;
  files.add((folder.path / (name + ".o")).string(), *object);
  files.add((folder.path / (name + ".hpp")).string(), header::print_header(interface));
  dlvm::FileError failed;
  REQUIRE(files.write(failed));
}

}  // namespace header_tests

namespace {

std::string application(const char* name) { return " " + (sources / "applications" / name).string() + " "; }

}  // namespace

TEST_CASE("programs of one and of two networks, by both compilers") {
  const Folder folder;
  build(folder, networks::mlp(), "x86-64-v3");
  build(folder, networks::mixed(), "x86-64-v3");
  for (const std::string compiler : {"g++", TEST_CLANGXX}) {
    const std::string build = compiler + " -std=c++20 -O1 -I. " + warnings;
    folder.run(build + "-c" + application("programs.cpp") + application("other.cpp"));
    folder.run(compiler + " programs.o other.o mlp.o mixed.o -o programs && ./programs");
    folder.run(build + "-fno-exceptions" + application("status.cpp") + "mlp.o -o status && ./status");
  }
  // By g++ it is compiled with the networks of examples.
  folder.run(TEST_CLANGXX " -std=c++20 -O1 -I. " + warnings + application("allocation.cpp") +
             "mlp.o -o allocation && ./allocation");
  for (const std::string compiler : {"gcc", TEST_CLANG})
    folder.run(compiler + " -std=c11 -O1 -I. " + warnings + application("plain.c") +
               "mlp.o -o plain && ./plain");

  // The same program with objects for processors without and with every feature of this machine.
  for (const char* cpu : {"x86-64", "native"}) {
    CAPTURE(std::string(cpu));
    build(folder, networks::mlp(), cpu);
    build(folder, networks::mixed(), cpu);
    folder.run("g++ programs.o other.o mlp.o mixed.o -o programs && ./programs");
  }
}

TEST_CASE("an application under the address and undefined-behaviour sanitizers") {
  const Folder folder;
  build(folder, networks::mlp(), "x86-64-v3");
  build(folder, networks::mixed(), "x86-64-v3");
  folder.run("g++ -std=c++20 -g1 -I. -fsanitize=address,undefined -fno-sanitize-recover=all" +
             application("programs.cpp") + "mlp.o mixed.o -o programs && ./programs");
}

TEST_CASE("objects need libc alone, and show their entry points alone") {
  const Folder folder;
  const std::string allowed = "\n" + read(sources / ".." / "examples" / "allowed-symbols");
  for (const char* cpu : {"x86-64-v3", "x86-64"}) {
    for (const Interface& interface : {networks::mlp(), networks::mixed()}) {
      build(folder, interface, cpu);
      std::istringstream undefined(folder.run("nm -u " + interface.module + ".o"));
      for (std::string letter, name; undefined >> letter >> name;) {
        CAPTURE(name);
        CHECK(allowed.find("\n" + name + "\n") != std::string::npos);
      }
      std::istringstream defined(folder.run("nm -g --defined-only " + interface.module + ".o"));
      const std::string hash = interface_hash(interface);
      for (std::string address, letter, name; defined >> address >> letter >> name;) {
        CAPTURE(name);
        CHECK(name.size() > hash.size());
        CHECK(name.substr(name.size() - hash.size()) == hash);
      }
    }
  }
}

TEST_CASE("a header of another interface does not link") {
  const Folder folder;
  Interface changed = networks::mlp();
  build(folder, changed, "x86-64-v3");
  changed.entries[0].inputs[0].tensor.extents[1] = 783;
  std::ofstream(folder.path / "mlp.hpp") << header::print_header(changed);
  const std::string log = folder.run("gcc -std=c11 -I." + application("plain.c") + "mlp.o -o plain", false);
  CHECK(log.find("undefined reference to `mlp.forward.") != std::string::npos);
}

TEST_CASE("assembly and LLVM text") {
  const Folder folder;
  folder.run(std::string(TEST_CLANG) + " -O1 -ffreestanding -march=x86-64-v3 -S -emit-llvm -w " +
             (sources / "compute.c").string() + " -o compute.ll");
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseIRFile((folder.path / "compute.ll").string(), error, context);
  dlvm::Diagnostics diagnostics;
  const auto machine = make_target_machine({}, diagnostics);
  REQUIRE(finalize(*module, networks::mlp(), *machine, diagnostics));
  CHECK(emit(*module, *machine, Emission::llvm, diagnostics)->find("define i32 @mlp.forward.") !=
        std::string::npos);
  CHECK(emit(*module, *machine, Emission::assembly, diagnostics)->find("mlp.forward.") != std::string::npos);
}

TEST_CASE("what is not there is an internal error, an unknown target one of the user") {
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  dlvm::Diagnostics diagnostics;
  const auto machine = make_target_machine({}, diagnostics);
  CHECK(!finalize(empty, networks::mlp(), *machine, diagnostics));
  REQUIRE(diagnostics.error_count() == 1);
  CHECK(diagnostics.all()[0].text.find("no function '") != std::string::npos);
  CHECK(!make_target_machine({"riscv64-linux-gnu", "x86-64", 2}, diagnostics));
  CHECK(!make_target_machine({"", "pentium9", 2}, diagnostics));
  CHECK(diagnostics.all()[2].text == "unknown processor 'pentium9'");
}
