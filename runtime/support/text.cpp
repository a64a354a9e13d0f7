#include "runtime/support/text.h"

namespace runtime {
namespace {

struct TypeInfo {
  const char* name;
  int64_t bytes;
};
constexpr TypeInfo types[] = {{"bool", 1},     {"int8", 1},    {"int16", 2},  {"int32", 4},  {"int64", 8},
                              {"uint8", 1},    {"uint16", 2},  {"uint32", 4}, {"uint64", 8}, {"float16", 2},
                              {"bfloat16", 2}, {"float32", 4}, {"float64", 8}};

}  // namespace

Text& Text::operator<<(char c) {
  if (at_ == end_) return *this;
  *at_++ = c;
  *at_ = 0;
  return *this;
}

Text& Text::operator<<(const char* text) {
  while (*text && at_ != end_) *this << *text++;
  return *this;
}

Text& Text::operator<<(int64_t value) {
  char digits[21];
  char* digit = digits + sizeof digits;
  *--digit = 0;
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  do {
    *--digit = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *this << '-';
  return *this << digit;
}

Text& Text::quoted(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes && at_ != end_; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    *this << (c < 0x20 || c == 0x7f ? '?' : text[i]);
  }
  return *this;
}

Failure::Failure(tel_error* error, tel_status status, const char* where)
    : status_(status), text_(error ? error->text : nullptr, sizeof error->text) {
  if (error) error->code = status;
  if (where) text_ << where << ": ";
}

int32_t success(tel_error* error) {
  if (error) {
    error->code = TEL_OK;
    error->text[0] = 0;
  }
  return TEL_OK;
}

const char* name_of(int32_t element_type) {
  return element_type >= 0 && element_type <= f64 ? types[element_type].name : "?";
}

int64_t size_of(int32_t element_type) { return types[element_type].bytes; }

}  // namespace runtime
