#pragma once

#include <stdint.h>

/// Time in a block. Every barrier and warp barrier, and the start of a block, is a moment of its own; a
/// worker's moments count up and never again from the start. As warps meet whole, a warp has one clock, and
/// an access is labelled with its warp's latest moment.
namespace runtime::emulator {

inline constexpr int warp_size = 32;
inline constexpr int most_threads = 1024;
inline constexpr int most_warps = most_threads / warp_size;

using Moment = uint64_t;

inline constexpr uint16_t no_thread = 0xffff;

/// An access to a cell of memory.
struct Record {
  Moment moment;
  int32_t site;  ///< `Session::site`
  uint16_t thread;
  uint16_t other;  ///< of reads: another thread of the warp that read at this moment, or none
};

/// `heard[v][w]`: what warp w did before that moment is before what warp v does from now on.
struct Clocks {
  Moment now;  ///< of the latest moment
  Moment heard[most_warps][most_warps];

  /// What `thread` does from now on has this label.
  Moment label(int thread) const {
    const int warp = thread / warp_size;
    return heard[warp][warp];
  }

  /// Whether all of a record's threads did it before what `thread` does now.
  bool ordered(const Record& record, int thread) const {
    return record.moment < heard[thread / warp_size][record.thread / warp_size];
  }

  /// A thread of the record whose access is not ordered before what `thread` does now, or `no_thread`.
  uint16_t unordered(const Record& record, int thread) const {
    if (ordered(record, thread)) return no_thread;
    return record.thread != thread ? record.thread : record.other;
  }

  /// All that was is before all that comes.
  Moment start(int warps) {
    ++now;
    for (int v = 0; v < warps; ++v)
      for (int w = 0; w < warps; ++w) heard[v][w] = now;
    return now;
  }

  /// The warps of the mask hear of all that each of them did and had heard of.
  void join(uint32_t warps) {
    Moment joined[most_warps] = {};
    for (int v = 0; v < most_warps; ++v)
      if (warps >> v & 1)
        for (int w = 0; w < most_warps; ++w)
          if (heard[v][w] > joined[w]) joined[w] = heard[v][w];
    ++now;
    for (int w = 0; w < most_warps; ++w)
      if (warps >> w & 1) joined[w] = now;
    for (int v = 0; v < most_warps; ++v)
      if (warps >> v & 1)
        for (int w = 0; w < most_warps; ++w) heard[v][w] = joined[w];
  }
};

}  // namespace runtime::emulator
