#pragma once

#include "runtime/abi.h"

namespace runtime {

/// One operation of an extent's program.
struct ExtentStep {
  int64_t operation;  ///< ExtentOperation
  int64_t operand;    ///< of extent_constant and extent_dimension; 0 for the others
};

/// Reads an extent's program. Whoever wants to know what is in one reads it with this class alone.
class ExtentReader {
 public:
  explicit ExtentReader(const Extent& extent) : word_(extent.code) {}
  /// The next operation; false at the end, and at once where the extent is a constant.
  bool next(ExtentStep& step);

 private:
  const int64_t* word_;
};

/// The extent's value under `dims`. False where 64 bits do not hold it or a value on the way.
bool evaluate(const Extent& extent, const int64_t* dims, int64_t& value);

/// Whether the value of that dimension is part of the extent.
bool mentions(const Extent& extent, int64_t dimension);

/// `bytes` rounded up to the buffers' alignment and added to `total`; false where 64 bits do not hold it.
bool add_aligned(int64_t& total, int64_t bytes);

}  // namespace runtime
