#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "tests/runtime/cuda/stand_in.h"

/// The stand-in driver's own: its state, and what its functions share. They have the names of driver.def, and
/// the symbols of the library.
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
  std::vector<stand_in::Kernel> kernels;
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
  Function function = nullptr;  ///< null: a conditional node
  Graph bodies[2] = {};
  ConditionalHandle condition = 0;
  bool is_loop = false;
};
struct GraphHandle {
  std::vector<GraphNode> nodes;
  Graph around = nullptr;  ///< of a body
  int64_t executions = 0;
};
struct GraphExecutionHandle {
  Graph graph;
  std::map<GraphNode, std::function<void()>> work;  ///< of the nodes that are in no body
};
}  // namespace runtime::cuda

namespace stand_in {

constexpr Code invalid_value = 1, invalid_image = 200, invalid_context = 201, unsupported_version = 222,
               invalid_handle = 400, not_found = 500, launch_failed = 719, not_supported = 801,
               capture_unsupported = 900;
constexpr int64_t default_shared = 48 << 10;

struct Allocation {
  int32_t ordinal;
  std::vector<unsigned char> bytes;
};

/// A handle of conditional nodes.
struct Condition {
  Graph graph;  ///< that it was made for
  Context context;
  GraphNode node = nullptr;
  std::optional<uint32_t> value = {};  ///< in the launch under way
  bool is_running = false;
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
  std::vector<std::unique_ptr<GraphHandle>> bodies;
  std::map<ConditionalHandle, Condition> conditions;
  ConditionalHandle next_condition = 0x1000;
  bool refuses_control = false;
  std::vector<std::string> complaints;
  std::map<std::string, int64_t> counts;
  std::string failed, fail_in;
  int64_t calls = 0, fail_at = 0;
  Code fail_code = 0, sticky = 0;
  Address next = 0;
  bool started = false;
  int32_t version = 12040;
  ImageReader read_image = nullptr;
};

inline Machine machine;  // there before what is behind it in any file

/// How many functions of the stand-in are under way, for programs that count their own allocations.
extern "C" int stand_in_inside;

class Lock {
 public:
  explicit Lock(std::recursive_mutex& mutex) : guard_(mutex) { ++stand_in_inside; }
  ~Lock() { --stand_in_inside; }
  Lock(const Lock&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> guard_;
};

/// Counts a call; the code with which it is to fail, or 0.
Code enter(const char* function);

/// The thread's context, or null.
Context current();

/// `stream`'s own, or the default one of the current context.
StreamHandle* resolve(Stream stream);

/// Does the work of a stream, of all streams.
void drain(StreamHandle& stream);
void drain_all();

/// Puts work into a stream, or into what is captured of it. Memory of the processor cannot be captured.
Code append(Stream handle, std::function<void()> work, bool capturable = true);

/// What cudaGraphSetConditional does.
void set_condition(ConditionalHandle handle, uint32_t value);

/// The runtime's kernel that sets conditions.
Kernel control_kernel();
/// Whether an image is the PTX of that kernel, and the driver takes it.
bool is_control(const void* image);

/// A grid with a copy of its parameters.
Code make_grid(Function function, int64_t blocks, int64_t threads, int64_t shared, void** parameters,
               std::function<void()>& work);

extern "C" {
#define TEL_DRIVER(name, symbol, ...) Code name(__VA_ARGS__) __asm__(symbol);
#include "runtime/cuda/driver.def"
#undef TEL_DRIVER
}

// A function of the driver takes the lock, and counts itself.
#define BEGIN(name)              \
  const Lock lock(machine.lock); \
  if (const Code code = enter(#name)) return code

}  // namespace stand_in
