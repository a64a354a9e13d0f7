// Memory of devices as programs have it, in a program that was compiled for the processor alone: the
// processor's for `tel::serial` and `tel::emulator()`; for GPUs an error.
#include "mlp.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "check.h"

namespace on_device {

std::string message(auto call) {
  try {
    call();
  } catch (const tel::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

const std::string no_gpus = "no object of this program was compiled for GPUs";

void test_stores() {
  for (const tel::Execution where : {tel::serial, tel::emulator()}) {
    mlp::Parameters parameters(7);
    tel::OnDevice<mlp::Parameters> there = parameters.to(where);
    CHECK(there.read().flat()[5] == parameters.flat()[5]);
    auto copy = there.copy();
    mlp::Gradients gradients;
    for (float& g : gradients.flat()) g = 0.5f;
    auto gradients_there = gradients.to(where);

    tel::scale(there, 0.25);
    tel::add(there, gradients_there, -2);
    tel::add(gradients_there, gradients_there);
    tel::scale(parameters, 0.25);
    tel::add(parameters, gradients, -2);
    const mlp::Parameters result = there.read();
    CHECK(std::memcmp(result.data(), parameters.data(), mlp::Parameters::bytes()) == 0);
    CHECK(parameters.flat()[5] == copy.read().flat()[5] * 0.25f - 1);
    CHECK(gradients_there.read().flat()[9] == 1);
    there.clear();
    CHECK(there.read().flat()[5] == 0);
    there.write(parameters);
    CHECK(there.read().flat()[5] == parameters.flat()[5]);
    there = std::move(copy);
    CHECK(there.read().flat()[5] == mlp::Parameters(7).flat()[5]);
  }
}

void test_calls() {
  const mlp::Parameters parameters(7);
  const auto there = parameters.to(tel::serial);
  std::vector<float> x(7 * 784, 0.5f);
  const std::vector<std::int32_t> labels(7, 3);
  const tel::View<const float, tel::dynamic, 784> rows(x.data(), 7);
  const auto expected = mlp::gradient({.x = rows, .label = labels}, parameters);

  mlp::Gradients here;
  auto gradients = mlp::Gradients().to(tel::serial);
  tel::Workspace workspace(mlp::gradient_workspace(7), tel::serial);
  CHECK(mlp::gradient({.x = rows, .label = labels}, there, gradients, workspace).L == expected.L);
  CHECK(gradients.read().W1(3, 4) == expected.gradient.W1(3, 4));
  CHECK(mlp::gradient({.x = rows, .label = labels}, there, here).L == expected.L);
  CHECK(mlp::forward({.x = rows.rows(2, 3)}, there).y(2, 1) == expected.y(4, 1));

  // Begun and waited for; on the processor all is done at once.
  tel::Tensor<float, tel::dynamic, 10> y(7);
  auto pending = mlp::start_gradient({.x = rows, .label = labels}, there, gradients, {.y = y}, workspace);
  auto moved = std::move(pending);
  const auto results = moved.wait();
  CHECK(results.L == expected.L && results.y.data() == y.data() && y(6, 9) == expected.y(6, 9));
  const std::vector<std::int32_t> wrong(7, 10);
  const auto failed = mlp::try_start_gradient({.x = rows, .label = wrong}, there, gradients, {}, workspace);
  CHECK(failed.status() == tel::Status::index);

  CHECK(message([&] { mlp::forward({.x = rows}, there, {.execution = tel::emulator()}); }) ==
        "mlp::forward: this object has no emulator; compile it with --target=cpu,cuda,emulator");
  tel::wait(tel::serial);
}

void test_tensors() {
  std::vector<float> values{1, 2, 3, 4, 5, 6};
  tel::DeviceTensor<float, tel::dynamic, 2> there({values.data(), 3}, tel::serial);
  CHECK(there.size() == 6 && there.extent(0) == 3);
  CHECK(there.read()(2, 1) == 6);
  CHECK(there.rows(1, 2).extent(0) == 2 && there.rows(1, 2).data() == there.data() + 2);
  std::vector<float> two(2);
  tel::copy(there.rows(2, 1), two, tel::serial);
  CHECK(two[0] == 5);
  two[0] = 9;
  tel::copy(two, there.rows(0, 1), tel::serial);
  CHECK(there.read()(0, 0) == 9);
  CHECK(message([&] { tel::copy(values, there.rows(0, 1), tel::serial); }) ==
        "tel::copy needs a source and a destination with the same number of elements");
}

void test_no_gpus() {
  const mlp::Parameters parameters(7);
  CHECK(tel::devices().empty());
  CHECK(tel::try_devices().error().text == no_gpus);
  CHECK(message([&] { parameters.to(tel::cuda()); }) == no_gpus);
  CHECK(message([&] { tel::Workspace(64, tel::cuda()); }) == no_gpus);
  CHECK(message([&] { tel::wait(tel::cuda()); }) == no_gpus);
  const float values[2] = {};
  CHECK((tel::DeviceTensor<float, 2>::try_make({values}, tel::cuda()).status() == tel::Status::device));
  std::vector<float> x(784);
  const auto tried = mlp::try_forward({.x = {x.data(), 1}}, parameters, {.execution = tel::cuda()});
  CHECK(std::string(tried.error().text) ==
        "mlp::forward: this object has no code for GPUs; compile it with --target=cpu,cuda");
  CHECK(mlp::forward_workspace(1, {.execution = tel::cuda()}) == SIZE_MAX);
}

void run() {
  test_stores();
  test_calls();
  test_tensors();
  test_no_gpus();
}

}  // namespace on_device
