// Trains the network of lenet.tel and shows which digits it misreads.
//   ./lenet [--data DIR] [--epochs N]
// DIR holds MNIST-format files; without it the digits are drawn.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "../shared/dataset.hpp"
#include "../shared/picture.hpp"
#include "lenet.hpp"

namespace {

constexpr std::size_t batch = 50;

struct Evaluation {
  double loss, accuracy;
  std::vector<Misread> misread;
};

Evaluation evaluate(const lenet::Parameters& parameters, const Digits& test) {
  const auto result = lenet::evaluate({.x = {test.images, test.size()}, .label = test.labels}, parameters);
  Evaluation evaluation{result.L, result.accuracy, {}};
  for (std::size_t i = 0; i < test.size(); ++i)
    if (const int read_as = result.digit(i); read_as != test.labels[i])
      evaluation.misread.push_back({i, test.labels[i], read_as, result.y(i, std::size_t(read_as))});
  return evaluation;
}

/// One pass over the training set in a random order. Returns the mean loss.
double train(lenet::Parameters& parameters, lenet::State& state, tel::Workspace& workspace, const Digits& set,
             std::size_t steps, Random& random) {
  const std::vector<std::size_t> order = shuffled(set.size(), random);
  const std::size_t count = set.size() / batch;
  Digits part;
  double loss = 0;
  for (std::size_t i = 0; i < count; ++i) {
    pick(set, &order[i * batch], batch, part);
    const lenet::StepInputs inputs{.x = {part.images, batch}, .label = part.labels, .steps = float(steps)};
    loss += double(lenet::step(inputs, parameters, state, workspace).L);
  }
  return loss / double(count);
}

int run(const char* folder, std::size_t epochs) {
  const Dataset data = folder != nullptr ? load(folder) : draw();
  std::printf("digits: %s; %zu to train, %zu to test\n", data.source.c_str(), data.train.size(),
              data.test.size());
  if (data.train.size() < batch || data.test.size() == 0) throw std::runtime_error("too few digits");

  lenet::Parameters parameters(1);
  lenet::State state;
  tel::Workspace workspace(lenet::step_workspace(batch));
  Random random(7);
  const std::size_t steps = epochs * (data.train.size() / batch);
  std::vector<Epoch> history;
  Evaluation evaluation;
  double seconds = 0;
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    const double loss = train(parameters, state, workspace, data.train, steps, random);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    evaluation = evaluate(parameters, data.test);
    history.push_back({loss, evaluation.accuracy});
    std::printf("epoch %2zu  loss %.4f  test loss %.4f  test accuracy %.2f %%  %.1f s\n", epoch + 1, loss,
                evaluation.loss, 100 * evaluation.accuracy, seconds);
    std::fflush(stdout);
  }
  std::printf("%lld steps of %zu digits, %.2f ms each\n", static_cast<long long>(state.optimizer.step()),
              batch, 1000 * seconds / double(steps));

  parameters.save("lenet.safetensors");
  if (!draw_training("lenet.svg", history, data.test, evaluation.misread))
    throw std::runtime_error("cannot write lenet.svg");
  std::printf("trained parameters: lenet.safetensors; the loss curve and the %zu misread digits: lenet.svg\n",
              evaluation.misread.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* folder = nullptr;
  std::size_t epochs = 10;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (std::strcmp(argv[i], "--data") == 0 && has_value) {
      folder = argv[++i];
    } else if (std::strcmp(argv[i], "--epochs") == 0 && has_value && std::atoi(argv[i + 1]) > 0) {
      epochs = std::size_t(std::atoi(argv[++i]));
    } else {
      std::fprintf(stderr, "usage: lenet [--data DIR] [--epochs N]\n");
      return 2;
    }
  }
  try {
    return run(folder, epochs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lenet: %s\n", error.what());
    return 1;
  }
}
