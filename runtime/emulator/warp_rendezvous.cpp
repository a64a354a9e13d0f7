#include "runtime/emulator/warp_rendezvous.h"

#include "runtime/emulator/banks.h"
#include "runtime/emulator/operations.h"
#include "runtime/emulator/report.h"
#include "runtime/emulator/schedule.h"

namespace runtime::emulator {
namespace {

int first_lane(uint32_t lanes) { return __builtin_ctz(lanes); }

/// The warp's lane 0.
int64_t first_thread(const Thread& thread) { return thread.number - thread.number % warp_size; }

[[noreturn]] void report_elsewhere(Worker& worker, const Thread& thread, const char* operation,
                                   const Site* site, const Rendezvous& rendezvous) {
  Report report(worker, thread.number, site);
  report << "divergent: comes to " << operation << " while ";
  report.thread(first_thread(thread) + first_lane(rendezvous.came), rendezvous.site)
      << " waits at " << rendezvous.operation;
  report.leave();
}

[[noreturn]] void report_gone(Worker& worker, int64_t waiting, const char* operation, const Site* site,
                              int64_t gone) {
  Report report(worker, waiting, site);
  report << "divergent: waits at " << operation << ", but thread " << gone << " of its warp has ended";
  report.leave();
}

}  // namespace

void report_ended(Worker& worker, const Thread& thread) {
  const Rendezvous& rendezvous = warp_of(worker, thread).rendezvous;
  report_gone(worker, first_thread(thread) + first_lane(rendezvous.came), rendezvous.operation,
              rendezvous.site, thread.number);
}

void warp_rendezvous(const char* operation, const Site* site, void* operand, Complete complete) {
  Worker& worker = this_worker();
  Thread& thread = this_thread();
  Warp& warp = warp_of(worker, thread);
  Rendezvous& rendezvous = warp.rendezvous;
  if (warp.ended)
    report_gone(worker, thread.number, operation, site, first_thread(thread) + first_lane(warp.ended));
  if (!rendezvous.came) {
    rendezvous.operation = operation;
    rendezvous.site = site;
  } else if (rendezvous.operation != operation || rendezvous.site != site) {
    report_elsewhere(worker, thread, operation, site, rendezvous);
  }
  rendezvous.came |= lane_bit(thread);
  rendezvous.operands[thread.number % warp_size] = operand;
  thread.state = Thread::rendezvous;
  if (rendezvous.came == all_lanes) {
    count_banks(worker, worker.banks[thread.number / warp_size]);
    for (int lane = 0; lane < warp_size; ++lane)
      make_ready(worker, worker.threads[first_thread(thread) + lane]);
    complete(worker, thread, warp);
    rendezvous.came = 0;
  }
  wait(worker, thread);
}

namespace {

template <typename Operand>
Operand& operand_of(const Warp& warp, int lane) {
  return *static_cast<Operand*>(warp.rendezvous.operands[lane]);
}

struct Shuffle {
  int32_t value, lane, result;
};

void shuffle(Worker& worker, Thread& thread, Warp& warp) {
  for (int lane = 0; lane < warp_size; ++lane) {
    auto& own = operand_of<Shuffle>(warp, lane);
    if (own.lane < 0 || own.lane >= warp_size) {
      Report report(worker, first_thread(thread) + lane, warp.rendezvous.site);
      report << "asks for the value of lane " << own.lane << ", a warp has lanes 0 to " << warp_size - 1;
      report.leave();
    }
    own.result = operand_of<Shuffle>(warp, own.lane).value;
  }
}

struct Vote {
  bool value;
  uint32_t result;
};

void vote(Worker&, Thread&, Warp& warp) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < warp_size; ++lane)
    lanes |= static_cast<uint32_t>(operand_of<Vote>(warp, lane).value) << lane;
  for (int lane = 0; lane < warp_size; ++lane) operand_of<Vote>(warp, lane).result = lanes;
}

void order_warp(Worker& worker, Thread& thread, Warp&) {
  worker.clocks.join(uint32_t{1} << thread.number / warp_size);
}

/// The operands of a barrier must be the warp's.
struct Arrival {
  int32_t id, threads;
};

void check_arrival(Worker& worker, Thread& thread, const Warp& warp) {
  const auto& first = operand_of<Arrival>(warp, 0);
  for (int lane = 0; lane < warp_size; ++lane) {
    const auto& own = operand_of<Arrival>(warp, lane);
    const char* mistake = nullptr;
    if (own.id < 0 || own.id >= barrier_count) mistake = "a block has barriers 0 to 15";
    if (own.threads <= 0 || own.threads % warp_size || own.threads > worker.grid->kernel->threads)
      mistake = "it must be for whole warps, and no more than the block has";
    if (own.id != first.id || own.threads != first.threads)
      mistake = "other threads of its warp come to another one";
    if (!mistake) continue;
    Report report(worker, first_thread(thread) + lane, warp.rendezvous.site);
    report << "divergent: comes to barrier " << own.id << " for " << own.threads << " threads; " << mistake;
    report.leave();
  }
}

