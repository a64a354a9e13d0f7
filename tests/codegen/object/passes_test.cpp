#include "codegen/object/passes.h"

#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "tests/codegen/object/parsed.h"

namespace codegen::object {
namespace {

/// How many calls are left of a module in which a function calls a mathematical one so many times.
std::ptrdiff_t calls_left(int calls) {
  std::string text =
      "define internal double @math(double %x) memory(none) {\n  %y = fdiv double %x, 3.0\n"
      "  %z = fmul double %y, %y\n  ret double %z\n}\n"
      "define double @kernel(double %v0) {\n";
  for (int i = 0; i < calls; ++i)
    text += "  %v" + std::to_string(i + 1) + " = call double @math(double %v" + std::to_string(i) + ")\n";
  text += "  ret double %v" + std::to_string(calls) + "\n}\n";
  const test::ParsedModule parsed(text);
  optimise(*parsed.module, *parsed.machine);
  const auto instructions = llvm::instructions(*parsed.module->getFunction("kernel"));
  return std::ranges::count_if(instructions,
                               [](const auto& each) { return llvm::isa<llvm::CallInst>(each); });
}

TEST_CASE("mathematical functions are inlined, unless there are very many calls of one") {
  CHECK(calls_left(1) == 0);
  CHECK(calls_left(256) == 0);
  CHECK(calls_left(257) == 257);
}

}  // namespace
}  // namespace codegen::object
