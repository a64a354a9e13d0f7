// The machine's limits and a stopwatch: what every benchmark is held against.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace measure {

inline constexpr int runs = 11, warm_up = 2;

inline double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Repetitions of `work` that take at least 5 ms, so that the clock does not matter.
inline int repetitions(const std::function<void()>& work) {
  int count = 1;
  while (seconds([&] {
           for (int i = 0; i < count; ++i) work();
         }) < 5e-3)
    count *= 2;
  return count;
}

/// A register-only loop of multiply-adds on 16 independent accumulators of the widest vectors: the work, in
/// floating-point operations, of one call.
inline double multiply_add_loop() {
#if defined(__AVX512F__)
  constexpr int lanes = 16;
#elif defined(__AVX__)
  constexpr int lanes = 8;
#else
  constexpr int lanes = 4;
#endif
  typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));
  constexpr int chains = 12, steps = 20000;
  Vector a[chains], x = Vector{} + 0.999999f, y = Vector{} + 1e-7f;
  for (auto& v : a) v = Vector{} + 1.0f;
  for (int i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (int j = 0; j < chains; ++j) a[j] = a[j] * x + y;
    asm volatile("" : "+x"(x));
  }
  Vector sum{};
  for (const auto& v : a) sum += v;
  volatile float sink = sum[0];
  (void)sink;
  return 2.0 * lanes * chains * steps;
}

/// One copy of 64 MiB: bytes read and written.
inline double copy_once(std::vector<char>& to, const std::vector<char>& from) {
  std::memcpy(to.data(), from.data(), from.size());
  asm volatile("" : : "r"(to.data()) : "memory");
  return 2.0 * double(from.size());
}

struct Case {
  std::string name, floor;  // `floor`: what bounds it
  double work;              // operations or bytes of one call
  std::function<void()> call;
  bool arithmetic;  // work counts operations, else bytes
};

struct Row {
  std::string name, floor;
  double ours, limit;  // seconds a call; seconds that the limit would take
};

/// Every case and both limits in turn, `runs` times; medians, and the ratio taken within each turn.
inline std::vector<Row> alternate(const std::vector<Case>& cases, double& peak, double& bandwidth) {
  std::vector<char> from(64 << 20, 1), to(64 << 20, 2);
  std::vector<int> counts;
  for (const Case& c : cases) counts.push_back(repetitions(c.call));
  const int peak_count = repetitions([] { multiply_add_loop(); });
  std::vector<std::vector<double>> times(cases.size()), ratios(cases.size());
  std::vector<double> peaks, bandwidths;
  for (int run = -warm_up; run < runs; ++run) {
    double operations = 0, bytes = 0;
    const double fma = operations = [&] {
      double total = 0;
      const double t = seconds([&] {
        for (int i = 0; i < peak_count; ++i) total += multiply_add_loop();
      });
      return total / t;
    }();
    const double copy = [&] {
      const double t = seconds([&] { bytes += copy_once(to, from); });
      return bytes / t;
    }();
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const double t = seconds([&] {
                         for (int j = 0; j < counts[i]; ++j) cases[i].call();
                       }) /
                       counts[i];
      if (run < 0) continue;
      times[i].push_back(t);
      ratios[i].push_back(cases[i].work / (cases[i].arithmetic ? fma : copy) / t);
    }
    if (run < 0) continue;
    peaks.push_back(fma);
    bandwidths.push_back(copy);
  }
  peak = median(peaks);
  bandwidth = median(bandwidths);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double t = median(times[i]);
    rows.push_back({cases[i].name, cases[i].floor, t, median(ratios[i]) * t});
  }
  return rows;
}

inline std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

}  // namespace measure
