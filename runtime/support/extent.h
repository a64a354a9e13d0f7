#pragma once

#include "runtime/abi.h"

namespace runtime {

/// One operation of an extent's program.
struct ExtentStep {
  int64_t operation;  ///< ExtentOperation
  int64_t operand;    ///< the operand of extent_constant and extent_dimension; 0 for the others
};

/// Reads an extent's program. All code that needs its operations reads it by this class.
class ExtentReader {
 public:
  explicit ExtentReader(const Extent& extent) : word_(extent.code) {}
  /// Sets `step` to the next operation. Returns false at the end, and at once if the extent is a constant.
  bool next(ExtentStep& step);

 private:
  const int64_t* word_;
};

/// Sets `value` to the extent's value under `dims`. Returns false if it or an intermediate value exceeds 64
/// bits.
bool evaluate(const Extent& extent, const int64_t* dims, int64_t& value);

/// Returns whether the extent depends on that dimension.
bool mentions(const Extent& extent, int64_t dimension);

/// Adds `bytes`, rounded up to the buffers' alignment, to `total`. Returns false if the sum exceeds 64 bits.
bool add_aligned(int64_t& total, int64_t bytes);

}  // namespace runtime
