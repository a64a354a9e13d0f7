// One of two files of a program, each of which uses another network that is called `net`.
#include "1/net.hpp"

#include <vector>

#include "check.h"

float second();

int main() {
  const net::Parameters parameters(1);
  CHECK(parameters.flat().size() == 203536 && parameters.b1.extent(0) == 256);
  const std::vector<float> x(2 * 784, 0.5f);
  const auto result = net::forward({.x = {x.data(), 2}}, parameters);
  CHECK(result.y.extent(0) == 2 && result.y.extent(1) == 10 && result.y(0, 3) == result.y(1, 3));
  CHECK(second() == 2.5f);
  tel::Workspace workspace(net::forward_workspace(2));
  CHECK(net::forward({.x = {x.data(), 2}}, parameters, workspace).y(0, 3) == result.y(0, 3));
}
