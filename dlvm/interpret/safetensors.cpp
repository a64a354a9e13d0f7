// safetensors: the header's length (8 bytes, little-endian), the header (JSON: for each name `dtype`,
// `shape`, `data_offsets`; `__metadata__` is left aside), the elements.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "dlvm/interpret/files.h"

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

/// A list of numbers that are not negative, or nothing.
std::optional<std::vector<std::int64_t>> naturals(const Json& json) {
  if (!json.is_array() || json.size() > 64) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Json& number : json) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > (std::uint64_t{1} << 62))
      return std::nullopt;
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

struct Placed {
  std::uint64_t begin = 0, end = 0;  ///< of its elements, in the file
  NamedTensor tensor;
};

/// The tensor that a header's entry describes; nothing, and why, where it is not a good one.
std::optional<Placed> tensor_of(const std::string& name, const Json& entry, std::string_view data,
                                std::string& why) {
  const auto fail = [&](std::string_view what) {
    why = what;
    return std::nullopt;
  };
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets") || !entry["dtype"].is_string())
    return fail("lacks dtype, shape or data_offsets");
  const auto element = element_of(entry["dtype"].get<std::string>());
  if (!element) return fail("has elements of an unknown type");
  const auto shape = naturals(entry["shape"]), offsets = naturals(entry["data_offsets"]);
  if (!shape || !offsets || offsets->size() != 2)
    return fail("has a shape or data_offsets that are not lists of sizes");
  const auto begin = static_cast<std::uint64_t>((*offsets)[0]),
             end = static_cast<std::uint64_t>((*offsets)[1]);
  if (begin > end || end > data.size()) return fail("lies outside the file");
  std::uint64_t expected = info(*element).bytes;
  bool overflow = false;
  for (const auto extent : *shape)
    overflow |= __builtin_mul_overflow(expected, static_cast<std::uint64_t>(extent), &expected);
  if (overflow || expected != end - begin) return fail("has another number of bytes than its shape says");
  Tensor tensor(*element, *shape);
  std::memcpy(tensor.data(), data.data() + begin, end - begin);
  if (*element == ElementType::boolean)
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, tensor.integer(i));
  return Placed{begin, end, {name, std::move(tensor)}};
}

}  // namespace

std::optional<NamedTensors> parse_safetensors(std::string_view bytes, const std::string& name,
                                              FileError& error) {
  const auto fail = [&](std::string_view what) {
    error = {FileError::Kind::format, fmt::format("{}: {}", name, what)};
    return std::nullopt;
  };
  if (bytes.size() < 8) return fail("is not a safetensors file");
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > header_limit || length > bytes.size() - 8)
    return fail("is not a safetensors file, or is cut off");
  const Json header = Json::parse(bytes.substr(8, length), nullptr, false);
  if (!header.is_object()) return fail("has a header that is not a JSON object");
  const std::string_view data = bytes.substr(8 + length);
  std::vector<Placed> placed;
  for (const auto& [key, entry] : header.items()) {
    if (key == "__metadata__") continue;
    std::string why;
    auto tensor = tensor_of(key, entry, data, why);
    if (!tensor) return fail(fmt::format("tensor '{}' {}", key, why));
    placed.push_back(std::move(*tensor));
  }
  std::ranges::stable_sort(placed, {}, [](const Placed& each) { return std::pair(each.begin, each.end); });
  NamedTensors tensors;
  for (Placed& each : placed) tensors.push_back(std::move(each.tensor));
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
