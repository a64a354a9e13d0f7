// The code of a derivative grows in proportion to the depth of nested conditionals: what each of them keeps
// leaves all those around it, but blocks take no argument for each.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"

using namespace dlvm;

namespace {

/// A function of so many conditionals, each in the one before, and its derivative.
std::string nested(int depth) {
  std::string text = "stage raw\nfunc @f: (f64) -> f64 {\n'entry(%x0: f64):\n", joins;
  for (int i = 0; i < depth; ++i) {
    text += fmt::format(
        "    %c{0} = greaterThan %x{0}: f64, 0: f64\n"
        "    conditional %c{0}: bool then 'then{0}() else 'join{0}(%x{0}: f64)\n"
        "'then{0}():\n"
        "    %x{1} = sin %x{0}: f64\n",
        i, i + 1);
    joins = fmt::format(
                "'join{0}(%y{0}: f64):\n"
                "    %z{0} = multiply %y{0}: f64, %x{0}: f64\n",
                i) +
            (i == 0 ? "    return %z0: f64\n" : fmt::format("    branch 'join{}(%z{}: f64)\n", i - 1, i)) +
            joins;
  }
  return text + fmt::format("    branch 'join{}(%x{}: f64)\n", depth - 1, depth) + joins +
         "}\n[gradient @f]\nfunc @g: (f64) -> (f64)\n";
}

/// The number of arguments of blocks that the derivative has when kernels are built of it.
std::size_t arguments_of_blocks(int depth) {
  Sources sources;
  Diagnostics diagnostics;
  const auto module = parse(*sources.add("nested.dl", nested(depth)), sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
  REQUIRE(optimize(*module, diagnostics));
  REQUIRE(lower_control_flow(*module, diagnostics));
  std::size_t count = 0;
  for (const auto& block : module->function("g")->blocks()) {
    count += block->arguments().size();
    for (const auto& instruction : block->instructions()) CHECK(instruction->opcode() != Opcode::createStack);
  }
  return count;
}

}  // namespace

TEST_CASE("what nested conditionals keep takes arguments in proportion to their depth") {
  const std::size_t few = arguments_of_blocks(20), many = arguments_of_blocks(40);
  CHECK(few > 20);
  CHECK(many <= 2 * few + 20);
}
