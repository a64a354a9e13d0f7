// Ours against the machine's limits, one thread. Prints a Markdown table; with --json FILE also JSON.
// --compile gives the microseconds that telc took for a network.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "gemm1024.hpp"
#include "gemm2048.hpp"
#include "gemm256.hpp"
#include "gemm512.hpp"
#include "gpt_char.hpp"
#include "measure.hpp"
#include "mlp_small.hpp"
#include "rowwise.hpp"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "bench: wrong result: %s\n", what);
  std::exit(1);
}

void check_product(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c,
                   std::size_t n) {
  for (std::size_t i = 0; i < n; i += 37)
    for (std::size_t j = 0; j < n; j += 29) {
      double sum = 0, size = 0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += double(a[i * n + k]) * double(b[k * n + j]);
        size += std::fabs(double(a[i * n + k]) * double(b[k * n + j]));
      }
      require(std::fabs(sum - double(c[i * n + j])) <= 1e-5 * size, "a matrix product");
    }
}

constexpr std::size_t rows = 4096, columns = 1024, batch = 32;

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](const char* name) -> const char* {
    for (int i = 1; i + 1 < argc; ++i)
      if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    return nullptr;
  };
  using measure::random_values;
  std::vector<measure::Case> cases;

  constexpr std::size_t largest = 2048;
  const auto a = random_values(largest * largest, 1), b = random_values(largest * largest, 2);
  std::vector<float> c(largest * largest);
  const auto add_product = [&](std::size_t n, std::size_t workspace, auto forward) {
    const auto memory = std::make_shared<tel::Workspace>(workspace);
    const auto call = [=] { forward(*memory); };
    call();
    check_product(a, b, c, n);
    cases.push_back({"gemm " + std::to_string(n) + " F", "FMA peak", 2.0 * double(n) * double(n) * double(n),
                     call, true});
  };
#define TEL_PRODUCT(n)                                                         \
  add_product(n, gemm##n::forward_workspace(), [&](tel::Workspace& memory) {   \
    gemm##n::forward({.A = a.data(), .B = b.data()}, {.C = c.data()}, memory); \
  })
  TEL_PRODUCT(256);
  TEL_PRODUCT(512);
  TEL_PRODUCT(1024);
  TEL_PRODUCT(2048);
#undef TEL_PRODUCT

  const auto x = random_values(rows * columns, 3), dy = random_values(rows * columns, 4);
  std::vector<std::int32_t> label(rows);
  for (std::size_t i = 0; i < rows; ++i) label[i] = std::int32_t(i * 7 % columns);
  std::vector<float> y(rows * columns), dx(rows * columns);
  tel::Workspace ws(rowwise::softmax_gradient_workspace(rows)),
      wc(rowwise::cross_entropy_gradient_workspace(rows)), wf(rowwise::forward_workspace(rows));
  const double tensor = double(rows * columns) * sizeof(float);
  cases.push_back({"softmax 4096x1024 F", "copy", 2 * tensor,
                   [&] { rowwise::forward({.x = {x.data(), rows}}, {.y = {y.data(), rows}}, wf); }, false});
  cases.push_back({"softmax 4096x1024 G", "copy", 3 * tensor,
                   [&] {
                     rowwise::softmax_gradient({.x = {x.data(), rows}, .cotangent = {.y = {dy.data(), rows}}},
                                               {.gradient = {.x = {dx.data(), rows}}}, ws);
                   },
                   false});
  cases.push_back({"cross-entropy 4096x1024 G", "copy", 2 * tensor,
                   [&] {
                     rowwise::cross_entropy_gradient({.x = {x.data(), rows}, .label = {label.data(), rows}},
                                                     {.gradient = {.x = {dx.data(), rows}}}, wc);
                   },
                   false});

  mlp_small::Parameters parameters(1);
  mlp_small::Gradients gradients;
  tel::Workspace wm(mlp_small::gradient_workspace(batch));
  const double products = 2.0 * batch * (784 * 256 + 256 * 10);
  cases.push_back({"mlp-small [32] G", "FMA peak", 3 * products - 2.0 * batch * 784 * 256,
                   [&] {
                     mlp_small::gradient({.x = {x.data(), batch}, .label = {label.data(), batch}}, parameters,
                                         gradients, wm);
                   },
                   true});
  for (auto& l : label) l %= 10;

  // Each layer takes 12 d^2 multiply-adds a token for its products and 2 T d for attention; a gradient,
  // thrice that.
  constexpr std::size_t tokens = 256, width = 384, layers = 6, characters = 65;
  gpt_char::Parameters gpt_parameters(1);
  gpt_char::Gradients gpt_gradients;
  tel::Workspace wg(gpt_char::gradient_workspace(1));
  std::vector<std::int32_t> token(tokens), next(tokens);
  for (std::size_t i = 0; i < tokens; ++i)
    token[i] = std::int32_t(i * 7 % characters), next[i] = token[(i + 1) % tokens];
  cases.push_back(
      {"gpt-char [1] G", "FMA peak",
       6.0 * tokens * (layers * (12.0 * width * width + 2.0 * tokens * width) + width * characters),
       [&] {
         gpt_char::gradient({.token = {token.data(), 1}, .label = {next.data(), 1}}, gpt_parameters,
                            gpt_gradients, wg);
       },
       true});

  double peak = 0, bandwidth = 0;
  const auto table = measure::alternate(cases, peak, bandwidth);
  std::printf("one thread; FMA peak %.1f GFLOP/s (float32), copy %.2f GB/s (read + write)\n\n", peak / 1e9,
              bandwidth / 1e9);
  std::printf("| case | ours, ms | floor, ms | bound by | of the limit |\n| --- | --- | --- | --- | --- |\n");
  for (const auto& row : table)
    std::printf("| %s | %.4f | %.4f | %s | %.0f %% |\n", row.name.c_str(), 1e3 * row.ours, 1e3 * row.limit,
                row.floor.c_str(), 100 * row.limit / row.ours);
  constexpr std::size_t sequences = 8;
  const double workspace = double(gpt_char::gradient_workspace(sequences)) / (1 << 20);
  std::printf("| gpt-char [%zu] G, workspace | %.0f MiB | | | |\n", sequences, workspace);
  const char* compile = argument("--compile");
  if (compile) std::printf("| compile digits | %.1f | | | |\n", std::atof(compile) / 1e3);
  if (const char* file = argument("--json")) {
    std::ofstream json(file);
    json << "{";
    if (compile) json << "\"compile_seconds\": " << std::atof(compile) / 1e6 << ", ";
    json << "\"gpt_char_gradient_mebibytes\": " << workspace << ", \"fma_peak\": " << peak
         << ", \"copy\": " << bandwidth << ", \"cases\": [";
    for (std::size_t i = 0; i < table.size(); ++i)
      json << (i ? ", " : "") << "{\"name\": \"" << table[i].name << "\", \"seconds\": " << table[i].ours
           << ", \"floor_seconds\": " << table[i].limit << "}";
    json << "]}\n";
  }
  return 0;
}
