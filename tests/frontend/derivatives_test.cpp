#include <doctest/doctest.h>

#include "dlvm/differentiate/testing.h"
#include "frontend/check/check.h"
#include "frontend/derivatives/derivatives.h"
#include "frontend/lower/lower.h"
#include "frontend/parse/modules.h"

TEST_CASE("a derivative that no rule gives is an error in the program's words") {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const dlvm::Source& source = *sources.add("net.tel",
                                            "x: in[N]\n"
                                            "W: param[] = 1\n"
                                            "b: param[] = 0\n"
                                            "h = sin(x * W) + b\n"
                                            "L: loss = sum(h)\n");
  const auto program = frontend::check::check_program(
      frontend::parse_modules(source, sources, {}, diagnostics), {}, diagnostics);
  REQUIRE(program);
  // All functions of the language have a derivative; here one has not.
  const dlvm::DerivativeRow unknown{dlvm::Opcode::sin, dlvm::None{}};
  const dlvm::ScopedDerivatives put_in({&unknown, 1});
  frontend::derivatives::check_derivatives(*program, *frontend::lower::lower(*program, diagnostics), nullptr,
                                           {}, diagnostics);  // no gradient is taken of a gradient
  CHECK(dlvm::render(diagnostics) ==
        "net.tel:2:1: error TEL-E0404: the derivative of 'L' by 'W' is not known: no rule for its derivative "
        "is "
        "known\n"
        "  W: param[] = 1\n"
        "  ^\n"
        "net.tel:4:5: note: this has no known derivative\n"
        "  h = sin(x * W) + b\n"
        "      ^~~~~~~~~~\n"
        "  fix: write stop_gradient(...) around it if a derivative of zero is intended\n");
}
