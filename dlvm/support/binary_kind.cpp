#include "dlvm/support/binary_kind.h"

#include <cstdint>
#include <utility>

namespace dlvm {
namespace {

using namespace std::string_view_literals;

/// No text of TEL or DLVM begins so.
constexpr std::pair<std::string_view, std::string_view> beginnings[]{
    {"\x93NUMPY"sv, "a NumPy array (.npy)"},
    {"\x7F\x45LF"sv, "an object, a library or a program (ELF)"},
    {"\x89PNG"sv, "a picture (PNG)"},
    {"\xFF\xD8\xFF"sv, "a picture (JPEG)"},
    {"\x1F\x8B"sv, "a compressed file (gzip)"},
    {"\xFD\x37zXZ"sv, "a compressed file (xz)"},
    {"\x28\xB5\x2F\xFD"sv, "a compressed file (zstd)"},
    {"%PDF-"sv, "a document (PDF)"},
    {"\x89HDF\r\n"sv, "an HDF5 file, as Keras writes models"},
    {"GGUF\x02\0"sv, "a model in GGUF, as llama.cpp reads it"},
    {"GGUF\x03\0"sv, "a model in GGUF, as llama.cpp reads it"},
    {"BC\xC0\xDE"sv, "code of LLVM (bitcode)"},
    {"\x80\x02"sv, "a Python pickle, as old versions of PyTorch write models"},
    {"\x80\x03"sv, "a Python pickle"},
    {"\x80\x04"sv, "a Python pickle"},
    {"\x80\x05"sv, "a Python pickle"},
    {"\xFF\xFE"sv, "text in UTF-16"},
    {"\xFE\xFF"sv, "text in UTF-16"}};

/// A zip archive names the kinds of what is in it: the name of each entry stands before its bytes.
std::string_view zip_kind(std::string_view contents) {
  constexpr std::size_t looked_at = 4096;
  const std::string_view start = contents.substr(0, looked_at);
  if (start.find("data.pkl") != std::string_view::npos) return "a model of PyTorch (.pt)";
  if (start.find("keras_version") != std::string_view::npos) return "a model of Keras (.keras)";
  if (start.find(".npy") != std::string_view::npos) return "an archive of NumPy arrays (.npz)";
  return "a zip archive";
}

/// A file of safetensors begins with the length of its header, a JSON object.
bool is_safetensors(std::string_view contents) {
  constexpr std::size_t header = 8;
  if (contents.size() <= header || contents[header] != '{') return false;
  std::uint64_t length = 0;
  for (std::size_t i = header; i-- > 0;) length = length << 8 | static_cast<unsigned char>(contents[i]);
  return length >= 2 && length < std::uint64_t{1} << 32;
}

/// A model of TensorFlow Lite begins with a number below 2^24 of four bytes, and a name.
bool is_tensorflow_lite(std::string_view contents) {
  constexpr std::size_t number = 4;
  return contents.size() > number && contents[number - 1] == 0 && contents.substr(number).starts_with("TFL3");
}

/// Models of ONNX and TensorFlow begin with their version of the format, a small number, and the tag of what
/// follows it: in ONNX, where the version is at least 3, the name of what wrote it or the graph.
std::string_view protocol_buffer_kind(std::string_view contents) {
  constexpr char version = 0x08, text = 0x12, graph = 0x3A;
  if (contents.size() < 4 || contents[0] != version) return "";
  if (contents[1] == 1 && contents[2] == text) return "a model of TensorFlow (SavedModel)";
  const bool onnx = contents[1] > 2 && contents[1] < 32 && (contents[2] == text || contents[2] == graph);
  return onnx ? "a model in ONNX" : "";
}

}  // namespace

std::string_view binary_kind(std::string_view contents) {
  for (const auto& [beginning, kind] : beginnings)
    if (contents.starts_with(beginning)) return kind;
  if (contents.starts_with("PK\x03\x04"sv)) return zip_kind(contents);
  if (is_safetensors(contents)) return "a file of tensors (safetensors)";
  if (is_tensorflow_lite(contents)) return "a model of TensorFlow Lite (.tflite)";
  return protocol_buffer_kind(contents);
}

}  // namespace dlvm
