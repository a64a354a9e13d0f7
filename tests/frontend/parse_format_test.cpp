#include <doctest/doctest.h>

#include "frontend/ast/print.h"
#include "frontend/format/format.h"
#include "frontend/parse/token.h"
#include "frontend/support/stdlib.h"
#include "tests/frontend/support.h"

namespace {

std::string formatted(const std::string& text) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto result = frontend::format(*sources.add("test.tel", text), diagnostics);
  return result ? *result : dlvm::render(diagnostics);
}

/// Formats, and checks that formatting again changes nothing and that the module is the same.
std::string checked(const std::string& text) {
  const std::string once = formatted(text);
  CHECK(formatted(once) == once);
  CHECK(frontend::ast::print(*Parsed(text).module) == frontend::ast::print(*Parsed(once).module));
  return once;
}

}  // namespace

TEST_CASE("neighbours are aligned") {
  CHECK(
      checked("x:in[N x 784] // images\nlabel :in int32[ N ]// classes\n\n\n\nW1: param[784 x 256]=glorot()\n"
              "b1: param[256] = 0\n") ==
      "x:     in[N x 784]  // images\nlabel: in int32[N]  // classes\n\n"
      "W1: param[784x256] = glorot()\nb1: param[256]     = 0\n");
  CHECK(checked("a=1\nlonger  = 2\nL: loss=a") == "a       = 1\nlonger  = 2\nL: loss = a\n");
}

TEST_CASE("comments between neighbours do not part them, blank lines do") {
  CHECK(checked("/// one\nx:in\n/// two\nlonger:in\n\nW: param = 0") ==
        "/// one\nx:      in\n/// two\nlonger: in\n\nW: param = 0\n");
}

TEST_CASE("what is in a net is indented") {
  CHECK(checked("a=1\nnet Dense( n,m=4*n ){// a net\nW:param[n x m]=glorot()\n// alone\nfc :[ "
                "2]layers.Block( n,m: 3)\n"
                "\n\nfunc apply(x:[n])->[m]=x\n•W\n}y:Dense(3) net Empty{}\n") ==
        "a = 1\nnet Dense(n, m = 4 * n) {  // a net\n  W:  param[n x m] = glorot()\n  // alone\n"
        "  fc: [2] layers.Block(n, m: 3)\n\n  func apply(x: [n]) -> [m] = x\n    • W\n}\ny: Dense(3)\nnet "
        "Empty {\n}\n");
}

TEST_CASE("what is in a recurrent block is indented") {
  CHECK(checked("recurrent t in T*2  over x=e ,z = g{// a block\ni:in[2 x 1]\nh : hidden[2]=h[ t - 1 ]\n"
                "recurrent u backward{ k=k[u-1][0] }\nh[0 - 1]=1 }y=h over: out = y\nrecurrent = over") ==
        "recurrent t in T * 2 over x = e, z = g {  // a block\n  i: in[2x1]\n  h: hidden[2] = h[t-1]\n"
        "  recurrent u backward {\n    k = k[u-1][0]\n  }\n  h[0-1] = 1\n}\ny         = h\nover: out = y\n"
        "recurrent = over\n");
}

TEST_CASE("the cases of a match with values stand on one line, or on one each") {
  CHECK(checked("y=2*match t{leaf( v )=>-v node(l,_)=>f( l )[0] end=>1}+1\n") ==
        "y = 2 * match t { leaf(v) => -v  node(l, _) => f(l)[0]  end => 1 } + 1\n");
  CHECK(checked("y=match t{ // of t\nleaf(v)=>match v{a=>1 b=>2}\n\n\n// none\nend=>1+\n2 }[0]\nz=3") ==
        "y = match t { // of t\n  leaf(v) => match v { a => 1  b => 2 }\n\n  // none\n  end => 1 +\n    "
        "2\n}[0]\n"
        "z = 3\n");
  CHECK(checked("func f(t:Tree)=match t{\nleaf(v)=>v\nend=>0}") ==
        "func f(t: Tree) = match t {\n  leaf(v) => v\n  end => 0\n}\n");
  CHECK(checked("func f(t:Tree){let a=match t{leaf(v)=>v\nend=>0}return a}") ==
        "func f(t: Tree) {\n  let a = match t {\n    leaf(v) => v\n    end => 0\n  }\n  return a\n}\n");
}

TEST_CASE("spacing") {
  CHECK(checked("v=-x^2+y . z*2^ -1") == "v = -x^2 + y . z * 2^-1\n");
  CHECK(checked("v = x [1 : n - 1,:, ::-1 , i ]^T") == "v = x[1:n-1, :, ::-1, i]^T\n");
  CHECK(checked("v = f( x,along :0 )|>g") == "v = f(x, along: 0) |> g\n");
  CHECK(checked("v = [a,b]along-1") == "v = [a, b] along -1\n");
  CHECK(checked("v = [ 1,2 ;3 , 4]") == "v = [1, 2; 3, 4]\n");
  CHECK(checked("v = a^ T + not(b)") == "v = a ^ T + not (b)\n");
  CHECK(checked("v: in[4 * d x (H - K) / S + 1 x -1 + N]") == "v: in[4*d x (H-K)/S+1 x -1+N]\n");
  CHECK(checked("v = e as float16 [ 2 x 2 ] - 1") == "v = e as float16[2x2] - 1\n");
  CHECK(checked("func f(x:[s...],n:int32[ s... x k],along:axis=-1)->[s...]=x") ==
        "func f(x: [s...], n: int32[s... x k], along: axis = -1) -> [s...] = x\n");
  CHECK(checked("dim d=4*2,N import m") == "dim d = 4 * 2, N\nimport m\n");
  CHECK(checked("v = if(a)then(b)else-c") == "v = if (a) then (b) else -c\n");
  CHECK(checked("v[ i,j ] :out=sum( x[ i , 2*u+j ]for u in 0 .. n-1,w)") ==
        "v[i, j]: out = sum(x[i, 2*u+j] for u in 0..n - 1, w)\n");
  CHECK(checked("v = layers.f(- x)") == "v = layers.f(-x)\n");
}

