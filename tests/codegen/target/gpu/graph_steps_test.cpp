// Programs as graphs with conditional nodes.
#include "codegen/target/gpu/graph_steps.h"

#include <doctest/doctest.h>

#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"

namespace codegen::target::gpu {
namespace {

/// The steps of a program on the values `a`, `b`, `c` and `d`, with kernels `first` to `fourth`.
std::string steps(const std::string& body) {
  std::string head = "program @f\n";
  for (const char* value : {"a", "b", "c", "d"}) head += std::string("  arena ") + value + ": bool\n";
  std::vector<kernel::Kernel> kernels;
  std::string error;
  for (const std::string name : {"first", "second", "third", "fourth"}) {
    const auto made = kernel::parse_kernel(
        "kernel @" + name + "(x: bool written) { stage s { %0: bool = literal true store %0 to x[] } }",
        error);
    REQUIRE_MESSAGE(made, error);
    kernels.push_back(*made);
  }
  const auto program = kernel::parse_program(head + body, std::move(kernels), error);
  REQUIRE_MESSAGE(program, error);
  const std::string text = print(graph_steps(*program), *program);
  return "\n" + text;
}

}  // namespace

TEST_CASE("graph steps: a loop tested first is a WHILE node behind a first test") {
  CHECK(steps(R"(
    block done {
      loop head {
        launch @first(a)
        if a { launch @second(b) swap b, c jump head } else { launch @third(c) jump done }
      }
    }
    launch @fourth(d))") == R"(
launch @first
%0 = a ? 1 : 0, after an error 0
while %0 {
  launch @second
  exchange b, c
  launch @first
  %0 = a ? 1 : 0, after an error 0
}
launch @third
launch @fourth
)");
}

TEST_CASE("graph steps: a loop tested last runs once before its test") {
  CHECK(steps(R"(
    loop head {
      launch @first(a)
      if a { jump head }
    }
    launch @fourth(d))") == R"(
%0 = 1, after an error 1
while %0 {
  launch @first
  %0 = a ? 1 : 0, after an error 0
}
launch @fourth
)");
}

TEST_CASE("graph steps: both sides of a branch that meet again are IF nodes") {
  CHECK(steps(R"(
    launch @first(a)
    if a { launch @second(b) } else { launch @third(b) }
    launch @fourth(d))") == R"(
launch @first
%0 = a ? 1 : 0, after an error 1
%1 = a ? 0 : 1, after an error 0, the opposite of %0
if %0 {
  launch @second
}
if %1 {
  launch @third
}
launch @fourth
)");
}

TEST_CASE("graph steps: what follows a side that jumps is in the other side") {
  CHECK(steps(R"(
    block done {
      launch @first(a)
      if a { launch @second(b) jump done }
      launch @third(c)
    }
    launch @fourth(d))") == R"(
launch @first
%0 = a ? 1 : 0, after an error 1
%1 = a ? 0 : 1, after an error 0, the opposite of %0
if %0 {
  launch @second
}
if %1 {
  launch @third
}
launch @fourth
)");
}

TEST_CASE("graph steps: what a jump may skip has a guard") {
  CHECK(steps(R"(
    block done {
      launch @first(a)
      if a {
        launch @second(b)
        if b { jump done }
      } else {
        launch @third(c)
      }
      launch @fourth(d)
    })") == R"(
launch @first
%0 = 1, after an error 1
%1 = a ? 1 : 0, after an error 0
%2 = a ? 0 : 1, after an error 1, the opposite of %1
if %1 {
  launch @second
  %0 = b ? 0 : 1, after an error 0
}
if %2 {
  launch @third
}
if %0 {
  launch @fourth
}
)");
}

TEST_CASE("graph steps: a jump out of two loops ends both") {
  CHECK(steps(R"(
    block done {
      loop outer {
        launch @first(a)
        loop inner {
          launch @second(b)
          if b { jump done }
          launch @third(c)
          if c { jump inner }
        }
        launch @fourth(d)
        if d { jump outer }
      }
    }
    launch @fourth(a))") == R"(
%0 = 1, after an error 1
while %0 {
  launch @first
  %1 = 1, after an error 1
  %2 = 1, after an error 1
  while %2 {
    launch @second
    %0 = b ? 0 : 1, after an error 0
    %1 = b ? 0 : 1, after an error 0
    %2 = b ? 0 : 1, after an error 0
    %3 = b ? 0 : 1, after an error 0
    if %3 {
      launch @third
      %2 = c ? 1 : 0, after an error 1
    }
  }
  if %1 {
    launch @fourth
    %0 = d ? 1 : 0, after an error 0
  }
}
launch @fourth
)");
}

TEST_CASE("graph steps: a loop in a loop that begins the next iteration of the outer one") {
  CHECK(steps(R"(
    loop outer {
      launch @first(a)
      if a {
        loop inner {
          launch @second(b)
          if b { launch @third(c) if c { jump inner } else { swap a, b jump inner } } else { jump outer }
        }
      }
    }
    launch @fourth(d))") == R"(
launch @first
%0 = a ? 1 : 0, after an error 0
while %0 {
  launch @second
  %1 = b ? 1 : 0, after an error 0
  while %1 {
    launch @third
    %2 = c ? 0 : 1, after an error 0
    if %2 {
      exchange a, b
    }
    launch @second
    %1 = b ? 1 : 0, after an error 0
  }
  launch @first
  %0 = a ? 1 : 0, after an error 0
}
launch @fourth
)");
}

TEST_CASE("graph steps: a loop that only an error ends") {
  CHECK(steps(R"(
    loop forever {
      launch @first(a)
      if a { launch @second(b) }
      jump forever
    })") == R"(
%0 = 1, after an error 1
while %0 {
  launch @first
  %1 = a ? 1 : 0, after an error 1
  if %1 {
    launch @second
  }
  %0 = 1, after an error 0
}
)");
}

}  // namespace codegen::target::gpu
