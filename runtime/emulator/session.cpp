#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/grid.h"
#include "runtime/emulator/memory.h"
#include "runtime/emulator/report.h"

namespace runtime::emulator {
namespace {

/// TEL_THREADS, or as many as the system has.
int64_t default_workers() {
  const char* text = getenv("TEL_THREADS");
  int64_t count = 0;
  for (; text && *text >= '0' && *text <= '9' && count < max_workers; ++text)
    count = 10 * count + (*text - '0');
  return count > 0 ? count : sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t clamp(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

int64_t word_count(const Settings& settings) { return 1 + settings.dimension_count + settings.buffer_count; }

void write_words(Session& session) {
  const Settings& settings = session.settings;
  int64_t* word = session.argument_buffer;
  *word++ = static_cast<int64_t>(reinterpret_cast<intptr_t>(&session.record));
  for (int64_t i = 0; i < settings.dimension_count; ++i) *word++ = settings.dims[i];
  for (int64_t i = 0; i < settings.buffer_count; ++i)
    *word++ = static_cast<int64_t>(reinterpret_cast<intptr_t>(settings.buffers[i].memory));
}

/// Slots and results are tracked, the first of them also for races.
bool track(Session& session) {
  int64_t tracked = 0;
  for (int64_t i = 0; i < session.settings.buffer_count; ++i) {
    const Buffer& buffer = session.settings.buffers[i];
    if (buffer.size == 0 || (buffer.kind != result && buffer.kind != slot)) continue;
    Tracked& made = session.tracked[i];
    made.page_count = (buffer.size + static_cast<int64_t>(page_bytes) - 1) >> page_log2;
    made.pages = map<GridPage>(static_cast<size_t>(made.page_count));
    if (!made.pages) return false;
    tracked += buffer.size;
    if (tracked <= max_tracked)
      made.cells = map<GridPage::Cell>(static_cast<size_t>(made.page_count) << page_log2);
  }
  return true;
}

bool allocate(Session& session) {
  const Settings& settings = session.settings;
  session.argument_buffer = map<int64_t>(static_cast<size_t>(word_count(settings)));
  session.tracked = map<Tracked>(static_cast<size_t>(settings.buffer_count));
  session.workers = map<Worker*>(static_cast<size_t>(session.worker_count));
  session.counters = map<Counters>(static_cast<size_t>(settings.kernel_count));
  return session.argument_buffer && session.tracked && session.workers && session.counters && track(session);
}

int32_t refuse(Session& session, int64_t kernel, const char* why) {
  Failure failure(session.settings.error, TEL_DEVICE, nullptr);
  begin_text(failure.text(), session.settings.kernels[kernel].name, -1, -1, nullptr);
  failure.text() << why;
  return session.status = failure;
}

const char* mistake(const Session& session, const Kernel& kernel, int64_t blocks,
                    const int32_t* argument_slots) {
  if (!kernel.emulated) return "was not compiled for the emulator";
  if (blocks <= 0 || blocks > INT32_MAX) return "launched with an impossible number of blocks";
  if (kernel.threads <= 0 || kernel.threads > max_threads || kernel.threads % warp_size)
    return "a block's threads must be whole warps, at most 1024";
  if (kernel.shared < 0 || kernel.shared > max_shared) return "wants more shared memory than a device has";
  for (int32_t i = 0; i < kernel.argument_count; ++i)
    if (argument_slots[i] <= session.settings.dimension_count ||
        argument_slots[i] >= word_count(session.settings))
      return "launched with an argument slot that is no buffer's";
  return nullptr;
}

/// The buffers that the launch names: the argument buffer, the record, the buffers at the argument slots.
void list_regions(Grid& grid) {
  Session& session = *grid.session;
  Region* region = grid.regions;
  *region++ = {reinterpret_cast<char*>(session.argument_buffer), 8 * word_count(session.settings), nullptr,
               false};
  *region++ = {reinterpret_cast<char*>(&session.record), sizeof session.record, nullptr, true};
  for (int32_t i = 0; i < grid.kernel->argument_count; ++i) {
    const Buffer& buffer =
        session.settings.buffers[grid.argument_slots[i] - session.settings.dimension_count - 1];
    if (buffer.size == 0) continue;
    *region++ = {buffer.memory, buffer.size, &buffer,
                 buffer.kind == result || buffer.kind == slot || buffer.kind == updated};
  }
  grid.region_count = region - grid.regions;
}

int32_t out_of_memory(Session& session) {
  Failure failure(session.settings.error, TEL_MEMORY, session.settings.name);
  failure.text() << "no memory for the emulator";
  return session.status = failure;
}

}  // namespace

int32_t number_of(Session& session, const Site* site) {
  const Site* first = __atomic_load_n(&session.first_site, __ATOMIC_RELAXED);
  if (!first && site &&
      __atomic_compare_exchange_n(&session.first_site, &first, site, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
    first = site;
  const int64_t distance = (reinterpret_cast<intptr_t>(site) - reinterpret_cast<intptr_t>(first)) / 8;
  return site && distance > INT32_MIN && distance <= INT32_MAX ? static_cast<int32_t>(distance) : INT32_MIN;
}

const Site* site_of(const Session& session, int32_t number) {
  if (number == INT32_MIN) return nullptr;
  return reinterpret_cast<const Site*>(reinterpret_cast<intptr_t>(session.first_site) + int64_t{number} * 8);
}

Session* open(const Settings& settings) {
  auto* session = map<Session>(1);
  if (!session) return nullptr;
  session->settings = settings;
  session->worker_count = clamp(settings.workers > 0 ? settings.workers : default_workers(), 1, max_workers);
  for (int64_t i = 0; i < settings.kernel_count; ++i)
    if (settings.kernels[i].threads > session->stack_count)
      session->stack_count = settings.kernels[i].threads;
  session->stack_count = clamp(session->stack_count, 1, max_threads);
  if (!allocate(*session)) {
    close(session);
    return nullptr;
  }
  write_words(*session);
  return session;
}

int32_t launch(Session& session, int64_t kernel, int64_t blocks, const int32_t* argument_slots) {
  if (session.status != TEL_OK) return session.status;
  const Kernel& code = session.settings.kernels[kernel];
  if (const char* why = mistake(session, code, blocks, argument_slots)) return refuse(session, kernel, why);
  const auto region_count = static_cast<size_t>(code.argument_count) + 2;
  Grid grid{};
  grid.session = &session;
  grid.kernel = &code;
  grid.number = ++session.grids;
  grid.blocks = blocks;
  grid.argument_slots = argument_slots;
  grid.fault = -1;
  grid.regions = map<Region>(region_count);
  if (!grid.regions) return out_of_memory(session);
  list_regions(grid);
  pthread_mutex_init(&grid.mutex, nullptr);
  const bool ran = run_grid(grid);
  const bool faulty = ran && (grid.fault >= 0 || !close_buffers(grid));
  pthread_mutex_destroy(&grid.mutex);
  unmap(grid.regions, region_count);
  if (!ran) return out_of_memory(session);
  if (!faulty) return TEL_OK;
  Failure failure(session.settings.error, TEL_DEVICE, nullptr);
  failure.text() << grid.text;
  return session.status = failure;
}

int32_t condition(const Session& session, int32_t argument_slot) {
  if (session.record.site != 0) return -1;
  return *reinterpret_cast<const unsigned char*>(session.argument_buffer[argument_slot]) != 0 ? 1 : 0;
}

const IndexRecord& index_record(const Session& session) { return session.record; }

const Counters& counters(const Session& session, int64_t kernel) { return session.counters[kernel]; }

void close(Session* session) {
  if (!session) return;
  const Settings& settings = session->settings;
  for (int64_t i = 0; session->workers && i < session->worker_count; ++i) close_worker(session->workers[i]);
  for (int64_t i = 0; session->tracked && i < settings.buffer_count; ++i) {
    const Tracked& tracked = session->tracked[i];
    unmap(tracked.pages, static_cast<size_t>(tracked.page_count));
    unmap(tracked.cells, static_cast<size_t>(tracked.page_count) << page_log2);
  }
  unmap(session->argument_buffer, static_cast<size_t>(word_count(settings)));
  unmap(session->tracked, static_cast<size_t>(settings.buffer_count));
  unmap(session->workers, static_cast<size_t>(session->worker_count));
  unmap(session->counters, static_cast<size_t>(settings.kernel_count));
  unmap(session, 1);
}

}  // namespace runtime::emulator
