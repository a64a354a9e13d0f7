#ifndef TEL_V1
#define TEL_V1

#include <array>
#include <bit>
#include <concepts>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if defined(__cpp_exceptions)
#define TEL_EXCEPTIONS 1
#endif

namespace tel::inline v1 {

/// An extent that is known at run time.
inline constexpr std::size_t dynamic = std::dynamic_extent;

enum class Status : std::int32_t {
  ok = TEL_OK,
  invalid_argument = TEL_INVALID_ARGUMENT,
  extent = TEL_EXTENT,
  index = TEL_INDEX,
  workspace = TEL_WORKSPACE,
  memory = TEL_MEMORY,
  file = TEL_FILE,
  format = TEL_FORMAT,
  tensors = TEL_TENSORS,
  device = TEL_DEVICE,
};

/// What the functions without `try_` throw.
class Error : public std::exception {
 public:
  explicit Error(const tel_error& error) noexcept : error_(error) {}
  Status status() const noexcept { return static_cast<Status>(error_.code); }
  const char* what() const noexcept override { return error_.text; }

 private:
  tel_error error_;
};

/// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(const tel_error& error) : content_(std::in_place_index<1>, error) {}

  explicit operator bool() const noexcept { return content_.index() == 0; }
  T& operator*() & noexcept { return *std::get_if<0>(&content_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&content_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&content_)); }
  T* operator->() noexcept { return std::get_if<0>(&content_); }
  const T* operator->() const noexcept { return std::get_if<0>(&content_); }

  /// Only where there is no value.
  const tel_error& error() const noexcept { return *std::get_if<1>(&content_); }
  Status status() const noexcept { return *this ? Status::ok : static_cast<Status>(error().code); }

#ifdef TEL_EXCEPTIONS
  /// The value; throws where there is none.
  T value() && {
    if (!*this) throw Error(error());
    return std::move(**this);
  }
#endif

 private:
  std::variant<T, tel_error> content_;
};

/// Done, or the reason why not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() noexcept : error_{} {}
  Result(const tel_error& error) noexcept : error_(error) {}

  explicit operator bool() const noexcept { return error_.code == TEL_OK; }
  const tel_error& error() const noexcept { return error_; }
  Status status() const noexcept { return static_cast<Status>(error_.code); }

#ifdef TEL_EXCEPTIONS
  void value() && {
    if (!*this) throw Error(error_);
  }
#endif

 private:
  tel_error error_;
};

/// A 16-bit float (IEEE 754 binary16) in memory; computes as float.
struct float16 : tel_float16 {
  float16() = default;
  explicit float16(float value) noexcept : tel_float16{narrow(value)} {}

  operator float() const noexcept {
    const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31;
    const std::uint32_t exponent = bits >> 10 & 31u;
    const std::uint32_t fraction = bits & 1023u;
    if (exponent == 0)  // fraction * 2^-24
      return std::bit_cast<float>(sign |
                                  std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  }

 private:
  /// To the nearest, ties to even.
  static std::uint16_t narrow(float value) noexcept {
    const auto all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = all >> 16 & 0x8000u;
    const std::uint32_t magnitude = all & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // from 2^16 on
    if (magnitude < 0x38800000u) {  // below 2^-14: the sum's unit in the last place is 2^-24
      const float sum = std::bit_cast<float>(magnitude) + 0.5f;
      return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000u));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23);
    return static_cast<std::uint16_t>(sign | rounded >> 13);
  }
};

/// The upper half of a float in memory; computes as float.
struct bfloat16 : tel_bfloat16 {
  bfloat16() = default;
  explicit bfloat16(float value) noexcept : tel_bfloat16{narrow(value)} {}
  operator float() const noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

 private:
  /// To the nearest, ties to even.
  static std::uint16_t narrow(float value) noexcept {
    const auto all = std::bit_cast<std::uint32_t>(value);
    if ((all & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(all >> 16 | 0x40u);
    return static_cast<std::uint16_t>((all + 0x7fffu + (all >> 16 & 1u)) >> 16);
  }
};

}  // namespace tel::inline v1
