// NumPy's `.npy`: "\x93NUMPY", two bytes of version, the header's length (2 bytes, from version 2 on 4), the
// header (a Python dictionary `descr`, `fortran_order`, `shape`), the elements.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "dlvm/io/tensor_files.h"
#include "dlvm/ir/elements.h"

namespace dlvm {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t rank_limit = 64;

struct Kind {
  ElementType element;
  std::string_view code;  ///< of `descr`, after the byte order
};
constexpr Kind kinds[]{{ElementType::boolean, "b1"}, {ElementType::i8, "i1"},   {ElementType::i16, "i2"},
                       {ElementType::i32, "i4"},     {ElementType::i64, "i8"},  {ElementType::u8, "u1"},
                       {ElementType::u16, "u2"},     {ElementType::u32, "u4"},  {ElementType::u64, "u8"},
                       {ElementType::f16, "f2"},     {ElementType::bf16, "V2"}, {ElementType::f32, "f4"},
                       {ElementType::f64, "f8"}};

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads the header's dictionary, a token at a time.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  std::optional<Header> parse() {
    Header header;
    std::set<std::string> seen;
    if (!eat('{')) return std::nullopt;
    while (!eat('}')) {
      const auto key = quoted();
      if (!key || !eat(':') || !seen.insert(*key).second) return std::nullopt;
      const bool good = *key == "descr"           ? string(header.descr)
                        : *key == "fortran_order" ? boolean(header.fortran_order)
                        : *key == "shape"         ? tuple(header.shape)
                                                  : false;
      if (!good) return std::nullopt;
      if (!eat(',') && !text_.starts_with('}')) return std::nullopt;
    }
    skip();
    if (seen.size() != 3 || !text_.empty()) return std::nullopt;
    return header;
  }

 private:
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0]))) text_.remove_prefix(1);
  }
  bool eat(char c) {
    skip();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool eat(std::string_view word) {
    skip();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string> quoted() {
    const char quote = eat('\'') ? '\'' : eat('"') ? '"' : '\0';
    const auto end = quote == '\0' ? std::string_view::npos : text_.find(quote);
    if (end == std::string_view::npos) return std::nullopt;
    std::string result(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return result;
  }
  bool string(std::string& to) {
    const auto value = quoted();
    if (value) to = *value;
    return value.has_value();
  }
  bool boolean(bool& to) {
    to = eat("True");
    return to || eat("False");
  }
  std::optional<std::int64_t> number() {
    skip();
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; !text_.empty() && std::isdigit(static_cast<unsigned char>(text_[0])); text_.remove_prefix(1)) {
      if (++digits > 18) return std::nullopt;
      value = value * 10 + (text_[0] - '0');
    }
    eat('L');  // of Python 2
    if (digits == 0) return std::nullopt;
    return value;
  }
  bool tuple(std::vector<std::int64_t>& to) {
    if (!eat('(')) return false;
    while (!eat(')')) {
      const auto value = number();
      if (!value || to.size() == rank_limit) return false;
      to.push_back(*value);
      if (!eat(',')) return to.size() > 1 && eat(')');  // `(3)` is a number
    }
    return true;
  }

  std::string_view text_;
};

/// `<f4`, `>i8`, `|u1`: the byte order, which only single bytes and void lack, and the type.
std::optional<ElementType> element_of(std::string_view descr) {
  constexpr std::string_view orders = "<>=|";
  if (descr.size() != 3 || orders.find(descr[0]) == std::string_view::npos) return std::nullopt;
  for (const Kind& kind : kinds) {
    const bool ordered = info(kind.element).bytes > 1 && kind.element != ElementType::bf16;
    if (kind.code == descr.substr(1) && !(ordered && descr[0] == '|')) return kind.element;
  }
  return std::nullopt;
}

/// The bytes that so many elements take; nothing where these, or the extents that are not 0, are too many to
/// count.
std::optional<std::uint64_t> bytes_of(ElementType element, const std::vector<std::int64_t>& shape) {
  std::int64_t bytes = info(element).bytes;
  for (const auto extent : shape)
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(extent, 1), &bytes)) return std::nullopt;
  return std::ranges::find(shape, 0) == shape.end() ? static_cast<std::uint64_t>(bytes) : 0;
}

void swap_bytes(Tensor& tensor) {
  const std::size_t width = info(tensor.element()).bytes;
  for (std::size_t i = 0; i < tensor.byte_count(); i += width)
    std::reverse(tensor.data() + i, tensor.data() + i + width);
}

/// The tensor whose elements, in `stored`, lie in Fortran order.
Tensor from_fortran(const Tensor& stored, const std::vector<std::int64_t>& extents) {
  Tensor result(stored.element(), extents);
  elements::Walk source;
  std::int64_t stride = 1;
  for (const auto extent : extents) {
    source.strides.push_back(stride);
    stride *= extent;
  }
  elements::copy(stored, source, result, {0, elements::strides_of(extents)}, extents);
  return result;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

std::optional<Tensor> parse_npy(std::string_view bytes, const std::string& name, FileError& error) {
  const auto fail = [&](std::string_view what) {
    error = {FileError::Kind::format, fmt::format("{}: {}", name, what)};
    return std::nullopt;
  };
  if (!bytes.starts_with(magic) || bytes.size() < 10) return fail("is not a .npy file");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3 || bytes[7] != 0) return fail("is of an unknown version of .npy");
  const std::size_t width = version == 1 ? 2 : 4, start = 8 + width;
  if (bytes.size() < start) return fail("is cut off");
  const std::uint64_t length = little_endian(bytes.substr(8, width));
  if (length > bytes.size() - start) return fail("is cut off");
  const auto header = HeaderParser(bytes.substr(start, length)).parse();
  if (!header) return fail("has a header that is not understood");
  const auto element = element_of(header->descr);
  if (!element)
    return fail(fmt::format("has elements of type '{}', which are not known here", header->descr));

  const std::string_view data = bytes.substr(start + length);
  if (bytes_of(*element, header->shape) != data.size())
    return fail(fmt::format("has {} bytes of elements, not those of [{}]", data.size(),
                            fmt::join(header->shape, " x ")));
  Tensor tensor(*element, header->shape);
  std::memcpy(tensor.data(), data.data(), data.size());
  if (header->descr[0] == '>') swap_bytes(tensor);
  if (*element == ElementType::boolean)
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, tensor.integer(i));
  return header->fortran_order ? from_fortran(tensor, header->shape) : tensor;
}

std::string format_npy(const Tensor& tensor) {
  std::string_view code;
  for (const Kind& kind : kinds)
    if (kind.element == tensor.element()) code = kind.code;
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  info(tensor.element()).bytes == 1 ? '|' : '<', code, fmt::join(tensor.extents(), ", "),
                  tensor.extents().size() == 1 ? "," : "");
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file(magic);
  file += '\x01';
  file += '\x00';
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(tensor.data()), tensor.byte_count());
  return file;
}

std::optional<Tensor> read_npy(const std::string& path, FileError& error) {
  const auto bytes = read_file(path, error);
  if (!bytes) return std::nullopt;
  return parse_npy(*bytes, path, error);
}

bool write_npy(const std::string& path, const Tensor& tensor, FileError& error) {
  return write_file(path, format_npy(tensor), error);
}

}  // namespace dlvm
