// Without exceptions.
#include "mlp.hpp"

#include <cstring>
#include <vector>

#include "check.h"

int main() {
  mlp::Parameters parameters(1);
  std::vector<float> x(2 * 784, 1.0f);
  const std::vector<std::int32_t> labels{3, -1};
  auto forward = mlp::try_forward({.x = {x.data(), 2}}, parameters);
  CHECK(forward && forward->y.extent(0) == 2);
  const auto gradient = mlp::try_gradient({.x = {x.data(), 2}, .label = labels}, parameters);
  CHECK(!gradient && gradient.status() == tel::Status::index);
  CHECK(std::strcmp(gradient.error().text, "mlp::gradient: label[1] is -1, expected 0 to 9") == 0);
  for (const tel::Execution execution : {tel::cuda(), tel::cuda(3), tel::emulator()})
    CHECK(mlp::try_forward({.x = {x.data(), 2}}, parameters, {.execution = execution}).status() ==
          tel::Status::device);
  CHECK(mlp::try_forward({.x = {x.data(), 2}}, parameters, {.execution = tel::serial}));
  CHECK(parameters.try_save("status.safetensors"));
  CHECK(mlp::Parameters::try_load("status.safetensors"));
  CHECK(parameters.try_save("absent/status.safetensors").status() == tel::Status::file);
}
