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

constexpr const char* other_form =
    "its header is not JSON of the form "
    "{\"NAME\": {\"dtype\": \"F32\", \"shape\": [2, 3], \"data_offsets\": [0, 24]}, ...}";

/// The reader of one header; `why` is written once.
struct Reader {
  Json json;
  Text& why;

  bool fail() {
    why << other_form;
    return false;
  }
  /// `tensor 'b' `, for the text to go on.
  Text& about(const Listed& listed) {
    constexpr size_t longest = 64;
    why << "tensor '";
    return why.quoted(listed.name, listed.name_bytes < longest ? listed.name_bytes : longest) << "' ";
  }
};

/// A list of numbers; calls `each` with every one.
template <typename Each>
bool read_list(Json& json, Each each) {
  if (!json.accept('[')) return false;
  if (json.accept(']')) return true;
  do {
    uint64_t number;
    if (!json.natural(number)) return false;
    each(number);
  } while (json.accept(','));
  return json.accept(']');
}

/// The shape of one tensor. `elements` is the product of the extents that are not 0, which 64 bits
/// must hold whatever their order.
struct Shape {
  uint64_t elements = 1;
  bool empty = false, overflow = false;

  void add(uint64_t extent) {
    empty |= extent == 0;
    overflow |= extent > 0 && __builtin_mul_overflow(elements, extent, &elements);
  }
  /// The elements' bytes; false where 63 bits do not hold them.
  bool bytes(int32_t type, uint64_t& bytes) {
    overflow |=
        __builtin_mul_overflow(elements, static_cast<uint64_t>(type < 0 ? 1 : size_of(type)), &bytes) ||
        bytes > INT64_MAX;
    if (empty) bytes = 0;
    return !overflow;
  }
};

bool check_tensor(Reader& reader, const Listed& listed, Shape shape) {
  if (listed.begin > listed.end) {
    reader.about(listed) << "ends before it begins";
    return false;
  }
  uint64_t bytes;
  if (!shape.bytes(listed.type, bytes)) {
    reader.about(listed) << "has a shape of more elements than 63 bits can count";
    return false;
  }
  if (listed.type < 0 || bytes == listed.end - listed.begin) return true;
  reader.about(listed) << "has " << static_cast<int64_t>(listed.end - listed.begin)
                       << " bytes of elements, but its type and shape need " << static_cast<int64_t>(bytes);
  return false;
}

/// The object that describes one tensor: three keys, each once.
bool read_tensor(Reader& reader, Listed& listed) {
  Json& json = reader.json;
  bool has_type = false, has_shape = false, has_offsets = false;
  Shape shape;
  if (!json.accept('{')) return reader.fail();
  do {
    char* key;
    size_t bytes;
    if (!json.string(key, bytes) || !json.accept(':')) return reader.fail();
    bool good = false;
    if (equals(key, bytes, "dtype") && !has_type) {
      has_type = good = json.string(key, bytes);
      listed.dtype = key;
      listed.dtype_bytes = bytes;
      if (good) listed.type = type_of(key, bytes);
    } else if (equals(key, bytes, "shape") && !has_shape) {
      listed.shape = json.position();
      has_shape = good = read_list(json, [&](uint64_t extent) { shape.add(extent); });
    } else if (equals(key, bytes, "data_offsets") && !has_offsets) {
      uint64_t offsets[2] = {}, count = 0;
      has_offsets = good =
          read_list(json, [&](uint64_t offset) { offsets[count++ & 1] = offset; }) && count == 2;
      listed.begin = offsets[0];
      listed.end = offsets[1];
    }
    if (!good) return reader.fail();
  } while (json.accept(','));
  if (!json.accept('}') || !has_type || !has_shape || !has_offsets) return reader.fail();
  return check_tensor(reader, listed, shape);
}

/// The object of strings that is nobody's business here.
bool read_metadata(Reader& reader) {
  Json& json = reader.json;
  if (!json.accept('{')) return reader.fail();
  if (json.accept('}')) return true;
  do {
    char* text;
    size_t bytes;
    if (!json.string(text, bytes) || !json.accept(':') || !json.string(text, bytes)) return reader.fail();
  } while (json.accept(','));
  return json.accept('}') || reader.fail();
}

/// Memory for one more; doubles.
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

tel_status read_tensors(Reader& reader, Listing& listing) {
  Json& json = reader.json;
  const auto fail = [&] { return reader.fail(), TEL_FORMAT; };
  size_t capacity = 0;
  bool has_metadata = false;
  const char* first = json.position();
  if (!json.accept('{') || json.position() != first + 1) return fail();
  if (json.accept('}')) return json.finish() ? TEL_OK : fail();
  do {
    char* name;
    size_t bytes;
    if (!json.string(name, bytes) || !json.accept(':')) return fail();
    if (equals(name, bytes, "__metadata__")) {
      if (has_metadata) return fail();
      if (!read_metadata(reader)) return TEL_FORMAT;
      has_metadata = true;
      continue;
    }
    name[bytes] = 0;
    Listed* next = grow(listing, capacity);
    if (!next) return TEL_MEMORY;
    *next = {name, bytes, -1, no_owner, nullptr, 0, nullptr, 0, 0};
    if (!read_tensor(reader, *next)) return TEL_FORMAT;
    ++listing.count;
  } while (json.accept(','));
  return json.accept('}') && json.finish() ? TEL_OK : fail();
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

bool check_places(Reader& reader, Listing& listing, uint64_t data) {
  if (listing.count > 0) qsort(listing.tensors, listing.count, sizeof(Listed), by_place);
  uint64_t end = 0;
  for (size_t i = 0; i < listing.count; ++i) {
    const Listed& listed = listing.tensors[i];
    if (listed.begin != end) {
      reader.about(listed) << "begins at byte " << static_cast<int64_t>(listed.begin) << ", expected "
                           << static_cast<int64_t>(end) << ": tensors neither overlap nor leave gaps";
      return false;
    }
    end = listed.end;
  }
  if (end == data) return true;
  reader.why << "its tensors have " << static_cast<int64_t>(end) << " bytes of elements, but the file has "
             << static_cast<int64_t>(data);
  return false;
}

bool check_names(Reader& reader, Listing& listing) {
  if (listing.count > 0) qsort(listing.tensors, listing.count, sizeof(Listed), by_name);
  for (size_t i = 1; i < listing.count; ++i)
    if (by_name(&listing.tensors[i - 1], &listing.tensors[i]) == 0) {
      reader.about(listing.tensors[i]) << "is there twice";
      return false;
    }
  return true;
}

}  // namespace

tel_status read_header(char* text, size_t bytes, uint64_t data, Listing& listing, Text& why) {
  Reader reader{Json(text, bytes), why};
  tel_status status = read_tensors(reader, listing);
  if (status == TEL_OK && (!check_names(reader, listing) || !check_places(reader, listing, data)))
    status = TEL_FORMAT;
  if (status == TEL_OK && listing.count > 0) qsort(listing.tensors, listing.count, sizeof(Listed), by_name);
  if (status != TEL_OK) {
    free(listing.tensors);
    listing = {};
  }
  return status;
}

Listed* find(const Listing& listing, const char* name) {
  size_t low = 0, high = listing.count;
  const size_t bytes = strlen(name);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    Listed& listed = listing.tensors[middle];
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
