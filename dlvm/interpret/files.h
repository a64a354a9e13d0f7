#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/tensor.h"

/// Files: read whole, written whole or not at all; tensors in NumPy's `.npy` and in safetensors.
namespace dlvm {

struct FileError {
  enum class Kind : std::uint8_t {
    system,  ///< the system could not open, read or write
    format,  ///< what the file holds is not what it should be
  };
  Kind kind = Kind::system;
  std::string text;  ///< begins with the path
};

/// `-` is standard input. A device or a pipe is read up to 1 GiB.
std::optional<std::string> read_file(const std::string& path, FileError& error);
/// Writes beside the file and renames, so that a failure leaves no part of a file and the old one as it was;
/// a device or a pipe is written as it is. `-` is standard output.
bool write_file(const std::string& path, std::string_view contents, FileError& error);

struct NamedTensor {
  std::string name;
  Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

/// NumPy's format, versions 1 to 3, either byte order, C or Fortran order; two void bytes are a bf16.
std::optional<Tensor> read_npy(const std::string& path, FileError& error);
bool write_npy(const std::string& path, const Tensor& tensor, FileError& error);

/// In the order of the file's header.
std::optional<NamedTensors> read_safetensors(const std::string& path, FileError& error);
bool write_safetensors(const std::string& path, const NamedTensors& tensors, FileError& error);

/// The same on bytes in memory; `name` stands for the path in messages.
std::optional<Tensor> parse_npy(std::string_view bytes, const std::string& name, FileError& error);
std::string format_npy(const Tensor& tensor);
std::optional<NamedTensors> parse_safetensors(std::string_view bytes, const std::string& name,
                                              FileError& error);
std::string format_safetensors(const NamedTensors& tensors);

}  // namespace dlvm
