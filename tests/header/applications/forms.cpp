// Every form of a call, and every error, of both networks in one file.
#include "mixed.hpp"
#include "mlp.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "check.h"

namespace forms {

std::string message(auto call) {
  try {
    call();
  } catch (const tel::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void test_extents() {
  const mlp::Parameters parameters(1);
  for (const std::size_t n : {0u, 1u, 2u, 7u, 64u, 1000u}) {
    std::vector<float> x(n * 784, 0.5f);
    const auto [y] = mlp::forward({.x = {x.data(), n}}, parameters);
    CHECK(y.extent(0) == n && y.size() == n * 10);
    if (n > 1) CHECK(y(0, 4) == y(n - 1, 4));
  }
}

void test_errors() {
  const mlp::Parameters parameters(1);
  std::vector<float> x(3 * 784);
  std::vector<std::int32_t> labels{1, 10, 2, 3};
  const auto call = [&](std::size_t rows, std::size_t labelled) {
    return message(
        [&] { mlp::gradient({.x = {x.data(), rows}, .label = {labels.data(), labelled}}, parameters); });
  };
  CHECK(call(3, 4) == "mlp::gradient: axis 0 of 'label' is 4, expected 3 for N = 3 (axis 0 of 'x')");
  CHECK(call(3, 3) == "mlp::gradient: label[1] is 10, expected 0 to 9");
  const std::string not_set = "mlp::forward: the input 'x' is not set: its pointer is null";
  CHECK(message([&] { mlp::forward({}, parameters); }) == not_set);
  CHECK(message([&] { mlp::forward({.x = {nullptr, 2}}, parameters); }) == not_set);
  CHECK(message([&] { mlp::forward({.x = {nullptr, 0}}, parameters); }) == "nothing was thrown");
  CHECK(message([&] { mlp::gradient({.x = {x.data(), 1}}, parameters); }) ==
        "mlp::gradient: the input 'label' is not set: its pointer is null");
  tel::Workspace small(64);
  CHECK(message([&] { mlp::forward({.x = {x.data(), 3}}, parameters, small); }) ==
        "mlp::forward: the workspace has 64 bytes, 3200 are needed");
  tel::Workspace none;
  CHECK(mlp::try_forward({.x = {x.data(), 3}}, parameters, none).status() == tel::Status::workspace);
  CHECK(
      mlp::try_forward({.x = {x.data(), std::numeric_limits<std::size_t>::max() / 4}}, parameters).status() ==
      tel::Status::extent);
  CHECK(mlp::forward_workspace(std::size_t{1} << 62) == std::numeric_limits<std::size_t>::max());
  CHECK(mlp::Parameters::try_load("absent.safetensors").status() == tel::Status::file);
  CHECK(message([] { mlp::Parameters::load("absent.safetensors"); }) ==
        "cannot load 'absent.safetensors': no such file or folder");
}

void test_gradients() {
  const mlp::Parameters parameters(1);
  std::vector<float> x(784, 0.25f);
  const std::vector<std::int32_t> labels{3};
  const mlp::GradientInputs inputs{.x = {x.data(), 1}, .label = labels};
  const auto owned = mlp::gradient(inputs, parameters);
  mlp::Gradients gradients;
  const auto kept = mlp::gradient(inputs, parameters, gradients);
  CHECK(owned.L == kept.L && owned.L > 0 && owned.y(0, 3) == kept.y(0, 3));
  for (std::size_t i = 0; i < gradients.flat().size(); ++i)
    CHECK(gradients.flat()[i] == owned.gradient.flat()[i]);
  CHECK(gradients.b2(3) != 0 && gradients.b2(2) == 0);

  tel::Workspace workspace(mlp::gradient_workspace(1, {.accumulate = true}));
  const float once = gradients.b2(3);
  mlp::gradient(inputs, parameters, gradients, workspace, {.accumulate = true});
  CHECK(gradients.b2(3) == 2 * once);
  tel::Tensor<float, tel::dynamic, 10> y(1);
  const auto outputs = mlp::gradient(inputs, parameters, gradients, {.y = y}, workspace);
  CHECK(outputs.y.data() == y.data() && y(0, 3) == kept.y(0, 3) && gradients.b2(3) == once);
  tel::Tensor<float, tel::dynamic, 10> wrong(2);
  CHECK(message([&] { mlp::gradient(inputs, parameters, gradients, {.y = wrong}, workspace); }) ==
        "mlp::gradient: axis 0 of 'y' is 2, expected 1 for N = 1 (axis 0 of 'x')");
}

void test_owners() {
  mlp::Parameters a(5);
  mlp::Parameters b = a.copy();
  CHECK(a.W1.data() != b.W1.data() && a.W1(3, 4) == b.W1(3, 4));
  const float* memory = a.W1.data();
  mlp::Parameters c(std::move(a));
  CHECK(c.W1.data() == memory && c.W1(3, 4) == b.W1(3, 4));
  b = std::move(c);
  CHECK(b.W1.data() == memory && &b.data()->W1[0][0] == memory && &b.b2(0) == b.data()->b2);
  CHECK(mlp::Parameters(5).W1(7, 7) == b.W1(7, 7) && mlp::Parameters(6).W1(7, 7) != b.W1(7, 7));
  CHECK(b.W2[255][9] == b.W2(255, 9) && sizeof(mlp_parameters) == 814144);
  static_assert(!std::is_copy_constructible_v<mlp::Parameters>);
  static_assert(std::is_same_v<decltype(std::as_const(b).b1(0)), const float&>);
}

void test_mixed() {
  mixed::Parameters parameters(0);
  mixed::Constants constants;
  constants.mask(0) = constants.mask(2) = true;
  constants.flat_(1) = tel::float16(7);
  std::vector<tel::float16> x(5 * 3, tel::float16(0.5f));
  const std::vector<std::int64_t> size(4);
  const auto result =
      mixed::forward({.x = {x.data(), 5}, .bias = tel::float16(1), .on = true, .size = size, .M = 3},
                     parameters, constants, {.seed = 40});
  CHECK(result.y(4, 0) == 1.5f && result.y(4, 1) == 7 && result.y(4, 2) == 2.5f);
  CHECK(result.rows.extent(0) == 3 && result.rows(2) == 42 && result.total == 55);
  CHECK(mixed::forward_workspace(2, 4, 3) == 128);
  CHECK(message([&] { mixed::forward({.x = {x.data(), 4}, .size = size}, parameters, constants); }) ==
        "mixed::forward: axis 0 of 'x' is 4, expected 2 * N + 1 with a whole number N of at least 0");
  CHECK(
      message([&] { mixed::forward({.x = {x.data(), 5}, .size = size, .M = 13}, parameters, constants); }) ==
      "mixed::forward: x[M:] begins at 13, axis 0 of x ends at 12, where N = 2 (axis 0 of 'x'), M = 13");

  const std::vector<float> v{1, 2, 3}, dy{1, 0, 2};
  const auto seeded = mixed::gradient({.x = v, .cotangent = {.y = dy}}, parameters);
  CHECK(seeded.gradient.scale() == 7 && seeded.y(2) == 7.5f);
  CHECK(parameters.flat<double>()[0] == 2.5 && parameters.flat<tel::bfloat16>()[2] == 3);

  const double values[4] = {1, -2, 3.5, 5};
  const auto saliency = mixed::new_({.x = {values}});
  CHECK(saliency.gradient.x(2) == 7 && saliency.L == 1 - 2 + 0.5 + 2 + 1 - 2 + 3 + 5);

  parameters.save("mixed.safetensors", constants);
  CHECK(mixed::Constants::load("mixed.safetensors").mask(2));
  CHECK(mixed::Parameters::load("mixed.safetensors").w(2) == 3);
  parameters.save("mixed.safetensors");
  CHECK(message([] { mixed::Constants::load("mixed.safetensors"); }) ==
        "cannot load 'mixed.safetensors': 'mask' is missing; 'flat' is missing");
  CHECK(message([] { mixed::Constants::load("mixed.safetensors", tel::partial); }) ==
        "cannot load 'mixed.safetensors': it has none of the tensors, but 'class', 'scale', 'w'; "
        "mixed::Constants has "
        "'mask', 'flat'");
}

void run() {
  test_extents();
  test_errors();
  test_gradients();
  test_owners();
  test_mixed();
}

}  // namespace forms
