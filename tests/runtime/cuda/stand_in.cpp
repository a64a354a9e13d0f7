#include "tests/runtime/cuda/stand_in.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "runtime/cuda/process.h"
#include "runtime/support/float16.h"

namespace runtime::cuda {
struct ContextHandle {
  int32_t ordinal;
  int64_t retained;
};
struct FunctionHandle {
  const stand_in::Kernel* kernel;
  Module module;
  int64_t shared_limit;
};
struct ModuleHandle {
  Context context;
  std::vector<std::unique_ptr<FunctionHandle>> functions;
};
struct StreamHandle {
  Context context;
  std::vector<std::function<void()>> work;
  std::vector<std::function<void()>> captured;
  bool capturing = false, broken = false;
};
struct GraphNodeHandle {
  std::function<void()> work;
  Function function;
};
struct GraphHandle {
  std::vector<GraphNode> nodes;
};
struct GraphExecutionHandle {
  std::vector<GraphNode> nodes;
  std::map<GraphNode, std::function<void()>> work;
};
}  // namespace runtime::cuda

namespace stand_in {
namespace {

constexpr Code invalid_value = 1, invalid_image = 200, invalid_context = 201, invalid_handle = 400,
               not_found = 500, launch_failed = 719, capture_unsupported = 900;
constexpr int64_t default_shared = 48 << 10;

struct Allocation {
  int32_t ordinal;
  std::vector<unsigned char> bytes;
};

struct Machine {
  std::recursive_mutex lock;
  std::vector<DeviceModel> devices;
  std::vector<ContextHandle> contexts;
  std::vector<std::unique_ptr<StreamHandle>> streams;  ///< the default ones first, one a device
  std::map<Address, Allocation> memory;
  std::map<const char*, size_t> page_locked;
  std::set<Module> modules;
  std::set<Graph> graphs;
  std::set<GraphExecution> executions;
  std::vector<std::unique_ptr<GraphNodeHandle>> nodes;
  std::vector<std::string> complaints;
  std::map<std::string, int64_t> counts;
  std::string failed;
  int64_t calls = 0, fail_at = 0;
  Code fail_code = 0, sticky = 0;
  Address next = 0;
  bool started = false;
};

Machine machine;
thread_local std::vector<Context> stack;

using Lock = std::lock_guard<std::recursive_mutex>;

/// Counts a call; the code with which it is to fail, or 0.
Code enter(const char* function) {
  ++machine.counts[function];
  if (++machine.calls != machine.fail_at) return 0;
  machine.failed = function;
  return machine.fail_code;
}

Context current() { return stack.empty() ? nullptr : stack.back(); }

/// `stream`'s own, or the default one of the current context.
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

/// Puts work into a stream, or into what is captured of it. Memory of the processor cannot be captured.
Code append(Stream handle, std::function<void()> work, bool capturable = true) {
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

/// A grid with a copy of its parameters.
Code make_grid(Function function, int64_t blocks, int64_t threads, int64_t shared, void** parameters,
               std::function<void()>& work) {
  if (!function || function->module->context != current()) return invalid_handle;
  if (blocks < 1 || blocks > INT32_MAX || threads < 1 || threads > 1024) return invalid_value;
  if (shared > function->shared_limit) return invalid_value;
  auto copies = std::make_shared<std::vector<std::vector<unsigned char>>>();
  for (size_t i = 0; i < function->kernel->parameter_sizes.size(); ++i) {
    const auto* from = static_cast<const unsigned char*>(parameters[i]);
    copies->emplace_back(from, from + function->kernel->parameter_sizes[i]);
  }
  const Kernel* kernel = function->kernel;
  work = [=] {
    std::vector<void*> pointers;
    for (auto& copy : *copies) pointers.push_back(copy.data());
    const size_t complaints = machine.complaints.size();
    kernel->run({blocks, threads, shared, pointers.data()});
    if (machine.complaints.size() != complaints) machine.sticky = launch_failed;
  };
  return 0;
}

// The functions of the driver, in the order of driver.def. Each takes the lock, and counts itself.
#define BEGIN(name)              \
  const Lock lock(machine.lock); \
  if (const Code code = enter(#name)) return code

Code error_name(Code code, const char** name) {
  BEGIN(cuGetErrorName);
  *name = code == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
          : code == 999 ? "CUDA_ERROR_UNKNOWN"
                        : "CUDA_ERROR_OTHER";
  return 0;
}
Code error_string(Code code, const char** text) {
  BEGIN(cuGetErrorString);
  *text = code == 2 ? "out of memory" : "unspecified";
  return 0;
}
Code init(unsigned flags) {
  BEGIN(cuInit);
  if (flags != 0) return invalid_value;
  machine.started = true;
  return machine.devices.empty() ? no_device : 0;
}
Code driver_version(int32_t* version) {
  BEGIN(cuDriverGetVersion);
  *version = 12040;
  return 0;
}
Code device_get(DeviceHandle* device, int32_t ordinal) {
  BEGIN(cuDeviceGet);
  if (!machine.started) return 3;
  if (ordinal < 0 || ordinal >= static_cast<int32_t>(machine.devices.size())) return 101;
  *device = ordinal + 1000;
  return 0;
}
Code device_count(int32_t* count) {
  BEGIN(cuDeviceGetCount);
  if (!machine.started) return 3;
  *count = static_cast<int32_t>(machine.devices.size());
  return 0;
}
Code device_name(char* name, int32_t size, DeviceHandle device) {
  BEGIN(cuDeviceGetName);
  snprintf(name, static_cast<size_t>(size), "Stand-in %d", device - 1000);
  return 0;
}
Code device_memory_size(size_t* bytes, DeviceHandle device) {
  BEGIN(cuDeviceTotalMem);
  *bytes = static_cast<size_t>(machine.devices[static_cast<size_t>(device - 1000)].memory);
  return 0;
}
Code device_attribute(int32_t* value, DeviceAttribute attribute, DeviceHandle device) {
  BEGIN(cuDeviceGetAttribute);
  const DeviceModel& model = machine.devices[static_cast<size_t>(device - 1000)];
  if (attribute == compute_capability_major) *value = model.architecture / 10;
  if (attribute == compute_capability_minor) *value = model.architecture % 10;
  if (attribute == shared_memory_limit) *value = model.shared_limit;
  return 0;
}
Code retain(Context* context, DeviceHandle device) {
  BEGIN(cuDevicePrimaryCtxRetain);
  *context = &machine.contexts[static_cast<size_t>(device - 1000)];
  ++(*context)->retained;
  return 0;
}
Code release_context(DeviceHandle device) {
  const Lock lock(machine.lock);
  const Code code = enter("cuDevicePrimaryCtxRelease");
  if (--machine.contexts[static_cast<size_t>(device - 1000)].retained < 0) complain("released too often");
  return code;
}
Code push_context(Context context) {
  BEGIN(cuCtxPushCurrent);
  if (context->retained < 1) complain("a context that is not retained");
  stack.push_back(context);
  return 0;
}
Code pop_context(Context* context) {
  const Lock lock(machine.lock);
  const Code code = enter("cuCtxPopCurrent");
  if (stack.empty()) return invalid_context;
  *context = stack.back();
  stack.pop_back();
  return code;
}
Code load(Module* module, const void* image, unsigned count, const LoadOption* options, void** values) {
  BEGIN(cuModuleLoadDataEx);
  if (!current()) return invalid_context;
  const auto& data = *static_cast<const ImageData*>(image);
  if (data.magic != ImageData::right) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == error_log) std::strcpy(static_cast<char*>(values[i]), "line 7: what is this");
    return invalid_image;
  }
  *module = new ModuleHandle{current(), {}};
  for (const Kernel& kernel : data.kernels)
    (*module)->functions.emplace_back(new FunctionHandle{&kernel, *module, default_shared});
  machine.modules.insert(*module);
  return 0;
}
Code unload(Module module) {
  const Lock lock(machine.lock);
  const Code code = enter("cuModuleUnload");
  if (machine.modules.erase(module) != 1 || module->context != current()) return invalid_handle;
  drain_all();
  delete module;
  return code;
}
Code get_function(Function* function, Module module, const char* name) {
  BEGIN(cuModuleGetFunction);
  for (auto& one : module->functions)
    if (std::strcmp(one->kernel->name, name) == 0) {
      *function = one.get();
      return 0;
    }
  return not_found;
}
Code memory_allocate(Address* memory, size_t bytes) {
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
Code memory_free(Address memory) {
  const Lock lock(machine.lock);
  const Code code = enter("cuMemFree");
  drain_all();
  if (machine.memory.erase(memory) != 1) return invalid_value;
  return code;
}
Code copy_in(Address to, const void* from, size_t bytes, Stream stream) {
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
Code copy_out(void* to, Address from, size_t bytes, Stream stream) {
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
Code copy_within(Address to, Address from, size_t bytes, Stream stream) {
  BEGIN(cuMemcpyDtoDAsync);
  return append(stream, [=] {
    void *a = follow(to, bytes), *b = follow(from, bytes);
    if (a && b) std::memmove(a, b, bytes);
  });
}
Code set_bytes(Address memory, unsigned char value, size_t bytes, Stream stream) {
  BEGIN(cuMemsetD8Async);
  return append(stream, [=] {
    if (void* at = follow(memory, bytes)) std::memset(at, value, bytes);
  });
}
Code pointer_attributes(unsigned count, const PointerAttribute* attributes, void** values, Address pointer) {
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
Code is_capturing(Stream stream, int32_t* state) {
  BEGIN(cuStreamIsCapturing);
  *state = resolve(stream)->capturing ? 1 : 0;
  return 0;
}
Code synchronize(Stream handle) {
  BEGIN(cuStreamSynchronize);
  StreamHandle* stream = resolve(handle);
  if (!stream) return invalid_context;
  stream->broken |= stream->capturing;
  if (stream->capturing) return capture_unsupported;
  drain(*stream);
  return machine.sticky;
}
Code function_attribute(Function function, FunctionAttribute attribute, int32_t value) {
  BEGIN(cuFuncSetAttribute);
  const auto& model = machine.devices[static_cast<size_t>(current()->ordinal)];
  if (attribute != dynamic_shared_memory || value > model.shared_limit) return invalid_value;
  function->shared_limit = value;
  return 0;
}
Code launch(Function function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned block_y,
            unsigned block_z, unsigned shared, Stream stream, void** parameters, void** extra) {
  BEGIN(cuLaunchKernel);
  if (y != 1 || z != 1 || block_y != 1 || block_z != 1 || extra) return invalid_value;
  std::function<void()> work;
  if (const Code code = make_grid(function, x, threads, shared, parameters, work)) return code;
  return append(stream, std::move(work));
}
Code graph_create(Graph* graph, unsigned) {
  BEGIN(cuGraphCreate);
  *graph = new GraphHandle;
  machine.graphs.insert(*graph);
  return 0;
}
Code make_node(const KernelNode& node, std::function<void()>& work) {
  if (node.grid_y != 1 || node.grid_z != 1 || node.block_y != 1 || node.block_z != 1 || node.extra)
    return invalid_value;
  return make_grid(node.function, node.grid_x, node.block_x, node.shared, node.parameters, work);
}
Code graph_add(GraphNode* node, Graph graph, const GraphNode* after, size_t count, const KernelNode* kernel) {
  BEGIN(cuGraphAddKernelNode);
  // A chain: every node follows the one before.
  if (count != (graph->nodes.empty() ? 0u : 1u) || (count == 1 && after[0] != graph->nodes.back())) {
    complain("a graph that is no chain");
    return invalid_value;
  }
  auto made = std::make_unique<GraphNodeHandle>();
  if (const Code code = make_node(*kernel, made->work)) return code;
  made->function = kernel->function;
  *node = made.get();
  graph->nodes.push_back(made.get());
  machine.nodes.push_back(std::move(made));
  return 0;
}
Code graph_instantiate(GraphExecution* execution, Graph graph, unsigned long long) {
  BEGIN(cuGraphInstantiate);
  *execution = new GraphExecutionHandle{graph->nodes, {}};
  for (GraphNode node : graph->nodes) (*execution)->work[node] = node->work;
  machine.executions.insert(*execution);
  return 0;
}
Code graph_set(GraphExecution execution, GraphNode node, const KernelNode* kernel) {
  BEGIN(cuGraphExecKernelNodeSetParams);
  if (!execution->work.count(node) || kernel->function != node->function) return invalid_value;
  return make_node(*kernel, execution->work[node]);
}
Code graph_launch(GraphExecution execution, Stream stream) {
  BEGIN(cuGraphLaunch);
  if (!machine.executions.count(execution)) return invalid_value;
  for (GraphNode node : execution->nodes)
    if (const Code code = append(stream, execution->work[node])) return code;
  return 0;
}
Code execution_destroy(GraphExecution execution) {
  const Lock lock(machine.lock);
  const Code code = enter("cuGraphExecDestroy");
  if (machine.executions.erase(execution) != 1) return invalid_value;
  delete execution;
  return code;
}
Code graph_destroy(Graph graph) {
  const Lock lock(machine.lock);
  const Code code = enter("cuGraphDestroy");
  if (machine.graphs.erase(graph) != 1) return invalid_value;
  delete graph;
  return code;
}
#undef BEGIN

constexpr Driver functions{error_name,
                           error_string,
                           init,
                           driver_version,
                           device_get,
                           device_count,
                           device_name,
                           device_memory_size,
                           device_attribute,
                           retain,
                           release_context,
                           push_context,
                           pop_context,
                           load,
                           unload,
                           get_function,
                           memory_allocate,
                           memory_free,
                           copy_in,
                           copy_out,
                           copy_within,
                           set_bytes,
                           pointer_attributes,
                           is_capturing,
                           synchronize,
                           function_attribute,
                           launch,
                           graph_create,
                           graph_add,
                           graph_instantiate,
                           graph_set,
                           graph_launch,
                           execution_destroy,
                           graph_destroy};

void run_words(const Grid& grid) {
  const auto count = grid.parameter<int32_t>(1);
  if (grid.blocks != 1 || grid.threads != runtime::words_limit || count > runtime::words_limit)
    complain("tel_words is launched otherwise");
  auto* to = at<int64_t>(grid.parameter<Address>(0), count);
  if (to) std::memcpy(to, grid.parameters[2], sizeof(int64_t) * static_cast<size_t>(count));
}

template <typename T, auto Add>
void run_add(const Grid& grid) {
  const auto count = grid.parameter<int64_t>(2);
  if (grid.threads != runtime::add_threads || grid.blocks * grid.threads < count)
    complain("tel_add: too few threads");
  T* to = at<T>(grid.parameter<Address>(0), count);
  const T* from = at<T>(grid.parameter<Address>(1), count);
  for (int64_t i = 0; to && from && i < count; ++i) to[i] = Add(to[i], from[i]);
}

}  // namespace

std::vector<Kernel> utilities() {
  using namespace runtime;
  constexpr auto plain = [](auto a, auto b) { return a + b; };
  constexpr auto half = [](uint16_t a, uint16_t b) {
    return float_to_float16(float16_to_float(a) + float16_to_float(b));
  };
  constexpr auto brain = [](uint16_t a, uint16_t b) {
    return float_to_bfloat16(bfloat16_to_float(a) + bfloat16_to_float(b));
  };
  return {{"tel_words", {8, 4, 8 * words_limit}, run_words},
          {"tel_add_f16", {8, 8, 8}, run_add<uint16_t, half>},
          {"tel_add_bf16", {8, 8, 8}, run_add<uint16_t, brain>},
          {"tel_add_f32", {8, 8, 8}, run_add<float, plain>},
          {"tel_add_f64", {8, 8, 8}, run_add<double, plain>}};
}

void reset(std::vector<DeviceModel> devices) {
  runtime::cuda::close_process();
  const Lock lock(machine.lock);
  stack.clear();
  machine.memory.clear();
  machine.page_locked.clear();
  machine.streams.clear();
  machine.nodes.clear();
  machine.complaints.clear();
  machine.contexts.clear();
  machine.devices = std::move(devices);
  machine.sticky = 0;
  machine.started = false;
  machine.next = Address{1} << 48;  // no address of the processor
  for (int32_t i = 0; i < static_cast<int32_t>(machine.devices.size()); ++i)
    machine.contexts.push_back({i, 0});
  for (auto& context : machine.contexts)
    machine.streams.emplace_back(new StreamHandle{&context, {}, {}, false, false});
  fail_at(0);
}

Driver table() { return functions; }

void install() { runtime::cuda::process.driver = functions; }

void fail_at(int64_t call, Code code) {
  const Lock lock(machine.lock);
  machine.calls = 0;
  machine.fail_at = call;
  machine.fail_code = code;
  machine.failed.clear();
  machine.counts.clear();
}

int64_t calls_since() { return machine.calls; }
std::string failed_function() { return machine.failed; }
int64_t count(const std::string& function) { return machine.counts[function]; }

Live live() {
  const Lock lock(machine.lock);
  int64_t contexts = 0;
  for (const auto& context : machine.contexts) contexts += context.retained;
  int64_t pending = 0;
  for (const auto& stream : machine.streams) pending += static_cast<int64_t>(stream->work.size());
  const auto size = [](const auto& set) { return static_cast<int64_t>(set.size()); };
  return {size(machine.memory),
          size(machine.modules),
          size(machine.graphs),
          size(machine.executions),
          contexts,
          size(stack),
          pending};
}

std::vector<std::string> complaints() {
  const Lock lock(machine.lock);
  return machine.complaints;
}

void complain(std::string text) {
  const Lock lock(machine.lock);
  machine.complaints.push_back(std::move(text));
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
