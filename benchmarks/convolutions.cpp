// Convolutions against the FMA peak, one thread: forward, and the adjoints by the input and by the kernel.
// The floor of each counts the multiply-adds of the forward direction, padding included.
#include "convolutions.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "measure.hpp"

namespace {

double inner_product(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

double magnitude(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(double(a[i]) * double(b[i]));
  return sum;
}

/// One layer's tensors, and calls of its three entry points with them.
struct Layer {
  std::string name;
  double work;
  std::vector<float> x, k, dy, y, dx, dk;
  std::function<void()> forward, by_x, by_k;
  std::size_t workspace[3];

  /// <y, dy> is <x, dx>, and <k, dk>.
  void check() const {
    forward(), by_x(), by_k();
    const double expected = inner_product(y, dy), size = 1e-5 * magnitude(y, dy);
    if (std::fabs(expected - inner_product(x, dx)) <= size &&
        std::fabs(expected - inner_product(k, dk)) <= size)
      return;
    std::fprintf(stderr, "convolutions: wrong result: %s\n", name.c_str());
    std::exit(1);
  }

  void measure() const {
    const std::vector<measure::Case> cases{{name, "FMA peak", work, forward, true},
                                           {name + " by x", "FMA peak", work, by_x, true},
                                           {name + " by k", "FMA peak", work, by_k, true}};
    double peak = 0, bandwidth = 0;
    const auto rows = measure::alternate(cases, peak, bandwidth);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::printf("| %s | %.4f | %.4f | %.0f %% | %zu |\n", rows[i].name.c_str(), 1e3 * rows[i].ours,
                  1e3 * rows[i].limit, 100 * rows[i].limit / rows[i].ours, workspace[i] >> 10);
    std::fflush(stdout);
  }
};

}  // namespace

int main() {
  std::printf(
      "| case | ours, ms | floor, ms | of the limit | workspace, KiB |\n| --- | --- | --- | --- | --- |\n");
#define LAYER(layer, n, c, h, f, d, o)                                                                      \
  {                                                                                                         \
    const std::size_t input = n * c * h * h, kernel = f * c * d * d, output = n * f * o * o;                \
    Layer l{#layer,                                                                                         \
            2.0 * double(output) * (c * d * d),                                                             \
            measure::random_values(input, 1),                                                               \
            measure::random_values(kernel, 2),                                                              \
            measure::random_values(output, 3),                                                              \
            std::vector<float>(output),                                                                     \
            std::vector<float>(input),                                                                      \
            std::vector<float>(kernel),                                                                     \
            {},                                                                                             \
            {},                                                                                             \
            {},                                                                                             \
            {convolutions::layer##_workspace(), convolutions::layer##_by_x_workspace(),                     \
             convolutions::layer##_by_k_workspace()}};                                                      \
    tel::Workspace forward(l.workspace[0]), by_x(l.workspace[1]), by_k(l.workspace[2]);                     \
    l.forward = [&] {                                                                                       \
      convolutions::layer({.x = l.x.data(), .k = l.k.data()}, {.y = l.y.data()}, forward);                  \
    };                                                                                                      \
    l.by_x = [&] {                                                                                          \
      convolutions::layer##_by_x({.x = l.x.data(), .k = l.k.data(), .dy = l.dy.data()}, {.y = l.dx.data()}, \
                                 by_x);                                                                     \
    };                                                                                                      \
    l.by_k = [&] {                                                                                          \
      convolutions::layer##_by_k({.x = l.x.data(), .k = l.k.data(), .dy = l.dy.data()}, {.y = l.dk.data()}, \
                                 by_k);                                                                     \
    };                                                                                                      \
    l.check();                                                                                              \
    l.measure();                                                                                            \
  }
#include "layers.inc"
#undef LAYER
}
