#include "runtime/emulator/grid.h"
#include "runtime/emulator/memory.h"
#include "runtime/emulator/report.h"

namespace runtime::emulator {
namespace {

/// Two visits of a byte by different blocks, one of them a write; `low` is of the lower block.
struct Race {
  Visit low, high;
  bool low_writes, high_writes;
  const Buffer* buffer;  ///< null: no race
  uint64_t offset;

  bool before(const Race& other) const {
    if (!other.buffer) return true;
    if (low.block != other.low.block) return low.block < other.low.block;
    return low.thread < other.low.thread;
  }
};

/// The lowest pair of the cell. As the two lowest blocks are known of either kind, a pair is found wherever
/// there is one.
Race race_of(const GridPage::Cell& cell) {
  Race race{};
  const Visit& write = cell.writes.first;
  if (!write.present) return race;
  const Visit& other = cell.writes.second;
  const Visit& read = cell.reads.first.present && cell.reads.first.block != write.block ? cell.reads.first
                                                                                        : cell.reads.second;
  const bool with_read = read.present && (!other.present || read.block < other.block);
  const Visit& second = with_read ? read : other;
  if (!second.present) return race;
  const bool in_order = write.block < second.block;
  race.low = in_order ? write : second;
  race.high = in_order ? second : write;
  race.low_writes = in_order || !with_read;
  race.high_writes = !in_order || !with_read;
  return race;
}

void find_races(const Tracked& tracked, int64_t number, const Buffer& buffer, Race& lowest) {
  const GridPage& page = tracked.pages[number];
  const GridPage::Cell* cells = tracked.cells + (number << page_log2);
  for (uint64_t i = 0; i < page_bytes >> page.cell_log2; ++i) {
    Race race = race_of(cells[i]);
    if (!race.low.present || !race.before(lowest)) continue;
    race.buffer = &buffer;
    race.offset = (static_cast<uint64_t>(number) << page_log2) + (i << page.cell_log2);
    lowest = race;
  }
}

void describe(Grid& grid, const Race& race) {
  const Session& session = *grid.session;
  const Site* other = site_of(session, race.high.site);
  Text text(grid.text, sizeof grid.text);
  begin_text(text, grid.kernel->name, race.low.block, race.low.thread, site_of(session, race.low.site));
  text << (race.low_writes ? "writes" : "reads") << " byte " << static_cast<int64_t>(race.offset) << " of ";
  append_name(text, race.buffer);
  text << ", a race between blocks: block " << int64_t{race.high.block} << ", thread "
       << int64_t{race.high.thread};
  append_place(text, ", ", other);
  text << (other && other->file ? ", " : " ") << (race.high_writes ? "writes" : "reads")
       << " there in the same grid";
}

}  // namespace

bool close_buffers(Grid& grid) {
  Session& session = *grid.session;
  Race lowest{};
  for (int64_t i = 0; i < session.settings.buffer_count; ++i) {
    const Tracked& tracked = session.tracked[i];
    for (int64_t number = 0; number < tracked.page_count; ++number) {
      GridPage& page = tracked.pages[number];
      if (page.grid != grid.number) continue;
      for (uint64_t word = 0; word < page_bytes / 64; ++word)
        page.before.words[word] |= page.since.words[word];
      if (page.shared) find_races(tracked, number, session.settings.buffers[i], lowest);
    }
    if (tracked.page_count > max_pages_kept)
      clear(tracked.cells, static_cast<size_t>(tracked.page_count) << page_log2);
  }
  if (!lowest.buffer) return true;
  describe(grid, lowest);
  return false;
}

int32_t finish(Session& session) {
  const Settings& settings = session.settings;
  if (session.status != TEL_OK || session.record.site != 0) return session.status;
  for (int64_t i = 0; i < settings.buffer_count; ++i) {
    const Buffer& buffer = settings.buffers[i];
    if (buffer.kind != result) continue;
    const auto size = static_cast<uint64_t>(buffer.size);
    for (uint64_t begin = 0; begin < size; begin += page_bytes) {
      const GridPage& page = session.tracked[i].pages[begin >> page_log2];
      const uint64_t end = size - begin < page_bytes ? size - begin : page_bytes;
      const uint64_t at = page.before.first_unset(0, end);
      if (at == end || page.atomic) continue;
      Failure failure(settings.error, TEL_DEVICE, nullptr);
      begin_text(failure.text(), settings.name, -1, -1, nullptr);
      failure.text() << "no kernel writes byte " << static_cast<int64_t>(begin + at) << " of ";
      append_name(failure.text(), &buffer);
      return session.status = failure;
    }
  }
  return TEL_OK;
}

}  // namespace runtime::emulator
