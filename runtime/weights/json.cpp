#include "runtime/weights/json.h"

namespace runtime {
namespace {

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

/// The bytes of the UTF-8 character at `at`, 0 where there is none: no character is encoded in more bytes
/// than it needs, none is a surrogate or above U+10FFFF.
size_t utf8_bytes(const char* at, const char* end) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(at[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || static_cast<size_t>(end - at) < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) >= 0xa0, too_large = first == 0xf4 && byte(1) >= 0x90;
  return too_long || surrogate || too_large ? 0 : bytes;
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

void Json::white_space() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
}

bool Json::accept(char c) {
  white_space();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool Json::hexadecimal(uint32_t& value) {
  value = 0;
  if (end_ - at_ < 4) return false;
  for (int i = 0; i < 4; ++i) {
    const char c = *at_++;
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return false;
    value = value * 16 + static_cast<uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return true;
}

/// After a backslash.
bool Json::escape(char*& to) {
  if (at_ == end_) return false;
  const char c = *at_++;
  if (c != 'u') {
    *to = escaped(c);
    return *to++ != 0;
  }
  uint32_t code, low;
  if (!hexadecimal(code)) return false;
  if (code >= 0xd800 && code < 0xdc00) {
    if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return false;
    at_ += 2;
    if (!hexadecimal(low) || low < 0xdc00 || low > 0xdfff) return false;
    code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
  } else if (code >= 0xdc00 && code < 0xe000) {
    return false;
  }
  to = append_utf8(to, code);
  return true;
}

/// One character of a string, at `to`, which is not after the place where it is read.
bool Json::character(char*& to) {
  if (*at_ == '\\') {
    ++at_;
    return escape(to);
  }
  const size_t bytes = utf8_bytes(at_, end_);
  if (bytes == 0 || static_cast<unsigned char>(*at_) < 0x20) return false;
  for (size_t i = 0; i < bytes; ++i) *to++ = *at_++;
  return true;
}

bool Json::string(char*& begin, size_t& bytes) {
  if (!accept('"')) return false;
  begin = at_;
  char* to = at_;
  while (at_ != end_ && *at_ != '"')
    if (!character(to)) return false;
  if (at_ == end_) return false;
  ++at_;
  bytes = static_cast<size_t>(to - begin);
  return true;
}

bool Json::natural(uint64_t& value) {
  white_space();
  if (at_ == end_ || !is_digit(*at_)) return false;
  if (*at_ == '0' && end_ - at_ > 1 && is_digit(at_[1])) return false;
  for (value = 0; at_ != end_ && is_digit(*at_); ++at_) {
    const auto digit = static_cast<uint64_t>(*at_ - '0');
    if (value > (INT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return true;
}

bool Json::finish() {
  white_space();
  return at_ == end_;
}

}  // namespace runtime
