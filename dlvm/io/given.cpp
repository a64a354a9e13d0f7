// Tensor files as a command line names them, told apart by how their names end.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "dlvm/io/tensor_files.h"

namespace dlvm {

std::optional<NamedTensors> read_tensors(const std::string& path, FileError& error) {
  return path.ends_with(".npz") ? read_npz(path, error) : read_safetensors(path, error);
}

namespace {

/// Where NAME ends in `NAME=FILE.npy`; nothing where the argument is a file of named tensors.
std::optional<std::size_t> end_of_name(const std::string& argument) {
  const auto equals = argument.find('=');
  const bool named = argument.ends_with(".safetensors") || argument.ends_with(".npz");
  return named || equals == std::string::npos ? std::nullopt : std::optional(equals);
}

/// The message where the argument is to be a file of named tensors, and there is no such file; empty where
/// that is all that is wrong.
std::string wrong_name(const std::string& argument) {
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return "";
  if (const auto equals = argument.find('='); equals != std::string::npos)
    return fmt::format("{}: a file of several tensors names each of them itself: write {}", argument,
                       argument.substr(equals + 1));
  if (!std::filesystem::path(argument).has_extension())
    return fmt::format("{0}: is neither NAME=FILE.npy nor a file of named tensors: write {0}=FILE.npy",
                       argument);
  return "";
}

}  // namespace

std::string given_file(const std::string& argument) {
  const auto equals = end_of_name(argument);
  return equals ? argument.substr(*equals + 1) : argument;
}

bool read_given(const std::string& argument, NamedTensors& tensors, FileError& error) {
  if (const auto equals = end_of_name(argument)) {
    auto tensor = read_npy(given_file(argument), error);
    if (tensor) tensors.push_back({argument.substr(0, *equals), std::move(*tensor)});
    return tensor.has_value();
  }
  if (argument.ends_with(".npy")) {
    error = {FileError::Kind::format,
             fmt::format("{}: is one tensor without a name: write NAME={}", argument, argument)};
    return false;
  }
  if (std::string why = wrong_name(argument); !why.empty()) {
    error = {FileError::Kind::format, std::move(why)};
    return false;
  }
  auto all = read_tensors(argument, error);
  if (all) std::ranges::move(*all, std::back_inserter(tensors));
  return all.has_value();
}

bool write_results(const std::string& path, const NamedTensors& results, FileError& error) {
  return path.ends_with(".npy") ? write_npy(path, results.front().tensor, error)
                                : write_safetensors(path, results, error);
}

}  // namespace dlvm
