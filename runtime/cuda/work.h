#pragma once

#include "runtime/cuda/places.h"

namespace runtime::cuda {

/// A call under way on a device whose context is the thread's.
struct Work {
  Call& call;
  const Calls& calls;
  Device& device;
  Stream stream;
  bool capturing;
  const Ready* ready;
  Places places;
  Layout layout;
};

/// Enqueues copies of everything that the device lacks before the first grid, and zeros where derivatives are
/// summed.
int32_t copy_in(const Work& work);

/// Writes the argument buffer and launches the grids, as a graph if the call `repeats` with the same
/// workspace. `block` must have space for a multiple of `argument_chunk_words` words.
int32_t launch(const Work& work, int64_t* block, bool repeats);

/// Enqueues the addition of derivatives if the options ask for it, and copies results back to the processor's
/// memory.
int32_t copy_out(const Work& work);

/// Waits for the stream and copies scalar results into the arguments. Returns TEL_INDEX if an index was
/// outside its range.
int32_t finish(const Work& work);

/// Returns TEL_EXTENT if a grid cannot have that many blocks.
int32_t check_grid(const Calls& calls, const char* name, int64_t blocks);
/// Sets the addresses of the parameters of a kernel of the table.
void fill_parameters(const Kernel& kernel, Address& argument_buffer, const int32_t* argument_slots,
                     void** parameters);
/// Returns a grid of blocks of `threads` threads without shared memory.
KernelNode simple_node(Function function, int64_t blocks, int64_t threads, void** parameters);
KernelNode grid_node(Function function, int64_t blocks, const Kernel& kernel, void** parameters);

/// Returns the number of grids that write the block, each of which writes `argument_chunk_words` words.
int64_t argument_grid_count(const Layout& layout);
/// One grid that writes a chunk of the block.
class ArgumentGrid {
 public:
  ArgumentGrid(const Work& work, int64_t* block, int64_t number);
  ArgumentGrid(const ArgumentGrid&) = delete;
  /// Returns the grid as a graph node, which is valid as long as this object is.
  KernelNode node();

 private:
  Function function_;
  Address to_;
  int32_t count_;
  void* parameters_[3];
};

}  // namespace runtime::cuda

extern "C" {

/// Implement the members of `Devices` for GPUs.
int32_t tel_cuda_call(runtime::Call& call);
int32_t tel_cuda_wait(runtime::Call& call);
int32_t tel_cuda_combine(const runtime::Combination& combination);
int32_t tel_cuda_workspace(const runtime::Call& call, bool every_output, int64_t& size);

}  // extern "C"
