#include "runtime/emulator/grid.h"

#include <string.h>

#include "runtime/emulator/memory.h"
#include "runtime/emulator/random.h"
#include "runtime/emulator/schedule.h"

namespace runtime::emulator {
namespace {

constexpr size_t copies_mapped = size_t{1} << 20;
constexpr size_t shared_pages = (max_shared + page_bytes - 1) / page_bytes;

Worker* open_worker(Session& session) {
  auto* worker = map<Worker>(1);
  if (!worker) return nullptr;
  worker->session = &session;
  worker->shared = map<char>(max_shared);
  worker->shared_pages = map<SharedPage>(shared_pages);
  worker->banks = map<Banks>(max_warps);
  worker->stacks = map_stacks(session.stack_count);
  worker->copies = map<Copy>(copies_mapped);
  worker->block_pages = map<BlockPage*>(static_cast<size_t>(session.settings.buffer_count));
  if (worker->shared && worker->shared_pages && worker->banks && worker->stacks && worker->copies &&
      worker->block_pages)
    return worker;
  close_worker(worker);
  return nullptr;
}

/// Blocks from the grid's list, until there are no more or all that are left are higher than one with a
/// fault.
void run_blocks(Worker& worker, Grid& grid) {
  const uint64_t order = grid.session->settings.order;
  worker.grid = &grid;
  const auto shared = static_cast<uint64_t>(grid.kernel->shared);
  for (uint64_t i = 0; i * page_bytes < shared; ++i) worker.shared_pages[i].cell_log2 = largest_cell_log2;
  for (;;) {
    const int64_t place = __atomic_fetch_add(&grid.next, 1, __ATOMIC_RELAXED);
    if (place >= grid.blocks) return;
    uint64_t seed = order + static_cast<uint64_t>(grid.number) * 0x9e3779b97f4a7c15;
    worker.block = order ? shuffled(place, grid.blocks, next_random(seed)) : place;
    worker.random = seed ^ static_cast<uint64_t>(worker.block) << 20;
    const int64_t fault = __atomic_load_n(&grid.fault, __ATOMIC_RELAXED);
    if (fault >= 0 && fault < worker.block) continue;
    run_block(worker);
    if (!worker.failed) continue;
    pthread_mutex_lock(&grid.mutex);
    if (grid.fault < 0 || worker.block < grid.fault) {
      __atomic_store_n(&grid.fault, worker.block, __ATOMIC_RELAXED);
      memcpy(grid.text, worker.text, sizeof grid.text);
    }
    pthread_mutex_unlock(&grid.mutex);
  }
}

struct Start {
  Worker* worker;
  Grid* grid;
  pthread_t thread;
};

void* run_worker(void* argument) {
  auto& start = *static_cast<Start*>(argument);
  run_blocks(*start.worker, *start.grid);
  return nullptr;
}

/// Returns the records of large buffers to the system, because the next grid may touch others.
void forget_large(Session& session, const Worker& worker) {
  for (int64_t i = 0; i < session.settings.buffer_count; ++i)
    if (session.tracked[i].page_count > max_pages_kept)
      clear(worker.block_pages[i], static_cast<size_t>(session.tracked[i].page_count));
}

void add(Counters& to, Counters& from) {
  to.read += from.read;
  to.written += from.written;
  to.wavefronts += from.wavefronts;
  to.conflicts += from.conflicts;
  to.uncounted += from.uncounted;
  to.products += from.products;
  from = {};
}

}  // namespace

bool run_grid(Grid& grid) {
  Session& session = *grid.session;
  int64_t wanted = session.worker_count < grid.blocks ? session.worker_count : grid.blocks;
  for (int64_t i = 0; i < wanted; ++i) {
    if (!session.workers[i]) session.workers[i] = open_worker(session);
    if (!session.workers[i]) wanted = i;
  }
  if (wanted == 0) return false;
  Start starts[max_workers];
  int64_t started = 1;
  for (; started < wanted; ++started) {
    starts[started] = {session.workers[started], &grid, {}};
    if (pthread_create(&starts[started].thread, nullptr, run_worker, &starts[started])) break;
  }
  run_blocks(*session.workers[0], grid);
  for (int64_t i = 1; i < started; ++i) pthread_join(starts[i].thread, nullptr);
  Counters& counters = session.counters[grid.kernel - session.settings.kernels];
  ++counters.grids;
  counters.blocks += grid.blocks;
  for (int64_t i = 0; i < wanted; ++i) {
    add(counters, session.workers[i]->counters);
    forget_large(session, *session.workers[i]);
  }
  return true;
}

BlockPage* block_pages(Worker& worker, const Buffer& buffer) {
  const Session& session = *worker.session;
  const int64_t number = &buffer - session.settings.buffers;
  const Tracked& tracked = session.tracked[number];
  if (!tracked.cells) return nullptr;
  BlockPage*& pages = worker.block_pages[number];
  if (!pages) pages = map<BlockPage>(static_cast<size_t>(tracked.page_count));
  return pages;
}

void close_worker(Worker* worker) {
  if (!worker) return;
  const Session& session = *worker->session;
  for (int64_t i = 0; worker->block_pages && i < session.settings.buffer_count; ++i)
    unmap(worker->block_pages[i], static_cast<size_t>(session.tracked[i].page_count));
  unmap(worker->block_pages, static_cast<size_t>(session.settings.buffer_count));
  unmap(worker->shared, max_shared);
  unmap(worker->shared_pages, shared_pages);
  unmap(worker->banks, max_warps);
  unmap_stacks(worker->stacks, session.stack_count);
  unmap(worker->copies, copies_mapped);
  unmap(worker, 1);
}

}  // namespace runtime::emulator
