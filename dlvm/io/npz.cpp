// NumPy's `.npz`: a Zip archive of `.npy` files, each named as its tensor.
#include <fmt/format.h>

#include "dlvm/io/tensor_files.h"
#include "dlvm/io/zip.h"
#include "dlvm/support/memory.h"

namespace dlvm {

std::optional<NamedTensors> parse_npz(std::string_view bytes, const std::string& name, FileError& error) {
  auto members = parse_zip(bytes, name, physical_memory() / 2, error);
  if (!members) return std::nullopt;
  constexpr std::string_view suffix = ".npy";
  NamedTensors tensors;
  for (auto& [file, contents] : *members) {
    if (!file.ends_with(suffix) || file.size() == suffix.size()) {
      error = {FileError::Kind::format, fmt::format("{}: member '{}' is not named NAME.npy", name, file)};
      return std::nullopt;
    }
    auto tensor = parse_npy(contents, fmt::format("{}: member '{}'", name, file), error);
    if (!tensor) return std::nullopt;
    tensors.push_back({file.substr(0, file.size() - suffix.size()), std::move(*tensor)});
    contents = std::string();  // so that a member and its tensor are both there for one member at a time
  }
  return tensors;
}

std::optional<NamedTensors> read_npz(const std::string& path, FileError& error) {
  const auto bytes = read_file(path, error);
  if (!bytes) return std::nullopt;
  return parse_npz(*bytes, path, error);
}

}  // namespace dlvm
