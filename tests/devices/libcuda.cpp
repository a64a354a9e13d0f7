// The stand-in driver as the library that programs open, libcuda.so.1. It takes the PTX of objects: it knows
// their kernels and what parameters these have. The kernels of the runtime compute; those of networks only
// count as launched. Programs set it up and ask it by the functions that begin with `stand_in_`.
#include <cstdio>
#include <cstring>
#include <set>

#include "tests/runtime/cuda/stand_in_machine.h"

namespace {

using stand_in::Kernel;

/// What a library must keep as long as its kernels.
const char* keep(std::string name) {
  static std::set<std::string> names;
  return names.insert(std::move(name)).first->c_str();
}

/// The size of `.param .u64 .ptr .align 1 NAME`, `.param .align 8 .b8 NAME[3584]`.
size_t size_of(std::string_view parameter) {
  size_t count = 1;
  if (const size_t bracket = parameter.find('['); bracket != parameter.npos)
    count = std::strtoull(parameter.data() + bracket + 1, nullptr, 10);
  for (const char* type : {".u64", ".b64", ".f64", ".u32", ".b32", ".f32", ".u16", ".b16", ".u8", ".b8"})
    if (parameter.find(type) != parameter.npos) return count * std::strtoull(type + 2, nullptr, 10) / 8;
  return 0;
}

std::vector<size_t> sizes_of(std::string_view parameters) {
  std::vector<size_t> sizes;
  while (parameters.find(".param") != parameters.npos) {
    const size_t comma = parameters.find(',');
    sizes.push_back(size_of(parameters.substr(0, comma)));
    parameters.remove_prefix(comma == parameters.npos ? parameters.size() : comma + 1);
  }
  return sizes;
}

void (*run_of(const char* name, const std::vector<size_t>& sizes))(const stand_in::Grid&) {
  for (const Kernel& known : stand_in::utilities()) {
    if (std::strcmp(known.name, name) != 0) continue;
    if (known.parameter_sizes != sizes) stand_in::complain(std::string("parameters of ") + name);
    return known.run;
  }
  return [](const stand_in::Grid&) {};
}

/// Whether the driver is as new as PTX of `.version 7.8`, which came with CUDA 11.8, and 8.0 with CUDA 12.0.
bool is_known(std::string_view text) {
  constexpr std::string_view version = ".version ";
  const size_t at = text.find(version);
  if (at == text.npos) return false;
  int major = 0, minor = 0;
  std::sscanf(text.data() + at + version.size(), "%d.%d", &major, &minor);
  return 1000 * (major + 4) + 10 * minor <= stand_in::machine.version;
}

std::vector<Kernel> read_ptx(const void* image) {
  std::string_view text(static_cast<const char*>(image));
  std::vector<Kernel> kernels;
  if (!is_known(text)) return kernels;
  constexpr std::string_view entry = ".entry ";
  for (size_t at; (at = text.find(entry)) != text.npos;) {
    text.remove_prefix(at + entry.size());
    const size_t open = text.find('('), close = text.find(')');
    const char* name = keep(std::string(text.substr(0, open)));
    auto sizes = sizes_of(text.substr(open + 1, close - open));
    kernels.push_back({name, sizes, run_of(name, sizes)});
  }
  return kernels;
}

struct Start {
  Start() {
    stand_in::start({{100}, {100}});
    stand_in::set_image_reader(read_ptx);
  }
} start;

}  // namespace

extern "C" {

void stand_in_start(int32_t devices, int32_t architecture, int64_t memory, int32_t version) {
  stand_in::start(
      std::vector<stand_in::DeviceModel>(static_cast<size_t>(devices), {architecture, 100 << 10, memory}));
  stand_in::set_version(version);
}
/// From now on.
void stand_in_refuse_images() { stand_in::set_image_reader(nullptr); }
int64_t stand_in_count(const char* function) { return stand_in::count(function); }
/// Counts from 0 again; the call of that number fails, 0: none.
void stand_in_fail_at(int64_t call) { stand_in::fail_at(call); }
/// Sets memory of a device to zero at once.
void stand_in_clear(void* memory, size_t bytes) {
  std::memset(stand_in::follow(reinterpret_cast<stand_in::Address>(memory), bytes), 0, bytes);
}
int64_t stand_in_allocations() { return stand_in::live().allocations; }
void* stand_in_stream(int32_t device) { return stand_in::make_stream(device); }
void stand_in_begin_capture(void* stream) { stand_in::begin_capture(static_cast<stand_in::Stream>(stream)); }
/// 1: nothing broke the capture.
int32_t stand_in_end_capture(void* stream) {
  std::function<void()> replay;
  const bool whole = stand_in::end_capture(static_cast<stand_in::Stream>(stream), replay);
  if (whole) replay();
  return whole;
}
/// How many rules of the driver's manual were broken; they go to standard error.
int32_t stand_in_complaints() {
  const auto all = stand_in::complaints();
  for (const auto& one : all) std::fprintf(stderr, "stand-in: %s\n", one.c_str());
  return static_cast<int32_t>(all.size());
}

}  // extern "C"
