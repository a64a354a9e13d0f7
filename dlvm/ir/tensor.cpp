#include "dlvm/ir/tensor.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "dlvm/ir/float16.h"

namespace dlvm {
namespace {

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <typename T>
T saturate(double value) {
  if (std::isnan(value)) return 0;
  value = std::trunc(value);
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

}  // namespace

Tensor::Tensor(ElementType element, std::vector<std::int64_t> extents)
    : element_(element), extents_(std::move(extents)) {
  std::size_t count = 1;
  for (const auto extent : extents_) count *= static_cast<std::size_t>(extent);
  bytes_.assign(count * info(element).bytes, std::byte{0});
}

Tensor Tensor::scalar(ElementType element, double value) {
  Tensor tensor(element, {});
  tensor.set(0, value);
  return tensor;
}

Tensor Tensor::scalar(ElementType element, std::int64_t value) {
  Tensor tensor(element, {});
  tensor.set(0, value);
  return tensor;
}

double Tensor::real(std::size_t i) const {
  const std::byte* at = data() + i * info(element_).bytes;
  switch (element_) {
    case ElementType::f16:
      return float16_to_double(load<std::uint16_t>(at));
    case ElementType::bf16:
      return bfloat16_to_double(load<std::uint16_t>(at));
    case ElementType::f32:
      return static_cast<double>(load<float>(at));
    case ElementType::f64:
      return load<double>(at);
    case ElementType::u64:
      return static_cast<double>(load<std::uint64_t>(at));
    case ElementType::boolean:
    case ElementType::i8:
    case ElementType::i16:
    case ElementType::i32:
    case ElementType::i64:
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::u32:
      break;
  }
  return static_cast<double>(integer(i));
}

std::int64_t Tensor::integer(std::size_t i) const {
  const std::byte* at = data() + i * info(element_).bytes;
  switch (element_) {
    case ElementType::boolean:
      return load<std::uint8_t>(at) != 0;
    case ElementType::i8:
      return load<std::int8_t>(at);
    case ElementType::i16:
      return load<std::int16_t>(at);
    case ElementType::i32:
      return load<std::int32_t>(at);
    case ElementType::i64:
      return load<std::int64_t>(at);
    case ElementType::u8:
      return load<std::uint8_t>(at);
    case ElementType::u16:
      return load<std::uint16_t>(at);
    case ElementType::u32:
      return load<std::uint32_t>(at);
    case ElementType::u64:
      return static_cast<std::int64_t>(load<std::uint64_t>(at));
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::f32:
    case ElementType::f64:
      break;
  }
  return saturate<std::int64_t>(real(i));
}

void Tensor::set(std::size_t i, double value) {
  std::byte* at = data() + i * info(element_).bytes;
  switch (element_) {
    case ElementType::boolean:
      return store<std::uint8_t>(at, value != 0);
    case ElementType::i8:
      return store(at, saturate<std::int8_t>(value));
    case ElementType::i16:
      return store(at, saturate<std::int16_t>(value));
    case ElementType::i32:
      return store(at, saturate<std::int32_t>(value));
    case ElementType::i64:
      return store(at, saturate<std::int64_t>(value));
    case ElementType::u8:
      return store(at, saturate<std::uint8_t>(value));
    case ElementType::u16:
      return store(at, saturate<std::uint16_t>(value));
    case ElementType::u32:
      return store(at, saturate<std::uint32_t>(value));
    case ElementType::u64:
      return store(at, saturate<std::uint64_t>(value));
    case ElementType::f16:
      return store(at, float16_from(value));
    case ElementType::bf16:
      return store(at, bfloat16_from(value));
    case ElementType::f32:
      return store(at, static_cast<float>(value));
    case ElementType::f64:
      return store(at, value);
  }
}

void Tensor::set(std::size_t i, std::int64_t value) {
  if (is_floating(element_)) return set(i, static_cast<double>(value));
  std::byte* at = data() + i * info(element_).bytes;
  if (is_boolean(element_)) return store<std::uint8_t>(at, value != 0);
  std::memcpy(at, &value, info(element_).bytes);  // little-endian: the low bytes are the wrapped value
}

}  // namespace dlvm
