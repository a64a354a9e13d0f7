#pragma once

#include "runtime/support/text.h"

/// Reads the header of a safetensors file. The file begins with the header's length in 8 bytes,
/// little-endian, then the header `{"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}`
/// as JSON, then the elements of all tensors without gaps. docs/header.md states all rules.
/// dlvm/io/safetensors.cpp follows the same rules: both read the files of tests/support/safetensors_files.h.
namespace runtime {

inline constexpr size_t length_bytes = 8;
inline constexpr size_t largest_header = 100'000'000;  ///< the format's own limit

/// The stores that a file may hold: parameters, constants, state.
inline constexpr int store_count = 3;

/// The `owner` of a tensor that belongs to no store of the module.
constexpr int32_t no_owner = -1;

/// One tensor of a file. Names are part of the header's text and are decoded in place.
struct Listed {
  char* name;  ///< ends in NUL
  size_t name_bytes;
  int32_t type;  ///< ElementType; -1: one that the language does not have
  int32_t owner = no_owner;
  const char* dtype;  ///< as in the file
  size_t dtype_bytes;
  const char* shape;    ///< its list in the header's text
  uint64_t begin, end;  ///< the range in the data
};

/// The tensors of a file.
struct Listing {
  Listed* tensors = nullptr;  ///< allocated with malloc
  size_t count = 0;
};

/// Reads the header's JSON, `text` of `bytes` bytes, for a file with `data` bytes of elements. It changes the
/// text, because names are decoded in place. On failure it returns TEL_FORMAT with the reason in `why`, or
/// TEL_MEMORY, and nothing is allocated. On success the tensors are sorted by name, names are unique, and the
/// ranges lie in the data without gap or overlap, each as long as its shape and type require.
tel_status read_header(char* text, size_t bytes, uint64_t data, Listing& listing, Text& why);

/// Returns the tensor of that name, or null.
Listed* find(const Listing& listing, const char* name);

/// Returns the next extent of a shape, or -1 at its end.
int64_t next_extent(const char*& shape);

/// Returns the format's name of an element type, such as `F32`.
const char* dtype_of(int32_t element_type);

}  // namespace runtime
