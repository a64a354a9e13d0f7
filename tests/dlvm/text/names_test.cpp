#include "dlvm/text/names.h"

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

TEST_CASE("names are written as they are where they are plain, in quotes otherwise") {
  for (const char* plain : {"x", "_", "Z", "a9", "a.b", "a.0", "zeta.A_"}) {
    CHECK(written_name('%', plain) == "%" + std::string(plain));
    CHECK(written_name('@', plain) == "@" + std::string(plain));
  }
  for (const char* other : {"", "a.", ".a", "a..b", "9a", "a b", "a-b", "\xC3\xA9", "a.b."})
    CHECK(written_name('@', other) == "@\"" + std::string(other) + "\"");
  CHECK(written_name('\'', "10") == "'10");
  CHECK(written_name('%', "10") == "%\"10\"");
}

TEST_CASE("a quoted text has escapes, which are read back") {
  CHECK(quoted_text("a\"b\\c\nd") == R"("a\"b\\c\nd")");
  CHECK(quoted_text(std::string("\0\x1f \x7f~\x80", 6)) == "\"\\x00\\x1f \\x7f~\x80\"");
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string quoted = quoted_text(all);
  CHECK(unescaped(std::string_view(quoted).substr(1, quoted.size() - 2)) == all);
}

TEST_CASE("an escape that is none stands for its character") {
  CHECK(unescaped(R"(\x4a\x4B)") == "Jx4B");
  CHECK(unescaped(R"(\x4)") == "x4");
  CHECK(unescaped(R"(\x)") == "x");
  CHECK(unescaped(R"(\xa0)") == "\xa0");
  CHECK(unescaped(R"(\xg0\x0g)") == "xg0x0g");
  CHECK(unescaped(R"(\q\\n)") == R"(q\n)");
  CHECK(unescaped(R"(a\)") == R"(a\)");
  CHECK(unescaped("").empty());
}

TEST_CASE("a name that is taken gets the first number that is free") {
  UniqueNames names;
  CHECK(names.add("a") == "a");
  CHECK(names.add("a.2") == "a.2");
  CHECK(names.add("a") == "a.1");
  CHECK(names.add("a") == "a.3");
  CHECK(names.add("a.1") == "a.1.1");
  CHECK(names.add("b") == "b");
}

TEST_CASE("what has no name in a body has its place: of arguments, of instructions and of blocks") {
  const parsed::Text text(R"(
func @f: (f32, f32) -> f32 {
'entry(%x: f32, %0^1: f32):
    %0.0 = negate %x: f32
    %y = negate %0.0: f32
    %0.2 = add %y: f32, %0^1: f32
    branch '1(%0.2: f32)
'1(%1^0: f32):
    %1.0 = negate %1^0: f32
    return %1.0: f32
}
)");
  const Function& f = text.function();
  const BodyNames names(f);
  const BasicBlock &entry = f.entry(), &last = *f.blocks().back();
  const auto instruction = [](const BasicBlock& block, int i) -> const Instruction& {
    return **std::next(block.instructions().begin(), i);
  };
  CHECK(names.of(&entry) == "'entry");
  CHECK(names.of(&last) == "'1");
  CHECK(names.of(*entry.arguments()[0]) == "%x");
  CHECK(names.of(*entry.arguments()[1]) == "%0^1");
  CHECK(names.of(*last.arguments()[0]) == "%1^0");
  CHECK(names.of(instruction(entry, 1)) == "%y");
  CHECK(names.of(instruction(entry, 2)) == "%0.2");
  CHECK(names.of(instruction(last, 0)) == "%1.0");
  const parsed::Text other("func @f: (f32) -> f32 {\n'a(%x: f32):\n    return %x: f32\n}");
  CHECK(BodyNames(other.function()).of(instruction(entry, 1)) == "%?");
  CHECK(BodyNames(other.function()).of(&entry) == "'?");
  CHECK(is_anonymous_block(""));
  CHECK(is_anonymous_block("12"));
  CHECK_FALSE(is_anonymous_block("1a"));
}
