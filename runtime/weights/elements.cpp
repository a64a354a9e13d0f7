#include "runtime/weights/elements.h"

#include <string.h>

#include "runtime/support/arithmetic.h"
#include "runtime/support/float16.h"
#include "runtime/support/text.h"

namespace runtime {
namespace {

constexpr int64_t chunk_elements = 2048;
constexpr int64_t largest_element = 8;

bool is_floating(int32_t type) { return type >= f16 && type <= f64; }

template <typename T>
T load_as(const char* from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}

/// Every floating-point number of the language is a double.
double widened(const char* from, int32_t type) {
  if (type == f16) return float16_to_float(load_as<uint16_t>(from));
  if (type == bf16) return bfloat16_to_float(load_as<uint16_t>(from));
  return type == f32 ? load_as<float>(from) : load_as<double>(from);
}

void store_rounded(double value, int32_t type, char* to) {
  if (type == f16 || type == bf16) {
    const uint16_t bits = type == f16 ? double_to_float16(value) : double_to_bfloat16(value);
    memcpy(to, &bits, sizeof bits);
  } else if (type == f32) {
    const auto rounded = static_cast<float>(value);
    memcpy(to, &rounded, sizeof rounded);
  } else {
    memcpy(to, &value, sizeof value);
  }
}

/// Finds where in memory the element is that a file has at a position.
class Places {
 public:
  explicit Places(const Stored& stored) : transposed_(stored.transposed) {
    if (!transposed_) return;
    const int32_t rank = stored.tensor.rank;
    rows_ = stored.tensor.extents[rank - 2].constant;
    columns_ = stored.tensor.extents[rank - 1].constant;
  }

  int64_t operator()(int64_t in_file) const {
    if (!transposed_) return in_file;
    const int64_t matrix = rows_ * columns_, within = in_file % matrix;
    return in_file - within + within % rows_ * columns_ + within / rows_;
  }

 private:
  bool transposed_;
  int64_t rows_ = 0, columns_ = 0;
};

}  // namespace

Stored stored(const Store& store, int64_t index) {
  const Tensor& tensor = store.tensors[index];
  if (!store.in_file) return {tensor, tensor.name, false};
  const InFile& in_file = store.in_file[index];
  return {tensor, in_file.name, in_file.transposed != 0};
}

int64_t Stored::extent(int32_t axis) const {
  if (transposed && axis >= tensor.rank - 2) axis = 2 * tensor.rank - 3 - axis;
  return tensor.extents[axis].constant;
}

int64_t Stored::count() const {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) count *= tensor.extents[axis].constant;
  return count;
}

bool converts(int32_t from, int32_t to) { return from == to || (is_floating(from) && is_floating(to)); }

int read_elements(const File& file, size_t offset, int32_t type, const Stored& to, char* memory) {
  const int64_t count = to.count();
  const auto size = static_cast<size_t>(size_of(type));
  const auto size_in_memory = static_cast<size_t>(size_of(to.tensor.type));
  if (type == to.tensor.type && !to.transposed)
    return read_at(file, memory, static_cast<size_t>(count) * size, offset);
  const DefaultArithmetic arithmetic;
  const Places places(to);
  char chunk[chunk_elements * largest_element];
  for (int64_t first = 0; first < count; first += chunk_elements) {
    const int64_t number = count - first < chunk_elements ? count - first : chunk_elements;
    const size_t begin = offset + static_cast<size_t>(first) * size;
    if (const int status = read_at(file, chunk, static_cast<size_t>(number) * size, begin)) return status;
    for (int64_t i = 0; i < number; ++i) {
      const char* element = chunk + static_cast<size_t>(i) * size;
      char* place = memory + static_cast<size_t>(places(first + i)) * size_in_memory;
      if (type == to.tensor.type)
        memcpy(place, element, size);
      else
        store_rounded(widened(element, type), to.tensor.type, place);
    }
  }
  return 0;
}

int append_elements(const File& file, const Stored& from, const char* memory) {
  const int64_t count = from.count();
  const auto size = static_cast<size_t>(size_of(from.tensor.type));
  if (!from.transposed) return append(file, memory, static_cast<size_t>(count) * size);
  const Places places(from);
  char chunk[chunk_elements * largest_element];
  for (int64_t first = 0; first < count; first += chunk_elements) {
    const int64_t number = count - first < chunk_elements ? count - first : chunk_elements;
    for (int64_t i = 0; i < number; ++i)
      memcpy(chunk + static_cast<size_t>(i) * size, memory + static_cast<size_t>(places(first + i)) * size,
             size);
    if (const int status = append(file, chunk, static_cast<size_t>(number) * size)) return status;
  }
  return 0;
}

}  // namespace runtime
