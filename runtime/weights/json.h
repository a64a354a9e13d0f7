#pragma once

#include <stddef.h>
#include <stdint.h>

namespace runtime {

/// Reads JSON (RFC 8259, UTF-8) from memory, strictly, without recursion and without allocation. A function
/// gives false where something else stands there.
class Json {
 public:
  Json(char* text, size_t bytes) : at_(text), end_(text + bytes) {}

  const char* position() const { return at_; }

  /// Passes over white space, then `c` if it is next.
  bool accept(char c);
  /// A string, its escapes decoded in place to UTF-8; the byte behind it can be written, too.
  bool string(char*& begin, size_t& bytes);
  /// A number without sign, fraction and exponent, at most 2^63 - 1.
  bool natural(uint64_t& value);
  /// Nothing but white space is left.
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
