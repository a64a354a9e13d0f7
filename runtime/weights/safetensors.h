#pragma once

#include <stddef.h>
#include <stdint.h>

/// The header of a safetensors file: `{"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
/// …}` as JSON, its length before it in 8 bytes, little end first; then the elements of all tensors, without
/// gaps.
namespace runtime {

inline constexpr size_t length_bytes = 8;
inline constexpr size_t largest_header = 100u << 20;  ///< the format's own limit

/// One tensor of a file. The name lies in the header's text, decoded in place.
struct Listed {
  char* name;
  size_t name_bytes;
  int32_t type;         ///< ElementType; -1: one that the language does not have
  const char* shape;    ///< after its opening bracket, in the header's text
  uint64_t begin, end;  ///< in the data
};

struct Listing {
  Listed* tensors = nullptr;  ///< of malloc
  size_t count = 0;
};

/// Reads the header's JSON, `text` of `bytes` bytes (it is changed: names are decoded in place), of a file
/// with `data` bytes of elements. Gives null, or what is wrong; then nothing is allocated. On success the
/// tensors are sorted by name, names are unique, and the ranges lie in the data without gap or overlap, each
/// as long as its shape and type say.
const char* read_header(char* text, size_t bytes, uint64_t data, Listing& listing);

/// The tensor of that name, or null.
const Listed* find(const Listing& listing, const char* name);

/// Steps through a shape: the next extent, or -1 at its end.
int64_t next_extent(const char*& shape);

/// The format's name of an element type: `F32`.
const char* dtype_of(int32_t element_type);

}  // namespace runtime
