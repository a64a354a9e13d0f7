#pragma once

#include <stddef.h>
#include <stdint.h>

namespace runtime {

/// Reads JSON (RFC 8259, UTF-8) from memory, strictly, without recursion and without allocation. Each
/// function returns false if the text at the current position has another form.
class Json {
 public:
  Json(char* text, size_t bytes) : at_(text), end_(text + bytes) {}

  const char* position() const { return at_; }

  /// Skips white space, then `c` if it is next.
  bool accept(char c);
  /// Reads a string and decodes its escapes in place to UTF-8. The byte after the string may be overwritten,
  /// too.
  bool string(char*& begin, size_t& bytes);
  /// Reads a number without sign, fraction and exponent, at most 2^63 - 1.
  bool natural(uint64_t& value);
  /// Returns whether only white space is left.
  bool finish();

 private:
  void white_space();
  bool character(char*& to);
  bool escape(char*& to);
  bool hexadecimal(uint32_t& value);

  char* at_;
  char* end_;
};

}  // namespace runtime
