#pragma once

#include "runtime/abi.h"

namespace runtime {

/// Writes text into a buffer of fixed size, cut where it ends; always NUL-terminated. Independent of the
/// locale; allocates nothing. A null buffer takes nothing.
class Text {
 public:
  Text(char* buffer, size_t size) : at_(buffer), end_(buffer ? buffer + size - 1 : buffer) {
    if (at_) *at_ = 0;
  }

  Text& operator<<(const char* text);
  Text& operator<<(int64_t value);
  Text& operator<<(char c);
  /// `bytes` bytes of text from outside; control characters are shown as `?`.
  Text& quoted(const char* text, size_t bytes);

  size_t room() const { return static_cast<size_t>(end_ - at_); }

 private:
  char* at_;
  char* end_;
};

/// Sets the code of `error` and gives the text to write, which begins with `where: ` if that is not null.
/// `error` may be null: then the text goes nowhere.
class Failure {
 public:
  Failure(tel_error* error, tel_status status, const char* where);
  Text& text() { return text_; }
  operator int32_t() const { return status_; }

 private:
  int32_t status_;
  Text text_;
};

/// Marks `error` (which may be null) as success.
int32_t success(tel_error* error);

/// `float32`; a question mark for a number that is no type.
const char* name_of(int32_t element_type);
/// Bytes of an element.
int64_t size_of(int32_t element_type);

}  // namespace runtime