TEST_CASE("a block on one line stays there; else each statement has a line") {
  const std::string one =
      "func f(x: [n]) -> ([n], [4*n x m]) { let a = x  for i in 0..n by 2 { a = -a }  return (a, a) }\n";
  CHECK(formatted(one) == one);
  CHECK(
      formatted(
          "func f(x: [n]) {let a=x var b=a // why\n\n\n// more\nif c {return a} else {\nb=a}\n// last\n}") ==
      "func f(x: [n]) {\n  let a = x\n  var b = a // why\n\n  // more\n  if c { return a } else {\n    b = "
      "a\n  }\n"
      "  // last\n}\n");
  CHECK(formatted("func f(x: [n]) { // why\n}") == "func f(x: [n]) { // why\n}\n");
}

TEST_CASE("comments and line breaks stay") {
  CHECK(checked("// first\r\n\r\n/// doc\r\nx: in /* scalar */ float32 // type\n/* alone */\ny = f(a, // "
                "one\nb\n)\n// last") ==
        "// first\n\n/// doc\nx: in /* scalar */ float32  // type\n/* alone */\ny = f(a, // one\n    "
        "b\n)\n// last\n");
  CHECK(checked("func f(x: []) =\nx +\n1") == "func f(x: []) =\n  x +\n  1\n");
  CHECK(checked("a = 1 b = 2 // both") == "a = 1\nb = 2  // both\n");
  CHECK(checked("\n\n") == "");
}

TEST_CASE("a module with errors is not formatted") {
  CHECK(formatted("x = (").find("TEL-E0110") != std::string::npos);
}

TEST_CASE("the standard library parses and is formatted") {
  const auto nn = frontend::standard_library("nn");
  REQUIRE(nn);
  CHECK(Parsed(std::string(*nn)).messages() == "");
  CHECK(checked(std::string(*nn)) == *nn);
  CHECK(!frontend::standard_library("no such module"));
  CHECK(!frontend::standard_library(""));
}

TEST_CASE("white space and comments anywhere change no meaning, and formatting keeps every comment") {
  const std::string text(*frontend::standard_library("nn"));
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto tokens = frontend::syntax::lex(*sources.add("nn.tel", text), diagnostics).code;
  const std::string between[] = {" ",  "  ",        "\n",      "\n\n\n",   "\r\n",
                                 "\t", " /* c */ ", " // c\n", "\n// c\n", " /* c\n c */ "};
  std::uint32_t state = 7;
  for (int round = 0; round < 60; ++round) {
    std::string changed;
    std::size_t comments = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      changed += tokens[i].text;
      if (tokens[i + 1].begin == tokens[i].end) continue;
      state = state * 1664525u + 1013904223u;
      const std::string& filler = between[(state >> 16) % std::size(between)];
      comments += filler.find('/') != std::string::npos;
      changed += filler;
    }
    const Parsed parsed(changed);
    REQUIRE(parsed.messages() == "");
    const std::string once = formatted(changed);
    REQUIRE(frontend::ast::print(*Parsed(once).module) == frontend::ast::print(*parsed.module));
    REQUIRE(frontend::ast::print(*parsed.module) == frontend::ast::print(*Parsed(text).module));
    REQUIRE(formatted(once) == once);
    std::size_t kept = 0;
    for (std::size_t at = once.find("/"); at != std::string::npos; at = once.find("/", at + 1)) {
      kept += once.compare(at, 4, "// c") == 0 || once.compare(at, 4, "/* c") == 0;
    }
    REQUIRE(kept == comments);
  }
}

TEST_CASE("one file may be laid out in any way") {
  const std::string one_way =
      "/// Comments\n"
      "/// of several lines, /* and of both kinds. */\n"
      "module comments_and_white_space type float32 /* a\n"
      "   block */ x: in[N x 2] p: param[2] /* between */ = [1, 2] // to the end of the line\n"
      "/// About y.\n"
      "y: out = x\n"
      "  * p\n"
      "  // In the middle of an expression.\n"
      "  + 1 /**/ z: out =\n"
      "x - p w = x + 1 v: out = w\n";
  CHECK(checked(one_way) ==
        read_file(std::filesystem::path(TEST_FOLDER) / "../language/comments_and_white_space.tel"));
}

TEST_CASE("the programs here are in the canonical layout") {
  const std::filesystem::path root = std::filesystem::path(TEST_FOLDER) / "../..";
  for (const char* folder : {"examples", "tests/language", "benchmarks", "stdlib"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".tel") continue;
      const std::string text = read_file(entry.path());
      CHECK_MESSAGE(formatted(text) == text, "telc fmt --write " << entry.path().string());
    }
}
