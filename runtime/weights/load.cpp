#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/entry.h"
#include "runtime/support/text.h"
#include "runtime/weights/file.h"
#include "runtime/weights/safetensors.h"

namespace runtime {
namespace {

/// One load under way.
struct Loading {
  const Store* stores[2];
  char* memory[2];  ///< null: this store's tensors are known but not read
  const char* path;
  bool partial;
  tel_error* error;

  File file;
  Listing listing;
  size_t data = 0;  ///< where the elements begin in the file

  Failure fail(tel_status status) {
    Failure failure(error, status, nullptr);
    failure.text() << "cannot load '" << path << "': ";
    return failure;
  }
  int32_t fail(int number) {
    Failure failure = fail(number == ENOMEM ? TEL_MEMORY : TEL_FILE);
    if (const char* text = reason(number)) {
      failure.text() << text;
    } else {
      failure.text() << "system error " << int64_t{number};
    }
    return failure;
  }
};

/// Lists mistakes in one text, and counts those that no longer fit.
class Mistakes {
 public:
  explicit Mistakes(Text& text) : text_(text) {}
  /// Null where the list is full.
  Text* next() {
    ++count_;
    if (text_.room() < 160) return ++left_out_, nullptr;
    if (count_ > 1) text_ << "; ";
    return &text_;
  }
  int64_t count() const { return count_; }
  void finish() {
    if (left_out_ > 0) text_ << "; and " << left_out_ << " more";
  }

