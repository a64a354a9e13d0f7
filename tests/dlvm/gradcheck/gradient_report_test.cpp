#include <doctest/doctest.h>

#include "dlvm/gradcheck/gradient_check.h"

using namespace dlvm;

TEST_CASE("a report has a row for each derivative, as wide as the longest name, and what was wrong with it") {
  GradientCheck check;
  check.rows.push_back({.entry = "gradient", .name = "x", .elements = 6, .checked = 6, .worst_ratio = 0.25});
  check.rows.push_back({.entry = "gradient",
                        .name = "long_tensor_name",
                        .elements = 1000,
                        .checked = 32,
                        .kinks = 3,
                        .skipped = 2,
                        .worst_ratio = 12.5,
                        .worst = "at [1]: derivative 1, difference 2",
                        .sampled = true,
                        .direction = true});
  check.rows.push_back({.entry = "g", .name = "y", .elements = 1, .worst_ratio = 1, .sampled = true});
  CHECK(
      render(check, 9) ==
      "entry     derivative          elements   checked   kinks  error/tol.\n"
      "gradient  x                          6         6       0    2.50e-01  ok\n"
      "gradient  long_tensor_name        1000        32       3    1.25e+01  WRONG\n"
      "  at [1]: derivative 1, difference 2\n"
      "  2 elements at a kink or not finite, not compared\n"
      "g         y                          1         0       0    1.00e+00  not compared\n"
      "2 of 3 tensors were sampled, with seed 9: the elements counted above, and in 1 of them a direction in "
      "which all move\n"
      "1 of 3 tensors were not compared\n");
  CHECK_FALSE(check.agrees());
  check.rows.erase(check.rows.begin() + 1);
  CHECK(check.agrees());
  CHECK(check.passed());
  check.errors.push_back({"g", "it fails"});
  CHECK(check.agrees());
  CHECK_FALSE(check.passed());
}

TEST_CASE("a report names the functions whose derivatives are declared") {
  const Source source("a.tel", "");
  GradientCheck check;
  CHECK(render(check).empty());
  check.custom.push_back({"f", {&source, 3, 1, 1}});
  CHECK(render(check).starts_with("the derivative of f (a.tel:3) is declared: "));
  check.custom.push_back({"g", {}});
  CHECK(render(check).starts_with("the derivatives of f (a.tel:3), g are declared: "));
}
