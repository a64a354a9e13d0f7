#include "dlvm/support/suggest.h"

#include <doctest/doctest.h>

#include <vector>

using namespace dlvm;
using Names = std::vector<std::string_view>;

TEST_CASE("the closest name has up to a third of the letters, and at least one, another way") {
  CHECK(closest("abcdef", Names{"abcdxy"}) == "abcdxy");
  CHECK(closest("abcdef", Names{"abcxyz"}).empty());
  CHECK(closest("ab", Names{"abc"}) == "abc");
  CHECK(closest("ab", Names{"a"}) == "a");
  CHECK(closest("ab", Names{"abcd"}).empty());
  CHECK(closest("abc", Names{"bcd"}).empty());
  CHECK(closest("a", Names{"b"}).empty());
  CHECK(closest("abcdef", Names{"bacdfe"}) == "bacdfe");
  CHECK(closest("abcdef", Names{}).empty());
  CHECK(closest("abcdef", Names{"abcdef"}).empty());
}

TEST_CASE("of several names the closest wins, then one of the same letters, then one of the same case") {
  CHECK(closest("length", Names{"lengths!", "lengths"}) == "lengths");
  CHECK(closest("from", Names{"frog", "form"}) == "form");
  CHECK(closest("form", Names{"farm", "from", "firm"}) == "from");
  CHECK(closest("relu", Names{"RELU", "ReLu", "Relu"}) == "Relu");
  CHECK(closest("relu", Names{"reli", "ReLU"}) == "ReLU");
  CHECK(closest("abcd", Names{"abce", "abcf"}) == "abce");
}

TEST_CASE("names of more than 64 letters are not compared") {
  const std::string long_name(64, 'a'), near = long_name.substr(1) + "b";
  CHECK(closest(long_name, Names{near}) == near);
  CHECK(closest(long_name + "a", Names{near}).empty());
  CHECK(closest(long_name, Names{near + "a"}).empty());
}

TEST_CASE("a question goes on a sentence, and is left out where nothing is near or there is too much") {
  CHECK(question("valeu", Names{"value"}, "%") == ": did you mean %value?");
  CHECK(question("valeu", Names{"value"}) == ": did you mean value?");
  CHECK(question("valeu", Names{"other"}, "%").empty());
  Names many(4096, "other");
  many.back() = "value";
  CHECK(question("valeu", many) == ": did you mean value?");
  many.push_back("value");
  CHECK(question("valeu", many).empty());
}
