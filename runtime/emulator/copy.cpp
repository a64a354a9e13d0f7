#include <string.h>

#include "runtime/emulator/access.h"
#include "runtime/emulator/banks.h"
#include "runtime/emulator/operations.h"
#include "runtime/emulator/report.h"

namespace runtime::emulator {
namespace {

inline constexpr int64_t max_copies = int64_t{1} << 20;  ///< of a block, under way

Copy* take(Worker& worker) {
  if (Copy* copy = worker.free_copies) {
    worker.free_copies = copy->next;
    return copy;
  }
  return worker.copies_used < max_copies ? &worker.copies[worker.copies_used++] : nullptr;
}

[[noreturn]] void refuse(Worker& worker, const Thread& thread, const Site* site, const char* why,
                         int64_t number) {
  Report report(worker, thread.number, site);
  report << why << number;
  report.leave();
}

/// Begins a copy: it has the source's bytes read now, as far as races go, and their values when it lands.
void begin(void* shared, const void* global, int32_t bytes, int32_t size, const Site* site) {
  Worker& worker = this_worker();
  Thread& thread = this_thread();
  if (bytes < 0 || bytes > size)
    refuse(worker, thread, site, "copies an impossible number of bytes: ", bytes);
  uint64_t offset;
  if (reinterpret_cast<uintptr_t>(global) % static_cast<uintptr_t>(size))
    refuse(worker, thread, site, "copies from an address that is not a multiple of ", size);
  if (bytes > 0) {
    const auto count = static_cast<uint64_t>(bytes);
    const Region* region = locate(worker, thread, global, count, 1, access_read, site, offset);
    if (!region)
      refuse(worker, thread, site, "copies from shared memory, at byte ", static_cast<int64_t>(offset));
    touch_region(worker, thread.number, *region, offset, count, access_read, site);
  }
  if (locate(worker, thread, shared, static_cast<uint64_t>(size), size, access_write, site, offset))
    refuse(worker, thread, site, "copies to memory that is not shared; bytes: ", size);
  note_banks(worker, thread, static_cast<uint32_t>(offset), static_cast<uint64_t>(size), site);
  write_shared(worker, thread.number, offset, static_cast<uint64_t>(size), true, site);
  Copy* copy = take(worker);
  if (!copy) refuse(worker, thread, site, "copies under way are more than ", max_copies);
  *copy = {nullptr,      static_cast<const char*>(global), static_cast<uint32_t>(offset), bytes, size,
           thread.group, number_of(*worker.session, site)};
  (thread.last_copy ? thread.last_copy->next : thread.first_copy) = copy;
  thread.last_copy = copy;
}

void land(Worker& worker, const Thread& thread, const Copy& copy) {
  char* to = worker.shared + copy.to;
  if (copy.bytes > 0) memcpy(to, copy.from, static_cast<size_t>(copy.bytes));
  memset(to + copy.bytes, 0, static_cast<size_t>(copy.size - copy.bytes));
  land_shared(worker, thread.number, copy.to, static_cast<uint64_t>(copy.size), copy.site);
}

}  // namespace
}  // namespace runtime::emulator

using namespace runtime::emulator;
using runtime::Site;

extern "C" {

void tel_device_copy_async_4(void* shared, const void* global, int32_t bytes, const Site* site) {
  begin(shared, global, bytes, 4, site);
}
void tel_device_copy_async_8(void* shared, const void* global, int32_t bytes, const Site* site) {
  begin(shared, global, bytes, 8, site);
}
void tel_device_copy_async_16(void* shared, const void* global, int32_t bytes, const Site* site) {
  begin(shared, global, bytes, 16, site);
}

void tel_device_copy_commit(const Site*) { ++this_thread().group; }

void tel_device_copy_wait(int32_t groups, const Site*) {
  Worker& worker = this_worker();
  Thread& thread = this_thread();
  while (thread.first_copy && thread.first_copy->group < thread.group - groups) {
    Copy& copy = *thread.first_copy;
    land(worker, thread, copy);
    thread.first_copy = copy.next;
    if (!copy.next) thread.last_copy = nullptr;
    copy.next = worker.free_copies;
    worker.free_copies = &copy;
  }
}

}  // extern "C"
