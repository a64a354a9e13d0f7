#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/tensor.h"
#include "dlvm/support/files.h"

/// Tensors in files: NumPy's `.npy` and `.npz`, and safetensors.
namespace dlvm {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

/// Reads NumPy's format, versions 1 to 3, either byte order, C or Fortran order; two void bytes are a bf16.
std::optional<Tensor> read_npy(const std::string& path, FileError& error);
bool write_npy(const std::string& path, const Tensor& tensor, FileError& error);

/// Reads the tensors of a safetensors file, in the order of their elements in it.
std::optional<NamedTensors> read_safetensors(const std::string& path, FileError& error);
bool write_safetensors(const std::string& path, const NamedTensors& tensors, FileError& error);

/// Reads one of NumPy's archives, stored or compressed: the tensors in the order of the archive, by the names
/// that `numpy.savez` was given.
std::optional<NamedTensors> read_npz(const std::string& path, FileError& error);

/// Reads a `.npz` file, or else a safetensors file.
std::optional<NamedTensors> read_tensors(const std::string& path, FileError& error);
/// Appends to `tensors` what a command line gives: `NAME=FILE.npy`, or a file of named tensors. Returns false
/// after an error.
bool read_given(const std::string& argument, NamedTensors& tensors, FileError& error);
/// Returns the file that such an argument names.
std::string given_file(const std::string& argument);
/// Writes a `.npy` file, of the only result, or else a safetensors file.
bool write_results(const std::string& path, const NamedTensors& results, FileError& error);

/// These do the same on bytes in memory; `name` stands for the path in messages.
std::optional<Tensor> parse_npy(std::string_view bytes, const std::string& name, FileError& error);
std::string format_npy(const Tensor& tensor);
std::optional<NamedTensors> parse_npz(std::string_view bytes, const std::string& name, FileError& error);
std::optional<NamedTensors> parse_safetensors(std::string_view bytes, const std::string& name,
                                              FileError& error);
std::string format_safetensors(const NamedTensors& tensors);

}  // namespace dlvm
