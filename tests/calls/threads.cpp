// Calls on several threads: the bits of one thread, whoever owns the threads.
#include "threads.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr std::size_t rows = 70, pixels = 4 * 20 * 20, places = 3000, pairs = 8000;

struct Fixture {
  threads::Parameters parameters{3};
  std::vector<float> image = std::vector<float>(rows * pixels);
  std::vector<std::int32_t> label = std::vector<std::int32_t>(rows),
                            place = std::vector<std::int32_t>(places),
                            pair = std::vector<std::int32_t>(3 * pairs);

  Fixture() {
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i % 97) / 97 - 0.4f;
    for (std::size_t i = 0; i < rows; ++i) label[i] = static_cast<std::int32_t>(i % 5);
  }

  threads::ForwardInputs inputs() const {
    return {.image = {image.data(), rows},
            .label = {label.data(), rows},
            .place = {place.data(), places},
            .pair = {pair.data(), pairs}};
  }

  /// The results of all entry points, one after the other.
  std::vector<float> results(const tel::Execution& execution) const {
    const threads::ForwardInputs forward = inputs();
    const auto y = threads::forward(forward, parameters, {.execution = execution});
    std::vector<float> all(y.y.begin(), y.y.end());
    all.insert(all.end(), y.far.begin(), y.far.end());
    all.insert(all.end(), y.both.begin(), y.both.end());
    threads::Gradients gradients;
    const threads::GradientInputs gradient{
        .image = forward.image, .label = forward.label, .place = forward.place, .pair = forward.pair};
    const auto loss = threads::gradient(gradient, parameters, gradients, {.execution = execution});
    all.push_back(loss.loss);
    const auto flat = gradients.flat();
    all.insert(all.end(), flat.begin(), flat.end());
    return all;
  }

  std::string error(const tel::Execution& execution) const {
    const auto done = threads::try_forward(inputs(), parameters, {.execution = execution});
    return done ? "" : done.error().text;
  }
};

/// Computes all parts in turn, from the given one on: that one finds what the others have not begun.
struct InTurn {
  std::int64_t first;
  void operator()(std::int64_t count, auto part) const {
    for (std::int64_t i = 0; i < count; ++i) part((first + i) % count);
  }
};

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Threads of the program's own, of which each runs one part.
struct OwnThreads {
  int calls = 0;
  void operator()(std::int64_t count, auto part) {
    ++calls;
    std::vector<std::thread> all;
    for (std::int64_t i = 0; i < count; ++i) all.emplace_back(part, count - 1 - i);
    for (std::thread& each : all) each.join();
  }
};

void check_bits(const Fixture& f) {
  const auto serial = f.results(tel::serial);
  for (const int count : {1, 2, 3, 8}) CHECK(same(f.results(tel::threads(count)), serial));
  CHECK(same(f.results(tel::threads()), serial));
  OwnThreads own;
  for (const int count : {1, 2, 5}) CHECK(same(f.results(tel::parallel_for(count, own)), serial));
  CHECK(own.calls > 0);
}

/// Each core has its own part of the workspace.
void check_workspace(const Fixture& f) {
  const std::size_t one = threads::gradient_workspace(rows, places, pairs, {.execution = tel::serial}),
                    two = threads::gradient_workspace(rows, places, pairs, {.execution = tel::threads(2)}),
                    three = threads::gradient_workspace(rows, places, pairs, {.execution = tel::threads(3)});
  CHECK(two > one);
  CHECK(three - two == two - one);
  tel::Workspace workspace(one);
  threads::Gradients gradients;
  const threads::ForwardInputs forward = f.inputs();
  const threads::GradientInputs inputs{
      .image = forward.image, .label = forward.label, .place = forward.place, .pair = forward.pair};
  const auto done =
      threads::try_gradient(inputs, f.parameters, gradients, workspace, {.execution = tel::threads(2)});
  CHECK(!done && done.status() == tel::Status::workspace);
}

/// The first index outside its range is the one that a single thread finds, also where a part has several
/// pieces, and one thread computes those of others first.
void check_index(const Fixture& f, const std::string& expected) {
  CHECK(f.error(tel::serial) == expected);
  for (const int count : {2, 3, 8}) {
    CHECK(f.error(tel::threads(count)) == expected);
    for (std::int64_t first = 0; first < count; ++first) {
      InTurn in_turn{first};
      CHECK(f.error(tel::parallel_for(count, in_turn)) == expected);
    }
  }
}

void check_indices(Fixture& f) {
  f.label[11] = 5;
  f.label[60] = -7;
  check_index(f, "threads::forward: label[11] is 5, expected -5 to 4");
  f.label[11] = 1;
  f.label[60] = 0;
  f.place[700] = 5;
  f.place[1600] = 6;
  f.place[2900] = 7;
  check_index(f, "threads::forward: place[700] is 5, expected -5 to 4");
  f.place[700] = f.place[1600] = f.place[2900] = 0;
  f.pair[3 * 10 + 2] = 60;  // columns are computed one after the other
  f.pair[3 * 4000] = 50;
  check_index(f, "threads::forward: pair[10, 2] is 60, expected -7 to 6");
  f.pair[3 * 10 + 2] = f.pair[3 * 4000] = 0;
}

void check_mistakes(const Fixture& f) {
  CHECK(f.error(tel::threads(-1)) ==
        "threads::forward: the execution's number of threads is -1, expected up to 256");
  CHECK(f.error(tel::threads(257)) ==
        "threads::forward: the execution's number of threads is 257, expected up to 256");
  OwnThreads own;
  CHECK(f.error(tel::parallel_for(0, own)) ==
        "threads::forward: an execution of kind TEL_PARALLEL_FOR has no function or no threads");
}

/// One call has the pool at a time; the others compute alone.
void check_calls_at_once(const Fixture& f) {
  const auto serial = f.results(tel::serial);
  std::vector<std::thread> all;
  std::vector<int> wrong(4);
  for (int& count : wrong)
    all.emplace_back([&] {
      for (int i = 0; i < 5; ++i) count += same(f.results(tel::threads(3)), serial) ? 0 : 1;
    });
  for (std::thread& each : all) each.join();
  for (const int count : wrong) CHECK(count == 0);
}

/// A forked process has none of the threads, and starts its own.
void check_fork(const Fixture& f) {
  const auto serial = f.results(tel::serial);
  CHECK(same(f.results(tel::threads(3)), serial));
  const pid_t child = fork();
  if (child == 0) _exit(same(f.results(tel::threads(3)), serial) ? 0 : 1);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(same(f.results(tel::threads(3)), serial));
}

}  // namespace

/// With an argument: the error of a call that leaves the threads to the environment.
int main(int count, char**) {
  Fixture f;
  if (count > 1) {
    std::puts(f.error({}).c_str());
    return 0;
  }
  check_bits(f);
  check_workspace(f);
  check_indices(f);
  check_mistakes(f);
  check_calls_at_once(f);
  check_fork(f);
}
