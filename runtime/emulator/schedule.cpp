#include "runtime/emulator/schedule.h"

#include "runtime/emulator/banks.h"
#include "runtime/emulator/random.h"

namespace runtime::emulator {
namespace {

/// The number of the n-th bit that is set.
int bit_at(uint32_t bits, uint32_t n) {
  for (; n > 0; --n) bits &= bits - 1;
  return __builtin_ctz(bits);
}

int choose(Worker& worker, uint32_t bits) {
  if (worker.session->settings.order == 0) return __builtin_ctz(bits);
  return bit_at(bits, static_cast<uint32_t>(next_random(worker.random) %
                                            static_cast<uint32_t>(__builtin_popcount(bits))));
}

/// Takes a ready thread: the first, or any by the seed. Null where none is ready.
Thread* take_ready(Worker& worker) {
  if (!worker.ready) return nullptr;
  const int number = choose(worker, worker.ready);
  Warp& warp = worker.warps[number];
  const int lane = choose(worker, warp.ready);
  warp.ready &= ~(uint32_t{1} << lane);
  if (!warp.ready) worker.ready &= ~(uint32_t{1} << number);
  return &worker.threads[number * warp_size + lane];
}

Stack* take_stack(Worker& worker) {
  if (Stack* stack = worker.free_stacks) {
    worker.free_stacks = stack->next;
    return stack;
  }
  Stack* stack = stack_at(worker.stacks, worker.stacks_used++);
  stack->worker = &worker;
  return stack;
}

/// A fibre: threads one after the other, until one that runs elsewhere is next.
void run_threads();

/// Where to switch to for the thread to go on.
void* enter(Worker& worker, Thread& thread) {
  if (thread.state != Thread::fresh) return thread.stack_pointer;
  thread.stack = take_stack(worker);
  thread.stack->thread = &thread;
  return prepare(*thread.stack, run_threads);
}

void end_thread(Worker& worker, Thread& thread) {
  Warp& warp = warp_of(worker, thread);
  thread.state = Thread::ended;
  warp.ended |= lane_bit(thread);
  --worker.running;
  if (warp.rendezvous.came) report_ended(worker, thread);
  if (warp.ended == all_lanes) count_banks(worker, worker.banks[thread.number / warp_size]);
}

void run_threads() {
  Stack& stack = current_stack();
  Worker& worker = *stack.worker;
  void* nowhere;
  for (;;) {
    worker.grid->kernel->emulated(worker.session->argument_buffer, worker.grid->argument_slots);
    end_thread(worker, *stack.thread);
    Thread* next = take_ready(worker);
    if (!next && worker.running > 0) report_stuck(worker);
    if (next && next->state == Thread::fresh) {
      next->stack = &stack;
      stack.thread = next;
      continue;
    }
    stack.next = worker.free_stacks;
    worker.free_stacks = &stack;
    switch_stack(&nowhere, next ? next->stack_pointer : worker.stack_pointer);
  }
}

/// All threads ready, nothing known of the block.
void start_block(Worker& worker) {
  const int threads = worker.grid->kernel->threads;
  const int warps = threads / warp_size;
  for (int i = 0; i < threads; ++i)
    worker.threads[i] = {
        static_cast<uint16_t>(i), Thread::fresh, nullptr, nullptr, nullptr, nullptr, nullptr, 0};
  for (int w = 0; w < warps; ++w) {
    worker.warps[w] = {all_lanes, 0, 0, {}};
    forget_banks(worker.banks[w]);
  }
  for (Barrier& barrier : worker.barriers) barrier = {};
  worker.ready = warps == max_warps ? ~uint32_t{0} : (uint32_t{1} << warps) - 1;
  worker.running = threads;
  worker.start = worker.clocks.start(warps);
  worker.failed = false;
  worker.free_stacks = nullptr;
  worker.stacks_used = 0;
  worker.free_copies = nullptr;
  worker.copies_used = 0;
}

}  // namespace

void run_block(Worker& worker) {
  start_block(worker);
  switch_stack(&worker.stack_pointer, enter(worker, *take_ready(worker)));
}

void leave_block(Worker& worker) {
  worker.failed = true;
  void* nowhere;
  for (;;) switch_stack(&nowhere, worker.stack_pointer);
}

void wait(Worker& worker, Thread& thread) {
  Thread* next = take_ready(worker);
  if (!next) report_stuck(worker);
  if (next != &thread) switch_stack(&thread.stack_pointer, enter(worker, *next));
}

}  // namespace runtime::emulator
