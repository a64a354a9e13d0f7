#pragma once

#include <stddef.h>
#include <stdint.h>

namespace runtime {

/// Reads JSON from memory, strictly, without recursion and without allocation. A function that fails sets
/// `error` to what is wrong and gives false; the first error stays.
class Json {
 public:
  Json(char* text, size_t bytes) : at_(text), end_(text + bytes) {}

  const char* error() const { return error_; }
  const char* position() const { return at_; }

  /// Passes over white space, then `c` if it is next.
  bool accept(char c);
  /// The same, and an error if it is not.
  bool expect(char c);
  /// A string, its escapes decoded in place to UTF-8.
  bool string(char*& begin, size_t& bytes);
  /// A number without sign, fraction and exponent.
  bool natural(uint64_t& value);
  /// Passes over any value, nested at most 64 deep.
  bool skip();
  /// Nothing but white space is left.
  bool finish();

 private:
  bool fail(const char* what);
  void white_space();
  bool escape(char*& to);
  bool hexadecimal(uint32_t& value);
  bool scalar();

  char* at_;
  char* end_;
  const char* error_ = nullptr;
};

}  // namespace runtime
