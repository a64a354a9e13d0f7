#include "runtime/emulator/banks.h"

#include <stddef.h>

namespace runtime::emulator {
namespace {

constexpr int bank_count = warp_size;  // a warp's threads read a word each in one pass
constexpr int32_t word = 4;
constexpr int32_t widest = 16;

/// The words that one group wants of each bank.
struct Wanted {
  uint8_t count[bank_count] = {};
  uint32_t words[bank_count][warp_size];

  void add(uint32_t number) {
    const uint32_t bank = number % bank_count;
    for (int i = 0; i < count[bank]; ++i)
      if (words[bank][i] == number) return;
    words[bank][count[bank]++] = number;
  }
  int most() const {
    int result = 0;
    for (const uint8_t one : count) result = one > result ? one : result;
    return result;
  }
};

uint32_t hash(const Site* site, uint32_t turn) {
  const uint64_t mixed = (reinterpret_cast<uintptr_t>(site) / 8 + turn) * 0x9e3779b97f4a7c15;
  return static_cast<uint32_t>(mixed >> 40);
}

/// The entry that `matches`, or the free one that is taken for it; null where the table is full.
template <typename Entry, size_t places, size_t most, typename Matches>
Entry* find(uint16_t (&table)[places], Entry (&entries)[most], uint32_t& count, uint32_t hash, bool& made,
            Matches matches) {
  uint32_t place = hash % places;
  for (; table[place] != 0; place = (place + 1) % places)
    if (matches(entries[table[place] - 1])) return &entries[table[place] - 1];
  if (count == most) return nullptr;
  made = true;
  Entry& entry = entries[count++];
  table[place] = static_cast<uint16_t>(count);
  entry.place = place;
  return &entry;
}

/// How often the lane has come to the site since its warp last met, before; false where that is not known.
bool turn_of(Banks& banks, int lane, const Site* site, uint32_t& turn) {
  bool made = false;
  Turn* entry = find(banks.turn_table, banks.turns, banks.turn_count, hash(site, 0), made,
                     [&](const Turn& one) { return one.site == site; });
  if (!entry) return false;
  // Lanes run one after the other until they meet.
  if (made || entry->lane != lane) {
    entry->site = site;
    entry->lane = lane;
    entry->count = 0;
  }
  turn = entry->count++;
  return true;
}

Together* together_of(Banks& banks, const Site* site, uint32_t turn, int32_t bytes) {
  bool made = false;
  Together* entry =
      find(banks.together_table, banks.together, banks.together_count, hash(site, turn), made,
           [&](const Together& one) { return one.site == site && one.turn == turn && one.bytes == bytes; });
  if (!made) return entry;
  entry->site = site;
  entry->turn = turn;
  entry->bytes = bytes;
  entry->lanes = 0;
  return entry;
}

}  // namespace

void count_wavefronts(Counters& counters, uint32_t lanes, const uint32_t* offsets, int32_t bytes,
                      int32_t alignment) {
  const int32_t max_at_once = alignment < widest ? alignment : widest;
  for (int32_t done = 0; done < bytes; done += max_at_once) {
    const int32_t part = bytes - done < max_at_once ? bytes - done : max_at_once;
    const int group = part <= word ? warp_size : part <= 2 * word ? warp_size / 2 : warp_size / 4;
    for (int first = 0; first < warp_size; first += group) {
      Wanted wanted;
      for (int lane = first; lane < first + group; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        const uint32_t begin = offsets[lane] + static_cast<uint32_t>(done);
        for (uint32_t at = begin / word; at * word < begin + static_cast<uint32_t>(part); ++at)
          wanted.add(at);
      }
      const int most = wanted.most();
      counters.wavefronts += most > 0;
      counters.conflicts += most > 1 ? most - 1 : 0;
    }
  }
}

void note_banks(Worker& worker, const Thread& thread, uint32_t offset, uint64_t bytes, const Site* site) {
  constexpr uint64_t widest_instruction = 64;
  if (bytes > widest_instruction) {  // no instruction, but a loop of the device's
    ++worker.counters.uncounted;
    return;
  }
  Banks& banks = worker.banks[thread.number / warp_size];
  const int lane = thread.number % warp_size;
  uint32_t turn;
  Together* together = nullptr;
  if (turn_of(banks, lane, site, turn))
    together = together_of(banks, site, turn, static_cast<int32_t>(bytes));
  if (!together) {
    ++worker.counters.uncounted;
    return;
  }
  together->lanes |= uint32_t{1} << lane;
  together->offsets[lane] = offset;
}

void count_banks(Worker& worker, Banks& banks) {
  for (uint32_t i = 0; i < banks.together_count; ++i) {
    const Together& one = banks.together[i];
    // An address that a copy or another operation touches is a multiple of its size.
    const int32_t alignment = one.site->bytes > 0 ? one.site->alignment : one.bytes;
    count_wavefronts(worker.counters, one.lanes, one.offsets, one.bytes, alignment);
  }
  forget_banks(banks);
}

void forget_banks(Banks& banks) {
  for (uint32_t i = 0; i < banks.together_count; ++i) banks.together_table[banks.together[i].place] = 0;
  for (uint32_t i = 0; i < banks.turn_count; ++i) banks.turn_table[banks.turns[i].place] = 0;
  banks.together_count = banks.turn_count = 0;
}

}  // namespace runtime::emulator
