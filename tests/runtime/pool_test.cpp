#include "runtime/cores/pool.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <ctime>

#include <vector>

using namespace runtime;

namespace {

/// The processors on which the parts of one run began.
std::vector<int> processors_of_run(int64_t count) {
  std::vector<int> processors(static_cast<size_t>(count), -1);
  run_in_pool(
      count,
      [](void* data, int64_t i) {
        static_cast<std::vector<int>*>(data)->at(static_cast<size_t>(i)) = sched_getcpu();
      },
      &processors);
  return processors;
}

/// Long enough for a thread that looks for work to sleep.
void rest() {
  const timespec time{0, 5'000'000};
  nanosleep(&time, nullptr);
}

int pin_to_processor(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one);
}

/// Has the pool and, at its end, the processors that the thread had at its begin.
struct Guard {
  cpu_set_t allowed;
  Guard() {
    REQUIRE(take_pool());
    REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  }
  ~Guard() {
    leave_pool();
    sched_setaffinity(0, sizeof allowed, &allowed);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};

}  // namespace

TEST_CASE("each part runs once, on more threads than there are processors as well") {
  const Guard guard;
  CHECK_FALSE(take_pool());
  std::vector<int> runs(20);
  for (int repeat = 0; repeat < 3; ++repeat)
    run_in_pool(
        20, [](void* data, int64_t i) { ++static_cast<std::vector<int>*>(data)->at(static_cast<size_t>(i)); },
        &runs);
  CHECK(runs == std::vector<int>(20, 3));
}

TEST_CASE("a thread that slept where the caller runs now computes elsewhere") {
  const Guard guard;
  if (CPU_COUNT(&guard.allowed) < 2) return;
  // Where other threads compute on all processors, a move is slow, and threads stay for a while.
  constexpr int attempts = 1000;
  bool has_moved = false;
  for (int i = 0; i < attempts && !has_moved; ++i) {
    const int of_thread = processors_of_run(2)[1];
    rest();
    REQUIRE(pin_to_processor(of_thread) == 0);
    const std::vector<int> processors = processors_of_run(2);
    CHECK(processors[0] == of_thread);
    has_moved = processors[1] != of_thread;
    REQUIRE(sched_setaffinity(0, sizeof guard.allowed, &guard.allowed) == 0);
  }
  CHECK(has_moved);
}
