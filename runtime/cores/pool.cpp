#include "runtime/cores/pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/cores/cores.h"

namespace runtime {

/// A thread of the pool.
struct alignas(64) Worker {
  uint32_t state;  ///< a futex
  uint32_t started;
  int32_t processor;  ///< the number of the one where it began the last work, plus 1; 0: unknown
  int32_t id;         ///< of the thread, for the system
  uint32_t moves;     ///< 1: it waits for a processor that the caller does not use
  cpu_set_t allowed;  ///< while it moves, the processors that it may use otherwise
  pthread_t thread;
};

/// Memory of zeros is a pool without threads. In a forked process, which has none of the threads, the system
/// makes it zeros.
struct Pool {
  uint32_t taken;
  void (*body)(void*, int64_t);
  void* data;
  alignas(64) uint32_t running;  ///< a futex: the workers that have not finished
  uint32_t sleeps;               ///< 1: the caller waits for them
  int32_t processor;             ///< where the caller began the last work, as for workers
  uint32_t stays;                ///< the number of times that workers still stay where they wake
  Worker workers[most_cores];    ///< that of number 0 is not used: the caller is number 0
};

/// The program's only pool, whichever objects share it; null before the first call that takes it.
Pool* pool __asm__("tel.cores.pool.2") __attribute__((weak, visibility("hidden"))) = nullptr;

namespace {

/// How often a thread looks for work, or for the end of it, before it sleeps: some tens of microseconds,
/// which is longer than the time between the kernels of a call.
constexpr int spins = 2000;
/// So many times more a caller looks for the end of workers that compute on other processors, about a
/// millisecond: if it slept, it might be woken beside one of them.
constexpr int more_spins = 40'000;
/// The time after which a caller that sleeps looks for workers that do not get the processor they move to.
constexpr timespec sleep_time{0, 5'000'000};
/// A move that takes longer than this shows that other threads compute on all processors. So many times
/// workers then stay where they wake.
constexpr int64_t slow_move_nanoseconds = 500'000;
constexpr uint32_t stays_after_slow_move = 100;

enum : uint32_t { idle = 0, asleep = 1, working = 2, ending = 3 };

/// Sleeps until the word is woken or, if there is one, the time is over.
void wait(uint32_t& word, uint32_t value, const timespec* time = nullptr) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, time, nullptr, 0);
}
void wake(uint32_t& word) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

int64_t nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * int64_t{1'000'000'000} + time.tv_nsec;
}

template <typename Condition>
bool spin_until(Condition holds, int times = spins) {
  for (int i = 0; i < times; ++i) {
    if (holds()) return true;
    __builtin_ia32_pause();
  }
  return false;
}

uint32_t load(const uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }

Pool* current() { return __atomic_load_n(&pool, __ATOMIC_ACQUIRE); }

