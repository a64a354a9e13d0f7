// The digits example held to its promises: trains on real digits, twice, and compares bits. Arguments: the
// folder with MNIST-format files. Exit status 0 where everything holds.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "dataset.hpp"
#include "digits.hpp"

namespace {

int failures = 0;

void check(bool holds, const std::string& what) {
  std::printf("%s %s\n", holds ? "ok    " : "FAILED", what.c_str());
  failures += !holds;
}

constexpr std::size_t batch = 100;

digits::Parameters trained(const Digits& set, std::size_t epochs) {
  digits::Parameters parameters(42);
  digits::Gradients gradients;
  tel::Workspace workspace(digits::gradient_workspace(batch));
  std::vector<float> velocity(parameters.flat().size());
  for (std::size_t epoch = 0; epoch < epochs; ++epoch)
    for (std::size_t first = 0; first + batch <= set.size(); first += batch) {
      digits::gradient(
          {.x = {&set.images[first * Digits::pixels], batch}, .label = {&set.labels[first], batch}},
          parameters, gradients, workspace);
      const auto w = parameters.flat(), g = gradients.flat();
      for (std::size_t i = 0; i < w.size(); ++i) {
        velocity[i] = 0.9f * velocity[i] + g[i];
        w[i] -= 0.1f * (1 - float(epoch) / float(epochs)) * velocity[i];
      }
    }
  return parameters;
}

bool same_bits(const digits::Parameters& a, const digits::Parameters& b) {
  return a.flat().size() == b.flat().size() &&
         std::memcmp(a.flat().data(), b.flat().data(), a.flat().size() * sizeof(float)) == 0;
}

}  // namespace

int main(int, char** argv) {
  const Dataset data = load(argv[1]);
  const digits::Parameters parameters = trained(data.train, 20);

  const auto whole = digits::forward({.x = {data.test.images.data(), data.test.size()}}, parameters);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.test.size(); ++i) right += whole.digit(i) == data.test.labels[i];
  const double accuracy = double(right) / double(data.test.size());
  check(accuracy >= 0.95, "test accuracy " + std::to_string(accuracy) + " is at least 0.95 after 20 epochs");

  check(same_bits(parameters, trained(data.train, 20)), "training again gives the same bits");
  parameters.save("trained.safetensors");
  check(same_bits(parameters, digits::Parameters::load("trained.safetensors")),
        "save and load keep the bits");

  for (const std::size_t n : {0, 1, 2, 7, 64, 1000}) {
    const auto part = digits::forward({.x = {data.test.images.data(), n}}, parameters);
    bool same = true;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < 10; ++j) {
        const float a = part.y(i, j), b = whole.y(i, j);
        same = same && std::memcmp(&a, &b, sizeof a) == 0;
      }
    check(same, "a batch of " + std::to_string(n) + " has the bits of the whole test set's rows");
  }

  std::vector<std::int32_t> wrong(data.test.labels.begin(), data.test.labels.begin() + 3);
  wrong[2] = 10;
  digits::Gradients gradients;
  try {
    digits::gradient({.x = {data.test.images.data(), 3}, .label = {wrong.data(), 3}}, parameters, gradients);
    check(false, "a label of 10 is an error");
  } catch (const tel::Error& error) {
    const std::string text = error.what();
    check(text.find("label") != std::string::npos && text.find("10") != std::string::npos,
          "a label of 10 is an error that names it: " + text);
  }
  try {
    digits::gradient({.x = {data.test.images.data(), 3}, .label = {wrong.data(), 2}}, parameters, gradients);
    check(false, "3 images with 2 labels are an error");
  } catch (const tel::Error& error) {
    check(std::string(error.what()).find('N') != std::string::npos,
          std::string("3 images with 2 labels are an error that names the dimension: ") + error.what());
  }
  return failures != 0;
}
