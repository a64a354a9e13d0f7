#include "dlvm/support/binary_kind.h"

#include <doctest/doctest.h>

#include <string>

namespace dlvm {
namespace {

using namespace std::string_view_literals;

TEST_CASE("files of numbers and models are known by their first bytes") {
  CHECK(binary_kind("\x93NUMPY\x01") == "a NumPy array (.npy)");
  CHECK(binary_kind("\x80\x02}"sv) == "a Python pickle, as old versions of PyTorch write models");
  CHECK(binary_kind("PK\x03\x04....archive/data.pkl") == "a model of PyTorch (.pt)");
  CHECK(binary_kind("PK\x03\x04....weights.npy") == "an archive of NumPy arrays (.npz)");
  CHECK(binary_kind("PK\x03\x04....readme") == "a zip archive");
  const std::string far = "PK\x03\x04" + std::string(4088, '.') + ".npy";  // the end of what is looked at
  CHECK(binary_kind(far) == "an archive of NumPy arrays (.npz)");
  CHECK(binary_kind(far.substr(0, 4) + '.' + far.substr(4)) == "a zip archive");
  CHECK(binary_kind("PK\x03\x04....metadata.json{\"keras_version\"") == "a model of Keras (.keras)");
  CHECK(binary_kind("GGUF\x03\0\0\0"sv) == "a model in GGUF, as llama.cpp reads it");
  CHECK(binary_kind("\x1C\0\0\0TFL3\x14"sv) == "a model of TensorFlow Lite (.tflite)");
  CHECK(binary_kind("\x08\x01\x12\xA0\x0B"sv) == "a model of TensorFlow (SavedModel)");
  CHECK(binary_kind("\x08\x03\x12\x04test"sv) == "a model in ONNX");
  CHECK(binary_kind("\x08\x1F\x3A."sv) == "a model in ONNX");
}

TEST_CASE("a file of tensors begins with the length of its header, which is at least that of {}") {
  CHECK(binary_kind("\x02\0\0\0\0\0\0\0{}"sv) == "a file of tensors (safetensors)");
  CHECK(binary_kind("\0\0\0\x40\0\0\0\0{\"a\""sv) == "a file of tensors (safetensors)");
  CHECK(binary_kind("\x01\0\0\0\0\0\0\0{}"sv).empty());
  CHECK(binary_kind("\0\0\0\0\x01\0\0\0{}"sv).empty());
  CHECK(binary_kind("\x02\0\0\0\0\0\0\0[]"sv).empty());
  CHECK(binary_kind("\x02\0\0\0\0\0\0\0"sv).empty());
}

TEST_CASE("other bytes are of no kind") {
  CHECK(binary_kind("").empty());
  CHECK(binary_kind("PK").empty());
  CHECK(binary_kind("GGUF: in[N]").empty());
  CHECK(binary_kind("x:  TFL3()").empty());
  CHECK(binary_kind("\x08\x02\x12."sv).empty());
  CHECK(binary_kind("\x08\x20\x12."sv).empty());
  CHECK(binary_kind("\x08\x07\x13."sv).empty());
  CHECK(binary_kind("\x08\x07\x12"sv).empty());
  CHECK(binary_kind("\x07\x07\x12."sv).empty());
}

}  // namespace
}  // namespace dlvm
