#include "runtime/weights/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/support/text.h"
#include "runtime/weights/json.h"

namespace runtime {
namespace {

/// In the order of ElementType.
constexpr const char* dtypes[] = {"BOOL", "I8",  "I16", "I32",  "I64", "U8", "U16",
                                  "U32",  "U64", "F16", "BF16", "F32", "F64"};

bool equals(const char* text, size_t bytes, const char* word) {
  return strlen(word) == bytes && memcmp(text, word, bytes) == 0;
}

int32_t type_of(const char* text, size_t bytes) {
  for (int32_t type = 0; type <= f64; ++type)
    if (equals(text, bytes, dtypes[type])) return type;
  return -1;
}

/// The number of elements; false where 64 bits do not hold it or it is no list of numbers.
bool read_shape(Json& json, Listed& listed, uint64_t& elements) {
  if (!json.expect('[')) return false;
  listed.shape = json.position();
  elements = 1;
  bool overflow = false, empty = false;
  if (!json.accept(']')) {
    do {
      uint64_t extent;
      if (!json.natural(extent)) return false;
      empty |= extent == 0;
      overflow |= extent > INT64_MAX || __builtin_mul_overflow(elements, extent, &elements);
    } while (json.accept(','));
    if (!json.expect(']')) return false;
  }
  if (empty) elements = 0;
  return empty || !overflow;
}

bool read_offsets(Json& json, Listed& listed) {
  return json.expect('[') && json.natural(listed.begin) && json.expect(',') && json.natural(listed.end) &&
         json.expect(']');
}

constexpr const char* malformed = "its header is not that of a safetensors file";

/// The object that describes one tensor.
const char* read_tensor(Json& json, Listed& listed) {
  bool has_type = false, has_shape = false, has_offsets = false;
  uint64_t elements = 0;
  if (!json.expect('{')) return json.error();
  do {
    char* key;
    size_t bytes;
    if (!json.string(key, bytes) || !json.expect(':')) return json.error();
    bool good;
    if (equals(key, bytes, "dtype") && !has_type) {
      has_type = good = json.string(key, bytes);
      if (good) listed.type = type_of(key, bytes);
    } else if (equals(key, bytes, "shape") && !has_shape) {
      has_shape = good = read_shape(json, listed, elements);
    } else if (equals(key, bytes, "data_offsets") && !has_offsets) {
      has_offsets = good = read_offsets(json, listed);
    } else {
      good = false;
    }
    if (!good) return json.error() ? json.error() : malformed;
  } while (json.accept(','));
  if (!json.expect('}')) return json.error();
  if (!has_type || !has_shape || !has_offsets || listed.begin > listed.end) return malformed;
  uint64_t size;
  if (listed.type >= 0 &&
      (__builtin_mul_overflow(elements, static_cast<uint64_t>(size_of(listed.type)), &size) ||
       size != listed.end - listed.begin))
    return "a tensor's bytes do not fit its shape";
  return nullptr;
}

/// Room for one more; doubles.
Listed* grow(Listing& listing, size_t& capacity) {
  if (listing.count == capacity) {
    const size_t wanted = capacity ? capacity * 2 : 64;
    auto* larger = static_cast<Listed*>(realloc(listing.tensors, wanted * sizeof(Listed)));
    if (!larger) return nullptr;
    listing.tensors = larger;
    capacity = wanted;
  }
  return &listing.tensors[listing.count];
}

const char* read_tensors(Json& json, Listing& listing) {
  size_t capacity = 0;
  if (!json.expect('{')) return json.error();
  if (json.accept('}')) return nullptr;
  do {
    char* name;
    size_t bytes;
    if (!json.string(name, bytes) || !json.expect(':')) return json.error();
    if (equals(name, bytes, "__metadata__")) {
      if (!json.skip()) return json.error();
      continue;
    }
    Listed* next = grow(listing, capacity);
    if (!next) return "there is no memory for its header";
    *next = {name, bytes, -1, nullptr, 0, 0};
    if (const char* error = read_tensor(json, *next)) return error;
    ++listing.count;
  } while (json.accept(','));
  return json.expect('}') && json.finish() ? nullptr : json.error();
}

int compare(const char* a, size_t a_bytes, const char* b, size_t b_bytes) {
  const int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);
  return order ? order : a_bytes < b_bytes ? -1 : a_bytes > b_bytes;
}

int by_name(const void* a, const void* b) {
  const auto& left = *static_cast<const Listed*>(a);
  const auto& right = *static_cast<const Listed*>(b);
  return compare(left.name, left.name_bytes, right.name, right.name_bytes);
}

int by_place(const void* a, const void* b) {
  const auto& left = *static_cast<const Listed*>(a);
  const auto& right = *static_cast<const Listed*>(b);
  if (left.begin != right.begin) return left.begin < right.begin ? -1 : 1;
  return left.end < right.end ? -1 : left.end > right.end;
}

const char* check_listing(Listing& listing, uint64_t data) {
  if (listing.count == 0) return data == 0 ? nullptr : "its tensors do not cover it";
  qsort(listing.tensors, listing.count, sizeof(Listed), by_place);
  uint64_t end = 0;
  for (size_t i = 0; i < listing.count; ++i) {
    if (listing.tensors[i].begin != end) return "its tensors overlap or leave gaps";
    end = listing.tensors[i].end;
  }
  if (end > data) return "it ends early";
  if (end < data) return "its tensors do not cover it";
  qsort(listing.tensors, listing.count, sizeof(Listed), by_name);
  for (size_t i = 1; i < listing.count; ++i)
    if (by_name(&listing.tensors[i - 1], &listing.tensors[i]) == 0) return "it has two tensors of one name";
  return nullptr;
}

}  // namespace

const char* read_header(char* text, size_t bytes, uint64_t data, Listing& listing) {
  Json json(text, bytes);
  const char* error = read_tensors(json, listing);
  if (!error) error = check_listing(listing, data);
  if (error) {
    free(listing.tensors);
    listing = {};
  }
  return error;
}

const Listed* find(const Listing& listing, const char* name) {
  size_t low = 0, high = listing.count;
  const size_t bytes = strlen(name);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const Listed& listed = listing.tensors[middle];
    const int order = compare(listed.name, listed.name_bytes, name, bytes);
    if (order == 0) return &listed;
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  return nullptr;
}

int64_t next_extent(const char*& shape) {
  while (*shape != ']' && (*shape < '0' || *shape > '9')) ++shape;
  if (*shape == ']') return -1;
  uint64_t value = 0;
  while (*shape >= '0' && *shape <= '9') value = value * 10 + static_cast<uint64_t>(*shape++ - '0');
  return static_cast<int64_t>(value);
}

const char* dtype_of(int32_t element_type) { return dtypes[element_type]; }

}  // namespace runtime
