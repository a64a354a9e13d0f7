#pragma once

#include "runtime/support/text.h"

/// The header of a safetensors file: `{"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
/// …}` as JSON, its length before it in 8 bytes, little end first; then the elements of all tensors, without
/// gaps. docs/header.md has all rules, which are those of dlvm/interpret/safetensors.cpp, too: the files of
/// tests/support/safetensors_files.h are read by both.
namespace runtime {

inline constexpr size_t length_bytes = 8;
inline constexpr size_t largest_header = 100'000'000;  ///< the format's own limit

constexpr int32_t no_owner = -1;

/// One tensor of a file. Names lie in the header's text, decoded in place.
struct Listed {
  char* name;  ///< ends in NUL
  size_t name_bytes;
  int32_t type;  ///< ElementType; -1: one that the language does not have
  int32_t owner = no_owner;
  const char* dtype;  ///< as in the file
  size_t dtype_bytes;
  const char* shape;    ///< its list in the header's text
  uint64_t begin, end;  ///< in the data
};

struct Listing {
  Listed* tensors = nullptr;  ///< of malloc
  size_t count = 0;
};

/// Reads the header's JSON, `text` of `bytes` bytes (it is changed: names are decoded in place), of a file
/// with `data` bytes of elements. TEL_FORMAT where something is wrong, with what it is in `why`, or
/// TEL_MEMORY; then nothing is allocated. On success the tensors are sorted by name, names are unique, and
/// the ranges lie in the data without gap or overlap, each as long as its shape and type say.
tel_status read_header(char* text, size_t bytes, uint64_t data, Listing& listing, Text& why);

/// The tensor of that name, or null.
Listed* find(const Listing& listing, const char* name);

/// Steps through a shape: the next extent, or -1 at its end.
int64_t next_extent(const char*& shape);

/// The format's name of an element type: `F32`.
const char* dtype_of(int32_t element_type);

}  // namespace runtime
