#pragma once

#include "runtime/support/text.h"

namespace runtime {

/// One call under way: the tables, the caller's struct, and the values of the dimensions, which are on the
/// stack.
struct Call {
  const Entry& entry;
  char* arguments;
  tel_error* error;
  int64_t* dims;
  tel_options options;
  tel_execution execution;
  int64_t cores = 1;                        ///< how many compute the call
  const ProcessorCode* code = &entry.code;  ///< by which the processor computes it

  Failure fail(tel_status status) const { return Failure(error, status, entry.name); }
  template <typename T>
  T& member(int64_t offset) const {
    return *reinterpret_cast<T*>(arguments + offset);
  }
};

/// Returns whether the execution is by code for GPUs.
inline bool is_on_device(const tel_execution& execution) {
  return execution.kind == TEL_CUDA || execution.kind == TEL_EMULATOR;
}

/// Copies a caller's options (null means the defaults) and their execution into the call. Returns false if
/// this object does not know one of them.
bool copy_options(Call& call, const tel_options* options);

/// Copies a caller's execution (null means serial). Returns false if this object does not know it.
bool copy_execution(tel_execution& to, const tel_execution* from);

/// The arguments of one tel_combine under way.
struct Combination {
  const Store& store;
  const Devices* devices;
  void* to;
  double a;
  const void* from;
  double b;
  tel_execution execution;
  tel_error* error;
};

/// The steps of every call, in order. Each returns a status and, if it is not TEL_OK, has written the text.
int32_t check_struct(Call& call);  ///< the struct's size; copies the options
/// Checks that the object has code for the device.
int32_t check_execution(const Call& call);
/// Checks that every input has a pointer, also an input without elements.
int32_t check_set(const Call& call);
int32_t bind_dimensions(Call& call);        ///< sets `dims` from the inputs' extents
int32_t check_inputs(const Call& call);     ///< extents, pointers, sizes
int32_t check_outputs(const Call& call);    ///< sets the extents of outputs that are null, checks the others
int32_t check_relations(const Call& call);  ///< checks the relations of the entry's table
int32_t check_stores(const Call& call);     ///< pointers of parameters, constants, state, gradients
/// Checks that outputs overlap nothing else, and that what the call reads is not where it writes: in the
/// workspace, of which it uses so many bytes, or in the gradients.
int32_t check_overlap(const Call& call, int64_t workspace_size);

/// Returns the extent of an axis that the caller gives for a field whose extents are not all constant.
int64_t extent_given(const Call& call, const Field& field, int64_t axis);

/// Writes `before`, then the dimensions that the extents use: `N = 32 (axis 0 of 'x'), M = 5`.
void list_dimensions(Text& text, const char* before, const Call& call, const Extent& a, const Extent& b = {});

/// Returns whether the caller leaves this output to the workspace: its pointer is null, or still points into
/// the workspace from an earlier call with the same struct.
bool in_workspace(const Call& call, const Field& output);

/// Sets `bytes` to the size of the tensor's elements. Returns false if it is over 2^47 or an extent is
/// negative.
bool bytes_of(const Tensor& tensor, const int64_t* dims, int64_t& bytes);

/// The locations of arguments, results and slots during a call.
struct Placement {
  int64_t slot_count;  ///< the slots of the compute function, or of the DeviceProgram
  const Slot* slots;
  char* workspace;    ///< null: only the size is wanted
  int64_t size;       ///< the bytes taken so far, a multiple of 64
  void** buffers;     ///< the arguments, results and slots, in order; null if only the size is wanted
  bool every_output;  ///< counts every output as if it were null
};

/// The bytes between the parts of an emulator's workspace, by which it finds accesses beyond a part.
inline constexpr int64_t emulator_gap = buffer_alignment;

/// Takes workspace for null outputs, slots, derivatives to be added and next values, in this order,
/// and fills in all buffers. Returns false if the size exceeds 64 bits. `arguments` may be null if
/// `every_output` is set.
bool place(const Call& call, const uint64_t& seed, Placement& placement);

/// Sets `bytes` to the size of a slot, for one core. Returns false if it exceeds 64 bits.
bool bytes_of(const Slot& slot, const int64_t* dims, int64_t& bytes);

/// Sets `size` to the workspace that the call's execution needs; on a device, that of whichever program is
/// taken. Returns false if it exceeds 64 bits.
bool measure_workspace(const Call& call, bool every_output, int64_t& size);

/// Checks that the caller's workspace has that many bytes and is aligned. Returns a status.
int32_t check_workspace(const Call& call, int64_t needed);

/// Reports that the size of the workspace exceeds 64 bits, and returns the status.
int32_t size_failure(const Call& call);

/// Adds the derivatives in the workspace (results of `buffers`) to the caller's gradients.
void add_gradients(const Call& call, void* const* buffers);

/// Copies the next values of states and parameters in the workspace (results of `buffers`) to the caller's
/// state and parameters.
void update_stores(const Call& call, void* const* buffers);

/// Reports `label[17] is 12, expected 0 to 9` as the call's error and returns its status. `site` counts from
/// 1.
int32_t index_failure(const Call& call, int64_t site, int64_t value, int64_t position);

}  // namespace runtime

/// Implements `Devices::choose`: sets the execution that the environment's TEL_DEVICE names
/// (choose.cpp lists the names), or serial if it is not set. Returns a status.
extern "C" int32_t tel_choose_device(runtime::Call& call);
