// safetensors: the header's length (8 bytes, little-endian), the header (JSON: for each name `dtype`,
// `shape`, `data_offsets`; `__metadata__` is left aside), the elements. docs/header.md has all rules, which
// are those of runtime/weights, too: the files of tests/support/safetensors_files.h are read by both.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "dlvm/io/tensor_files.h"

namespace dlvm {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t header_limit = 100'000'000;

constexpr std::string_view dtypes[]{"BOOL", "I8",  "I16", "I32",  "I64", "U8", "U16",
                                    "U32",  "U64", "F16", "BF16", "F32", "F64"};
std::string_view dtype(ElementType element) { return dtypes[static_cast<std::size_t>(element)]; }

std::optional<ElementType> element_of(const std::string& name) {
  for (const auto& entry : element_types)
    if (dtype(entry.type) == name) return entry.type;
  return std::nullopt;
}

/// A tensor as the header describes it.
struct Listed {
  std::string name, dtype;
  std::vector<std::int64_t> extents, offsets;

  std::int64_t begin() const { return offsets[0]; }
  std::int64_t end() const { return offsets[1]; }
};

/// Takes the header piece by piece, so that what it needs is bounded by what it lists. The functions are
/// those of nlohmann::json_sax; they give false where the header has another form, or a key twice.
class HeaderReader {
 public:
  std::vector<Listed> tensors;
  std::string twice;  ///< the name that two tensors have

  bool start_object(std::size_t) {
    if (depth_ > 1) return false;
    if (++depth_ == 2 && !in_metadata_) tensors.push_back({std::move(name_), {}, {}, {}});
    fields_.clear();
    return true;
  }
  bool key(std::string& key) {
    if (depth_ == 2) {
      field_ = key;
      return in_metadata_ ||
             ((key == "dtype" || key == "shape" || key == "data_offsets") && fields_.insert(key).second);
    }
    in_metadata_ = key == "__metadata__";
    const bool is_new = names_.insert(key).second;
    if (!is_new && !in_metadata_) twice = key;
    name_ = std::move(key);
    return is_new;
  }
  bool string(std::string& value) {
    if (depth_ != 2 || !(in_metadata_ || field_ == "dtype")) return false;
    if (!in_metadata_) tensors.back().dtype = std::move(value);
    return true;
  }
  bool start_array(std::size_t) {
    if (depth_ != 2 || in_metadata_ || field_ == "dtype") return false;
    ++depth_;
    return true;
  }
  bool number_unsigned(std::uint64_t value) {
    if (depth_ != 3 || value > INT64_MAX) return false;
    auto& list = field_ == "shape" ? tensors.back().extents : tensors.back().offsets;
    list.push_back(static_cast<std::int64_t>(value));
    return true;
  }
  bool end_array() {
    --depth_;
    return true;
  }
  bool end_object() {
    return --depth_ != 1 || in_metadata_ || (fields_.size() == 3 && tensors.back().offsets.size() == 2);
  }

  // No header may contain these.
  bool null() { return false; }
  bool boolean(bool) { return false; }
  bool number_integer(std::int64_t) { return false; }
  bool number_float(double, const std::string&) { return false; }
  bool binary(Json::binary_t&) { return false; }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

 private:
  int depth_ = 0;  ///< 1 among the tensors, 2 in one or in the metadata, 3 in a list
  bool in_metadata_ = false;
  std::string name_, field_;  ///< the last keys
  std::set<std::string> names_, fields_;
};

/// Reads the tensors that the header lists; returns what is wrong with it, or an empty text.
std::string read_header(std::string_view header, std::vector<Listed>& tensors) {
  HeaderReader reader;
  // The parser passes over a byte order mark, and takes a zero byte for the end.
  const bool is_text = header.starts_with('{') && header.find('\0') == std::string_view::npos;
  const bool good = is_text && Json::sax_parse(header, &reader);
  tensors = std::move(reader.tensors);
  if (!reader.twice.empty()) return fmt::format("tensor '{}' is there twice", reader.twice);
  if (good) return {};
  return "its header is not JSON of the form "
         R"({"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...})";
}

