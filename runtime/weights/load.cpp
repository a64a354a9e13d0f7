#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/entry.h"
#include "runtime/support/text.h"
#include "runtime/weights/elements.h"
#include "runtime/weights/file.h"
#include "runtime/weights/safetensors.h"

namespace runtime {
namespace {

/// One load under way.
struct Loading {
  const Store* stores[store_count];
  char* memory[store_count];  ///< null: this store's tensors are known but not read
  const tel_file_arguments& arguments;
  tel_error* error;

  File file;
  Listing listing;
  size_t data = 0;  ///< where the elements begin in the file

  Failure fail(tel_status status) {
    Failure failure(error, status, nullptr);
    failure.text() << "cannot load '" << arguments.path << "': ";
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
    if (text_.remaining() < 160) return ++left_out_, nullptr;
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

bool fits(const Listed& listed, const Stored& wanted) {
  const char* shape = listed.shape;
  for (int32_t axis = 0; axis < wanted.tensor.rank; ++axis)
    if (next_extent(shape) != wanted.extent(axis)) return false;
  return listed.type >= 0 && converts(listed.type, wanted.tensor.type) && next_extent(shape) < 0;
}

/// `'fc1.weight'`, and for which tensor it is where that is named otherwise.
void write_name(Text& text, const Stored& wanted) {
  text << "'" << wanted.name << "'";
  if (strcmp(wanted.name, wanted.tensor.name) != 0)
    text << " (" << wanted.tensor.name << (wanted.transposed ? ", transposed)" : ")");
  else if (wanted.transposed)
    text << " (transposed)";
}

void write_wrong(Text& text, const Listed& listed, const Stored& wanted) {
  write_name(text, wanted);
  text << " is ";
  if (listed.type >= 0) {
    text << name_of(listed.type);
  } else {
    text.quoted(listed.dtype, listed.dtype_bytes < 16 ? listed.dtype_bytes : 16);
  }
  write_shape(text, listed.shape);
  text << ", expected " << name_of(wanted.tensor.type) << '[';
  for (int32_t axis = 0; axis < wanted.tensor.rank && axis < 12; ++axis)
    text << (axis ? " x " : "") << wanted.extent(axis);
  text << ']';
}

Text& write_name(Text& text, const Listed& listed) {
  constexpr size_t longest = 64;
  text << "'";
  return text.quoted(listed.name, listed.name_bytes < longest ? listed.name_bytes : longest) << "'";
}

/// Notes of every tensor of the file which store has it.
void find_owners(Loading& loading) {
  for (int32_t which = 0; which < store_count; ++which)
    for (int64_t i = 0; i < loading.stores[which]->count; ++i)
      if (Listed* listed = find(loading.listing, stored(*loading.stores[which], i).name))
        listed->owner = which;
}

bool is_loaded(const Loading& loading, const Listed& listed) {
  return listed.owner != no_owner && loading.memory[listed.owner];
}

/// Tensors of the store that the file has not, or has differently.
void check_store(const Loading& loading, int which, Mistakes& mistakes) {
  const Store& store = *loading.stores[which];
  if (!loading.memory[which]) return;
  for (int64_t i = 0; i < store.count; ++i) {
    const Stored wanted = stored(store, i);
    const Listed* listed = find(loading.listing, wanted.name);
    if (listed && fits(*listed, wanted)) continue;
    if (!listed && loading.arguments.partial) continue;
    Text* text = mistakes.next();
    if (!text) continue;
    if (listed) {
      write_wrong(*text, *listed, wanted);
    } else {
      write_name(*text, wanted);
      *text << " is missing";
    }
  }
}

/// Returns whether this is the counter that PyTorch's batch normalizations keep beside their running
/// statistics, and that nothing here needs.
bool is_counter_of_batches(const Listed& listed) {
  constexpr const char* name = "num_batches_tracked";
  const size_t bytes = strlen(name);
  const char* shape = listed.shape;
  return listed.name_bytes >= bytes && strcmp(listed.name + listed.name_bytes - bytes, name) == 0 &&
         listed.type == i64 && next_extent(shape) < 0;
}

/// Tensors of the file that no store has.
void check_unknown(const Loading& loading, Mistakes& mistakes) {
  for (size_t i = 0; i < loading.listing.count; ++i) {
    const Listed& listed = loading.listing.tensors[i];
    if (listed.owner != no_owner || is_counter_of_batches(listed)) continue;
    if (Text* text = mistakes.next()) write_name(*text, listed) << " is unknown";
  }
}

/// `'a', 'b', 'c' and 4 more`, `write(i)` writing each.
template <typename Write>
void write_some(Text& text, int64_t count, Write write) {
  constexpr int64_t shown = 3;
  for (int64_t i = 0; i < count && i < shown; ++i) {
    if (i > 0) text << ", ";
    write(i);
  }
  if (count > shown) text << " and " << count - shown << " more";
}

/// Reports a partial load that finds nothing to load.
void check_matches(const Loading& loading, Mistakes& mistakes) {
  const Listing& listing = loading.listing;
  for (size_t i = 0; i < listing.count; ++i)
    if (is_loaded(loading, listing.tensors[i])) return;
  Text* text = mistakes.next();
  if (!text) return;
  *text << "it has none of the tensors, but ";
  if (listing.count == 0) *text << "no tensor at all";
  write_some(*text, static_cast<int64_t>(listing.count),
             [&](int64_t i) { write_name(*text, listing.tensors[i]); });
  for (int which = 0; which < store_count; ++which) {
    const Store& store = *loading.stores[which];
    if (!loading.memory[which] || store.count == 0) continue;
    *text << "; " << store.name << " has ";
    write_some(*text, store.count, [&](int64_t i) { write_name(*text, stored(store, i)); });
  }
}

int32_t check_tensors(Loading& loading) {
  Failure failure = loading.fail(TEL_TENSORS);
  Mistakes mistakes(failure.text());
  find_owners(loading);
  for (int which = 0; which < store_count; ++which) check_store(loading, which, mistakes);
  if (loading.arguments.partial) {
    check_matches(loading, mistakes);
  } else {
    check_unknown(loading, mistakes);
  }
  mistakes.finish();
  return mistakes.count() == 0 ? TEL_OK : static_cast<int32_t>(failure);
}

int32_t read_store(Loading& loading, int which) {
  const Store& store = *loading.stores[which];
  if (!loading.memory[which]) return TEL_OK;
  for (int64_t i = 0; i < store.count; ++i) {
    const Stored wanted = stored(store, i);
    const Listed* listed = find(loading.listing, wanted.name);
    if (!listed) continue;
    char* to = loading.memory[which] + store.offsets[i];
    const size_t begin = loading.data + listed->begin;
    if (const int number = read_elements(loading.file, begin, listed->type, wanted, to))
      return loading.fail(number);
    if (wanted.tensor.type != boolean) continue;
    for (int64_t j = 0; j < wanted.count(); ++j) to[j] = to[j] != 0;
  }
  return TEL_OK;
}

void report(const Loading& loading) {
  const auto& [size, path, parameters, constants, state, partial, report, context] = loading.arguments;
  if (!report) return;
  for (int which = 0; which < store_count; ++which)
    for (int64_t i = 0; loading.memory[which] && i < loading.stores[which]->count; ++i) {
      const char* name = stored(*loading.stores[which], i).name;
      report(context, find(loading.listing, name) ? TEL_LOADED : TEL_KEPT, name);
    }
  for (size_t i = 0; i < loading.listing.count; ++i)
    if (!is_loaded(loading, loading.listing.tensors[i]))
      report(context, TEL_PASSED_OVER, loading.listing.tensors[i].name);
}

int32_t malformed(Loading& loading, const char* what) {
  Failure failure = loading.fail(TEL_FORMAT);
  failure.text() << what;
  return failure;
}

/// With memory for the header's text.
int32_t load_listed(Loading& loading, char* text, size_t bytes, size_t file_size) {
  if (const int number = read_at(loading.file, text, bytes, length_bytes)) return loading.fail(number);
  loading.data = length_bytes + bytes;
  char what[256];
  Text why(what, sizeof what);
  const tel_status read = read_header(text, bytes, file_size - loading.data, loading.listing, why);
  if (read == TEL_MEMORY) return loading.fail(ENOMEM);
  if (read != TEL_OK) return malformed(loading, what);
  int32_t status = check_tensors(loading);
  for (int which = 0; which < store_count && status == TEL_OK; ++which) status = read_store(loading, which);
  if (status == TEL_OK) report(loading);
  free(loading.listing.tensors);
  return status;
}

int32_t load(Loading& loading) {
  size_t file_size;
  if (const int number = open_to_read(loading.arguments.path, loading.file, file_size))
    return loading.fail(number);
  unsigned char length[length_bytes];
  if (file_size < length_bytes) return malformed(loading, "it is too short for a safetensors file");
  if (const int number = read_at(loading.file, length, length_bytes, 0)) return loading.fail(number);
  uint64_t bytes = 0;
  for (size_t i = length_bytes; i-- > 0;) bytes = bytes << 8 | length[i];
  if (bytes > largest_header || bytes > file_size - length_bytes)
    return malformed(
        loading, "its header is longer than the file, or than the 100,000,000 bytes that the format allows");
  auto* text = static_cast<char*>(malloc(bytes + 1));
  if (!text) return loading.fail(ENOMEM);
  const int32_t status = load_listed(loading, text, bytes, file_size);
  free(text);
  return status;
}

}  // namespace
}  // namespace runtime

using namespace runtime;

extern "C" int32_t tel_load(const Store* parameters, const Store* constants, const Store* state,
                            tel_file_arguments* arguments, tel_error* error) {
  if (!arguments || arguments->size != sizeof *arguments || !arguments->path) {
    Failure failure(error, TEL_INVALID_ARGUMENT, nullptr);
    failure.text() << "cannot load: the argument struct's size is wrong, or its path is null";
    return failure;
  }
  Loading loading{{parameters, constants, state},
                  {static_cast<char*>(arguments->parameters), static_cast<char*>(arguments->constants),
                   static_cast<char*>(arguments->state)},
                  *arguments,
                  error,
                  {},
                  {}};
  const int32_t status = load(loading);
  close(loading.file);
  return status == TEL_OK ? success(error) : status;
}
