#pragma once

#include "runtime/abi.h"

/// Vector clocks of a block's warps. The start of a block and each of its barriers and warp barriers is a
/// moment of its own; a worker's moments count up and never restart. All threads of a warp meet together, so
/// a warp has one clock, and an access is labelled with its warp's latest moment.
namespace runtime::emulator {

inline constexpr int warp_size = warp_threads;                           ///< that of the ABI
inline constexpr uint32_t all_lanes = ~uint32_t{0} >> (32 - warp_size);  ///< the mask of a warp's lanes
inline constexpr int max_threads = 1024;
inline constexpr int max_warps = max_threads / warp_size;
static_assert(warp_size <= 32 && max_warps == 32, "masks of lanes and of warps have 32 bits");

using Moment = uint64_t;

inline constexpr uint16_t no_thread = 0xffff;

/// An access to a cell of memory.
struct Record {
  Moment moment;
  int32_t site;  ///< the number of the instruction, as `number_of` gives it
  uint16_t thread;
  uint16_t other;  ///< for a read: another thread of the warp that read at this moment, or none
};

/// The clocks of all warps. The actions of warp w before moment `heard[v][w]` precede the actions of warp v
/// from now on.
struct Clocks {
  Moment now;  ///< the latest moment
  Moment heard[max_warps][max_warps];

  /// Returns the label of the actions of `thread` from now on.
  Moment label(int thread) const {
    const int warp = thread / warp_size;
    return heard[warp][warp];
  }

  /// Returns whether the access of all the record's threads precedes the actions of `thread` from now on.
  bool ordered(const Record& record, int thread) const {
    return record.moment < heard[thread / warp_size][record.thread / warp_size];
  }

  /// Returns a thread of the record whose access does not precede the actions of `thread` from now on, or
  /// `no_thread`.
  uint16_t unordered(const Record& record, int thread) const {
    if (ordered(record, thread)) return no_thread;
    return record.thread != thread ? record.thread : record.other;
  }

  /// Starts a block: all previous actions precede all later ones. Returns the moment.
  Moment start(int warps) {
    ++now;
    for (int v = 0; v < warps; ++v)
      for (int w = 0; w < warps; ++w) heard[v][w] = now;
    return now;
  }

  /// Joins the clocks of the warps of the mask: all that each of them did or had heard of precedes their
  /// later actions.
  void join(uint32_t warps) {
    Moment joined[max_warps] = {};
    for (int v = 0; v < max_warps; ++v)
      if (warps >> v & 1)
        for (int w = 0; w < max_warps; ++w)
          if (heard[v][w] > joined[w]) joined[w] = heard[v][w];
    ++now;
    for (int w = 0; w < max_warps; ++w)
      if (warps >> w & 1) joined[w] = now;
    for (int v = 0; v < max_warps; ++v)
      if (warps >> v & 1)
        for (int w = 0; w < max_warps; ++w) heard[v][w] = joined[w];
  }
};

}  // namespace runtime::emulator
