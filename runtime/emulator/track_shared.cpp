#include "runtime/emulator/access.h"
#include "runtime/emulator/report.h"

namespace runtime::emulator {
namespace {

using Cell = SharedPage::Cell;

/// The page's cells are made to fit an access.
void fit(SharedPage& page, int cell_log2, int warps) {
  if (page.cell_log2 <= cell_log2) return;
  split(page.cells, page.cell_log2, cell_log2);
  for (int w = 0; w < warps; ++w) split(page.reads[w], page.cell_log2, cell_log2);
  page.cell_log2 = cell_log2;
}

/// The access under way, for texts.
struct Access {
  Worker& worker;
  int thread;
  uint64_t offset, bytes;
  const Site* site;
  const char* verb;
};

Report begin(const Access& access, uint64_t at) {
  Report report(access.worker, access.thread, access.site);
  report << access.verb << static_cast<int64_t>(access.bytes) << (access.bytes == 1 ? " byte" : " bytes")
         << " at byte " << static_cast<int64_t>(access.offset) << " of shared memory";
  if (at != access.offset) report << " (byte " << static_cast<int64_t>(at) << ")";
  return report;
}

[[noreturn]] void report_unwritten(const Access& access, uint64_t at) {
  Report report = begin(access, at);
  report << " that nobody has written";
  report.leave();
}

[[noreturn]] void report_pending(const Access& access, uint64_t at, const Record& copy) {
  const Site* site = site_of(*access.worker.session, copy.site);
  Report report = begin(access, at);
  report << " before a copy there was waited for, which ";
  report.thread(copy.thread, site) << " began";
  report.leave();
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

/// Calls `visit(page, index, offset)` for every cell of the access.
template <typename Visit>
void for_cells(Worker& worker, uint64_t offset, uint64_t bytes, Visit visit) {
  const int cell_log2 = cell_log2_of(offset, bytes);
  const int warps = worker.grid->kernel->threads / warp_size;
  for_pages(offset, bytes, [&](uint64_t number, uint64_t first, uint64_t end) {
    SharedPage& page = worker.shared_pages[number];
    fit(page, cell_log2, warps);
    for (uint64_t i = first >> page.cell_log2; i << page.cell_log2 < end; ++i)
      visit(page, i, (number << page_log2) + (i << page.cell_log2));
  });
}

}  // namespace

void read_shared(Worker& worker, int thread, uint16_t other, uint64_t offset, uint64_t bytes,
                 const Site* site) {
  const Access access{worker, thread, offset, bytes, site, "reads "};
  const int warp = thread / warp_size;
  const Moment label = worker.clocks.label(thread);
  const int32_t number = number_of(*worker.session, site);
  for_cells(worker, offset, bytes, [&](SharedPage& page, uint64_t i, uint64_t at) {
    Cell& cell = page.cells[i];
    if (cell.write.moment < worker.start) {
      if (worker.session->record.site == 0) report_unwritten(access, at);
      return;  // an index was outside its range: work may have been left out
    }
    if (cell.pending) report_pending(access, at, cell.write);
    uint16_t writer = worker.clocks.unordered(cell.write, thread);
    if (writer == no_thread && other != no_thread) writer = worker.clocks.unordered(cell.write, other);
    if (writer != no_thread) report_race(access, at, writer, "wrote", cell.write);
    Record& read = page.reads[warp][i];
    if (cell.readers >> warp & 1 && read.moment == label) {
      if (read.other == no_thread && read.thread != thread) read.other = static_cast<uint16_t>(thread);
      if (read.other == no_thread && other != no_thread) read.other = other;
      return;
    }
    read = {label, number, static_cast<uint16_t>(thread), other};
    cell.readers |= uint32_t{1} << warp;
  });
}

void write_shared(Worker& worker, int thread, uint64_t offset, uint64_t bytes, bool pending,
                  const Site* site) {
  const Access access{worker, thread, offset, bytes, site, pending ? "copies " : "writes "};
  const Record made{worker.clocks.label(thread), number_of(*worker.session, site),
                    static_cast<uint16_t>(thread), no_thread};
  for_cells(worker, offset, bytes, [&](SharedPage& page, uint64_t i, uint64_t at) {
    Cell& cell = page.cells[i];
    if (cell.write.moment >= worker.start) {
      if (cell.pending) report_pending(access, at, cell.write);
      const uint16_t writer = worker.clocks.unordered(cell.write, thread);
      if (writer != no_thread) report_race(access, at, writer, "wrote", cell.write);
      for (uint32_t readers = cell.readers; readers; readers &= readers - 1) {
        const Record& read = page.reads[__builtin_ctz(readers)][i];
        const uint16_t reader = worker.clocks.unordered(read, thread);
        if (reader != no_thread) report_race(access, at, reader, "read", read);
      }
    }
    cell.write = made;
    cell.readers = 0;
    cell.pending = pending;
  });
}

void land_shared(Worker& worker, int thread, uint64_t offset, uint64_t bytes, int32_t site) {
  for_cells(worker, offset, bytes, [&](SharedPage& page, uint64_t i, uint64_t) {
    Cell& cell = page.cells[i];
    if (!cell.pending || cell.write.thread != thread || cell.write.site != site) return;
    cell.pending = false;
    cell.write.moment = worker.clocks.label(thread);
  });
}

}  // namespace runtime::emulator
