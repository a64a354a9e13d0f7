#include "runtime/cores/pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/cores/cores.h"

namespace runtime {

/// A thread of the pool.
struct alignas(64) Worker {
  uint32_t state;  ///< a futex
  uint32_t started;
  int32_t processor;  ///< the number of the one where it began the last work, plus 1; 0: unknown
  pthread_t thread;
};

/// Memory of zeros is a pool without threads. In a forked process, which has none of the threads, the system
/// makes it zeros.
struct Pool {
  uint32_t taken;
  void (*body)(void*, int64_t);
  void* data;
  int32_t processor;             ///< where the caller began the last work, as for workers
  alignas(64) uint32_t running;  ///< a futex: the workers that have work, or compute
  uint32_t sleeps;               ///< 1: the caller waits for them
  Worker workers[most_cores];    ///< that of number 0 is not used: the caller is number 0
};

/// The program's only pool, whichever objects share it; null before the first call that takes it.
Pool* pool __asm__("tel.cores.pool.3") __attribute__((weak, visibility("hidden"))) = nullptr;

namespace {

/// How often a thread looks for work, or for the end of it, before it sleeps: some tens of microseconds.
constexpr int spins = 2000;
/// A worker looks this many times more, about a millisecond, for the next kernel of the call that has the
/// pool, and a caller for the end of workers, if they are on different processors: a thread that sleeps may
/// be woken late, and on the processor of the other.
constexpr int more_spins = 40'000;

/// Work that is offered to a worker is begun by it, or withdrawn by the caller.
enum : uint32_t { idle = 0, asleep = 1, offered = 2, computing = 3, ending = 4 };

/// Sleeps until the word is woken.
void wait(uint32_t& word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake(uint32_t& word) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

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

/// Changes a worker's state from `from` to `to`. Returns false if it was another.
bool change_state(Worker& worker, uint32_t from, uint32_t to) {
  return __atomic_compare_exchange_n(&worker.state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/// Returns the number of the processor that runs the thread, plus 1; 0 if that is not known.
int32_t own_processor() { return sched_getcpu() + 1; }

/// Returns whether the worker was given work, or shall end, while it looked for that.
bool spin_for_work(const Pool& of, const Worker& worker) {
  const auto has_work = [&] { return load(worker.state) >= offered; };
  for (int i = 0; i <= more_spins; i += spins) {
    if (spin_until(has_work)) return true;
    if (load(of.taken) == 0 || __atomic_load_n(&of.processor, __ATOMIC_RELAXED) == own_processor()) break;
  }
  return false;
}

/// Returns whether the worker is on the processor of the caller or of a worker before it, and adds the
/// processors of these to `taken`.
bool shares_processor(const Pool& of, const Worker& worker, cpu_set_t& taken) {
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

/// Moves a worker that woke beside others to a processor that it may use, if there is one: the system may
/// wake a thread beside the one that wakes it, and lets both share a processor for milliseconds although
/// another is idle. If other threads compute on that one, the worker waits for them, and the caller withdraws
/// its work.
void leave_shared_processor(const Pool& of, const Worker& worker) {
  cpu_set_t taken, allowed, others;
  CPU_ZERO(&taken);
  if (!shares_processor(of, worker, taken) || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_XOR(&others, &allowed, &taken);
  CPU_AND(&others, &others, &allowed);
  // This fails without effect if there is no other processor.
  if (sched_setaffinity(0, sizeof others, &others) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
}

/// Waits until the worker has begun the work that it was offered. Returns false if its thread shall end.
bool begin_work(const Pool& of, Worker& worker) {
  for (bool slept = false;;) {
    if (!spin_for_work(of, worker) && change_state(worker, idle, asleep)) {
      slept = true;
      while (load(worker.state) == asleep) wait(worker.state, asleep);
    }
    if (load(worker.state) == ending) return false;
    if (slept && load(worker.state) == offered) {
      leave_shared_processor(of, worker);
      slept = false;
    }
    __atomic_store_n(&worker.processor, own_processor(), __ATOMIC_RELAXED);
    if (change_state(worker, offered, computing)) return true;
  }
}

void* work(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  Pool& of = *current();
  while (begin_work(of, worker)) {
    of.body(of.data, &worker - of.workers);
    __atomic_store_n(&worker.state, idle, __ATOMIC_RELEASE);
    if (__atomic_sub_fetch(&of.running, 1, __ATOMIC_SEQ_CST) == 0 &&
        __atomic_load_n(&of.sleeps, __ATOMIC_SEQ_CST) != 0)
      wake(of.running);
  }
  return nullptr;
}

/// Returns whether all workers that still compute do so on other processors than the caller's.
bool compute_elsewhere(const Pool& of, int64_t workers) {
  for (int64_t i = 1; i < workers; ++i) {
    const Worker& worker = of.workers[i];
    if (load(worker.state) == computing &&
        __atomic_load_n(&worker.processor, __ATOMIC_RELAXED) == own_processor())
      return false;
  }
  return true;
}

/// Waits until no worker computes.
void wait_for_workers(Pool& of, int64_t workers) {
  const auto is_done = [&] { return load(of.running) == 0; };
  if (spin_until(is_done)) return;
  if (compute_elsewhere(of, workers) && spin_until(is_done, more_spins)) return;
  __atomic_store_n(&of.sleeps, 1, __ATOMIC_SEQ_CST);
  for (uint32_t running; (running = __atomic_load_n(&of.running, __ATOMIC_SEQ_CST)) != 0;)
    wait(of.running, running);
  __atomic_store_n(&of.sleeps, 0, __ATOMIC_RELAXED);
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
void end_threads() __asm__("tel.cores.end.3") __attribute__((weak, visibility("hidden"), destructor));
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
  for (int64_t i = 1; i < started; ++i) set_state(of.workers[i], offered);
  body(data, 0);
  for (int64_t i = started; i < count; ++i) body(data, i);
  for (int64_t i = started - 1; i > 0; --i) {
    if (!change_state(of.workers[i], offered, idle)) continue;  // the worker has begun
    __atomic_sub_fetch(&of.running, 1, __ATOMIC_SEQ_CST);
    body(data, i);
  }
  wait_for_workers(of, started);
}

}  // namespace runtime
