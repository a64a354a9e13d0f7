#pragma once

#include "runtime/abi.h"

/// Runs the grids of a call on the processor. Each GPU thread is a fibre, blocks are spread over several
/// cores, and every access to memory and every synchronization of threads is checked. The first fault ends
/// the call.
///
/// It finds:
///  - accesses outside of the buffers that the launch names, or misaligned, and writes to what is read only;
///  - reads of shared memory, slots or results that no thread wrote; results that are never written;
///  - operations of a warp, and barriers, that not all of their threads reach;
///  - races: two accesses to the same byte, one of them a write, that nothing orders; within a warp, between
///    the warps of a block, and between the blocks of a grid;
///  - bytes of shared memory touched before the copy to them was waited for.
///
/// Barriers and warp barriers order accesses. All threads of a warp arrive at them together, so a warp has
/// one vector clock (clock.h), and an access happens before another if the other's warp has heard of its
/// moment. Nothing else orders the threads of a warp: shuffles and products order no memory. The grids of a
/// call run one after the other. Atomic operations and accesses under the IndexRecord's lock take part in no
/// race.
namespace runtime::emulator {

/// The roles of buffers in a call.
enum BufferKind : int32_t {
  argument,
  result,
  slot,
  literal,
  updated,  ///< the memory of a state, of which kernels write elements
};

/// Memory whose address is a word of the argument buffer.
struct Buffer {
  int32_t kind;      ///< BufferKind
  int32_t number;    ///< its index among the buffers of its kind
  const char* name;  ///< null if it has none
  char* memory;
  int64_t size;  ///< in bytes
};

/// The facts about a call that a session needs.
struct Settings {
  const Kernel* kernels;
  int64_t kernel_count;
  const int64_t* dims;
  int64_t dimension_count;
  const Buffer* buffers;  ///< in the order of their words in the argument buffer
  int64_t buffer_count;
  uint64_t order;    ///< 0 runs blocks and threads in order; another number is a seed that shuffles both
  int64_t workers;   ///< threads of the processor; 0 takes TEL_THREADS or else as many as it has
  const char* name;  ///< the name of the entry, for messages
  tel_error* error;  ///< may be null
};

/// The counts of a kernel's work over all its grids.
struct Counters {
  int64_t grids, blocks;
  int64_t read, written;  ///< bytes of buffers
  int64_t wavefronts;     ///< the least wavefronts that the accesses to shared memory need
  int64_t conflicts;      ///< the wavefronts beyond these, because words share a bank
  int64_t uncounted;      ///< accesses to shared memory that were not counted
  int64_t products;       ///< multiply-accumulate operations of matrix products
};

struct Session;

/// Opens a session, or returns null if there is no memory. The settings' tables are not copied and must
/// outlive it.
Session* open(const Settings& settings);
/// Runs a grid to its end, as the queue's `launch` does. Returns a status; the text is in the error.
int32_t launch(Session& session, int64_t kernel, int64_t blocks, const int32_t* argument_slots);
/// Returns the bool whose address is word `argument_slot` of the argument buffer, or -1 if an index was
/// outside its range.
int32_t condition(const Session& session, int32_t argument_slot);
/// Checks after the last grid that all results were written. Returns a status.
int32_t finish(Session& session);
const IndexRecord& index_record(const Session& session);
const Counters& counters(const Session& session, int64_t kernel);
void close(Session* session);

}  // namespace runtime::emulator

/// Implements `Devices::emulator`. If the environment variable TEL_EMULATOR_COUNTS names a file, it appends a
/// line to it for each kernel that ran.
extern "C" int32_t tel_emulator_call(runtime::Call& call);