/// The warp has come whole: it waits for others, or all go on.
void arrive(Worker& worker, Thread& thread, Warp& warp) {
  check_arrival(worker, thread, warp);
  const Arrival arrival = operand_of<Arrival>(warp, 0);
  Barrier& barrier = worker.barriers[arrival.id];
  if (barrier.came && barrier.threads != arrival.threads) {
    Report report(worker, first_thread(thread), warp.rendezvous.site);
    report << "divergent: comes to barrier " << arrival.id << " for " << arrival.threads << " threads, ";
    report.thread(__builtin_ctz(barrier.warps) * warp_size, barrier.site)
        << " waits there for " << barrier.threads;
    report.leave();
  }
  const int number = thread.number / warp_size;
  barrier.threads = arrival.threads;
  barrier.came += warp_size;
  barrier.warps |= uint32_t{1} << number;
  barrier.site = warp.rendezvous.site;
  for (int lane = 0; lane < warp_size; ++lane)
    worker.threads[first_thread(thread) + lane].state = Thread::barrier;
  warp.barrier = arrival.id;
  warp.ready = 0;
  worker.ready &= ~(uint32_t{1} << number);
  if (barrier.came < barrier.threads) return;
  worker.clocks.join(barrier.warps);
  for (int w = 0; w < max_warps; ++w)
    if (barrier.warps >> w & 1)
      for (int lane = 0; lane < warp_size; ++lane) make_ready(worker, worker.threads[w * warp_size + lane]);
  barrier = {};
}

/// The state of the first thread that is not at barrier `id`.
void append_missing(Report& report, const Worker& worker, int id) {
  for (int64_t i = 0; i < worker.grid->kernel->threads; ++i) {
    const Thread& thread = worker.threads[i];
    const Warp& warp = worker.warps[i / warp_size];
    if (thread.state == Thread::barrier && warp.barrier == id) continue;
    report << "; ";
    if (thread.state == Thread::ended) {
      report << "thread " << i << " has ended";
    } else if (thread.state == Thread::barrier) {
      report.thread(i, worker.barriers[warp.barrier].site) << " waits at barrier " << warp.barrier;
    } else {
      report.thread(i, warp.rendezvous.site) << " waits at " << warp.rendezvous.operation;
    }
    return;
  }
}

}  // namespace

void report_stuck(Worker& worker) {
  // Whoever waits for its warp alone waits for a thread that can go on, or that has ended and said so.
  int64_t number = 0;
  while (worker.threads[number].state != Thread::barrier) ++number;
  const Warp& warp = worker.warps[number / warp_size];
  const Barrier& barrier = worker.barriers[warp.barrier];
  Report report(worker, number, barrier.site);
  report << "divergent: barrier " << warp.barrier << " waits for " << barrier.threads << " threads, "
         << barrier.came << " came";
  append_missing(report, worker, warp.barrier);
  report.leave();
}

}  // namespace runtime::emulator

using namespace runtime::emulator;
using runtime::Site;

extern "C" {

int32_t tel_device_thread() { return this_thread().number; }
int32_t tel_device_block() { return static_cast<int32_t>(this_worker().block); }
void* tel_device_shared() { return this_worker().shared; }

void tel_device_barrier(int32_t id, int32_t threads, const Site* site) {
  Arrival arrival{id, threads};
  warp_rendezvous("a barrier", site, &arrival, arrive);
}

void tel_device_warp_barrier(const Site* site) {
  warp_rendezvous("a warp barrier", site, nullptr, order_warp);
}

int32_t tel_device_shuffle(int32_t value, int32_t lane, const Site* site) {
  Shuffle own{value, lane, 0};
  warp_rendezvous("a shuffle", site, &own, shuffle);
  return own.result;
}

int32_t tel_device_shuffle_xor(int32_t value, int32_t mask, const Site* site) {
  Shuffle own{value, static_cast<int32_t>(this_thread().number % warp_size) ^ mask, 0};
  warp_rendezvous("a shuffle", site, &own, shuffle);
  return own.result;
}

bool tel_device_any(bool value, const Site* site) {
  Vote own{value, 0};
  warp_rendezvous("a vote", site, &own, vote);
  return own.result != 0;
}

int32_t tel_device_ballot(bool value, const Site* site) {
  Vote own{value, 0};
  warp_rendezvous("a vote", site, &own, vote);
  return static_cast<int32_t>(own.result);
}

}  // extern "C"