/// The bytes of the elements, nothing where 63 bits do not hold them (extents of 0 left out, whatever their
/// order).
std::optional<std::int64_t> byte_count(const Listed& listed) {
  const auto element = element_of(listed.dtype);
  std::int64_t bytes = element ? static_cast<std::int64_t>(info(*element).bytes) : 1;
  bool empty = false;
  for (const auto extent : listed.extents) {
    empty |= extent == 0;
    if (extent > 0 && __builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  return empty ? 0 : bytes;
}

std::string check_tensor(const Listed& listed) {
  const auto about = [&](const std::string& what) {
    return fmt::format("tensor '{}' {}", listed.name, what);
  };
  if (listed.begin() > listed.end()) return about("ends before it begins");
  const auto bytes = byte_count(listed);
  if (!bytes) return about("has a shape of more elements than 63 bits can count");
  if (!element_of(listed.dtype) || *bytes == listed.end() - listed.begin()) return {};
  return about(fmt::format("has {} bytes of elements, but its type and shape need {}",
                           listed.end() - listed.begin(), *bytes));
}

/// Sorts the tensors by their places. What is wrong with them, in a file with `data` bytes of elements.
std::string check_tensors(std::vector<Listed>& tensors, std::size_t data) {
  for (const Listed& listed : tensors)
    if (auto wrong = check_tensor(listed); !wrong.empty()) return wrong;
  std::ranges::stable_sort(tensors, {}, &Listed::offsets);
  std::int64_t end = 0;
  for (const Listed& listed : tensors) {
    if (listed.begin() != end)
      return fmt::format("tensor '{}' begins at byte {}, expected {}: tensors neither overlap nor leave gaps",
                         listed.name, listed.begin(), end);
    end = listed.end();
  }
  if (static_cast<std::size_t>(end) == data) return {};
  return fmt::format("its tensors have {} bytes of elements, but the file has {}", end, data);
}

Tensor make_tensor(const Listed& listed, ElementType element, std::string_view data) {
  Tensor tensor(element, listed.extents);
  if (tensor.byte_count() > 0) std::memcpy(tensor.data(), data.data() + listed.begin(), tensor.byte_count());
  if (element == ElementType::boolean)
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, tensor.integer(i));
  return tensor;
}

}  // namespace

std::optional<NamedTensors> parse_safetensors(std::string_view bytes, const std::string& name,
                                              FileError& error) {
  const auto fail = [&](std::string_view what) {
    error = {FileError::Kind::format, fmt::format("{}: {}", name, what)};
    return std::nullopt;
  };
  if (bytes.size() < 8) return fail("it is too short for a safetensors file");
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > header_limit || length > bytes.size() - 8)
    return fail("its header is longer than the file, or than the 100,000,000 bytes that the format allows");
  const std::string_view data = bytes.substr(8 + length);
  std::vector<Listed> listed;
  std::string wrong = read_header(bytes.substr(8, length), listed);
  if (wrong.empty()) wrong = check_tensors(listed, data.size());
  if (!wrong.empty()) return fail(wrong);
  NamedTensors tensors;
  for (const Listed& each : listed) {
    const auto element = element_of(each.dtype);
    if (!element)
      return fail(fmt::format("tensor '{}' has elements of type {}, which the language does not have",
                              each.name, each.dtype));
    tensors.push_back({each.name, make_tensor(each, *element, data)});
  }
  return tensors;
}

std::string format_safetensors(const NamedTensors& tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t end = offset + tensor.byte_count();
    header[name] = {
        {"dtype", dtype(tensor.element())}, {"shape", tensor.extents()}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  while (text.size() % 8 != 0) text += ' ';
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  file += text;
  for (const auto& [name, tensor] : tensors)
    file.append(reinterpret_cast<const char*>(tensor.data()), tensor.byte_count());
  return file;
}

std::optional<NamedTensors> read_safetensors(const std::string& path, FileError& error) {
  const auto bytes = read_file(path, error);
  if (!bytes) return std::nullopt;
  return parse_safetensors(*bytes, path, error);
}

bool write_safetensors(const std::string& path, const NamedTensors& tensors, FileError& error) {
  return write_file(path, format_safetensors(tensors), error);
}

}  // namespace dlvm
