// A call of a small network beside what a C++ programmer writes for it: 16-64-64-4 with tanh, for one input.
// The code by hand is loops over arrays of constant size; the compiler makes vectors of them, and calls
// glibc's tanh of vectors
// (-O3 -march=native -ffast-math). Both compute the same, in turn; results are compared before anything is
// timed.
#include <cmath>

#include "measure.hpp"
#include "mlp_tiny.hpp"

namespace by_hand {

struct Parameters {
  float W1[16][64], b1[64], W2[64][64], b2[64], W3[64][4], b3[4];
};
struct Activations {
  float h1[64], h2[64], y[4];
};

/// y = x W + b
template <int N, int M>
void affine(const float (&x)[N], const float (&W)[N][M], const float (&b)[M], float (&y)[M]) {
  for (int j = 0; j < M; ++j) y[j] = b[j];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) y[j] += x[i] * W[i][j];
}

__attribute__((noinline)) float forward(const float (&x)[16], const Parameters& p, Activations& a) {
  affine(x, p.W1, p.b1, a.h1);
  for (float& h : a.h1) h = std::tanh(h);
  affine(a.h1, p.W2, p.b2, a.h2);
  for (float& h : a.h2) h = std::tanh(h);
  affine(a.h2, p.W3, p.b3, a.y);
  float loss = 0;
  for (float y : a.y) loss += y * y;
  return loss / 4;
}

/// The derivatives of y = x W + b by W, b and x.
template <int N, int M>
void affine_adjoint(const float (&x)[N], const float (&W)[N][M], const float (&dy)[M], float (&dW)[N][M],
                    float (&db)[M], float* dx) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) dW[i][j] = x[i] * dy[j];
  for (int j = 0; j < M; ++j) db[j] = dy[j];
  if (dx == nullptr) return;
  for (int i = 0; i < N; ++i) {
    float sum = 0;
    for (int j = 0; j < M; ++j) sum += W[i][j] * dy[j];
    dx[i] = sum;
  }
}

__attribute__((noinline)) float gradient(const float (&x)[16], const Parameters& p, Parameters& g) {
  Activations a;
  const float loss = forward(x, p, a);
  float dy[4], d2[64], d1[64];
  for (int k = 0; k < 4; ++k) dy[k] = a.y[k] / 2;
  affine_adjoint(a.h2, p.W3, dy, g.W3, g.b3, d2);
  for (int j = 0; j < 64; ++j) d2[j] *= 1 - a.h2[j] * a.h2[j];
  affine_adjoint(a.h1, p.W2, d2, g.W2, g.b2, d1);
  for (int j = 0; j < 64; ++j) d1[j] *= 1 - a.h1[j] * a.h1[j];
  affine_adjoint(x, p.W1, d1, g.W1, g.b1, nullptr);
  return loss;
}

}  // namespace by_hand

namespace {

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-4 * (std::abs(a) + std::abs(b) + 1e-3); }

/// The tensors in the order of their declarations, one behind the other, as they are in
/// `by_hand::Parameters`.
std::vector<float> flat(auto& t) {
  std::vector<float> all;
  for (const auto& part : {t.W1.flat(), t.b1.flat(), t.W2.flat(), t.b2.flat(), t.W3.flat(), t.b3.flat()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

int main() {
  mlp_tiny::Parameters parameters(1);
  mlp_tiny::Gradients gradients;
  tel::Workspace workspace(mlp_tiny::gradient_workspace());
  by_hand::Parameters mine, derivatives;
  const std::vector<float> values = flat(parameters), random = measure::random_values(16, 2);
  std::memcpy(&mine, values.data(), sizeof(mine));
  float x[16];
  std::copy(random.begin(), random.end(), x);
  by_hand::Activations activations;

  const auto forward = [&] { return mlp_tiny::forward({.x = x}, parameters, workspace); };
  const auto gradient = [&] { return mlp_tiny::gradient({.x = x}, parameters, gradients, workspace); };
  by_hand::forward(x, mine, activations);
  const auto result = forward();
  for (int k = 0; k < 4; ++k)
    if (!is_close(result.y(0, std::size_t(k)), activations.y[k])) return std::puts("the results differ"), 1;
  by_hand::gradient(x, mine, derivatives);
  gradient();
  const std::vector<float> ours = flat(gradients);
  std::vector<float> theirs(sizeof(derivatives) / sizeof(float));
  std::memcpy(theirs.data(), &derivatives, sizeof(derivatives));
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!is_close(ours[i], theirs[i])) return std::puts("the derivatives differ"), 1;

  const std::vector<std::pair<const char*, std::function<void()>>> work[] = {
      {{"forward", [&] { forward(); }}, {"", [&] { by_hand::forward(x, mine, activations); }}},
      {{"gradient", [&] { gradient(); }}, {"", [&] { by_hand::gradient(x, mine, derivatives); }}}};
  std::puts(
      "| mlp-tiny [1] | telc, ns | by hand, ns | telc's time over that by hand |\n| --- | --- | --- | --- |");
  for (const auto& pair : work) {
    std::vector<double> times[2], ratios;
    for (int run = -measure::warm_up; run < measure::runs; ++run) {
      double now[2];
      for (int i = 0; i < 2; ++i) {
        const int count = measure::repetitions(pair[i].second);
        now[i] = measure::seconds([&] {
                   for (int j = 0; j < count; ++j) pair[i].second();
                 }) /
                 count;
        if (run >= 0) times[i].push_back(now[i]);
      }
      if (run >= 0) ratios.push_back(now[0] / now[1]);
    }
    std::printf("| %s | %.0f | %.0f | %.2f |\n", pair[0].first, 1e9 * measure::median(times[0]),
                1e9 * measure::median(times[1]), measure::median(ratios));
  }
}
