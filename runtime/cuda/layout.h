/// Where everything lies in the device's memory during a call. The workspace holds, in this order: the
/// IndexRecord and behind it the results that are scalars; the block of words (abi.h); scalars that the
/// kernels read; then, each aligned, outputs left to the workspace, slots, derivatives to be added, and
/// copies of what lies in the processor's memory.
#pragma once

#include "runtime/call/call.h"
#include "runtime/cuda/code.h"

namespace runtime::cuda {

enum class Place : uint8_t {
  direct,     ///< the caller's pointer is one into the device's memory, or null
  copied,     ///< the caller's memory is the processor's: the workspace has a copy
  workspace,  ///< an output that the caller leaves to the workspace
};

/// Where the caller's pointers lead.
struct Places {
  Place* fields;  ///< of every field; of those by value unspecified
  Place parameters, constants, gradients;
};

/// Addresses during a call; the arrays are the caller's.
struct Layout {
  int64_t size;  ///< of the workspace, a multiple of 64
  Address record, words, seed, derivatives;
  Address parameters, constants, gradients;
  Address* fields;  ///< of every field
  Address* slots;   ///< of the program
  int64_t scalar_results;
  int64_t block_words;  ///< from the record on, all that `fill_block` writes
};

/// Fills `layout` for a workspace at `base`. False where 64 bits do not hold the size. Reads pointers of
/// fields and stores that are `direct` alone.
bool lay_out(const Call& call, const DeviceProgram& program, const Places& places, Address base,
             Layout& layout);

/// The first words of the workspace as they are before the first grid: `layout.block_words` of them.
void fill_block(const Call& call, const Ready& ready, const Layout& layout, int64_t* block);

constexpr int64_t record_words = sizeof(IndexRecord) / sizeof(int64_t);

}  // namespace runtime::cuda
