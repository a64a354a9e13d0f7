/// The driver of NVIDIA's GPUs, libcuda.so.1. Its functions form one table that is filled at run time, so an
/// object runs without it. Types and numbers are those of the driver's manual.
#pragma once

#include "runtime/support/text.h"

namespace runtime::cuda {

using Code = int32_t;  ///< CUresult: 0 is success
constexpr Code out_of_memory = 2, no_device = 100;

/// An address in the device's memory.
using Address = uint64_t;
using DeviceHandle = int32_t;
using Context = struct ContextHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;
using Stream = struct StreamHandle*;  ///< null: the default stream
using Graph = struct GraphHandle*;
using GraphNode = struct GraphNodeHandle*;
using GraphExecution = struct GraphExecutionHandle*;

enum DeviceAttribute : int32_t {
  compute_capability_major = 75,
  compute_capability_minor = 76,
  shared_memory_limit = 97,  ///< bytes of a block, for kernels that ask for it
};
enum FunctionAttribute : int32_t { dynamic_shared_memory = 8 };
enum PointerAttribute : int32_t { memory_type = 2, is_managed = 8, device_ordinal = 9 };
enum MemoryType : uint32_t { unregistered_memory = 0, host_memory = 1, device_memory = 2 };
enum LoadOption : int32_t { error_log = 5, error_log_size = 6 };
constexpr int32_t stream_not_capturing = 0;

/// A grid within a graph.
struct KernelNode {
  Function function;
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared;
  void** parameters;
  void** extra;
};

/// A number that kernels of a graph set and by which a conditional node decides.
using ConditionalHandle = uint64_t;
constexpr int32_t conditional_node = 13;

/// The parameters of a conditional node, CUgraphNodeParams.
struct ConditionalNode {
  int32_t type;  ///< conditional_node
  int32_t reserved0[3];
  ConditionalHandle handle;
  int32_t kind;   ///< tel_conditional
  unsigned size;  ///< the number of bodies
  Graph* bodies;  ///< the driver's array of the bodies, which it sets
  Context context;
  int64_t reserved1[25];
  int64_t reserved2;
};
static_assert(sizeof(ConditionalNode) == 256);

/// The driver's functions, under their names in the manual.
struct Driver {
#define TEL_DRIVER(name, symbol, ...) Code (*name)(__VA_ARGS__);
#include "runtime/cuda/driver.def"
#undef TEL_DRIVER
};

/// The oldest version of the driver that has all functions of the table but the optional ones, in the form of
/// `cuDriverGetVersion`.
constexpr int32_t min_version = 11040;

/// Writes the version as text: 12040 is `CUDA 12.4`.
void write_version(Text& text, int64_t version);

/// Initialises a driver whose table is filled. Returns TEL_DEVICE if it is too old or finds no device.
int32_t start_driver(const Driver& driver, tel_error* error, const char* where);

/// Fills the table from libcuda.so.1 and starts the driver; `library` is for dlclose. Returns TEL_DEVICE if
/// there is no such library. A driver that is too old or has no devices is closed again.
int32_t open_driver(Driver& driver, void*& library, tel_error* error, const char* where);

/// Calls the driver on behalf of one function of the runtime. `calls(&Driver::cuInit, 0u)` returns a status;
/// if it is not TEL_OK, the text says which function failed and with which code.
class Calls {
 public:
  /// Messages begin with `where`, followed by the number of the device if there is one.
  Calls(const Driver& driver, tel_error* error, const char* where, int32_t ordinal = no_ordinal)
      : driver_(driver), error_(error), where_(where), ordinal_(ordinal) {}

  template <typename... Parameters, typename... Arguments>
  int32_t operator()(Code (*Driver::*function)(Parameters...), Arguments... arguments) const {
    return about(nullptr, function, arguments...);
  }
  /// Calls the function and reports a failure with `what`, such as a kernel's name, in the text.
  template <typename... Parameters, typename... Arguments>
  int32_t about(const char* what, Code (*Driver::*function)(Parameters...), Arguments... arguments) const {
    return result((driver_.*function)(arguments...), function, what);
  }
  /// Converts the code that a function returned to a status; `note` ends the text.
  template <typename... Parameters>
  int32_t result(Code code, Code (*Driver::*function)(Parameters...), const char* what = nullptr,
                 const char* note = nullptr) const {
    return code == 0 ? static_cast<int32_t>(TEL_OK) : failed(code, &(driver_.*function), what, note);
  }
  int32_t allocate(Address& memory, int64_t bytes) const;
  /// Runs `work`, which returns a status, with `context` as the thread's context, and restores the previous
  /// context.
  template <typename Work>
  int32_t within(Context context, Work work) const {
    if (const int32_t status = (*this)(&Driver::cuCtxPushCurrent, context)) return status;
    const int32_t status = work();
    const Code code = driver_.cuCtxPopCurrent(&context);
    return status != TEL_OK ? status : result(code, &Driver::cuCtxPopCurrent);
  }

  const Driver& driver() const { return driver_; }
  int32_t ordinal() const { return ordinal_; }
  Failure fail(tel_status status) const;
  /// Writes the code's name and meaning: `CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid)`.
  void write_code(Text& text, Code code) const;
  /// Reports that the processor's memory is exhausted, and returns the status.
  int32_t no_memory() const;

 private:
  static constexpr int32_t no_ordinal = INT32_MIN;

  int32_t failed(Code code, const void* member, const char* what, const char* note) const;

  const Driver& driver_;
  tel_error* error_;
  const char* where_;
  int32_t ordinal_;
};

}  // namespace runtime::cuda
