#include "dlvm/support/token_reader.h"

#include <doctest/doctest.h>

namespace dlvm {
namespace {

/// Sums: `@name = 1 + 2 + %3 ;`.
class Sum : TokenReader {
 public:
  using TokenReader::error;
  using TokenReader::TokenReader;

  std::int64_t read() {
    name = take(Token::Kind::global);
    symbol("=");
    std::int64_t sum = 0;
    do sum += peek().kind == Token::Kind::scalar ? number_of(take(Token::Kind::scalar)) : integer();
    while (accept("+"));
    word("done");
    if (ok() && !at_end()) fail("the end of the text");
    return sum;
  }
  std::string name;
};

std::string error_of(std::string_view text) {
  Sum sum(text);
  sum.read();
  return sum.error();
}

TEST_CASE("words, numbers, names with a sign and characters are tokens; comments and white space are none") {
  Sum sum("@total = 1+20 // twenty\n  + %3 done");
  CHECK(sum.read() == 24);
  CHECK(sum.error().empty());
  CHECK(sum.name == "total");
}

TEST_CASE("the first mistake is reported, with its line") {
  CHECK(error_of("@a = 1\n+ x done") == "line 2: expected a number, found 'x'");
  CHECK(error_of("a = 1 done") == "line 1: expected a global name, found 'a'");
  CHECK(error_of("@a = 1 2") == "line 1: expected 'done', found '2'");
  CHECK(error_of("@a = 1 2.5e-3 done") == "line 1: expected 'done', found '2.5e-3'");
  CHECK(error_of("@a = 1 2e-3-done") == "line 1: expected 'done', found '2e-3'");
  CHECK(error_of("@a = 1 more-3 done") == "line 1: expected 'done', found 'more'");
  CHECK(error_of("@a = 99999999999999999999 done") == "line 1: expected an integer, found 'done'");
  CHECK(error_of("@a = 1 done\n\n done") == "line 3: expected the end of the text, found 'done'");
  CHECK(error_of("@a = 1 do.n_e") == "line 1: expected 'done', found 'do.n_e'");
  CHECK(error_of("@a = -1 done") == "line 1: expected a number, found '-'");
  CHECK(error_of("@a = 1 $x") == "line 1: expected 'done', found 'x'");
  CHECK(error_of("@a = 1 // done") == "line 1: expected 'done', found ''");
  CHECK(error_of("@a = 1 / done") == "line 1: expected 'done', found '/'");
  CHECK(error_of("") == "line 1: expected a global name, found ''");
}

TEST_CASE("a word may stand in quotes, which end with the line") {
  CHECK(error_of("@a = 1 \"done\"").empty());
  CHECK(error_of("@a = 1 \"done").empty());
  CHECK(error_of("@a = 1 \"\" done") == "line 1: expected 'done', found ''");
  CHECK(error_of("@a = 1 \"not done\" x") == "line 1: expected 'done', found 'not done'");
  CHECK(error_of("@a = 1 \"done\" x") == "line 1: expected the end of the text, found 'x'");
  CHECK(error_of("@a = 1 \"done\n x\"") == "line 2: expected the end of the text, found 'x'");
}

}  // namespace
}  // namespace dlvm
