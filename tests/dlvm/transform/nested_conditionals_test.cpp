// The code of a derivative grows in proportion to the depth of nested conditionals, at any order: what each
// of them keeps leaves all those around it, but blocks take no argument for each, and none computes again
// what all those around it have.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"

using namespace dlvm;

namespace {

/// A function of so many conditionals, each in the one before, and its first two derivatives.
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
         "}\n[gradient @f]\nfunc @g: (f64) -> (f64)\n"
         "func @slope: (f64) -> f64 {\n'entry(%x: f64):\n    %r = apply @g(%x: f64) -> (f64)\n"
         "    %s = extract 0 from %r: (f64)\n    return %s: f64\n}\n"
         "[gradient @slope]\nfunc @h: (f64) -> (f64)\n";
}

struct Size {
  std::size_t arguments = 0, instructions = 0;
};

/// Returns the size of a derivative of `nested(depth)` as kernels are built of it.
Size size_of(const std::string& derivative, int depth) {
  Sources sources;
  Diagnostics diagnostics;
  const auto module = parse(*sources.add("nested.dl", nested(depth)), sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
  REQUIRE(optimize(*module, diagnostics));
  REQUIRE(lower_control_flow(*module, diagnostics));
  Size size;
  for (const auto& block : module->function(derivative)->blocks()) {
    size.arguments += block->arguments().size();
    size.instructions += block->instructions().size();
    for (const auto& instruction : block->instructions()) CHECK(instruction->opcode() != Opcode::createStack);
  }
  return size;
}

}  // namespace

TEST_CASE("derivatives of nested conditionals grow in proportion to their depth") {
  for (const char* derivative : {"g", "h"}) {
    const Size few = size_of(derivative, 20), many = size_of(derivative, 40);
    CAPTURE(derivative);
    CHECK(few.arguments > 20);
    CHECK(few.instructions > 20);
    CHECK(many.arguments <= 2 * few.arguments + 20);
    CHECK(many.instructions * 10 <= few.instructions * 22);
  }
}
