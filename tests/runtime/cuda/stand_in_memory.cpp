// Memory of the stand-in's devices, and the streams in which it is copied.
#include "tests/runtime/cuda/stand_in_machine.h"

namespace stand_in {
namespace {

bool is_page_locked(const void* pointer, size_t bytes) {
  const auto* first = static_cast<const char*>(pointer);
  auto found = machine.page_locked.upper_bound(first);
  if (found == machine.page_locked.begin()) return false;
  --found;
  return first + bytes <= found->first + found->second;
}

/// The memory that holds the address, or null.
std::pair<const Address, Allocation>* holder(Address address) {
  auto found = machine.memory.upper_bound(address);
  if (found == machine.memory.begin()) return nullptr;
  --found;
  return address < found->first + std::max<size_t>(found->second.bytes.size(), 1) ? &*found : nullptr;
}

}  // namespace

StreamHandle* resolve(Stream stream) {
  if (!current()) return nullptr;
  StreamHandle* found = stream ? stream : machine.streams[static_cast<size_t>(current()->ordinal)].get();
  if (found->context != current()) complain("a stream of another context");
  return found;
}

void drain(StreamHandle& stream) {
  auto work = std::move(stream.work);
  stream.work.clear();
  for (auto& step : work) step();
}

void drain_all() {
  for (auto& stream : machine.streams) drain(*stream);
}

Code append(Stream handle, std::function<void()> work, bool capturable) {
  StreamHandle* stream = resolve(handle);
  if (!stream) return invalid_context;
  if (machine.sticky != 0) return machine.sticky;
  if (!stream->capturing) {
    stream->work.push_back(std::move(work));
    return 0;
  }
  stream->broken |= !capturable;
  if (!capturable) return capture_unsupported;
  stream->captured.push_back(std::move(work));
  return 0;
}

Code cuMemAlloc(Address* memory, size_t bytes) {
  BEGIN(cuMemAlloc);
  if (!current() || bytes == 0) return current() ? invalid_value : invalid_context;
  int64_t used = 0;
  for (auto& [address, allocation] : machine.memory)
    if (allocation.ordinal == current()->ordinal) used += static_cast<int64_t>(allocation.bytes.size());
  const auto& model = machine.devices[static_cast<size_t>(current()->ordinal)];
  if (static_cast<int64_t>(bytes) > model.memory - used) return out_of_memory;
  *memory = machine.next;
  machine.next += (bytes + 511) / 256 * 256;
  machine.memory[*memory] = {current()->ordinal, std::vector<unsigned char>(bytes, 0xFF)};
  return 0;
}

Code cuMemFree(Address memory) {
  const Lock lock(machine.lock);
  const Code code = enter("cuMemFree");
  drain_all();
  if (machine.memory.erase(memory) != 1) return invalid_value;
  return code;
}

Code cuMemcpyHtoDAsync(Address to, const void* from, size_t bytes, Stream stream) {
  BEGIN(cuMemcpyHtoDAsync);
  if (holder(reinterpret_cast<Address>(from))) return invalid_value;
  const auto* first = static_cast<const unsigned char*>(from);
  if (is_page_locked(from, bytes))
    return append(
        stream,
        [=] {
          if (void* at = follow(to, bytes)) std::memcpy(at, first, bytes);
        },
        false);
  std::vector<unsigned char> copy(first, first + bytes);
  return append(
      stream,
      [=] {
        if (void* at = follow(to, bytes)) std::memcpy(at, copy.data(), bytes);
      },
      false);
}

Code cuMemcpyDtoHAsync(void* to, Address from, size_t bytes, Stream stream) {
  BEGIN(cuMemcpyDtoHAsync);
  if (holder(reinterpret_cast<Address>(to))) return invalid_value;
  const Code code = append(
      stream,
      [=] {
        if (void* at = follow(from, bytes)) std::memcpy(to, at, bytes);
      },
      false);
  if (code == 0 && !is_page_locked(to, bytes)) drain(*resolve(stream));
  return code;
}

Code cuMemcpyDtoDAsync(Address to, Address from, size_t bytes, Stream stream) {
  BEGIN(cuMemcpyDtoDAsync);
  return append(stream, [=] {
    void *a = follow(to, bytes), *b = follow(from, bytes);
    if (a && b) std::memmove(a, b, bytes);
  });
}

Code cuMemsetD8Async(Address memory, unsigned char value, size_t bytes, Stream stream) {
  BEGIN(cuMemsetD8Async);
  return append(stream, [=] {
    if (void* at = follow(memory, bytes)) std::memset(at, value, bytes);
  });
}

Code cuPointerGetAttributes(unsigned count, const PointerAttribute* attributes, void** values,
                            Address pointer) {
  BEGIN(cuPointerGetAttributes);
  if (!current()) return invalid_context;
  const auto* found = holder(pointer);
  const bool locked = is_page_locked(reinterpret_cast<const void*>(pointer), 1);
  for (unsigned i = 0; i < count; ++i) {
    auto& value = *static_cast<int32_t*>(values[i]);
    if (attributes[i] == memory_type)
      value = found ? device_memory : locked ? host_memory : unregistered_memory;
    if (attributes[i] == is_managed) value = 0;
    if (attributes[i] == device_ordinal) value = found ? found->second.ordinal : -2;
  }
  return 0;
}

Code cuStreamIsCapturing(Stream stream, int32_t* state) {
  BEGIN(cuStreamIsCapturing);
  *state = resolve(stream)->capturing ? 1 : 0;
  return 0;
}

Code cuStreamSynchronize(Stream handle) {
  BEGIN(cuStreamSynchronize);
  StreamHandle* stream = resolve(handle);
  if (!stream) return invalid_context;
  stream->broken |= stream->capturing;
  if (stream->capturing) return capture_unsupported;
  drain(*stream);
  return machine.sticky;
}

void* follow(Address address, size_t bytes) {
  const Lock lock(machine.lock);
  auto* found = holder(address);
  const size_t offset = found ? address - found->first : 0;
  if (bytes == 0) return found ? found->second.bytes.data() + offset : nullptr;
  if (found && offset + bytes <= found->second.bytes.size()) return found->second.bytes.data() + offset;
  complain("an access outside of memory");
  return nullptr;
}

Address allocate(int32_t device, size_t bytes) {
  const Lock lock(machine.lock);
  const Address memory = machine.next;
  machine.next += (bytes + 511) / 256 * 256;
  machine.memory[memory] = {device, std::vector<unsigned char>(bytes, 0xFF)};
  return memory;
}

void release(Address memory) {
  const Lock lock(machine.lock);
  drain_all();
  machine.memory.erase(memory);
}

Stream make_stream(int32_t device) {
  const Lock lock(machine.lock);
  machine.streams.emplace_back(
      new StreamHandle{&machine.contexts[static_cast<size_t>(device)], {}, {}, false, false});
  return machine.streams.back().get();
}

void wait(Stream stream) {
  const Lock lock(machine.lock);
  drain(*stream);
}

void lock_pages(const void* memory, size_t bytes) {
  const Lock lock(machine.lock);
  machine.page_locked[static_cast<const char*>(memory)] = bytes;
}

void begin_capture(Stream stream) {
  const Lock lock(machine.lock);
  stream->capturing = true;
  stream->broken = false;
  stream->captured.clear();
}

bool end_capture(Stream stream, std::function<void()>& replay) {
  const Lock lock(machine.lock);
  stream->capturing = false;
  replay = [work = std::move(stream->captured), stream] {
    const Lock again(machine.lock);
    for (const auto& step : work) stream->work.push_back(step);
    drain(*stream);
  };
  return !stream->broken;
}

}  // namespace stand_in
