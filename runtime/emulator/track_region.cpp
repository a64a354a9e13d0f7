#include <string.h>

#include "runtime/emulator/access.h"
#include "runtime/emulator/report.h"

namespace runtime::emulator {
namespace {

using Cell = BlockPage::Cell;

/// An access to a part of one page of a buffer.
struct Access {
  Worker& worker;
  int thread;
  const Region& region;
  uint64_t offset, bytes;  ///< of the whole access
  int32_t kind;
  const Site* site;
  int32_t number;  ///< of the site
  Tracked& tracked;
  uint64_t page;
  uint64_t first, end;  ///< in the page
};

Report begin(const Access& access, uint64_t at) {
  Report report(access.worker, access.thread, access.site);
  report.access(access.kind, access.bytes) << " at byte " << static_cast<int64_t>(access.offset) << " of ";
  report.name(access.region.buffer);
  if (at != access.offset) report << " (byte " << static_cast<int64_t>(at) << ")";
  return report;
}

[[noreturn]] void report_race(const Access& access, uint64_t at, uint16_t other, const char* verb,
                              const Record& record) {
  const Site* site = site_of(*access.worker.session, record.site);
  const bool same_warp = other / warp_size == access.thread / warp_size;
  Report report = begin(access, at);
  report << ", a race" << (same_warp ? " within the warp: " : ": ");
  report.thread(other, site) << ' ' << verb << " there and nothing orders the two";
  report.leave();
}

/// The page for the grid under way, its lock held.
GridPage& grid_page(const Access& access) {
  GridPage& page = access.tracked.pages[access.page];
  const int64_t number = access.worker.grid->number;
  if (page.grid == number) return page;
  page.grid = number;
  page.cell_log2 = largest_cell_log2;
  page.shared = false;
  memset(&page.since, 0, sizeof page.since);
  if (access.tracked.cells)
    memset(access.tracked.cells + (access.page << page_log2), 0,
           sizeof(GridPage::Cell) << (page_log2 - largest_cell_log2));
  return page;
}

bool by_other(const Visits& visits, const Visit& visit) {
  return (visits.first.present && visits.first.block != visit.block) || visits.second.present;
}

/// The block has touched [first, end) of the page for the first time in this way.
void visit(const Access& access, uint64_t first, uint64_t end, bool write) {
  PageLock lock(access.tracked.pages[access.page]);
  GridPage& page = grid_page(access);
  if (write) page.since.set(first, end);
  if (!access.tracked.cells || access.worker.grid->blocks == 1) return;
  GridPage::Cell* cells = access.tracked.cells + (access.page << page_log2);
  const int cell_log2 = cell_log2_of(first, end - first);
  if (cell_log2 < page.cell_log2) {
    split(cells, page.cell_log2, cell_log2);
    page.cell_log2 = cell_log2;
  }
  const Visit made{static_cast<uint32_t>(access.worker.block), access.number,
                   static_cast<uint16_t>(access.thread), 1};
  for (uint64_t i = first >> page.cell_log2; i << page.cell_log2 < end; ++i) {
    GridPage::Cell& cell = cells[i];
    page.shared |= by_other(cell.writes, made) || (write && by_other(cell.reads, made));
    (write ? cell.writes : cell.reads).add(made);
  }
}

/// [first, end) of the page must have been written in an earlier grid.
void check_written(const Access& access, uint64_t first, uint64_t end) {
  const GridPage& page = access.tracked.pages[access.page];
  const uint64_t at = page.before.first_unset(first, end);
  if (at == end || __atomic_load_n(&page.atomic, __ATOMIC_RELAXED)) return;
  if (access.worker.session->record.site != 0) return;  // work may have been left out
  Report report = begin(access, (access.page << page_log2) + at);
  report << " that nobody has written";
  report.leave();
}

/// Keeps the latest read, and another that is not ordered before it.
void keep(const Clocks& clocks, Cell& cell, const Record& made) {
  for (Record& read : cell.reads) {
    if (read.thread == made.thread || clocks.ordered(read, made.thread)) {
      if (read.thread != made.thread || read.other == no_thread || clocks.ordered(read, made.thread))
        read = made;
      return;
    }
    if (read.thread / warp_size == made.thread / warp_size) {
      if (read.other == no_thread) read.other = made.thread;
      return;
    }
  }
}

void read(const Access& access, Cell& cell, uint64_t first, uint64_t end) {
  const Clocks& clocks = access.worker.clocks;
  const Moment start = access.worker.start;
  if (cell.write.moment >= start) {
    const uint16_t writer = clocks.unordered(cell.write, access.thread);
    if (writer != no_thread)
      report_race(access, (access.page << page_log2) + first, writer, "wrote", cell.write);
  } else {
    check_written(access, first, end);
    if (cell.reads[0].moment < start) visit(access, first, end, false);
  }
  keep(clocks, cell,
       {clocks.label(access.thread), access.number, static_cast<uint16_t>(access.thread), no_thread});
}

void write(const Access& access, Cell& cell, uint64_t first, uint64_t end) {
  const Clocks& clocks = access.worker.clocks;
  const Moment start = access.worker.start;
  const uint64_t at = (access.page << page_log2) + first;
  if (cell.write.moment >= start) {
    const uint16_t writer = clocks.unordered(cell.write, access.thread);
    if (writer != no_thread) report_race(access, at, writer, "wrote", cell.write);
  } else {
    visit(access, first, end, true);
  }
  for (Record& read : cell.reads) {
    if (read.moment < start) continue;
    const uint16_t reader = clocks.unordered(read, access.thread);
    if (reader != no_thread) report_race(access, at, reader, "read", read);
    read.moment = 0;
  }
  cell.write = {clocks.label(access.thread), access.number, static_cast<uint16_t>(access.thread), no_thread};
}

/// Where the blocks' accesses are not kept: what was written is, as well as can be.
void touch_untracked(const Access& access, bool writes) {
  if (writes) return visit(access, access.first, access.end, true);
  GridPage& page = access.tracked.pages[access.page];
  bool written;
  {
    PageLock lock(page);
    written = page.grid == access.worker.grid->number &&
              page.since.first_unset(access.first, access.end) == access.end;
  }
  if (!written) check_written(access, access.first, access.end);
}

void touch(const Access& access, BlockPage& page, bool writes) {
  if (page.grid != access.worker.grid->number) {
    page.grid = access.worker.grid->number;
    page.cell_log2 = largest_cell_log2;
  }
  const int cell_log2 = cell_log2_of(access.first, access.end - access.first);
  if (cell_log2 < page.cell_log2) {
    split(page.cells, page.cell_log2, cell_log2);
    page.cell_log2 = cell_log2;
  }
  for (uint64_t i = access.first >> page.cell_log2; i << page.cell_log2 < access.end; ++i) {
    const uint64_t first = i << page.cell_log2, end = (i + 1) << page.cell_log2;
    writes ? write(access, page.cells[i], first, end) : read(access, page.cells[i], first, end);
  }
}

void touch_atomic(const Access& access) {
  visit(access, access.first, access.end, true);
  __atomic_store_n(&access.tracked.pages[access.page].atomic, true, __ATOMIC_RELAXED);
}

}  // namespace

void touch_region(Worker& worker, int thread, const Region& region, uint64_t offset, uint64_t bytes,
                  int32_t kind, const Site* site) {
  (kind == access_read ? worker.counters.read : worker.counters.written) += static_cast<int64_t>(bytes);
  if (!region.buffer) return;
  Session& session = *worker.session;
  Tracked& tracked = session.tracked[region.buffer - session.settings.buffers];
  if (!tracked.page_count) return;
  BlockPage* pages = block_pages(worker, *region.buffer);
  const int32_t number = number_of(session, site);
  for_pages(offset, bytes, [&](uint64_t page, uint64_t first, uint64_t end) {
    const Access access{worker, thread, region, offset, bytes, kind, site, number, tracked, page, first, end};
    if (kind == access_atomic) return touch_atomic(access);
    pages ? touch(access, pages[page], kind != access_read) : touch_untracked(access, kind != access_read);
  });
}

}  // namespace runtime::emulator
