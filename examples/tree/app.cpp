// Trains the network of tree.tel on expressions that it draws, and evaluates others with it.
//   ./tree [--steps N]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "expressions.hpp"
#include "tree.hpp"

namespace {

constexpr std::size_t batch_size = 32, trained_depth = 3, largest_depth = 6;

void train(tree::Parameters& parameters, std::size_t steps) {
  // An expression of depth 3 has up to 15 nodes, and 4 of them from the root to a digit.
  constexpr std::size_t nodes = 15 * batch_size, calls = trained_depth + 1;
  tel::Workspace workspace(
      tree::step_workspace(batch_size, nodes, nodes, nodes, nodes, nodes, nodes, calls, nodes + 1));
  tree::State state;
  Random random(1);
  double loss = 0;
  const std::size_t part = steps / 10;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t step = 1; step <= steps; ++step) {
    Batch batch;
    for (std::size_t i = 0; i < batch_size; ++i) batch.add(1 + random.below(trained_depth), random);
    const tree::StepInputs inputs{.value = batch.values,
                                  .steps = float(steps),
                                  .e = batch.nodes.rooted(batch.roots),
                                  .Evaluator_apply_depth = batch.nodes.depth(),
                                  .step_steps = batch.nodes.size() + 1};
    loss += double(tree::step(inputs, parameters, state, workspace).L);
    if (step % part == 0) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      std::printf("step %5zu   loss %.4f   %.1f s\n", step, loss / double(part), passed.count());
      std::fflush(stdout);
      loss = 0;
    }
  }
}

/// Prints how many of 1000 expressions of each depth are evaluated right, and one of each depth. False where
/// that are too few.
bool test(const tree::Parameters& parameters) {
  Random random(2);
  bool learned = true;
  for (std::size_t depth = 1; depth <= largest_depth; ++depth) {
    Batch batch;
    std::string shown;
    for (std::size_t i = 0; i < 1000; ++i) {
      const Expression expression = batch.add(depth, random);
      if (i == 0) shown = expression.text;
    }
    const auto result = tree::evaluate({.value = batch.values,
                                        .e = batch.nodes.rooted(batch.roots),
                                        .Evaluator_apply_depth = batch.nodes.depth()},
                                       parameters);
    std::printf("depth %zu%s: %.1f %% right", depth, depth > trained_depth ? ", deeper than trained" : "",
                100 * double(result.accuracy));
    std::printf(depth < 5 ? "; %s is %d, and the network says %d\n" : "\n", shown.c_str(),
                int(batch.values[0]), int(result.y(0)));
    learned = learned && result.accuracy > (depth > trained_depth ? 0.8f : 0.95f);
  }
  return learned;
}

int run(std::size_t steps) {
  tree::Parameters parameters(1);
  train(parameters, steps);
  parameters.save("tree.safetensors");
  return test(parameters) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t steps = 2000;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--steps" && i + 1 < argc && std::atoi(argv[i + 1]) >= 10) {
      steps = static_cast<std::size_t>(std::atoi(argv[++i]));
    } else {
      std::fprintf(stderr, "usage: tree [--steps N], where N is 10 or more\n");
      return 2;
    }
  }
  try {
    return run(steps);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tree: %s\n", error.what());
    return 1;
  }
}
