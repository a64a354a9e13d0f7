#ifndef TEL_V1
#define TEL_V1

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <variant>
#include <vector>

namespace tel::inline v1 {

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

/// The exception that the functions without `try_` throw.
class Error : public std::exception {
 public:
  explicit Error(const tel_error& error) noexcept : error_(error) {}
  Status status() const noexcept { return static_cast<Status>(error_.code); }
  const char* what() const noexcept override { return error_.text; }

 private:
  tel_error error_;
};

/// A value, or the error that explains why there is none.
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

  /// The error; may be called only where there is no value.
  const tel_error& error() const noexcept { return *std::get_if<1>(&content_); }
  Status status() const noexcept { return *this ? Status::ok : static_cast<Status>(error().code); }

#ifdef TEL_EXCEPTIONS
  /// Returns the value, and throws `Error` where there is none.
  T value() && {
    if (!*this) throw Error(error());
    return std::move(**this);
  }
#endif

 private:
  std::variant<T, tel_error> content_;
};

/// Success, or the error that explains the failure.
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

}  // namespace tel::inline v1
