#pragma once

#include <sched.h>

#include "runtime/emulator/clock.h"

/// Shadow memory: the facts known about every byte. Memory is divided into pages, and a page into cells of
/// equal size; a cell's facts hold for each of its bytes. Cells are as large as the accesses to the page; if
/// an access does not consist of whole cells, the page's cells are first split into equal parts. So the
/// tables are exact for bytes, and checking is as fast as the kernels' accesses are wide.
namespace runtime::emulator {

inline constexpr int page_log2 = 10;
inline constexpr uint64_t page_bytes = uint64_t{1} << page_log2;
inline constexpr int largest_cell_log2 = 4;

/// Returns the largest cell size, as a power of two, of which [offset, offset + bytes) consists.
inline int cell_log2_of(uint64_t offset, uint64_t bytes) {
  return __builtin_ctzll(offset | bytes | uint64_t{1} << largest_cell_log2);
}

/// Splits all cells of a page into cells of 2^to_log2 bytes; each part keeps the facts of its cell.
template <typename Cell>
void split(Cell* cells, int from_log2, int to_log2) {
  const uint64_t parts = uint64_t{1} << (from_log2 - to_log2);
  for (uint64_t i = page_bytes >> from_log2; i-- > 0;) {
    const Cell cell = cells[i];
    for (uint64_t j = 0; j < parts; ++j) cells[i * parts + j] = cell;
  }
}

/// Calls `visit(page, first, end)` for the parts of [offset, offset + bytes) in each page, as offsets in it.
template <typename Visit>
void for_pages(uint64_t offset, uint64_t bytes, Visit visit) {
  while (bytes > 0) {
    const uint64_t first = offset & (page_bytes - 1);
    const uint64_t part = bytes < page_bytes - first ? bytes : page_bytes - first;
    visit(offset >> page_log2, first, first + part);
    offset += part;
    bytes -= part;
  }
}

/// A bit for each byte of a page.
struct Bits {
  uint64_t words[page_bytes / 64];

  static uint64_t mask(uint64_t word, uint64_t first, uint64_t end) {
    const uint64_t low = word * 64 > first ? 0 : first - word * 64;
    const uint64_t high = word * 64 + 64 < end ? 64 : end - word * 64;
    return (high - low == 64 ? ~uint64_t{0} : (uint64_t{1} << (high - low)) - 1) << low;
  }
  void set(uint64_t first, uint64_t end) {
    for (uint64_t word = first / 64; word * 64 < end; ++word) words[word] |= mask(word, first, end);
  }
  /// Returns the first byte of [first, end) whose bit is not set, or `end` if all are set.
  uint64_t first_unset(uint64_t first, uint64_t end) const {
    for (uint64_t word = first / 64; word * 64 < end; ++word) {
      const uint64_t unset = ~words[word] & mask(word, first, end);
      if (unset) return word * 64 + static_cast<uint64_t>(__builtin_ctzll(unset));
    }
    return end;
  }
};

/// A page of a block's shared memory. A moment before the block's start belongs to another block and means no
/// access.
struct SharedPage {
  struct Cell {
    Record write;
    uint32_t readers;  ///< a bit for each warp that has read the cell since the write
    bool pending;      ///< the write is a copy that was not waited for
  };
  int cell_log2;
  Cell cells[page_bytes];
  Record reads[max_warps][page_bytes];  ///< the latest read of each cell by each warp
};

/// A page of a slot or a result, as the blocks of one worker have used it. Two reads are kept: the latest,
/// and one of another warp that is not ordered before it.
struct BlockPage {
  struct Cell {
    Record write;
    Record reads[2];
  };
  int64_t grid;  ///< the last one that touched it, counted from 1
  int cell_log2;
  Cell cells[page_bytes];
};

/// The first access of its kind to a cell by a block of the running grid.
struct Visit {
  uint32_t block;
  int32_t site;
  uint16_t thread;
  uint16_t present;  ///< 0: none

  bool before(const Visit& other) const { return !other.present || block < other.block; }
};

/// The visits of the two lowest blocks, whatever the order in which they are added.
struct Visits {
  Visit first, second;

  void add(Visit visit) {
    if (visit.before(first)) {
      second = first;
      first = visit;
    } else if (visit.before(second)) {
      second = visit;
    }
  }
};

/// A page of a slot or a result, as the blocks of the grid under way have used it, on all workers.
struct GridPage {
  struct Cell {
    Visits writes, reads;
  };
  int64_t grid;  ///< the last one that touched it, counted from 1
  int32_t lock;
  int cell_log2;
  bool shared;  ///< several blocks, one of them writing, touched a cell: they are looked for afterwards
  bool atomic;  ///< touched by atomic operations in some grid: what was written is not known
  Bits before, since;  ///< bytes written in earlier grids, in this one
};

/// Holds the lock of a page during its lifetime.
class PageLock {
 public:
  explicit PageLock(GridPage& page) : page_(page) {
    while (__atomic_exchange_n(&page_.lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
  }
  ~PageLock() { __atomic_store_n(&page_.lock, 0, __ATOMIC_RELEASE); }
  PageLock(const PageLock&) = delete;
  PageLock& operator=(const PageLock&) = delete;

 private:
  GridPage& page_;
};

}  // namespace runtime::emulator
