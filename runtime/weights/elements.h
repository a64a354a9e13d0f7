#pragma once

#include "runtime/abi.h"
#include "runtime/weights/file.h"

namespace runtime {

/// A tensor of a store, and how files have it.
struct Stored {
  const Tensor& tensor;
  const char* name;  ///< in files
  bool transposed;   ///< files have the last two axes in the other order
  /// Returns an extent as files have it.
  int64_t extent(int32_t axis) const;
  /// Returns the number of elements.
  int64_t count() const;
};
Stored stored(const Store& store, int64_t index);

/// Returns whether files may have elements of type `from` for a tensor of type `to`: those of the same type,
/// and floating-point numbers of any precision for each other.
bool converts(int32_t from, int32_t to);

/// Reads all elements of the tensor, which begin at `offset` of the file and have type `type` there. A
/// floating-point number of another type is rounded to the nearest, with ties to even; one that is too large
/// becomes an infinity. The functions return 0 or the system's error number.
int read_elements(const File& file, size_t offset, int32_t type, const Stored& to, char* memory);
/// Appends all elements of the tensor in its own type.
int append_elements(const File& file, const Stored& from, const char* memory);

}  // namespace runtime