/// Returns the pool, or null if the system gives no memory that a forked process finds empty.
Pool* open_pool() {
  if (Pool* known = current()) return known;
  void* memory = mmap(nullptr, sizeof(Pool), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  Pool* known = nullptr;
  if (madvise(memory, sizeof(Pool), MADV_WIPEONFORK) == 0 &&
      __atomic_compare_exchange_n(&pool, &known, static_cast<Pool*>(memory), false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return static_cast<Pool*>(memory);
  munmap(memory, sizeof(Pool));
  return known;
}

enum class Wait { spun, slept, ended };

/// Returns how the worker waited, or that its thread shall end.
Wait wait_for_work(Worker& worker) {
  spin_until([&] { return load(worker.state) >= working; });
  uint32_t state = idle;
  const bool sleeps =
      __atomic_compare_exchange_n(&worker.state, &state, asleep, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  while (load(worker.state) == asleep) wait(worker.state, asleep);
  if (load(worker.state) == ending) return Wait::ended;
  __atomic_store_n(&worker.state, idle, __ATOMIC_RELAXED);
  return sleeps ? Wait::slept : Wait::spun;
}

/// Returns whether a worker that wakes now stays where it is, and counts that.
bool stays(Pool& of) {
  const uint32_t times = __atomic_load_n(&of.stays, __ATOMIC_RELAXED);
  if (times > 0) __atomic_store_n(&of.stays, times - 1, __ATOMIC_RELAXED);
  return times > 0;
}

/// Returns the number of the processor that runs the thread, plus 1; 0 if that is not known.
int32_t own_processor() { return sched_getcpu() + 1; }

/// Moves the worker to a processor that it may use and that is not `taken`, if there is one. If other threads
/// compute there, it waits for them until `end_moves`.
void move_from(const cpu_set_t& taken, Pool& of, Worker& worker) {
  if (sched_getaffinity(0, sizeof worker.allowed, &worker.allowed) != 0) return;
  cpu_set_t others;
  CPU_XOR(&others, &worker.allowed, &taken);
  CPU_AND(&others, &others, &worker.allowed);
  const int64_t begin = nanoseconds();
  __atomic_store_n(&worker.moves, 1, __ATOMIC_RELEASE);
  // This fails without effect if there is no other processor.
  if (sched_setaffinity(0, sizeof others, &others) == 0)
    sched_setaffinity(0, sizeof worker.allowed, &worker.allowed);
  __atomic_store_n(&worker.moves, 0, __ATOMIC_RELEASE);
  if (nanoseconds() - begin > slow_move_nanoseconds)
    __atomic_store_n(&of.stays, stays_after_slow_move, __ATOMIC_RELAXED);
}

/// Returns whether all workers of the run compute on other processors than the caller's, or move to them.
bool compute_elsewhere(const Pool& of, int64_t workers) {
  for (int64_t i = 1; i < workers; ++i) {
    const Worker& worker = of.workers[i];
    if (load(worker.state) == working) return false;
    if (load(worker.moves) != 0) continue;
    if (__atomic_load_n(&worker.processor, __ATOMIC_RELAXED) == own_processor()) return false;
  }
  return true;
}

/// Moves workers that wait for another processor to that of the caller, which sleeps now.
void end_moves(Pool& of, int64_t workers) {
  const int processor = sched_getcpu();
  if (processor < 0 || processor >= CPU_SETSIZE) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(processor, &own);
  for (int64_t i = 1; i < workers; ++i) {
    const Worker& worker = of.workers[i];
    if (load(worker.moves) == 0) continue;
    sched_setaffinity(worker.id, sizeof own, &own);
    sched_setaffinity(worker.id, sizeof worker.allowed, &worker.allowed);
  }
}

/// Returns whether a worker that slept woke where the caller or a worker before it computes, and adds the
/// processors of these to `taken`.
bool woke_beside_others(const Pool& of, const Worker& worker, cpu_set_t& taken) {
  const int32_t own = own_processor();
  bool is_shared = false;
  const auto take = [&](const int32_t& processor) {
    const int32_t number = __atomic_load_n(&processor, __ATOMIC_RELAXED);
    if (number < 1 || number > CPU_SETSIZE) return;
    CPU_SET(number - 1, &taken);
    is_shared = is_shared || number == own;
  };
  take(of.processor);
  for (const Worker* before = of.workers + 1; before != &worker; ++before) take(before->processor);
  return is_shared;
}

/// Computes a worker's part. If the worker slept, it leaves the processor of others: the system may wake a
/// thread beside the one that wakes it, and lets both share a processor for milliseconds although another is
/// idle. Where the caller sleeps by now, its processor is free, and the worker leaves it afterwards.
void compute(Pool& of, Worker& worker, bool slept) {
  cpu_set_t taken;
  CPU_ZERO(&taken);
  const bool leaves = slept && !stays(of) && woke_beside_others(of, worker, taken);
  const bool leaves_first = leaves && __atomic_load_n(&of.sleeps, __ATOMIC_SEQ_CST) == 0;
  if (leaves_first) move_from(taken, of, worker);
  __atomic_store_n(&worker.processor, own_processor(), __ATOMIC_RELAXED);
  of.body(of.data, &worker - of.workers);
  if (__atomic_sub_fetch(&of.running, 1, __ATOMIC_SEQ_CST) == 0 &&
      __atomic_load_n(&of.sleeps, __ATOMIC_SEQ_CST) != 0)
    wake(of.running);
  if (leaves && !leaves_first) move_from(taken, of, worker);
}

void* work(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  Pool& of = *current();
  worker.id = static_cast<int32_t>(syscall(SYS_gettid));
  for (Wait waited; (waited = wait_for_work(worker)) != Wait::ended;)
    compute(of, worker, waited == Wait::slept);
  return nullptr;
}

/// Starts the worker's thread, which gets none of the program's signals. Returns false if there is none.
bool start(Worker& worker) {
  if (worker.started) return true;
  sigset_t all, callers;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &callers);
  worker.started = pthread_create(&worker.thread, nullptr, work, &worker) == 0;
  pthread_sigmask(SIG_SETMASK, &callers, nullptr);
  return worker.started;
}

void set_state(Worker& worker, uint32_t state) {
  if (__atomic_exchange_n(&worker.state, state, __ATOMIC_ACQ_REL) == asleep) wake(worker.state);
}

}  // namespace

/// The threads end before their code may be unloaded. In the middle of a call they do not. Who unloads the
/// code without running its destructors calls it by its name.
void end_threads() __asm__("tel.cores.end.2") __attribute__((weak, visibility("hidden"), destructor));
void end_threads() {
  if (!current() || !take_pool()) return;
  for (Worker& worker : current()->workers) {
    if (!worker.started) continue;
    set_state(worker, ending);
    pthread_join(worker.thread, nullptr);
    worker.state = idle;
    worker.started = 0;
  }
  leave_pool();
}

bool take_pool() {
  Pool* taken = open_pool();
  return taken && __atomic_exchange_n(&taken->taken, 1, __ATOMIC_ACQUIRE) == 0;
}

void leave_pool() { __atomic_store_n(&current()->taken, 0, __ATOMIC_RELEASE); }

void run_in_pool(int64_t count, void (*body)(void* data, int64_t i), void* data) {
  Pool& of = *current();
  of.body = body;
  of.data = data;
  __atomic_store_n(&of.processor, own_processor(), __ATOMIC_RELAXED);
  int64_t started = 1;
  while (started < count && start(of.workers[started])) ++started;
  __atomic_store_n(&of.running, static_cast<uint32_t>(started - 1), __ATOMIC_SEQ_CST);
  for (int64_t i = 1; i < started; ++i) set_state(of.workers[i], working);
  body(data, 0);
  for (int64_t i = started; i < count; ++i) body(data, i);
  const auto is_done = [&] { return load(of.running) == 0; };
  if (spin_until(is_done)) return;
  if (compute_elsewhere(of, started) && spin_until(is_done, more_spins)) return;
  __atomic_store_n(&of.sleeps, 1, __ATOMIC_SEQ_CST);
  for (uint32_t running; (running = __atomic_load_n(&of.running, __ATOMIC_SEQ_CST)) != 0;) {
    end_moves(of, started);
    wait(of.running, running, &sleep_time);
  }
  __atomic_store_n(&of.sleeps, 0, __ATOMIC_RELAXED);
}

}  // namespace runtime
