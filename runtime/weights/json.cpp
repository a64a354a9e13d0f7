#include "runtime/weights/json.h"

#include <string.h>

namespace runtime {
namespace {

constexpr int largest_nesting = 64;

char* append_utf8(char* to, uint32_t code) {
  if (code < 0x80) {
    *to++ = static_cast<char>(code);
    return to;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  *to++ = static_cast<char>((0xf00 >> more & 0xff) | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) *to++ = static_cast<char>(0x80 | (code >> 6 * i & 0x3f));
  return to;
}

char escaped(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
    case '/':
      return c;
  }
  return 0;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool Json::fail(const char* what) {
  if (!error_) error_ = what;
  return false;
}

void Json::white_space() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
}

bool Json::accept(char c) {
  white_space();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool Json::expect(char c) { return accept(c) || fail("its header is not the JSON of the format"); }

bool Json::hexadecimal(uint32_t& value) {
  value = 0;
  if (end_ - at_ < 4) return fail("its header ends early");
  for (int i = 0; i < 4; ++i) {
    const char c = *at_++;
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return fail("its header has a bad escape");
    value = value * 16 + static_cast<uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return true;
}

/// After a backslash.
bool Json::escape(char*& to) {
  if (at_ == end_) return fail("its header ends early");
  const char c = *at_++;
  if (c != 'u') {
    *to = escaped(c);
    return *to++ != 0 || fail("its header has a bad escape");
  }
  uint32_t code, low;
  if (!hexadecimal(code)) return false;
  if (code >= 0xd800 && code < 0xdc00) {
    if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return fail("its header has a bad escape");
    at_ += 2;
    if (!hexadecimal(low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return fail("its header has a bad escape");
    code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
  } else if (code >= 0xdc00 && code < 0xe000) {
    return fail("its header has a bad escape");
  }
  to = append_utf8(to, code);
  return true;
}

bool Json::string(char*& begin, size_t& bytes) {
  if (!expect('"')) return false;
  begin = at_;
  char* to = at_;
  while (at_ != end_ && *at_ != '"') {
    const char c = *at_++;
    if (static_cast<unsigned char>(c) < 0x20) return fail("its header has a control character");
    if (c != '\\') {
      *to++ = c;
    } else if (!escape(to)) {
      return false;
    }
  }
  if (at_ == end_) return fail("its header ends early");
  ++at_;
  bytes = static_cast<size_t>(to - begin);
  return true;
}

bool Json::natural(uint64_t& value) {
  white_space();
  if (at_ == end_ || !is_digit(*at_)) return fail("its header has something else where a number belongs");
  if (*at_ == '0' && end_ - at_ > 1 && is_digit(at_[1])) return fail("its header has a bad number");
  for (value = 0; at_ != end_ && is_digit(*at_); ++at_) {
    const auto digit = static_cast<uint64_t>(*at_ - '0');
    if (__builtin_mul_overflow(value, uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value))
      return fail("its header has a number that is too large");
  }
  return true;
}

/// Passes over a string, number or word.
bool Json::scalar() {
  white_space();
  if (at_ == end_) return fail("its header ends early");
  if (*at_ == '"') {
    char* begin;
    size_t bytes;
    return string(begin, bytes);
  }
  const char* begin = at_;
  while (at_ != end_ && (is_digit(*at_) || (*at_ >= 'a' && *at_ <= 'z') || memchr("+-.E", *at_, 4))) ++at_;
  return at_ != begin || fail("its header is not the JSON of the format");
}

bool Json::skip() {
  char closing[largest_nesting];
  int depth = 0;
  do {
    const bool object = accept('{');
    if (object || accept('[')) {
      if (depth == largest_nesting) return fail("its header is nested too deep");
      closing[depth++] = object ? '}' : ']';
    } else if (!scalar()) {
      return false;
    } else if (accept(':')) {
      continue;
    }
    // After a value: a comma, or the ends of what holds it. An empty list or object ends right here.
    while (depth > 0 && accept(closing[depth - 1])) --depth;
    if (depth > 0) accept(',');
  } while (depth > 0);
  return true;
}

bool Json::finish() {
  white_space();
  return at_ == end_ || fail("its header has text after its end");
}

}  // namespace runtime
