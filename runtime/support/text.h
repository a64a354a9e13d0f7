#pragma once

#include "runtime/abi.h"

namespace runtime {

/// Writes text into a buffer of fixed size and cuts it at the end; the text always ends in NUL. It does not
/// depend on the locale and allocates nothing. A null buffer ignores the text.
class Text {
 public:
  Text(char* buffer, size_t size) : at_(buffer), end_(buffer ? buffer + size - 1 : buffer) {
    if (at_) *at_ = 0;
  }

  Text& operator<<(const char* text);
  Text& operator<<(int64_t value);
  Text& operator<<(char c);
  /// Appends `bytes` bytes of text from outside; control characters are shown as `?`.
  Text& quoted(const char* text, size_t bytes);

  /// Returns the number of bytes that can still be written.
  size_t remaining() const { return static_cast<size_t>(end_ - at_); }

 private:
  char* at_;
  char* end_;
};

/// Sets the code of `error` and offers its text for writing, which begins with `where: ` if `where` is not
/// null. If `error` is null, the text is ignored.
class Failure {
 public:
  Failure(tel_error* error, tel_status status, const char* where);
  Text& text() { return text_; }
  /// Converts to the status, so that a function can return the failure.
  operator int32_t() const { return status_; }

 private:
  int32_t status_;
  Text text_;
};

/// Marks `error` (which may be null) as success.
int32_t success(tel_error* error);

/// Returns the name of an element type, such as `float32`, or a question mark for a number that is no type.
const char* name_of(int32_t element_type);
/// Returns the size of an element in bytes.
int64_t size_of(int32_t element_type);

}  // namespace runtime
