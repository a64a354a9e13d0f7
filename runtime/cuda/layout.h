/// The layout of the workspace in the device's memory during a call. The workspace contains, in this order:
/// the IndexRecord, followed by the results that are scalars; the scalars that the kernels read; the argument
/// buffer (abi.h); then, each aligned to 64, outputs left to the workspace, workspace slots, derivatives to
/// be added, next values of states and parameters, and copies of tensors that the kernels cannot use in
/// place.
#pragma once

#include "runtime/call/call.h"
#include "runtime/cuda/code.h"

namespace runtime::cuda {

/// The place of a field's tensor, or of a store, during a call.
enum class Place : uint8_t {
  direct,     ///< the caller's pointer is one into the device's memory, or null
  empty,      ///< it has no elements; the kernels get a null pointer
  copied,     ///< the caller's memory is the processor's: the workspace has a copy
  moved,      ///< it is the device's, but not aligned as kernels need it, so it is copied
  workspace,  ///< an output that the caller leaves to the workspace
};

/// The alignment of every address in the argument buffer.
constexpr Address address_alignment = 16;

/// The kinds of memory that the caller's pointers refer to.
struct Places {
  Place* fields;  ///< one for each field; unspecified for fields by value
  Place parameters, constants, state, gradients;
};

/// Addresses during a call; the arrays are the caller's.
struct Layout {
  int64_t size;  ///< the size of the workspace, a multiple of 64
  Address record, dimensions, seed, argument_buffer, derivatives, next_values;
  Address parameters, constants, state, gradients;
  Address* fields;       ///< one for each field
  Address* slots;        ///< the slots of the program
  int64_t result_words;  ///< the record and the results behind it
  int64_t block_words;   ///< all that `fill_block` writes, from the record on
};

/// Fills `layout` for a workspace at `base`. Returns false if the size exceeds 64 bits. It reads only those
/// pointers of fields and stores that are `direct`.
bool lay_out(const Call& call, const DeviceProgram& program, const Places& places, Address base,
             Layout& layout);

/// Writes the first `layout.block_words` words of the workspace, as they are before the first grid, to
/// `block`.
void fill_block(const Call& call, const Ready& ready, const Layout& layout, int64_t* block);

/// Returns the bytes of the result of that number if it is the next value of a state or a parameter, and else
/// 0. From `Layout::next_values` on, the workspace has these in their order, each aligned to 64.
int64_t size_of_next_value(const Entry& entry, int64_t number);

/// The number of words that the IndexRecord takes.
constexpr int64_t record_words = sizeof(IndexRecord) / sizeof(int64_t);
/// The number of words that a scalar takes. Every scalar is aligned as other addresses are.
constexpr int64_t scalar_words = address_alignment / sizeof(int64_t);

}  // namespace runtime::cuda
