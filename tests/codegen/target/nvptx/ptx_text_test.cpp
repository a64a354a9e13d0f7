#include "codegen/target/nvptx/ptx_text.h"

#include <doctest/doctest.h>

using namespace codegen;

namespace {

const std::string head =
    ".version 7.8\n.target sm_80\n.func  (.param .b32 r) f(\n\t.param .b32 a\n)\n{\n\tret;\n}\n";
const std::string first =
    "\t// .globl\tk_1\n.visible .entry k_1(\n\t.param .u64 k_1_param_0\n)\n.reqntid 32\n{\n\tret;\n\n}\n";
const std::string middle = ".func g()\n{\n\tret;\n}\n";
const std::string second =
    "\n.visible .entry k_10(\n\t.param .u64 k_10_param_0\n)\n.reqntid 64\n{\n\tret;\n\n}\n";
const std::string tail = "\t.file\t1 \"m.tel\"\n";
const std::string ptx = head + first + middle + second + tail;

}  // namespace

TEST_CASE("PTX with some of its entries, and all functions") {
  CHECK(target::nvptx::with_entries(ptx, {"k_1", "k_10"}) == ptx);
  const std::string one = target::nvptx::with_entries(ptx, {"k_1"});
  CHECK(one == head + first + middle + "\n" + tail);
  const std::string other = target::nvptx::with_entries(ptx, {"k_10"});
  CHECK(other == head + "\t// .globl\tk_1\n" + middle + second + tail);
  CHECK(target::nvptx::with_entries("no entry", {"k_1"}) == "no entry");
}

TEST_CASE("kernels that may have all registers say so before their bodies") {
  const std::string text = target::nvptx::with_one_block(ptx, {"k_1"});
  CHECK(text.find(".reqntid 32\n.minnctapersm 1\n{") != std::string::npos);
  CHECK(text.find(".reqntid 64\n{") != std::string::npos);
}
