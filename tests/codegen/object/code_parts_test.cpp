#include "codegen/object/code_parts.h"

#include <doctest/doctest.h>
#include <llvm/Object/ObjectFile.h>

#include <map>

#include "codegen/object/link_runtime.h"
#include "tests/codegen/object/parsed.h"

/// Code generation in parts: which there are, and what of them others see.
namespace codegen::object {
namespace {

/// The text of an entry that calls so many kernels. Each has `length` instructions and reads a table that
/// they share.
std::string text_of(int kernels, int length) {
  std::string text = "@tel.table = internal constant [2 x i64] [i64 3, i64 5]\n", entry;
  for (int k = 0; k < kernels; ++k) {
    text += "define internal i64 @tel.kernel" + std::to_string(k) + "(i64 %v0) noinline {\n";
    for (int i = 0; i < length; ++i)
      text += "  %v" + std::to_string(i + 1) + " = mul i64 %v" + std::to_string(i) + ", %v0\n";
    text += "  %t = load i64, ptr @tel.table\n  %sum = add i64 %t, %v" + std::to_string(length) +
            "\n  ret i64 %sum\n}\n";
    entry += "  %v" + std::to_string(k + 1) + " = call i64 @tel.kernel" + std::to_string(k) + "(i64 %v" +
             std::to_string(k) + ")\n";
  }
  return text + "define i64 @entry(i64 %v0) {\n" + entry + "  ret i64 %v" + std::to_string(kernels) + "\n}\n";
}

std::vector<std::string> objects_of(const std::string& text) {
  test::ParsedModule parsed(text);
  auto objects = translate_in_parts(*parsed.module, *parsed.machine, parsed.diagnostics);
  REQUIRE_MESSAGE(objects.has_value(), dlvm::render(parsed.diagnostics));
  return std::move(*objects);
}

/// The names that the object defines, and whether others see them.
std::map<std::string, bool> symbols_of(const std::string& bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  REQUIRE(!!object);
  std::map<std::string, bool> symbols;
  for (const auto& symbol : (*object)->symbols()) {
    const auto flags = llvm::cantFail(symbol.getFlags());
    const std::string name = llvm::cantFail(symbol.getName()).str();
    if (name.empty() || (flags & llvm::object::SymbolRef::SF_FormatSpecific)) continue;  // files, sections
    CHECK_MESSAGE(!(flags & llvm::object::SymbolRef::SF_Undefined), name);
    symbols[name] = (flags & llvm::object::SymbolRef::SF_Global) != 0;
  }
  return symbols;
}

TEST_CASE("a small module is one object") { CHECK(objects_of(text_of(8, 1000)).size() == 1); }

TEST_CASE("a large module is several objects, whose definitions are seen by none but each other") {
  const std::string text = text_of(10, 6000);
  const auto objects = objects_of(text);
  CHECK(objects.size() == 3);
  CHECK(objects == objects_of(text));
  auto linked = link_runtime(objects, Sanitizer::none);
  if (!linked) FAIL(llvm::toString(linked.takeError()));
  std::map<std::string, bool> expected{{"entry", true}, {"tel.table", false}};
  for (int k = 0; k < 10; ++k) expected["tel.kernel" + std::to_string(k)] = false;
  CHECK(symbols_of(*linked) == expected);
}

}  // namespace
}  // namespace codegen::object
