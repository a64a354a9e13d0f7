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

/// Puts into the stream what the device lacks before the first grid: copies, and zeros where derivatives are
/// to be added up.
int32_t copy_in(const Work& work);

/// Writes the words of the block, `block` having room for a multiple of `words_limit`, and launches the
/// grids: as a graph where the call `repeats`, with the same workspace.
int32_t launch(const Work& work, int64_t* block, bool repeats);

/// Adds derivatives where that is asked for, and copies what lies in the processor's memory back.
int32_t copy_out(const Work& work);

/// Waits for the stream; scalars into the arguments; TEL_INDEX where an index was outside its range.
int32_t finish(const Work& work);

/// TEL_EXTENT where a grid cannot have that many blocks.
int32_t check_grid(const Calls& calls, const char* name, int64_t blocks);
/// What a kernel of the table gets: where its parameters are.
void fill_parameters(const Kernel& kernel, Address& words, const int32_t* positions, void** parameters);
KernelNode grid_node(Function function, int64_t blocks, const Kernel& kernel, void** parameters);

/// The grids that write the block's words, `words_limit` at a time.
int64_t words_grids(const Layout& layout);
class WordsGrid {
 public:
  WordsGrid(const Work& work, int64_t* block, int64_t number);
  WordsGrid(const WordsGrid&) = delete;
  /// Valid as long as this is.
  KernelNode node();

 private:
  Function function_;
  Address to_;
  int32_t count_;
  void* parameters_[3];
};

}  // namespace runtime::cuda

extern "C" {

/// The members of `Devices` that are for GPUs.
int32_t tel_cuda_call(runtime::Call& call);
int32_t tel_cuda_wait(runtime::Call& call);
int32_t tel_cuda_combine(const runtime::Combination& combination);
int32_t tel_cuda_workspace(const runtime::Call& call, bool every_output, int64_t& size);

}  // extern "C"
