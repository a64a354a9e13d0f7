// The same where nothing can be thrown: a view that cannot be made is not set.
#include <string>
#include <vector>

#include "check.h"
#include "inputs.hpp"

int main() {
  const inputs::Parameters parameters(1);
  const inputs::Constants constants(tel::zeros);
  const std::vector<float> x(8, 0.5f), bias(3);
  const auto good = inputs::try_forward({.x = {x, 2}, .bias = bias}, parameters, constants);
  CHECK(good && good->y.extent(0) == 2);
  const auto wrong = inputs::try_forward({.x = {x, 3}, .bias = bias}, parameters, constants);
  CHECK(!wrong && wrong.status() == tel::Status::extent);
  CHECK(std::string(wrong.error().text) == "inputs::forward: the input 'x' has 8 elements, expected [3 x 4]");
  using Rows = tel::View<const float, tel::dynamic, 4>;
  CHECK(std::string(Rows::try_make(x, 3).error().text) ==
        "tel::View: 8 elements are given for the extents [3 x 4]");
  CHECK(Rows::try_make(x, 2)->data() == x.data());
  CHECK(parameters.try_save("status.safetensors"));
  const auto part = inputs::Parameters::try_load("status.safetensors", tel::partial);
  CHECK(part && part->loaded.size() == 2 && part->kept.empty() && part->passed_over.empty());
}
