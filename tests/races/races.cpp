// races CALLS: so many calls of two networks on eight threads, some on a pool and some by a parallel_for,
// compared with the bits of one thread. races outputs: two calls at once that write the same output, which is
// a mistake of the caller that ThreadSanitizer shall find.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "layers.hpp"
#include "rows.hpp"

namespace {

constexpr std::size_t n = 96;
constexpr int hosts = 8;

std::vector<float> values(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<float>(i % 89) / 89 - 0.4f;
  return all;
}

/// What all calls read. Each of `layers`, `rows` computes into memory of the thread's own.
struct Networks {
  layers::Parameters layers{1};
  rows::Parameters rows{2};
  std::vector<float> x = values(n * 48);
};

struct Results {
  std::vector<float> layers = std::vector<float>(n * 8), rows = std::vector<float>(n * 48 + 48);
  layers::Gradients gradients;
  bool operator==(const Results& other) const {
    const auto same = [](const auto& a, const auto& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    return same(layers, other.layers) && same(rows, other.rows) &&
           same(gradients.flat(), other.gradients.flat());
  }
};

/// The calls of one thread of the program.
struct Host {
  const Networks& of;
  tel::Execution execution;
  Results results = {};
  tel::Workspace forward{layers::forward_workspace(n, {.execution = execution})},
      gradient{layers::gradient_workspace(n, {.execution = execution})},
      rows{rows::forward_workspace(n, {.execution = execution})};

  void call_layers() {
    layers::forward({.x = {of.x.data(), n}}, of.layers, {.y = {results.layers.data(), n}}, forward,
                    {.execution = execution});
  }
  void call_gradient() {
    layers::gradient({.x = {of.x.data(), n}}, of.layers, results.gradients, gradient,
                     {.execution = execution});
  }
  void call_rows() {
    rows::forward({.x = {of.x.data(), n}}, of.rows,
                  {.y = {results.rows.data(), n}, .total = {results.rows.data() + n * 48}}, rows,
                  {.execution = execution});
  }
  void call(std::int64_t i) {
    if (i % 2 == 0) return call_rows();
    i % 4 == 1 ? call_layers() : call_gradient();
  }
};

/// A scheduler of the program's own: the last part is another thread's.
struct OwnThreads {
  void operator()(std::int64_t count, auto part) {
    std::thread last(part, count - 1);
    for (std::int64_t i = 0; i + 1 < count; ++i) part(i);
    last.join();
  }
};

Results alone(const Networks& of) {
  Host host{of, tel::serial};
  for (int i = 0; i < 4; ++i) host.call(i);
  return std::move(host.results);
}

void check_calls(const Networks& of, std::int64_t calls) {
  const Results expected = alone(of);
  std::atomic<std::int64_t> next = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (int thread = 0; thread < hosts; ++thread)
    all.emplace_back([&, thread] {
      OwnThreads own;
      Host host{of, thread % 4 == 0   ? tel::serial
                    : thread % 4 == 1 ? tel::parallel_for(2, own)
                                      : tel::threads(3)};
      std::int64_t i = 0;
      while (next++ < calls)
        if (host.call(i), ++i % 4 == 0 && !(host.results == expected)) ++wrong;
    });
  for (std::thread& each : all) each.join();
  CHECK(wrong == 0);
}

/// A process that is forked after all that has threads of its own.
void check_fork(const Networks& of) {
  const Results expected = alone(of);
  const pid_t child = fork();
  if (child == 0) {
    Host host{of, tel::threads(3)};
    for (int i = 0; i < 4; ++i) host.call(i);
    _exit(host.results == expected ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

/// No access is the program's: the networks' code alone can tell.
void write_one_output(const Networks& of) {
  Host first{of, tel::serial}, second{of, tel::serial};
  const auto call = [&](Host& host) {
    layers::forward({.x = {of.x.data(), n}}, of.layers, {.y = {first.results.layers.data(), n}},
                    host.forward);
  };
  std::thread other([&] { call(second); });
  call(first);
  other.join();
}

}  // namespace

int main(int, char** arguments) {
  const Networks networks;
  if (std::string(arguments[1]) == "outputs") {
    write_one_output(networks);
    return 0;
  }
  check_calls(networks, std::stoll(arguments[1]));
  check_fork(networks);
}
