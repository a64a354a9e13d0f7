// Zip: the members, each behind a local header; the directory, an entry a member; the end record, which says
// where the directory stands. All numbers are little-endian (PKWARE's APPNOTE,
// sections 4.3.7, 4.3.12, 4.3.16).
#include "dlvm/io/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <unordered_set>

namespace dlvm {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50, entry_signature = 0x02014b50,
                        end_signature = 0x06054b50;
constexpr std::size_t local_size = 30, entry_size = 46, end_size = 22, longest_comment = 0xFFFF;
constexpr std::uint32_t stored = 0, deflated = 8, encrypted = 1, zip64 = 0xFFFFFFFF;

/// The number of `width` bytes at `at`, which must be inside.
std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint32_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

struct Entry {
  std::string name;
  std::uint32_t method = 0, checksum = 0, packed = 0, size = 0, local = 0;
  std::string_view data;  ///< as it is in the archive
};

/// The `size` bytes that `packed` stands for; nothing where it stands for more or fewer, or is damaged.
std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
  constexpr std::size_t best_ratio = 1032;  // of deflate: 258 bytes for two bits
  if (size / best_ratio > packed.size()) return std::nullopt;
  std::string bytes(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;  // negative: without a header of zlib
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  char none = 0;  // zlib takes no null pointer
  stream.next_out = reinterpret_cast<Bytef*>(size == 0 ? &none : bytes.data());
  stream.avail_out = static_cast<uInt>(size);
  const bool whole =
      inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return whole ? std::optional(std::move(bytes)) : std::nullopt;
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

/// Reads one archive, a step a function; each gives false, and `why`, where the archive is not good.
class Archive {
 public:
  Archive(std::string_view bytes, std::size_t limit) : bytes_(bytes), limit_(limit) {}

  std::optional<std::vector<ZipMember>> read() {
    if (!find_directory() || !read_directory() || !find_data()) return std::nullopt;
    std::vector<ZipMember> members;
    for (const Entry& entry : entries_) {
      auto data =
          entry.method == stored ? std::optional(std::string(entry.data)) : inflated(entry.data, entry.size);
      if (!data) return fail("member '{}' cannot be decompressed", entry.name), std::nullopt;
      const auto start = reinterpret_cast<const Bytef*>(data->data());
      if (crc32_z(crc32_z(0, nullptr, 0), start, data->size()) != entry.checksum)
        return fail("member '{}' does not have the checksum given for it", entry.name), std::nullopt;
      members.push_back({entry.name, std::move(*data)});
    }
    return members;
  }

  std::string why;

 private:
  template <typename... Arguments>
  bool fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    why = fmt::format(format, std::forward<Arguments>(arguments)...);
    return false;
  }

  /// The end record is the last one whose comment ends with the archive.
  bool find_directory() {
    if (bytes_.size() < end_size) return fail("is not a Zip archive");
    const std::size_t last = bytes_.size() - end_size, first = last - std::min(last, longest_comment);
    std::size_t end = last;
    while (end > first && !is_end(end)) --end;
    if (!is_end(end)) return fail("is not a Zip archive, or is cut off");
    const std::uint32_t size = number(bytes_, end + 12, 4), begin = number(bytes_, end + 16, 4);
    count_ = number(bytes_, end + 10, 2);
    if (size == zip64 || begin == zip64 || count_ == 0xFFFF)
      return fail("is an archive in the Zip64 format, which is not read; use a safetensors file");
    if (number(bytes_, end + 4, 4) != 0 || number(bytes_, end + 8, 2) != count_)
      return fail("is one of several parts of an archive");
    if (std::uint64_t{begin} + size != end) return fail("has a directory that is not where it should be");
    directory_ = begin;
    end_ = end;
    return true;
  }
  bool is_end(std::size_t at) const {
    return number(bytes_, at, 4) == end_signature &&
           at + end_size + number(bytes_, at + 20, 2) == bytes_.size();
  }

  bool read_directory() {
    std::size_t at = directory_;
    std::uint64_t sum = bytes_.size();
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (end_ - at < entry_size || number(bytes_, at, 4) != entry_signature)
        return fail("has a directory that is damaged");
      const std::size_t name = number(bytes_, at + 28, 2);
      const std::size_t size = entry_size + name + number(bytes_, at + 30, 2) + number(bytes_, at + 32, 2);
      if (end_ - at < size) return fail("has a directory that is damaged");
      if (!add_entry(bytes_.substr(at, size), name)) return false;
      sum += entries_.back().size;
      at += size;
    }
    if (at != end_) return fail("has a directory that is damaged");
    if (sum > limit_) return fail("takes more than {} MiB with its members unpacked", limit_ >> 20);
    return true;
  }

  bool add_entry(std::string_view entry, std::size_t name) {
    Entry read{std::string(entry.substr(entry_size, name)),
               number(entry, 10, 2),
               number(entry, 16, 4),
               number(entry, 20, 4),
               number(entry, 24, 4),
               number(entry, 42, 4),
               {}};
    if (!is_printable(read.name)) return fail("has a member whose name holds control characters");
    if ((number(entry, 8, 2) & encrypted) != 0) return fail("member '{}' is encrypted", read.name);
    if (read.method != stored && read.method != deflated)
      return fail("member '{}' is compressed by method {}; stored and deflated ones are read", read.name,
                  read.method);
    if (read.packed == zip64 || read.size == zip64 || read.local == zip64)
      return fail("member '{}' is in the Zip64 format, which is not read; use a safetensors file", read.name);
    if (read.method == stored && read.packed != read.size)
      return fail("member '{}' has two sizes", read.name);
    if (!names_.insert(entry.substr(entry_size, name)).second) return fail("has two members '{}'", read.name);
    entries_.push_back(std::move(read));
    return true;
  }

  /// Finds the bytes of each member behind its local header.
  bool find_data() {
    std::vector<std::pair<std::size_t, std::size_t>> taken;  // begin and end of each member with its header
    for (Entry& entry : entries_) {
      const std::size_t at = entry.local;
      if (at > directory_ || directory_ - at < local_size || number(bytes_, at, 4) != local_signature)
        return fail("member '{}' is not where the directory says", entry.name);
      const std::size_t name = number(bytes_, at + 26, 2),
                        begin = at + local_size + name + number(bytes_, at + 28, 2);
      if (begin > directory_ || directory_ - begin < entry.packed)
        return fail("member '{}' is cut off", entry.name);
      if (bytes_.substr(at + local_size, name) != entry.name || number(bytes_, at + 8, 2) != entry.method)
        return fail("member '{}' is another one than the directory says", entry.name);
      entry.data = bytes_.substr(begin, entry.packed);
      taken.emplace_back(at, begin + entry.packed);
    }
    std::ranges::sort(taken);
    for (std::size_t i = 1; i < taken.size(); ++i)
      if (taken[i].first < taken[i - 1].second) return fail("has members that overlap");
    return true;
  }

  std::string_view bytes_;
  std::size_t limit_, directory_ = 0, end_ = 0;
  std::uint32_t count_ = 0;
  std::vector<Entry> entries_;
  std::unordered_set<std::string_view> names_;  ///< of the entries, as they are in the archive
};

}  // namespace

std::optional<std::vector<ZipMember>> parse_zip(std::string_view bytes, const std::string& name,
                                                std::size_t limit, FileError& error) {
  Archive archive(bytes, limit);
  auto members = archive.read();
  if (!members) error = {FileError::Kind::format, fmt::format("{}: {}", name, archive.why)};
  return members;
}

}  // namespace dlvm
