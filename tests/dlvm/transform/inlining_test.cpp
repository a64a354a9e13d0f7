// That inlining is linear where the result is, and bounded where it is not.
#include <doctest/doctest.h>

#include <string>

#include "dlvm/support/diagnostic.h"
#include "dlvm/text/parse.h"
#include "dlvm/transform/inlining.h"
#include "dlvm/verify/verify.h"

namespace {

/// An entry point that calls the last of functions of which each calls the one before so many times, and
/// adds 1.
std::string program(int functions, int calls) {
  std::string text =
      "entry forward \"forward\" @forward(input \"x\") -> (output \"y\")\n"
      "func @f0: (f32) -> f32 {\n'entry(%x: f32):\n    %y = add %x: f32, 1: f32\n    return %y: f32\n}\n";
  const auto call = [](int callee, const std::string& operand, const std::string& result) {
    return "    %" + result + " = apply @f" + std::to_string(callee) + "(%" + operand + ": f32) -> f32\n";
  };
  for (int i = 1; i < functions; ++i) {
    text += "func @f" + std::to_string(i) + ": (f32) -> f32 {\n'entry(%v0: f32):\n";
    for (int k = 0; k < calls; ++k) text += call(i - 1, "v" + std::to_string(k), "v" + std::to_string(k + 1));
    text += "    %y = add %v" + std::to_string(calls) + ": f32, 1: f32\n    return %y: f32\n}\n";
  }
  return text + "func @forward: (f32) -> (f32) {\n'entry(%x: f32):\n" + call(functions - 1, "x", "y") +
         "    %r = literal (%y: f32)\n    return %r: (f32)\n}\n";
}

std::size_t instructions(const dlvm::Module& module) {
  std::size_t count = 0;
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks()) count += block->instructions().size();
  return count;
}

/// Instructions before and after.
std::pair<std::size_t, std::size_t> inlined(const std::string& text,
                                            std::size_t limit = dlvm::inlining_limit) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = dlvm::parse(*sources.add("m.dl", text), sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, dlvm::render(diagnostics));
  const std::size_t before = instructions(*module);
  CHECK(dlvm::inlining(*module, limit));
  CHECK_MESSAGE(dlvm::verify(*module, diagnostics), dlvm::render(diagnostics));
  return {before, instructions(*module)};
}

}  // namespace

TEST_CASE("a chain of calls is inlined once, where it is called from") {
  constexpr int length = 1 << 14;
  const auto [before, after] = inlined(program(length, 1));
  CHECK(after == before - 1 + length);
}

TEST_CASE("what calls that double would come to is counted, and they stay calls but for small ones") {
  constexpr std::size_t limit = 20'000;
  const auto [before, after] = inlined(program(64, 2), limit);
  CHECK(after > before);
  CHECK(after < before + 64 * 128);  // two small callees in each function
  CHECK(inlined(program(64, 2)) == std::pair(before, after));
  // Ten functions fit: the entry point adds 1 so many times.
  const auto [few, all] = inlined(program(10, 2), limit);
  CHECK(all == few - 1 + 1023);
}

TEST_CASE("copies of calls that do not fit the arguments' shapes count towards the limit") {
  std::string text =
      "entry forward \"forward\" @forward(input \"x\") -> (output \"y\")\n"
      "func @misfit: (<K x f32>) -> <2 x f32> {\n'entry(%x: <K x f32>):\n"
      "    %y = shapeCast %x: <K x f32> to 2\n    return %y: <2 x f32>\n}\n"
      "func @many: (<3 x f32>) -> <2 x f32> {\n'entry(%x: <3 x f32>):\n";
  const auto call = [&](const char* callee, int number) {
    text += "    %y" + std::to_string(number) + " = apply @" + callee + "(%x: <3 x f32>) -> <2 x f32>\n";
  };
  for (int i = 0; i < 10; ++i) call("misfit", i);
  text +=
      "    return %y0: <2 x f32>\n}\nfunc @forward: (<3 x f32>) -> (<2 x f32>) {\n'entry(%x: <3 x f32>):\n";
  for (int i = 0; i < 100; ++i) call("many", i);
  text += "    %r = literal (%y0: <2 x f32>)\n    return %r: (<2 x f32>)\n}\n";
  const auto [before, after] = inlined(text, 450);
  CHECK(after > before + 400);
  CHECK(after <= before + 450);
}
