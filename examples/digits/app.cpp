// Trains the network of digits.tel and shows what it learned.
//   ./digits [--data DIR] [--epochs N] [--device cpu|cuda|emulator]
// DIR holds MNIST-format files; without it the digits are drawn. Devices other than the processor must have
// been compiled for: telc --target=cpu,cuda,emulator.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "../shared/dataset.hpp"
#include "../shared/picture.hpp"
#include "digits.hpp"

namespace {

constexpr std::size_t batch = 100;
constexpr float momentum = 0.9f;

struct Evaluation {
  double accuracy = 0;
  std::vector<Misread> misread;
};

Evaluation evaluate(tel::In<digits::Parameters> parameters, const Digits& test) {
  const auto result = digits::forward({.x = {test.images, test.size()}}, parameters);
  Evaluation evaluation;
  for (std::size_t i = 0; i < test.size(); ++i)
    if (const int read_as = result.digit(i); read_as != test.labels[i])
      evaluation.misread.push_back({i, test.labels[i], read_as, result.y(i, std::size_t(read_as))});
  evaluation.accuracy = 1 - double(evaluation.misread.size()) / double(test.size());
  return evaluation;
}

/// What training changes, in the memory of the device that it runs on.
struct Training {
  tel::OnDevice<digits::Parameters> parameters;
  tel::OnDevice<digits::Gradients> gradients, velocity;
  tel::Workspace workspace;

  explicit Training(tel::Execution device)
      : parameters(digits::Parameters(42).to(device)),
        gradients(digits::Gradients().to(device)),
        velocity(gradients.copy()),
        workspace(digits::gradient_workspace(batch, {.execution = device}), device) {}
};

/// One pass over the training set in a random order: stochastic gradient descent with momentum. Returns the
/// mean loss.
double train(Training& now, const Digits& set, float rate, Random& random) {
  const std::vector<std::size_t> order = shuffled(set.size(), random);
  Digits part;
  double loss = 0;
  std::size_t steps = 0;
  for (std::size_t first = 0; first + batch <= set.size(); first += batch, ++steps) {
    pick(set, &order[first], batch, part);
    const auto result = digits::gradient({.x = {part.images, batch}, .label = part.labels}, now.parameters,
                                         now.gradients, now.workspace);
    loss += double(result.L);
    tel::scale(now.velocity, momentum);
    tel::add(now.velocity, now.gradients);
    tel::add(now.parameters, now.velocity, -rate);
    if (steps % 8 == 0) {
      std::printf("\r  %3zu %%", 100 * first / set.size());
      std::fflush(stdout);
    }
  }
  return loss / double(steps);
}

int run(const char* folder, std::size_t epochs, tel::Execution device) {
  const Dataset data = folder != nullptr ? load(folder) : draw();
  std::printf("digits: %s; %zu to train, %zu to test\n", data.source.c_str(), data.train.size(),
              data.test.size());
  if (data.train.size() < batch || data.test.size() == 0) throw std::runtime_error("too few digits");

  Training training(device);
  Random random(7);
  std::vector<Epoch> history;
  Evaluation evaluation;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const float rate = 0.1f * (1 - float(epoch) / float(epochs));
    const double loss = train(training, data.train, rate, random);
    evaluation = evaluate(training.parameters, data.test);
    history.push_back({loss, evaluation.accuracy});
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::printf("\repoch %2zu  loss %.4f  test accuracy %.2f %%  %.1f s\n", epoch + 1, loss,
                100 * evaluation.accuracy, passed.count());
  }

  training.parameters.read().save("digits.safetensors");
  const Evaluation again = evaluate(digits::Parameters::load("digits.safetensors"), data.test);
  if (again.misread.size() != evaluation.misread.size())
    throw std::runtime_error("saved and loaded parameters differ");
  if (!draw_training("digits.svg", history, data.test, evaluation.misread))
    throw std::runtime_error("cannot write digits.svg");
  std::printf(
      "trained parameters: digits.safetensors; the loss curve and the %zu misread digits: digits.svg\n",
      evaluation.misread.size());
  return 0;
}

/// False where there is no such device.
bool find_device(const char* name, tel::Execution& device) {
  if (std::strcmp(name, "cpu") == 0) return device = tel::serial, true;
  if (std::strcmp(name, "cuda") == 0) return device = tel::cuda(), true;
  if (std::strcmp(name, "emulator") == 0) return device = tel::emulator(), true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const char* folder = nullptr;
  std::size_t epochs = 15;
  tel::Execution device = tel::serial;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (std::strcmp(argv[i], "--data") == 0 && has_value) {
      folder = argv[++i];
    } else if (std::strcmp(argv[i], "--epochs") == 0 && has_value && std::atoi(argv[i + 1]) > 0) {
      epochs = std::size_t(std::atoi(argv[++i]));
    } else if (std::strcmp(argv[i], "--device") == 0 && has_value && find_device(argv[i + 1], device)) {
      ++i;
    } else {
      std::fprintf(stderr, "usage: digits [--data DIR] [--epochs N] [--device cpu|cuda|emulator]\n");
      return 2;
    }
  }
  try {
    return run(folder, epochs, device);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "digits: %s\n", error.what());
    return 1;
  }
}