 private:
  Text& text_;
  int64_t count_ = 0, left_out_ = 0;
};

void write_shape(Text& text, const char* shape) {
  text << '[';
  const char* before = "";
  int64_t axes = 0;
  for (int64_t extent; (extent = next_extent(shape)) >= 0 && ++axes < 12; before = " x ")
    text << before << extent;
  text << (axes == 12 ? " x ...]" : "]");
}

bool fits(const Listed& listed, const Tensor& tensor) {
  const char* shape = listed.shape;
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    if (next_extent(shape) != tensor.extents[axis].constant) return false;
  return listed.type == tensor.type && next_extent(shape) < 0;
}

void report_wrong(Text& text, const Listed& listed, const Tensor& tensor) {
  text << "'" << tensor.name << "' is " << (listed.type < 0 ? "of another type" : name_of(listed.type));
  write_shape(text, listed.shape);
  text << ", expected " << name_of(tensor.type) << '[';
  for (int32_t axis = 0; axis < tensor.rank && axis < 12; ++axis)
    text << (axis ? " x " : "") << tensor.extents[axis].constant;
  text << ']';
}

/// Tensors of the store that the file has not, or has differently.
void check_store(const Loading& loading, int which, Mistakes& mistakes) {
  const Store& store = *loading.stores[which];
  if (!loading.memory[which]) return;
  for (int64_t i = 0; i < store.count; ++i) {
    const Tensor& tensor = store.tensors[i];
    const Listed* listed = find(loading.listing, tensor.name);
    if (listed && fits(*listed, tensor)) continue;
    if (!listed && loading.partial) continue;
    Text* text = mistakes.next();
    if (!text) continue;
    if (listed) {
      report_wrong(*text, *listed, tensor);
    } else {
      *text << "'" << tensor.name << "' is missing";
    }
  }
}

bool has(const Store& store, const Listed& listed) {
  for (int64_t i = 0; i < store.count; ++i) {
    const char* name = store.tensors[i].name;
    if (strlen(name) == listed.name_bytes && memcmp(name, listed.name, listed.name_bytes) == 0) return true;
  }
  return false;
}

/// How many of the store's tensors the file has.
size_t found(const Loading& loading, const Store& store) {
  size_t count = 0;
  for (int64_t i = 0; i < store.count; ++i) count += find(loading.listing, store.tensors[i].name) != nullptr;
  return count;
}

/// Tensors of the file that neither store has. Counted first: names are compared one by one only where
/// there is something to report, and only until the text is full.
void check_unknown(const Loading& loading, Mistakes& mistakes) {
  const size_t known = found(loading, *loading.stores[0]) + found(loading, *loading.stores[1]);
  size_t unknown = loading.listing.count - known;
  for (size_t i = 0; i < loading.listing.count && unknown > 0; ++i) {
    const Listed& listed = loading.listing.tensors[i];
    if (mistakes.count() < 64 && (has(*loading.stores[0], listed) || has(*loading.stores[1], listed)))
      continue;
    if (mistakes.count() >= 64) {
      while (unknown-- > 0) mistakes.next();
      return;
    }
    --unknown;
    if (Text* text = mistakes.next()) {
      *text << "'";
      text->quoted(listed.name, listed.name_bytes < 64 ? listed.name_bytes : 64) << "' is unknown";
    }
  }
}

int32_t check_tensors(Loading& loading) {
  Failure failure = loading.fail(TEL_TENSORS);
  Mistakes mistakes(failure.text());
  for (int which = 0; which < 2; ++which) check_store(loading, which, mistakes);
  if (!loading.partial) check_unknown(loading, mistakes);
  mistakes.finish();
  return mistakes.count() == 0 ? TEL_OK : static_cast<int32_t>(failure);
}

int32_t read_store(Loading& loading, int which) {
  const Store& store = *loading.stores[which];
  if (!loading.memory[which]) return TEL_OK;
  for (int64_t i = 0; i < store.count; ++i) {
    const Listed* listed = find(loading.listing, store.tensors[i].name);
    if (!listed) continue;
    char* to = loading.memory[which] + store.offsets[i];
    const size_t bytes = listed->end - listed->begin;
    if (const int number = read_at(loading.file, to, bytes, loading.data + listed->begin))
      return loading.fail(number);
    if (store.tensors[i].type != boolean) continue;
    for (size_t j = 0; j < bytes; ++j) to[j] = to[j] != 0;
  }
  return TEL_OK;
}

int32_t malformed(Loading& loading, const char* what) {
  Failure failure = loading.fail(TEL_FORMAT);
  failure.text() << what;
  return failure;
}

/// With the header's text in memory.
int32_t load_listed(Loading& loading, char* text, size_t bytes, size_t file_size) {
  if (const int number = read_at(loading.file, text, bytes, length_bytes)) return loading.fail(number);
  loading.data = length_bytes + bytes;
  if (const char* error = read_header(text, bytes, file_size - loading.data, loading.listing))
    return malformed(loading, error);
  int32_t status = check_tensors(loading);
  for (int which = 0; which < 2 && status == TEL_OK; ++which) status = read_store(loading, which);
  free(loading.listing.tensors);
  return status;
}

int32_t load(Loading& loading) {
  size_t file_size;
  if (const int number = open_to_read(loading.path, loading.file, file_size)) return loading.fail(number);
  unsigned char length[length_bytes];
  if (file_size < length_bytes) return malformed(loading, "it is too short for a safetensors file");
  if (const int number = read_at(loading.file, length, length_bytes, 0)) return loading.fail(number);
  uint64_t bytes = 0;
  for (size_t i = length_bytes; i-- > 0;) bytes = bytes << 8 | length[i];
  if (bytes > largest_header || bytes > file_size - length_bytes)
    return malformed(loading, "its header is longer than the file or than the format allows");
  auto* text = static_cast<char*>(malloc(bytes + 1));
  if (!text) return loading.fail(ENOMEM);
  const int32_t status = load_listed(loading, text, bytes, file_size);
  free(text);
  return status;
}

}  // namespace
}  // namespace runtime

using namespace runtime;

extern "C" int32_t tel_load(const Store* parameters, const Store* constants, tel_file_arguments* arguments,
                            tel_error* error) {
  if (!arguments || arguments->size != sizeof *arguments || !arguments->path) {
    Failure failure(error, TEL_INVALID_ARGUMENT, nullptr);
    failure.text() << "cannot load: the argument struct's size is wrong or its path is null";
    return failure;
  }
  Loading loading{{parameters, constants},
                  {static_cast<char*>(arguments->parameters), static_cast<char*>(arguments->constants)},
                  arguments->path,
                  arguments->partial != 0,
                  error,
                  {},
                  {}};
  const int32_t status = load(loading);
  close(loading.file);
  return status == TEL_OK ? success(error) : status;
}
