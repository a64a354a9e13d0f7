#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/entry.h"
#include "runtime/support/extent.h"
#include "runtime/support/text.h"
#include "runtime/weights/elements.h"
#include "runtime/weights/file.h"
#include "runtime/weights/safetensors.h"

namespace runtime {
namespace {

struct Saving {
  const Store* stores[store_count];
  const char* memory[store_count];  ///< null: not saved
};

int64_t bytes_of(const Stored& saved) { return size_of(saved.tensor.type) * saved.count(); }

/// Enough for the header's JSON: names (every byte may be escaped), shapes and offsets of at most 20 digits.
size_t header_room(const Saving& saving) {
  size_t capacity = 64;
  for (int which = 0; which < store_count; ++which)
    for (int64_t i = 0; saving.memory[which] && i < saving.stores[which]->count; ++i) {
      const Stored saved = stored(*saving.stores[which], i);
      capacity += 6 * strlen(saved.name) + 128 + 24 * static_cast<size_t>(saved.tensor.rank);
    }
  return capacity;
}

void write_name(Text& text, const char* name) {
  text << '"';
  for (; *name; ++name) {
    const auto byte = static_cast<unsigned char>(*name);
    if (byte < 0x20) {
      text << "\\u00" << "0123456789abcdef"[byte >> 4] << "0123456789abcdef"[byte & 15];
      continue;
    }
    if (*name == '"' || *name == '\\') text << '\\';
    text << *name;
  }
  text << '"';
}

void write_tensor(Text& text, const Stored& saved, int64_t begin) {
  write_name(text, saved.name);
  text << ":{\"dtype\":\"" << dtype_of(saved.tensor.type) << "\",\"shape\":[";
  for (int32_t axis = 0; axis < saved.tensor.rank; ++axis) text << (axis ? "," : "") << saved.extent(axis);
  text << "],\"data_offsets\":[" << begin << ',' << begin + bytes_of(saved) << "]}";
}

/// The header without its length, padded with spaces so that the elements begin at a multiple of 64.
size_t write_header(const Saving& saving, char* memory, size_t capacity) {
  Text text(memory, capacity);
  text << '{';
  int64_t begin = 0;
  const char* before = "";
  for (int which = 0; which < store_count; ++which)
    for (int64_t i = 0; saving.memory[which] && i < saving.stores[which]->count; ++i) {
      const Stored saved = stored(*saving.stores[which], i);
      text << before;
      write_tensor(text, saved, begin);
      begin += bytes_of(saved);
      before = ",";
    }
  text << '}';
  while ((capacity - 1 - text.remaining() + length_bytes) % 64 != 0) text << ' ';
  return capacity - 1 - text.remaining();
}

int write_all(const Saving& saving, const File& file) {
  const size_t capacity = header_room(saving) + 64;
  auto* header = static_cast<char*>(malloc(capacity));
  if (!header) return ENOMEM;
  const size_t bytes = write_header(saving, header, capacity);
  unsigned char length[length_bytes];
  for (size_t i = 0; i < length_bytes; ++i) length[i] = static_cast<unsigned char>(uint64_t{bytes} >> 8 * i);
  int status = append(file, length, length_bytes);
  if (status == 0) status = append(file, header, bytes);
  free(header);
  for (int which = 0; which < store_count; ++which)
    for (int64_t i = 0; status == 0 && saving.memory[which] && i < saving.stores[which]->count; ++i)
      status = append_elements(file, stored(*saving.stores[which], i),
                               saving.memory[which] + saving.stores[which]->offsets[i]);
  return status;
}

}  // namespace
}  // namespace runtime

using namespace runtime;

extern "C" int32_t tel_save(const Store* parameters, const Store* constants, const Store* state,
                            tel_file_arguments* arguments, tel_error* error) {
  if (!arguments || arguments->size != sizeof *arguments || !arguments->path) {
    Failure failure(error, TEL_INVALID_ARGUMENT, nullptr);
    failure.text() << "cannot save: the argument struct's size is wrong, or its path is null";
    return failure;
  }
  const Saving saving{
      {parameters, constants, state},
      {static_cast<const char*>(arguments->parameters), static_cast<const char*>(arguments->constants),
       static_cast<const char*>(arguments->state)}};
  Replacement replacement;
  int status = begin_replacement(arguments->path, replacement);
  if (status == 0) status = end_replacement(replacement, write_all(saving, replacement.file));
  if (status == 0) return success(error);
  Failure failure(error, TEL_FILE, nullptr);
  failure.text() << "cannot save '" << arguments->path << "': ";
  if (const char* text = reason(status)) {
    failure.text() << text;
  } else {
    failure.text() << "system error " << int64_t{status};
  }
  return failure;
}
