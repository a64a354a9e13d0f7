// The other file.
#include "2/net.hpp"

#include <vector>

#include "check.h"

float second() {
  const net::Parameters parameters(1);
  net::Gradients gradients;
  CHECK(parameters.w.extent(0) == 3 && parameters.bytes() == 192);
  const std::vector<float> x(4, 1.0f);
  const auto result = net::gradient({.x = x, .cotangent = {.y = x}}, parameters, gradients);
  CHECK(result.y.extent(0) == 4 && gradients.scale() == 4);
  return result.y(0);
}
