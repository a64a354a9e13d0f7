#include "runtime/cores/pool.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sched.h>
#include <chrono>
#include <ctime>

#include <vector>

using namespace runtime;

namespace {

/// Where the two parts of a run are computed.
struct Places {
  int processors[2] = {-1, -1};
  pthread_t threads[2] = {};
  int begun = 0;  ///< 1: the second part has begun
};

/// Computes two parts, of which the first one waits for up to so many milliseconds for the second one to
/// begin.
Places run_two(int milliseconds) {
  struct Run {
    Places places;
    int milliseconds;
  } run{{}, milliseconds};
  run_in_pool(
      2,
      [](void* data, int64_t i) {
        auto& run = *static_cast<Run*>(data);
        run.places.processors[i] = sched_getcpu();
        run.places.threads[i] = pthread_self();
        if (i == 1) __atomic_store_n(&run.places.begun, 1, __ATOMIC_RELEASE);
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(run.milliseconds);
        while (__atomic_load_n(&run.places.begun, __ATOMIC_ACQUIRE) == 0 &&
               std::chrono::steady_clock::now() < end) {
        }
      },
      &run);
  return run.places;
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

TEST_CASE("the caller computes the part of a thread that wakes late") {
  const Guard guard;
  constexpr int attempts = 1000;
  bool has_computed_both = false;
  for (int i = 0; i < attempts && !has_computed_both; ++i) {
    rest();
    const Places places = run_two(0);
    has_computed_both = pthread_equal(places.threads[0], places.threads[1]) != 0;
  }
  CHECK(has_computed_both);
}

TEST_CASE("a thread that slept where the caller runs now computes elsewhere") {
  const Guard guard;
  if (CPU_COUNT(&guard.allowed) < 2) return;
  // Where other threads compute on all processors, a move takes longer than the caller waits.
  constexpr int attempts = 1000, patience = 20;
  bool has_moved = false;
  for (int i = 0; i < attempts && !has_moved; ++i) {
    const int of_thread = run_two(patience).processors[1];
    rest();
    REQUIRE(pin_to_processor(of_thread) == 0);
    const Places places = run_two(patience);
    CHECK(places.processors[0] == of_thread);
    has_moved = places.processors[1] != of_thread;
    REQUIRE(sched_setaffinity(0, sizeof guard.allowed, &guard.allowed) == 0);
  }
  CHECK(has_moved);
}
