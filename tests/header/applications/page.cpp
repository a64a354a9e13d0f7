// The use of a header as the pages on the architecture show it; trains a little, saves, loads.
#include "mlp.hpp"

#include <cstdio>
#include <utility>
#include <vector>

#include "check.h"

namespace page {

void run() {
  const std::size_t batch = 7;
  std::vector<float> pixels(batch * 784);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = float(i * 37 % 101) / 101;
  const std::vector<std::int32_t> labels{0, 1, 2, 3, 4, 5, 9};
  using Images = tel::View<const float, tel::dynamic, 784>;
  using Labels = tel::View<const std::int32_t, tel::dynamic>;
  const std::vector<std::pair<Images, Labels>> batches(20, {Images(pixels.data(), batch), labels});
  const Images image(pixels.data(), 1);
  float first = 0, last = 0;

  mlp::Parameters parameters(42);  // initialised with that seed
  mlp::Gradients gradients;
  tel::Workspace workspace(mlp::gradient_workspace(batch));  // all the memory that a call needs

  for (const auto& [x, label] : batches) {  // tel::View<const float, tel::dynamic, 784> …
    const auto result = mlp::gradient({.x = x, .label = label}, parameters, gradients, workspace);
    std::printf("loss %f\n", double(result.L));
    if (first == 0) first = result.L;
    last = result.L;
    for (std::size_t i = 0; i < parameters.flat().size(); ++i)
      parameters.flat()[i] -= 0.01f * gradients.flat()[i];
  }
  parameters.save("mlp.safetensors");

  const auto [y] = mlp::forward({.x = image}, mlp::Parameters::load("mlp.safetensors"));  // y owns its memory
  std::printf("%f %f\n", double(y(0, 3)), double(parameters.W1(783, 255)));
  CHECK(last < first / 2);

  // The saved parameters are the same bits, and so is what they compute: row 0 alone, or among others.
  const auto loaded = mlp::Parameters::load("mlp.safetensors");
  const mlp::Parameters& constant = parameters;
  for (std::size_t i = 0; i < loaded.flat().size(); ++i) CHECK(loaded.flat()[i] == constant.flat()[i]);
  const auto all = mlp::forward({.x = batches[0].first}, loaded);
  for (int i = 0; i < 10; ++i) CHECK(all.y(0, i) == y(0, i));
}

}  // namespace page
