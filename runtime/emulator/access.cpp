#include "runtime/emulator/access.h"

#include "runtime/emulator/banks.h"
#include "runtime/emulator/operations.h"
#include "runtime/emulator/report.h"

namespace runtime::emulator {
namespace {

uint64_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

bool holds(const char* begin, uint64_t size, uint64_t address, uint64_t bytes) {
  const uint64_t offset = address - address_of(begin);
  return offset <= size && bytes <= size - offset;
}

const Region* find(const Grid& grid, uint64_t address, uint64_t bytes) {
  for (int64_t i = 0; i < grid.region_count; ++i)
    if (holds(grid.regions[i].begin, static_cast<uint64_t>(grid.regions[i].size), address, bytes))
      return &grid.regions[i];
  return nullptr;
}

/// Where [address, address + bytes) lies to [begin, begin + size): how far beyond its ends, in bytes.
struct Distance {
  uint64_t before, behind;

  Distance(const char* begin, uint64_t size, uint64_t address, uint64_t bytes)
      : before(address < address_of(begin) ? address_of(begin) - address : 0),
        behind(address + bytes > address_of(begin) + size ? address + bytes - (address_of(begin) + size)
                                                          : 0) {}
  uint64_t size() const { return before > behind ? before : behind; }
};

void append_distance(Report& report, const Distance& distance, uint64_t bytes) {
  const bool before = distance.before > 0;
  const uint64_t far = before ? distance.before : distance.behind;
  // An access that begins inside is said to reach over the end; of one outside, the message says where it
  // begins.
  if (before)
    report << static_cast<int64_t>(far) << " before the beginning of ";
  else if (far < bytes)
    report << static_cast<int64_t>(far) << " of them past the end of ";
  else
    report << static_cast<int64_t>(far - bytes) << " past the end of ";
}

/// The nearest memory that the launch names, for the text; far from all, none.
[[noreturn]] void report_outside(Worker& worker, const Thread& thread, uint64_t address, uint64_t bytes,
                                 int32_t kind, const Site* site) {
  constexpr uint64_t near = uint64_t{1} << 20;
  const Grid& grid = *worker.grid;
  const auto shared_size = static_cast<uint64_t>(grid.kernel->shared);
  const Region* nearest = nullptr;
  Distance least(worker.shared, shared_size, address, bytes);
  for (int64_t i = 0; i < grid.region_count; ++i) {
    const Distance distance(grid.regions[i].begin, static_cast<uint64_t>(grid.regions[i].size), address,
                            bytes);
    if (distance.size() >= least.size()) continue;
    least = distance;
    nearest = &grid.regions[i];
  }
  Report report(worker, thread.number, site);
  report.access(kind, bytes) << " outside of the kernel's memory";
  if (least.size() <= near) {
    report << ": ";
    append_distance(report, least, bytes);
    if (nearest) {
      report.name(nearest->buffer) << " (" << nearest->size << " bytes)";
    } else {
      report << "shared memory (" << grid.kernel->shared << " bytes)";
    }
  }
  report.leave();
}

[[noreturn]] void report_misaligned(Worker& worker, const Thread& thread, const Region* region,
                                    uint64_t offset, uint64_t bytes, int32_t alignment, int32_t kind,
                                    const Site* site) {
  Report report(worker, thread.number, site);
  report.access(kind, bytes) << " misaligned: at byte " << static_cast<int64_t>(offset) << " of ";
  if (region) {
    report.name(region->buffer);
    const uint64_t base = address_of(region->begin);
    if (base % static_cast<uint64_t>(alignment))
      report << ", which lies " << static_cast<int64_t>(base % static_cast<uint64_t>(alignment))
             << " bytes beyond a multiple";
  } else {
    report << "shared memory";
  }
  report << "; the instruction counts on a multiple of " << alignment;
  report.leave();
}

void access(const void* address, uint64_t bytes, const Site* site) {
  Worker& worker = this_worker();
  Thread& thread = this_thread();
  uint64_t offset;
  if (on_stack(*thread.stack, address)) return;
  const Region* region = locate(worker, thread, address, bytes, site->alignment, site->kind, site, offset);
  if (region) return touch_region(worker, thread.number, *region, offset, bytes, site->kind, site);
  note_banks(worker, thread, static_cast<uint32_t>(offset), bytes, site);
  if (site->kind == access_read) {
    read_shared(worker, thread.number, no_thread, offset, bytes, site);
  } else {
    write_shared(worker, thread.number, offset, bytes, false, site);
  }
}

}  // namespace

const Region* locate(Worker& worker, Thread& thread, const void* pointer, uint64_t bytes, int32_t alignment,
                     int32_t kind, const Site* site, uint64_t& offset) {
  const uint64_t address = address_of(pointer);
  const bool aligned = (address & (static_cast<uint64_t>(alignment) - 1)) == 0;
  if (holds(worker.shared, static_cast<uint64_t>(worker.grid->kernel->shared), address, bytes)) {
    offset = address - address_of(worker.shared);
    if (!aligned) report_misaligned(worker, thread, nullptr, offset, bytes, alignment, kind, site);
    return nullptr;
  }
  const Region* region = thread.region;
  if (!region || !holds(region->begin, static_cast<uint64_t>(region->size), address, bytes)) {
    region = find(*worker.grid, address, bytes);
    if (!region) report_outside(worker, thread, address, bytes, kind, site);
    thread.region = region;
  }
  offset = address - address_of(region->begin);
  if (!aligned) report_misaligned(worker, thread, region, offset, bytes, alignment, kind, site);
  if (kind != access_read && !region->writable) {
    Report report(worker, thread.number, site);
    report.access(kind, bytes) << " at byte " << static_cast<int64_t>(offset) << " of ";
    report.name(region->buffer) << ", which is read only";
    report.leave();
  }
  return region;
}

}  // namespace runtime::emulator

using namespace runtime::emulator;
using runtime::Site;

extern "C" {

void tel_emulator_access(const void* address, const Site* site) {
  access(address, static_cast<uint64_t>(site->bytes), site);
}

void tel_emulator_access_if(bool active, const void* address, const Site* site) {
  if (active) access(address, static_cast<uint64_t>(site->bytes), site);
}

void tel_emulator_access_bytes(const void* address, int64_t bytes, const Site* site) {
  if (bytes > 0) access(address, static_cast<uint64_t>(bytes), site);
}

void tel_emulator_access_local(const void* address, const void* variable, int64_t size, const Site* site) {
  const auto bytes = static_cast<uint64_t>(site->bytes);
  if (holds(static_cast<const char*>(variable), static_cast<uint64_t>(size), address_of(address), bytes))
    return;
  Report report(this_worker(), this_thread().number, site);
  report.access(site->kind, bytes) << " at byte "
                                   << static_cast<int64_t>(address_of(address) - address_of(variable))
                                   << " of a variable of " << size;
  report.leave();
}

}  // extern "C"
