// The block format of LZ4 (Y. Collet, lz4_Block_format.md): sequences of a token, literal bytes, and a copy
// of at least four bytes from up to 65,535 bytes before; the last sequence has literals alone.
#include "runtime/support/unpack.h"

#include <string.h>

namespace runtime {
namespace {

constexpr int64_t long_length = 15, min_copy = 4;

struct Input {
  const uint8_t* at;
  const uint8_t* end;
  int64_t left() const { return end - at; }

  /// A length of `first`, which goes on in further bytes where it is 15; -1 where these are cut off.
  int64_t length(int64_t first) {
    if (first < long_length) return first;
    for (int64_t sum = first; at < end;) {
      const uint8_t more = *at++;
      sum += more;
      if (more < 255) return sum;
    }
    return -1;
  }
};

}  // namespace

bool unpack(const void* from, int64_t packed, void* to, int64_t size) {
  Input in{static_cast<const uint8_t*>(from), static_cast<const uint8_t*>(from) + packed};
  auto* const begin = static_cast<uint8_t*>(to);
  uint8_t *out = begin, *const end = begin + size;
  while (in.at < in.end) {
    const uint8_t token = *in.at++;
    const int64_t literals = in.length(token >> 4);
    if (literals < 0 || literals > in.left() || literals > end - out) return false;
    memcpy(out, in.at, static_cast<size_t>(literals));
    in.at += literals;
    out += literals;
    if (in.at == in.end) return out == end;
    if (in.left() < 2) return false;
    const int64_t distance = in.at[0] | in.at[1] << 8;
    in.at += 2;
    const int64_t rest = in.length(token & 15), count = rest + min_copy;
    if (rest < 0 || distance == 0 || distance > out - begin || count > end - out) return false;
    for (int64_t i = 0; i < count; ++i, ++out) *out = *(out - distance);  // they may overlap
  }
  return false;
}

}  // namespace runtime
