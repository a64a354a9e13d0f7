#pragma once

#include <pthread.h>

#include "runtime/emulator/clock.h"
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/fibre.h"
#include "runtime/emulator/shadow.h"
#include "runtime/support/text.h"

namespace runtime::emulator {

inline constexpr int barrier_count = 16;
inline constexpr int64_t max_shared = 227 * 1024;  ///< the bytes that a block may have on the largest devices
inline constexpr int64_t max_workers = 64;
inline constexpr int64_t max_tracked = int64_t{64}
                                       << 20;   ///< races are found in buffers up to this many bytes
inline constexpr int64_t max_pages_kept = 256;  ///< pages of a buffer kept from one grid to the next

/// Memory that a launch names.
struct Region {
  char* begin;
  int64_t size;
  const Buffer* buffer;  ///< null: the argument buffer, or the IndexRecord
  bool writable;
};

/// An asynchronous copy under way: `bytes` bytes are copied, and the rest of `size` is zeroed.
struct Copy {
  Copy* next;
  const char* from;
  uint32_t to;  ///< the offset in shared memory
  int32_t bytes, size;
  int64_t group;
  int32_t site;
};

/// A thread of a block, which runs as a fibre.
struct Thread {
  enum State : int8_t { fresh, ready, rendezvous, barrier, ended };
  uint16_t number;
  State state;
  Stack* stack;
  void* stack_pointer;   ///< valid while the thread does not run
  const Region* region;  ///< the region of its last access
  Copy* first_copy;      ///< the copies under way, oldest first
  Copy* last_copy;
  int64_t group;  ///< the group of the next copy: how often the thread has committed
};

/// The operation for which the threads of a warp meet. Its operands are on the stacks of the waiting threads.
struct Rendezvous {
  const char* operation;  ///< null if no thread has come
  const Site* site;
  uint32_t came;
  void* operands[warp_size];
};

/// A barrier of a block, and the threads that wait at it.
struct Barrier {
  int32_t threads;  ///< the threads that it waits for; 0 if no thread has come
  int32_t came;
  uint32_t warps;
  const Site* site;
};

/// Accesses to shared memory that the threads of a warp make together: the n-th time that each of them
/// reaches an instruction since they last met.
struct Together {
  const Site* site;
  uint32_t turn;
  int32_t bytes;
  uint32_t place;  ///< the index in the hash table
  uint32_t lanes;
  uint32_t offsets[warp_size];
};

/// The number of times that a lane has reached an instruction since the threads last met.
struct Turn {
  const Site* site;
  uint32_t place;  ///< the index in the hash table
  int lane;        ///< the last lane that came
  uint32_t count;
};

inline constexpr uint32_t max_together = 1024;
inline constexpr uint32_t max_turns = 256;

/// Hash tables, twice as large as their contents, of indices + 1.
struct Banks {
  uint32_t together_count, turn_count;
  uint16_t together_table[2 * max_together];
  uint16_t turn_table[2 * max_turns];
  Turn turns[max_turns];
  Together together[max_together];
};

/// The state of a warp.
struct Warp {
  uint32_t ready, ended;  ///< masks of lanes
  int barrier;            ///< the barrier at which its threads wait, if they do
  Rendezvous rendezvous;
};

struct Grid;

/// One thread of the processor and the block that it runs.
struct Worker {
  Session* session;
  Grid* grid;
  int64_t block;
  Moment start;  ///< the start of the block
  Clocks clocks;
  uint64_t random;
  uint32_t ready;   ///< a mask of the warps that have ready threads
  int64_t running;  ///< the number of threads that have not ended
  void* stack_pointer;
  bool failed;
  char text[512];
  Warp warps[max_warps];
  Barrier barriers[barrier_count];
  Thread threads[max_threads];
  Counters counters;
  // Memory, kept over all grids of the session.
  char* shared;
  int64_t shared_mapped;
  SharedPage* shared_pages;
  Banks* banks;  ///< one for each warp
  char* stacks;
  int64_t stacks_used;
  Stack* free_stacks;
  Copy* copies;
  int64_t copies_used;
  Copy* free_copies;
  BlockPage** block_pages;  ///< one array for each buffer, allocated when it is first touched
};

/// A launch under way.
struct Grid {
  Session* session;
  const Kernel* kernel;
  int64_t number;  ///< counted from 1
  int64_t blocks;
  int64_t next;  ///< the first place in the order of blocks that no worker has taken
  const int32_t* argument_slots;
  Region* regions;
  int64_t region_count;
  pthread_mutex_t mutex;  ///< protects `fault` and `text`
  int64_t fault;          ///< the lowest block with a fault; -1 if there is none
  char text[512];
};

/// The facts that the session tracks about a buffer.
struct Tracked {
  GridPage* pages;
  GridPage::Cell* cells;  ///< null if races between blocks are not looked for
  int64_t page_count;     ///< 0 if the buffer is read only
};

/// The state of one call on the emulator, from `open` to `close`.
struct Session {
  Settings settings;
  int64_t* argument_buffer;
  IndexRecord record;
  Tracked* tracked;  ///< one for each buffer
  Worker** workers;
  int64_t worker_count;
  Counters* counters;  ///< one for each kernel
  int64_t grids;
  int64_t stack_count;  ///< the stacks of each worker
  const Site* first_site;
  int32_t status;
};

/// Returns the site as a number, its distance from the first site seen. All sites of an object are near each
/// other.
int32_t number_of(Session& session, const Site* site);
/// Returns the site of a number, or null if it was too far away.
const Site* site_of(const Session& session, int32_t number);

/// Return the worker and the thread whose fibre runs this code. Only a fibre may call them.
inline Worker& this_worker() { return *current_stack().worker; }
inline Thread& this_thread() { return *current_stack().thread; }

/// Returns the thread's warp.
inline Warp& warp_of(Worker& worker, const Thread& thread) { return worker.warps[thread.number / warp_size]; }
/// Returns the bit of the thread's lane in masks of its warp.
inline uint32_t lane_bit(const Thread& thread) { return uint32_t{1} << thread.number % warp_size; }

/// Returns the shadow pages of a buffer that is written, as the worker's blocks see it; null if the buffer is
/// not tracked.
BlockPage* block_pages(Worker& worker, const Buffer& buffer);

}  // namespace runtime::emulator
