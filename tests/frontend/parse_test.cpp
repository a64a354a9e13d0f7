#include <doctest/doctest.h>

#include "frontend/ast/print.h"
#include "frontend/parse/token.h"
#include "tests/frontend/support.h"

namespace {

namespace ast = frontend::ast;

/// The expression, fully bracketed; the messages where it does not parse.
std::string tree(const std::string& expression) {
  const Parsed parsed("v = " + expression);
  if (parsed.diagnostics.has_errors()) return parsed.messages();
  REQUIRE(parsed.module->declarations.size() == 1);
  return ast::print(*parsed.module->declarations[0].value);
}

std::string type_of(const std::string& written) {
  const Parsed parsed("v: " + written);
  if (parsed.diagnostics.has_errors()) return parsed.codes();
  REQUIRE(parsed.module->declarations.size() == 1);
  return ast::print(parsed.module->declarations[0].type);
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("binding, tightest first") {
  CHECK(tree("a + b * c") == "(+ a (* b c))");
  CHECK(tree("a * b • c") == "(* a (• b c))");
  CHECK(tree("a @ b . c • d") == "(• a b c d)");
  CHECK(tree("-a • b") == "(• (- a) b)");
  CHECK(tree("-x^2") == "(- (^ x 2))");
  CHECK(tree("2^-1") == "(^ 2 (- 1))");
  CHECK(tree("2^-x^2") == "(^ 2 (- (^ x 2)))");
  CHECK(tree("a^b^c") == "(^ a b c)");
  CHECK(tree("(a^b)^c") == "(^ (^ a b) c)");
  CHECK(tree("a - b + c - d") == "(a - b + c - d)");
  CHECK(tree("a - (b - c)") == "(- a (- b c))");
  CHECK(tree("a / b % c * d") == "(a / b % c * d)");
  CHECK(tree("a + b < c * d") == "(< (+ a b) (* c d))");
  CHECK(tree("not a == b and c or d") == "(or (and (not (== a b)) c) d)");
  CHECK(tree("-x as int32") == "(- (as x int32))");
  CHECK(tree("x as float16[2x?] ^ 2") == "(^ (as x float16[2 x ?]) 2)");
  CHECK(tree("x^T • y^T") == "(• (^T x) (^T y))");
  CHECK(tree("x[0].a(b)^T^2") == "(^ (^T (call (. (index x 0) a) b)) 2)");
}

TEST_CASE("a match as an expression") {
  CHECK(tree("match t { leaf(v) => v  node(l, _) => f(l) + 1  nothing => -2 }") ==
        "(match t leaf(v) => v node(l, _) => (+ (call f l) 1) nothing => (- 2))");
  CHECK(tree("2 * match t {\n  leaf(v) => v\n  end => 0\n} + 1") ==
        "(+ (* 2 (match t leaf(v) => v end => 0)) 1)");
  CHECK(tree("match match t { a => u  b => v } { c => if x then y else z  d => w }") ==
        "(match (match t a => u b => v) c => (if x y z) d => w)");
  CHECK(tree("match t { a => match u { b => 1  c => 2 }  d => 3 }[0]") ==
        "(index (match t a => (match u b => 1 c => 2) d => 3) 0)");
  CHECK(tree("f(match x |> g { a => x  b => y }, z)") == "(call f (match (|> x g) a => x b => y) z)");
  CHECK(tree(repeated("match a |> ", 1000) + "t").find("E0113") != std::string::npos);
  CHECK(tree(repeated("match t { a => ", 1000) + "t").find("E0113") != std::string::npos);
  CHECK(tree(repeated("match t { a => t } + ", 1000) + "t").find("error") == std::string::npos);
}

TEST_CASE("statements, with or without line breaks") {
  const auto body = [](const std::string& block) {
    const Parsed parsed("func f(x: [n]) " + block);
    if (parsed.diagnostics.has_errors()) return parsed.messages();
    const std::string text = ast::print(*parsed.module);
    return text.substr(text.find('{'), text.rfind('}') + 1 - text.find('{'));
  };
  CHECK(body("{ let a = x var b: [n] = -a b = b return b }") ==
        "{ (let a x) (var b: [n] (- a)) (= b b) (return b) }");
  CHECK(body("{ return if c then a else b }") == "{ (return (if c a b)) }");
  CHECK(body("{ let a = b if c { return x } else if d { } else { a = y } }") ==
        "{ (let a b) (if c d { (return x) } { } { (= a y) }) }");
  CHECK(body("{ for i in 0..n by 2 { } for by in a + 1..b { } while not c { } }") ==
        "{ (for i 0 n 2 { }) (for by (+ a 1) b { }) (while (not c) { }) }");
  CHECK(body("{ let (a, b: [2 x n]) = f(x) return (a, (b, c)) }").find("TEL-E0120") != std::string::npos);
  CHECK(body("{ let (a, b: [2 x n]) = f(x) return (a, (b)) }") ==
        "{ (let a b: [2 x n] (call f x)) (return a b) }");
}

TEST_CASE("if takes everything to its right but |>") {
  CHECK(tree("1 + if c then a else b + 2") == "(+ 1 (if c a (+ b 2)))");
  CHECK(tree("if c then a else b |> f") == "(|> (if c a b) f)");
  CHECK(tree("if c then a else if d then b else e") == "(if c a (if d b e))");
  CHECK(tree("x |> f |> g(along: 0)") == "(|> x f (call g along: 0))");
  CHECK(tree("(x |> f) |> g") == "(|> (|> x f) g)");
}

TEST_CASE("literals, indices, arguments") {
  CHECK(tree("[a, b] along -1") == "(concatenate a b along -1)");
  CHECK(tree("[1, 2; 3, 4]") == "(matrix 1 2; 3 4)");
  CHECK(tree("[[1, 2], a]") == "(concatenate (concatenate 1 2) a)");
  CHECK(tree("x[1:5, :, 0:10:2, ::-1, -1, i]") == "(index x 1:5 : 0:10:2 ::(- 1) (- 1) i)");
  CHECK(tree("broadcast(x, to: [4 x 3])") == "(call broadcast x to: [4 x 3])");
  CHECK(tree("f([], [?], [N])") == "(call f [] [?] (concatenate N))");
  CHECK(tree("1_000 + 0.5 + 1e-4") == "(+ 1000 0.5 1e-4)");
  CHECK(tree("true and not false") == "(and true (not false))");
  CHECK(tree("----x") == "(- (- x))");
  CHECK(tree("---x") == "(- x)");
}

TEST_CASE("reductions over indices") {
  CHECK(tree("sum(A[i, k] * b[k] for k) + 1") == "(+ (sum (* (index A i k) (index b k)) for k) 1)");
  CHECK(tree("max(x[2*i + u] for u in 0..2, v in -n..n + 1)") ==
        "(max (index x (+ (* 2 i) u)) for u in 0 2 for v in (- n) (+ n 1))");
  CHECK(tree("sum(sum(x[i, j]\n for j)\nfor i)") == "(sum (sum (index x i j) for j) for i)");
}

TEST_CASE("indices on the left of an equation") {
  const auto module = [](const std::string& text) {
    const Parsed parsed(text);
    return parsed.diagnostics.has_errors() ? parsed.messages() : ast::print(*parsed.module);
  };
  CHECK(module("C[i, x] = 1 d[i]: out = 2\ne[i]: out float16[3 x 4] = 3\nf[i]: [N] = 4") ==
        "module ?\nhidden C at i, x = 1\nout d at i = 2\nout e float16[3 x 4] at i = 3\nhidden f [N] at i = "
        "4\n");
}

TEST_CASE("words with a meaning stay names") {
  CHECK(tree("x * T + along - dim") == "((* x T) + along - dim)");
  CHECK(tree("a^Tau") == "(^ a Tau)");
  CHECK(tree("a^ T") == "(^ a T)");
  const Parsed parsed(
      "loss: loss = a\ndim: in[3]\nof, wrt: param = 0\ngradient of of of wrt wrt keeping keeping\n"
      "x: in[x3]\nalong = [a, b]\ntype = dim\nfunc = type");
  CHECK(parsed.messages() == "");
  CHECK(
      ast::print(*parsed.module) ==
      "module ?\nloss loss = a\nin dim [3]\nparam of, wrt = 0\nin x [x3]\nhidden along = (concatenate a b)\n"
      "hidden type = dim\nhidden func = type\ngradient of of of wrt wrt keeping keeping\n");
}

TEST_CASE("names in files of weights") {
  const auto declared = [](const std::string& text) {
    const Parsed parsed(text);
    return parsed.diagnostics.has_errors() ? parsed.codes() : ast::print(*parsed.module).substr(9);
  };
  CHECK(declared("W: param[2x3] from \"a // {path}\"^T = 0") ==
        "param W [2 x 3] from \"a // {path}\"^T = 0\n");
  CHECK(declared("s: state from \"/* s\" t: const int32 from \"t\"") ==
        "state s from \"/* s\"\nconst t int32 from \"t\"\n");
  CHECK(declared("from: param from \"from\" = 1 y = from") ==
        "param from from \"from\" = 1\nhidden y = from\n");
  CHECK(declared("y = \"a\"") == "TEL-E0556");
  CHECK(declared("W: param from 3 = 0") == "TEL-E0581");
}

TEST_CASE("shapes") {
  CHECK(type_of("in[784x10]") == "[784 x 10]");
  CHECK(type_of("in[784 x 10]") == "[784 x 10]");
  CHECK(type_of("in[N×10]") == "[N x 10]");
  CHECK(type_of("in[1x2x3 x N x ?]") == "[1 x 2 x 3 x N x ?]");
  CHECK(type_of("in int32[]") == "int32[]");
  CHECK(type_of("in") == "");
  CHECK(type_of("in[(H-K)/S + 1 x -1 + 4*d]") == "[(((H - K) / S) + 1) x ((- 1) + (4 * d))]");
  CHECK(type_of("in[1e3 x 1_0]") == "[1000 x 10]");
  CHECK(type_of("in[Nx10]") == "[Nx10]");
  CHECK(type_of("in[2xN]") == "TEL-E0107");
  CHECK(type_of("in[1.5]") == "TEL-E0125");
  CHECK(type_of("in[1e99]") == "TEL-E0125");
}

TEST_CASE("an argument that is a shape") {
  const Parsed parsed("v = f([4 x N], [N], [4*d - 1], [a, b], [x[0]], 3)");
  const auto& call = ast::to<ast::Call>(*parsed.module->declarations[0].value);
  const auto shape = [&](std::size_t i) {
    const auto found = ast::as_shape(*call.arguments[i].value);
    return found ? ast::print(*found) : "none";
  };
  CHECK(shape(0) == "[4 x N]");
  CHECK(shape(1) == "[N]");
  CHECK(shape(2) == "[((4 * d) - 1)]");
  CHECK(shape(3) == "none");
  CHECK(shape(4) == "none");
  CHECK(shape(5) == "none");
}

TEST_CASE("declarations start where the page says, whatever the line breaks") {
  const Parsed parsed(
      "module m type float64 import layers dim N, d = 4*2 x: in y, z: param[3] = 0 h = x\n+ y f = h\n"
      "func g(a: [s...], b: int[s...], along: axis = -1) -> [s...] = a o: out int8[N] = f(\nalong: 0)");
  CHECK(parsed.messages() == "");
  CHECK(ast::print(*parsed.module) ==
        "module m\ntype float64\nimport layers\ndim N\ndim d = (4 * 2)\nin x\nparam y, z [3] = 0\nhidden h = "
        "(+ x y)\n"
        "hidden f = h\nout o int8[N] = (call f along: 0)\n"
        "func g(a: [s...], b: int[s...], along: axis = (- 1)) -> [s...] = a\n");
}

TEST_CASE("a role alone is a declaration before any other one") {
  for (const std::string next :
       {"module: in", "dim N", "import layers", "func f(a: []) = a", "net D { W: param = 1 }",
        "struct S { a: [] }", "enum E { a b }", "recurrent t in T { h = 1 }", "gradient g of y wrt x",
        "custom gradient f(x, dy) = dy", "optimize with adam", "y = 1", "y: out = 1", "y, z: in", "s' = 1",
        "c[i] = x[i]", "c[i]: out = x[i]"})
    for (const std::string role : {"in", "state", "const"}) {
      const std::string text = "x: " + role + " " + next;
      CAPTURE(text);
      const Parsed parsed(text), apart("x: " + role + " float32 " + next);
      REQUIRE(parsed.messages() == "");
      CHECK(ast::print(*apart.module).find(role + " x float32\n") != std::string::npos);
      CHECK(ast::print(*parsed.module).find(role + " x\n") != std::string::npos);
    }
}

TEST_CASE("comments document what follows") {
  const Parsed parsed(
      "/// The module.\nmodule m\n// no documentation\n/// One.\n///   Two.  \nx: in // none\n"
      "//// none\n/* none */ y: in\n/// Function.\nfunc f(x: []) = x");
  CHECK(parsed.messages() == "");
  CHECK(parsed.module->doc == "The module.");
  CHECK(parsed.module->declarations[0].doc == "One.\n  Two.");
  CHECK(parsed.module->declarations[1].doc == "");
  CHECK(parsed.module->functions[0].doc == "Function.");
}

TEST_CASE("a byte-order mark and CRLF are accepted; columns count characters") {
  const Parsed parsed("\xEF\xBB\xBFmodule m\r\nx: in[N×2]\r\ny = x • x\r\n");
  CHECK(parsed.messages() == "");
  const auto& declaration = parsed.module->declarations[1];
  CHECK(declaration.location == dlvm::Location{parsed.source, 3, 1, 1});
  CHECK(declaration.value->location == dlvm::Location{parsed.source, 3, 5, 5});
  CHECK(ast::to<ast::Binary>(*declaration.value).operators[0].location ==
        dlvm::Location{parsed.source, 3, 7, 1});
}

TEST_CASE("a second byte-order mark is a character like others") {
  CHECK(Parsed("\xEF\xBB\xBF\xEF\xBB\xBFx: in").messages() ==
        "test.tel:1:1: error TEL-E0104: unexpected byte-order mark\n  \xEF\xBB\xBFx: in\n  ^\n");
}

TEST_CASE("a location covers its node on its first line, and the line's end if the node goes on behind it") {
  const Parsed parsed("long_name = (first\n  + second)");
  CHECK(parsed.module->declarations[0].value->location == dlvm::Location{parsed.source, 1, 13, 7});
}

TEST_CASE("a mistake costs one declaration, and the messages come from top to bottom") {
  const Parsed parsed("a: in[3\nb: in[2]\nc = b +\nd = b $\ne: inn\nf = (b]\ng = b");
  CHECK(parsed.codes() == "TEL-E0110 TEL-E0120 TEL-E0104 TEL-E0123 TEL-E0112");
  REQUIRE(parsed.module->declarations.size() == 2);
  CHECK(parsed.module->declarations[0].names[0].text == "b");
  CHECK(parsed.module->declarations[1].names[0].text == "g");
}

TEST_CASE("what the page promises of size is read") {
  CHECK(Parsed("v = " + repeated("(", 350) + "1" + repeated(")", 350)).messages() == "");
  CHECK(Parsed("v = " + repeated("f(a + [b, -", 180) + "1" + repeated("])", 180)).messages() == "");
  CHECK(Parsed("v = " + repeated("x[a:", 350) + "1" + repeated("]", 350)).messages() == "");
  for (const std::string op : {" + ", " - ", " * ", " • ", " ^ ", " |> ", " and ", " + - ", " + a^2 * -"})
    CHECK(Parsed("v = a" + repeated(op + "a", 2500)).messages() == "");
  CHECK(Parsed("v = " + repeated("if a then b else ", 2500) + "c").messages() == "");
  CHECK(Parsed("v = " + repeated("-", 2500) + "c").messages() == "");
  CHECK(Parsed("v = " + repeated("not ", 2500) + "c").messages() == "");
  CHECK(Parsed("v = c" + repeated("^T", 2400)).messages() == "");
  CHECK(Parsed("v: in[" + repeated("(", 300) + "N" + repeated(")", 300) + repeated(" + N * 2", 2500) + "]")
            .messages() == "");
  CHECK(Parsed("v = c" + repeated(" + c", 100000)).messages() == "");
}

TEST_CASE("beyond the limits there is one message, not a crash") {
  constexpr std::size_t many = 20000;
  CHECK(Parsed("v = " + repeated("(", many) + "1" + repeated(")", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("[", many) + "1" + repeated("]", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("f(", many) + "1" + repeated(")", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = a" + repeated("[0]", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = a" + repeated("^T", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = a" + repeated(" as int8", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = a" + repeated("^a", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = a" + repeated("^-a", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("-", many) + "a").codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("- not ", many) + "a").codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("if a then b else ", many) + "c").codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("if ", many) + "c" + repeated(" then a else b", many)).codes() ==
        "TEL-E0113");
  CHECK(Parsed("v: in[" + repeated("(", many) + "N" + repeated(")", many) + "]").codes() == "TEL-E0113");
  CHECK(Parsed("v: in[" + repeated("-", many) + "N]").codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("(", many)).codes() == "TEL-E0113");
  CHECK(Parsed("v = " + repeated("(", 300) + "a" + repeated("^T^T^T^T^T^T^T^T^T^T)", 300)).codes() ==
        "TEL-E0113");
}

TEST_CASE("a long chain of declarations") {
  std::string text = "x0: in[3]\n";
  for (int i = 0; i < 100000; ++i) text += fmt::format("x{} = x{} + 1\n", i + 1, i);
  const Parsed parsed(text);
  CHECK(parsed.messages() == "");
  CHECK(parsed.module->declarations.size() == 100001);
}

TEST_CASE("a declaration by elements starts behind any other declaration") {
  for (const std::string before :
       {"x: in", "s: state", "k: const", "x: in int32", "x: in[N]", "s' = a[1:]", "h = a[1:]", "h = a[:, 1:]",
        "y: out = a[0:2, :]", "h = a as [2 x ?]", "fc: Dense(3)", "h = if a[0] then a[1:] else a[:1]"})
    for (const std::string between : {"\n", " "})
      for (const std::string type : {"", ": out", ": hidden float64[N x N]"}) {
        const std::string text = before + between + "C[i, j]" + type + " = A[i, j]\n";
        CAPTURE(text);
        const Parsed parsed(text);
        REQUIRE(parsed.messages() == "");
        const auto& declared = parsed.module->declarations.back();
        CHECK(declared.names.front().text == "C");
        CHECK(declared.indices.size() == 2);
      }
}

TEST_CASE("any bytes give messages or a module") {
  std::uint32_t state = 1;
  const std::string pieces[] = {
      "x",  ":",   "=",    "in",      "[",     "]",     "(",         ")",    ",",       "\n",
      " ",  "^T",  "if ",  "then ",   "else ", "3",     "784x10",    ".",    " . ",     "•",
      "-",  "as ", "|>",   "func f(", "->",    "dim N", "gradient ", " of ", " wrt ",   "///",
      "/*", "*/",  "\xFF", "{",       "1e",    "...",   "?",         ";",    " along ", "loss"};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 30; ++i) {
      state = state * 1664525u + 1013904223u;
      text += pieces[(state >> 16) % std::size(pieces)];
    }
    const Parsed parsed(text);
    if (!parsed.module) CHECK(parsed.diagnostics.has_errors());
  }
}

TEST_CASE("the next value of a state is a declaration and a postfix operator") {
  CHECK(tree("s' * 2") == tree("(s') * 2"));
  CHECK(tree("-s'^2") == tree("-((s')^2)"));
  const Parsed parsed("s: state[4] = 0\n/// Next.\ns' = s + 1\nm: metric = sum(s')\n");
  REQUIRE(!parsed.diagnostics.has_errors());
  REQUIRE(parsed.module->next_values.size() == 1);
  CHECK(parsed.module->next_values[0].names[0].text == "s");
  CHECK(parsed.module->declarations.size() == 2);
  CHECK(Parsed("s ' = 1").codes() != "");
  CHECK(Parsed("v = 'a'").codes() != "");
}
