// What objects say of themselves: written, read back, and read from bytes that may be anything.
#include "codegen/target/gpu/contents/contents.h"

#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <random>

#include "codegen/object/object.h"
#include "codegen/target/gpu/contents/read_object.h"
#include "codegen/target/gpu/tables.h"
#include "codegen/target/nvptx/ptxas.h"

using namespace codegen;
using namespace codegen::object;
using codegen::target::gpu::device_contents;
using target::gpu::ObjectContents;

namespace {

ObjectContents example() {
  return {"digits",
          {"forward", "gradient"},
          true,
          {{"sm_80", false, 1000}, {"sm_80", true, 2000}},
          {{"k0", 256, 512, {{"sm_80", 32, 0, 0}}}, {"k1", 64, 0, {{"sm_80", 255, 16, 24}}}}};
}

std::string object_with(const ObjectContents& contents) {
  llvm::LLVMContext context;
  llvm::Module module("example", context);
  dlvm::Diagnostics diagnostics;
  const auto machine = make_target_machine({}, diagnostics);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  target::gpu::add_contents(module, contents);
  return emit(module, *machine, Emission::object, diagnostics).value();
}

std::string wrong(const std::string& text) {
  std::vector<ObjectContents> networks;
  std::string why;
  CHECK(!target::gpu::read_contents(text, networks, why));
  return why;
}

}  // namespace

TEST_CASE("what is written is read, from text and from an object") {
  const std::string text = target::gpu::write_contents(example());
  std::vector<ObjectContents> networks;
  std::string why;
  REQUIRE(target::gpu::read_contents(text + text, networks, why));
  REQUIRE(networks.size() == 2);
  CHECK(target::gpu::write_contents(networks[0]) == text);
  CHECK(target::gpu::write_contents(networks[1]) == text);

  const auto read = device_contents(object_with(example()), why);
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  CHECK(target::gpu::write_contents(read->front()) == text);
  CHECK(target::gpu::report(*read).find("255, spills 16 bytes") != std::string::npos);
}

TEST_CASE("texts that are none") {
  const std::string text = target::gpu::write_contents(example());
  for (std::size_t size = 1; size < text.size(); ++size) wrong(text.substr(0, size));
  CHECK(wrong("tel-devices 2\nend\n") == "line 1 of its section .tel.devices is not one of telc's");
  CHECK(wrong("tel-devices 1\nmodule m\n") == "its section .tel.devices is cut off");
  const auto inside = [](const std::string& line) {
    return wrong("tel-devices 1\nmodule m\n" + line + "\nend\n");
  };
  for (const char* line : {"tel-devices 1", "", "kernel", "kernel k 1", "kernel k 1 2 3", "kernel k -1 0",
                           "kernel k 1x 0", "kernel k 99999999999999999999 0", "code sm_80 1 0 0",
                           "entry a\tb", "entry \x1b[2J", "entry  ", "cubin sm_80", "what 1"})
    CHECK(inside(line) == "line 3 of its section .tel.devices is not one of telc's");
  CHECK(inside("entry " + std::string(1001, 'a')).find("line 3") == 0);
  CHECK(wrong("tel-devices 1\nend\n").find("line 2") == 0);  // no module
  CHECK(wrong(std::string((16 << 20) + 1, '\n')).find("has over") != std::string::npos);
}

TEST_CASE("objects that are cut off or damaged give an answer") {
  const std::string whole = object_with(example());
  std::string why;
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (!device_contents(whole.substr(0, size), why)) CHECK(!why.empty());
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 4; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    refused += !device_contents(damaged, why);
  }
  CHECK(refused > 100);
}

TEST_CASE("files of other kinds") {
  std::string why;
  CHECK(!device_contents("", why));
  CHECK(why == "it is no object file for Linux (ELF)");
  CHECK(!device_contents("!<arch>\n", why));
  CHECK(why == "it is an archive; take its objects out of it (ar x)");
  std::string program = object_with(example());
  program[16] = 3;  // e_type: ET_DYN
  CHECK(!device_contents(program, why));
  CHECK(why == "it is a linked program or library; the linker leaves out what is asked for");
}

TEST_CASE("the assembler's report") {
  const auto kernels = target::nvptx::kernels_of(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k0' for 'sm_90'\n"
      "ptxas info    : Function properties for k0\n"
      "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 31 registers, used 1 barriers, 376 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'k1' for 'sm_90'\n"
      "ptxas info    : Function properties for k1\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 255 registers\n",
      "sm_90");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels.at("k0").registers == 31);
  CHECK(kernels.at("k0").spilled == 16);
  CHECK(kernels.at("k0").stack == 8);
  CHECK(kernels.at("k1").registers == 255);
  CHECK(kernels.at("k1").spilled == 0);
  CHECK(target::nvptx::kernels_of("code for nothing", "sm_90").empty());
}

TEST_CASE("a report without what the assembler says of one kernel") {
  const std::string before = "ptxas info    : 0 bytes gmem\n",
                    warning =
                        "ptxas warning : Registers are spilled to local memory in function 'k0', 4 bytes\n",
                    first =
                        "ptxas info    : Compiling entry function 'k0' for 'sm_90'\n"
                        "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n",
                    second =
                        "ptxas info    : Compiling entry function 'k1' for 'sm_90'\n"
                        "ptxas info    : Used 255 registers\n";
  CHECK(target::nvptx::report_without(before + warning + first + second, {"k0"}) == before + second);
  CHECK(target::nvptx::report_without(before + warning + second + first, {"k0"}) == before + second);
  CHECK(target::nvptx::report_without(before + warning + first + second, {"k1"}) == before + warning + first);
}
