// The format is that of runtime/support/unpack.cpp. Copies are found by chains of earlier places whose four
// bytes have the same hash; of several the longest is taken, unless the next place has a longer one.
#include "codegen/target/gpu/compress.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace codegen::target::gpu {
namespace {

constexpr std::size_t min_copy = 4, farthest = 65535, longest_chain = 64;
/// The format's: the last bytes are literals, and no copy begins close to the end.
constexpr std::size_t last_literals = 5, last_copy = 12;
constexpr unsigned hash_bits = 16;
constexpr std::size_t none = ~std::size_t{0};

struct Copy {
  std::size_t length = 0, distance = 0;
};

class Compressor {
 public:
  explicit Compressor(std::string_view bytes)
      : bytes_(bytes), newest_(std::size_t{1} << hash_bits, none), before_(bytes.size(), none) {}

  std::string compress() {
    std::size_t begin = 0;
    const std::size_t end = bytes_.size() < last_copy ? 0 : bytes_.size() - last_copy;
    for (std::size_t at = 0; at < end;) {
      const Copy copy = longest_at(at);
      if (copy.length < min_copy || (at + 1 < end && longest_at(at + 1).length > copy.length + 1)) {
        ++at;
        continue;
      }
      add(begin, at, copy);
      begin = at += copy.length;
    }
    add(begin, bytes_.size(), {});
    return std::move(packed_);
  }

 private:
  std::size_t hash(std::size_t at) const {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + at, sizeof word);
    return word * 2654435761U >> (32 - hash_bits);
  }

  /// All places below are known afterwards.
  void learn(std::size_t end) {
    for (; known_ < end; ++known_) {
      std::size_t& newest = newest_[hash(known_)];
      before_[known_] = newest;
      newest = known_;
    }
  }

  Copy longest_at(std::size_t at) {
    learn(at);
    Copy best;
    const std::size_t most = bytes_.size() - last_literals - at;
    std::size_t from = newest_[hash(at)];
    for (std::size_t i = 0; i < longest_chain && from != none && at - from <= farthest;
         ++i, from = before_[from]) {
      if (from >= at) continue;
      const auto length =
          static_cast<std::size_t>(std::mismatch(bytes_.begin() + static_cast<std::ptrdiff_t>(at),
                                                 bytes_.begin() + static_cast<std::ptrdiff_t>(at + most),
                                                 bytes_.begin() + static_cast<std::ptrdiff_t>(from))
                                       .first -
                                   (bytes_.begin() + static_cast<std::ptrdiff_t>(at)));
      if (length > best.length) best = {length, at - from};
    }
    return best;
  }

  void add_length(std::size_t length) {
    if (length < 15) return;
    for (length -= 15; length >= 255; length -= 255) packed_ += '\xff';
    packed_ += static_cast<char>(length);
  }

  /// Literals [begin, end), then the copy if there is one.
  void add(std::size_t begin, std::size_t end, Copy copy) {
    const std::size_t literals = end - begin, rest = copy.length == 0 ? 0 : copy.length - min_copy;
    packed_ += static_cast<char>(std::min<std::size_t>(literals, 15) << 4 | std::min<std::size_t>(rest, 15));
    add_length(literals);
    packed_ += bytes_.substr(begin, literals);
    if (copy.length == 0) return;
    packed_ += static_cast<char>(copy.distance & 0xff);
    packed_ += static_cast<char>(copy.distance >> 8);
    add_length(rest);
  }

  std::string_view bytes_;
  std::string packed_;
  std::size_t known_ = 0;
  std::vector<std::size_t> newest_, before_;  ///< by hash; of each place the one before with its hash
};

}  // namespace

std::string compress(std::string_view bytes) { return Compressor(bytes).compress(); }

}  // namespace codegen::target::gpu
