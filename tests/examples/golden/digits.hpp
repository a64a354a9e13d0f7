/* Made by telc from digits.tel. C11, and C++20 below. */
#ifndef TEL_MODULE_digits
#define TEL_MODULE_digits

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* What all headers of telc share. */
#ifndef TEL_C_V1
#define TEL_C_V1

#ifdef __cplusplus
#define TEL_ALIGNED alignas(64)
extern "C" {
#else
#define TEL_ALIGNED _Alignas(64)
#endif

/* What went wrong: a status, and a text that ends in NUL. */
typedef struct tel_error {
  int32_t code;
  char text[512];
} tel_error;

enum {
  TEL_OK = 0,
  TEL_INVALID_ARGUMENT = 1, /* a null or misaligned pointer, a struct's size, an unknown option */
  TEL_EXTENT = 2,           /* an extent that does not fit */
  TEL_INDEX = 3,            /* a label or an index outside its range */
  TEL_WORKSPACE = 4,        /* the workspace is too small or misaligned */
  TEL_MEMORY = 5,           /* no memory */
  TEL_FILE = 6,             /* a file cannot be opened, read or written */
  TEL_FORMAT = 7,           /* the file is not a safetensors file */
  TEL_TENSORS = 8           /* tensors of the file are missing, unknown, or of another type or shape */
};

/* The bits of 16-bit floats. */
typedef struct tel_float16 {
  uint16_t bits;
} tel_float16;
typedef struct tel_bfloat16 {
  uint16_t bits;
} tel_bfloat16;

/* How a call's work is spread over threads. */
enum { TEL_SERIAL = 0 /* on the calling thread */ };
typedef struct tel_execution {
  size_t size; /* sizeof(tel_execution) */
  int32_t kind;
} tel_execution;

/* Options of a call. Zeros are the defaults. */
typedef struct tel_options {
  size_t size;                    /* sizeof(tel_options) */
  const tel_execution* execution; /* null: serial */
  uint64_t seed;                  /* of random numbers */
  int32_t accumulate;             /* 1: derivatives are added to the gradients */
} tel_options;

/* A safetensors file. */
typedef struct tel_file_arguments {
  size_t size; /* sizeof(tel_file_arguments) */
  const char* path;
  void* parameters; /* null: not loaded or saved */
  void* constants;  /* likewise */
  int32_t partial;  /* loading: 1 leaves what the file does not have, and passes over what is unknown */
} tel_file_arguments;

#ifdef __cplusplus
}
#endif
#endif /* TEL_C_V1 */

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters. Aligned to 64 bytes; what lies between tensors is 0. */
typedef struct digits_parameters {
  TEL_ALIGNED float W1[784][256];
  TEL_ALIGNED float b1[256];
  TEL_ALIGNED float W2[256][10];
  TEL_ALIGNED float b2[10];
} digits_parameters;

/* The derivatives for the parameters. */
typedef digits_parameters digits_gradients;

/* Sets all parameters to their initial values for this seed. */
int32_t digits_initialize(digits_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.digits.94986be21fcce9a1");
/* Safetensors files; saving replaces the file whole or not at all. */
int32_t digits_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.digits.94986be21fcce9a1");
int32_t digits_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.digits.94986be21fcce9a1");

/* Entry points. They are thread-safe, and allocate nothing. Inputs and outputs are row-major, without
   gaps; a function gives a status, and writes its text to `error`, which may be null. An output that
   is null is placed in the workspace: the call sets its pointer and its extents. */

typedef struct digits_forward_arguments {
  size_t size; /* sizeof(digits_forward_arguments) */
  const float* x; /* [N x 784]: Brightness of each pixel, 0 to 1, row by row. */
  int64_t x_extents[2];
  const digits_parameters* parameters;
  float* y; /* [N x 10]: The probability of each digit. */
  int64_t y_extents[2];
  int32_t* digit; /* [N]: The digit that is most likely. */
  int64_t digit_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} digits_forward_arguments;

int32_t digits_forward(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.94986be21fcce9a1");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t digits_forward_prepare(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.prepare.94986be21fcce9a1");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t digits_forward_workspace(int64_t N, const tel_options* options)
    __asm__("digits.forward.workspace.94986be21fcce9a1");

typedef struct digits_evaluate_arguments {
  size_t size; /* sizeof(digits_evaluate_arguments) */
  const float* x; /* [N x 784]: Brightness of each pixel, 0 to 1, row by row. */
  int64_t x_extents[2];
  const int32_t* label; /* [N]: The digit that each image shows, 0 to 9. */
  int64_t label_extents[1];
  const digits_parameters* parameters;
  float L;
  float* y; /* [N x 10]: The probability of each digit. */
  int64_t y_extents[2];
  int32_t* digit; /* [N]: The digit that is most likely. */
  int64_t digit_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} digits_evaluate_arguments;

int32_t digits_evaluate(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.94986be21fcce9a1");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t digits_evaluate_prepare(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.prepare.94986be21fcce9a1");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t digits_evaluate_workspace(int64_t N, const tel_options* options)
    __asm__("digits.evaluate.workspace.94986be21fcce9a1");

typedef struct digits_gradient_arguments {
  size_t size; /* sizeof(digits_gradient_arguments) */
  const float* x; /* [N x 784]: Brightness of each pixel, 0 to 1, row by row. */
  int64_t x_extents[2];
  const int32_t* label; /* [N]: The digit that each image shows, 0 to 9. */
  int64_t label_extents[1];
  const digits_parameters* parameters;
  digits_gradients* gradients;
  float L;
  float* y; /* [N x 10]: The probability of each digit. */
  int64_t y_extents[2];
  int32_t* digit; /* [N]: The digit that is most likely. */
  int64_t digit_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} digits_gradient_arguments;

int32_t digits_gradient(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.94986be21fcce9a1");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t digits_gradient_prepare(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.prepare.94986be21fcce9a1");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t digits_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("digits.gradient.workspace.94986be21fcce9a1");

#ifdef __cplusplus
}  // extern "C"
#endif

#ifdef __cplusplus
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

template <class T, std::size_t... Extents>
class View;

namespace detail {

template <class T, std::size_t First, std::size_t... Rest>
struct Inner {
  using type = View<T, Rest...>;
};

template <std::size_t... Extents>
inline constexpr std::size_t dynamic_count = (std::size_t{0} + ... + (Extents == dynamic ? 1u : 0u));

/// Whether a view of extents `From` may become one of extents `To`: axis by axis the same, or any to dynamic.
template <class From, class To>
inline constexpr bool fits = false;
template <std::size_t... From, std::size_t... To>
  requires(sizeof...(From) == sizeof...(To))
inline constexpr bool fits<std::index_sequence<From...>, std::index_sequence<To...>> =
    ((From == To || To == dynamic) && ...);

}  // namespace detail

/// Memory of a tensor that somebody else owns: row-major, without gaps. Like a pointer, it can be copied, and
/// a constant view of elements that are not constant can still write them.
template <class T, std::size_t... Extents>
class View {
  static constexpr std::size_t dynamics = detail::dynamic_count<Extents...>;

 public:
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t rank() noexcept { return sizeof...(Extents); }

  View() = default;

  /// The extents that are `dynamic`, in order.
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) == dynamics)
  View(T* data, Sizes... extents) noexcept : data_(data), extents_{static_cast<std::size_t>(extents)...} {}

  /// Of constant elements; of extents that are known here only at run time.
  template <class U, std::size_t... Other>
    requires(std::is_convertible_v<U (*)[], T (*)[]> &&
             detail::fits<std::index_sequence<Other...>, std::index_sequence<Extents...>>)
  View(const View<U, Other...>& other) noexcept : data_(other.data()) {
    for (std::size_t axis = 0, next = 0; axis < rank(); ++axis)
      if (declared[axis] == dynamic) extents_[next++] = other.extent(axis);
  }

  /// Of a vector, array or span.
  template <class Range>
    requires(sizeof...(Extents) == 1 && dynamics == 1 && std::is_constructible_v<std::span<T>, Range&> &&
             !requires { std::remove_cvref_t<Range>::rank(); })
  View(Range&& range) noexcept : data_(std::span<T>(range).data()), extents_{std::span<T>(range).size()} {}

  std::size_t extent(std::size_t axis) const noexcept {
    if (declared[axis] != dynamic) return declared[axis];
    std::size_t before = 0;
    for (std::size_t i = 0; i < axis; ++i) before += declared[i] == dynamic;
    return extents_[before];
  }
  std::size_t size() const noexcept {
    std::size_t product = 1;
    for (std::size_t axis = 0; axis < rank(); ++axis) product *= extent(axis);
    return product;
  }
  T* data() const noexcept { return data_; }
  T* begin() const noexcept { return data_; }
  T* end() const noexcept { return data_ + size(); }
  std::span<T> flat() const noexcept { return {data_, size()}; }

  /// An element; indices are not checked.
  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  T& operator()(Indices... indices) const noexcept {
    std::size_t position = 0, axis = 0;
    ((position = position * extent(axis++) + static_cast<std::size_t>(indices)), ...);
    return data_[position];
  }

  /// What is at one index of the first axis: an element, or a view of the other axes.
  template <std::integral Index>
    requires(sizeof...(Extents) > 0)
  decltype(auto) operator[](Index index) const noexcept {
    if constexpr (sizeof...(Extents) == 1) {
      return static_cast<T&>(data_[static_cast<std::size_t>(index)]);
    } else {
      std::array<std::int64_t, sizeof...(Extents)> extents{};
      for (std::size_t axis = 0; axis < rank(); ++axis)
        extents[axis] = static_cast<std::int64_t>(extent(axis));
      using Rest = typename detail::Inner<T, Extents...>::type;
      Rest rest = Rest::of(data_, extents.data() + 1);
      return Rest::of(data_ + static_cast<std::size_t>(index) * rest.size(), extents.data() + 1);
    }
  }

  /// As the C interface has it: all extents in one array.
  static View of(T* data, const std::int64_t* extents) noexcept {
    View view;
    view.data_ = data;
    for (std::size_t axis = 0, next = 0; axis < rank(); ++axis)
      if (declared[axis] == dynamic) view.extents_[next++] = static_cast<std::size_t>(extents[axis]);
    return view;
  }
  void copy_extents(std::int64_t* extents) const noexcept {
    for (std::size_t axis = 0; axis < rank(); ++axis) extents[axis] = static_cast<std::int64_t>(extent(axis));
  }

 private:
  static constexpr std::array<std::size_t, sizeof...(Extents)> declared{Extents...};

  T* data_ = nullptr;
  std::array<std::size_t, dynamics> extents_{};
};

/// A tensor within something that owns it: constant where the owner is.
template <class T, std::size_t... Extents>
class Field {
 public:
  explicit Field(View<T, Extents...> view) noexcept : view_(view) {}
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  View<T, Extents...> view() noexcept { return view_; }
  View<const T, Extents...> view() const noexcept { return view_; }
  template <class U, std::size_t... Other>
    requires std::is_convertible_v<View<T, Extents...>, View<U, Other...>>
  operator View<U, Other...>() noexcept {
    return view();
  }
  template <class U, std::size_t... Other>
    requires std::is_convertible_v<View<const T, Extents...>, View<U, Other...>>
  operator View<U, Other...>() const noexcept {
    return view();
  }

  static constexpr std::size_t rank() noexcept { return sizeof...(Extents); }
  std::size_t extent(std::size_t axis) const noexcept { return view_.extent(axis); }
  std::size_t size() const noexcept { return view_.size(); }
  T* data() noexcept { return view_.data(); }
  const T* data() const noexcept { return view_.data(); }
  T* begin() noexcept { return view_.begin(); }
  const T* begin() const noexcept { return view_.begin(); }
  T* end() noexcept { return view_.end(); }
  const T* end() const noexcept { return view_.end(); }
  std::span<T> flat() noexcept { return view_.flat(); }
  std::span<const T> flat() const noexcept { return view_.flat(); }

  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  T& operator()(Indices... indices) noexcept {
    return view_(indices...);
  }
  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  const T& operator()(Indices... indices) const noexcept {
    return view_(indices...);
  }
  template <std::integral Index>
  decltype(auto) operator[](Index index) noexcept {
    return view()[index];
  }
  template <std::integral Index>
  decltype(auto) operator[](Index index) const noexcept {
    return view()[index];
  }

 protected:
  View<T, Extents...> view_;
};

/// Memory aligned to 64 bytes. Null where there was none.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t size) noexcept
      : data_(::operator new(size, std::align_val_t(64), std::nothrow)), size_(data_ ? size : 0) {}
  void* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }

 private:
  struct Delete {
    void operator()(void* data) const noexcept { ::operator delete(data, std::align_val_t(64)); }
  };
  std::unique_ptr<void, Delete> data_;
  std::size_t size_ = 0;
};

/// A tensor that owns its memory. It can be moved; `copy` is said in words.
template <class T, std::size_t... Extents>
class Tensor final : public Field<T, Extents...> {
 public:
  Tensor() noexcept : Field<T, Extents...>({}) {}

  /// The extents that are `dynamic`, in order; elements are 0. Without memory `data()` is null.
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) == detail::dynamic_count<Extents...> && sizeof...(Sizes) > 0)
  explicit Tensor(Sizes... extents) noexcept : Tensor(View<T, Extents...>(nullptr, extents...)) {}

  /// The extents of a view; elements are 0.
  explicit Tensor(View<T, Extents...> shape) noexcept
      : Field<T, Extents...>(shape), memory_((shape.size() > 0 ? shape.size() : 1) * sizeof(T)) {
    std::array<std::int64_t, sizeof...(Extents) + 1> extents{};
    shape.copy_extents(extents.data());
    this->view_ = View<T, Extents...>::of(static_cast<T*>(memory_.data()), extents.data());
    if (memory_.data()) std::memset(memory_.data(), 0, memory_.size());
  }

  Tensor(Tensor&& other) noexcept : Field<T, Extents...>(other.view_), memory_(std::move(other.memory_)) {
    other.view_ = {};
  }
  Tensor& operator=(Tensor&& other) noexcept {
    memory_ = std::move(other.memory_);
    this->view_ = std::exchange(other.view_, {});
    return *this;
  }
  Tensor copy() const noexcept {
    Tensor result(this->view_);
    if (result.data() && this->data()) std::memcpy(result.memory_.data(), memory_.data(), memory_.size());
    return result;
  }

 private:
  Memory memory_;
};

/// The memory that a call works in; to be used by one call at a time, again and again.
class Workspace {
 public:
  Workspace() = default;
  /// Without memory `data()` is null, and the call says so.
  explicit Workspace(std::size_t size) noexcept
      : memory_(size), data_(memory_.data()), size_(memory_.size()) {}
  /// The caller's memory, aligned to 64 bytes.
  Workspace(void* data, std::size_t size) noexcept : data_(data), size_(size) {}
  Workspace(Workspace&& other) noexcept
      : memory_(std::move(other.memory_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Workspace& operator=(Workspace&& other) noexcept {
    memory_ = std::move(other.memory_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  void* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  Memory memory_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// How a call's work is spread over threads.
class Execution {
 public:
  constexpr Execution() noexcept : c_{sizeof(tel_execution), TEL_SERIAL} {}
  const tel_execution* c() const noexcept { return &c_; }

 private:
  tel_execution c_;
};

/// All on the calling thread.
inline constexpr Execution serial{};

/// For constructors: all elements 0.
struct Zeros {};
inline constexpr Zeros zeros{};

/// For loading: what the file does not have stays, what is unknown is passed over.
struct Partial {};
inline constexpr Partial partial{};

/// One buffer of tensors, the C struct `Layout`.
template <class Layout>
class Block {
 public:
  Layout* data() noexcept { return static_cast<Layout*>(memory_.data()); }
  const Layout* data() const noexcept { return static_cast<const Layout*>(memory_.data()); }
  static constexpr std::size_t bytes() noexcept { return sizeof(Layout); }
  /// Sets all elements to 0.
  void clear() noexcept {
    if (memory_.data()) std::memset(memory_.data(), 0, sizeof(Layout));
  }

 protected:
  Block() noexcept : memory_(sizeof(Layout)) { clear(); }
  Block(Block&&) noexcept = default;
  Block& operator=(Block&&) noexcept = default;
  ~Block() = default;

  void copy_from(const Block& other) noexcept {
    if (memory_.data() && other.memory_.data())
      std::memcpy(memory_.data(), other.memory_.data(), sizeof(Layout));
  }
  /// The tensor at a byte offset.
  template <class T>
  T* at(std::size_t offset) const noexcept {
    void* data = memory_.data();
    return data ? reinterpret_cast<T*>(static_cast<unsigned char*>(data) + offset) : nullptr;
  }
  template <class T>
  std::span<T> elements(std::size_t offset, std::size_t count) const noexcept {
    T* first = at<T>(offset);
    return {first, first ? count : 0};
  }

 private:
  Memory memory_;
};

namespace detail {

using FileFunction = std::int32_t (*)(tel_file_arguments*, tel_error*);

inline Result<void> transfer(FileFunction function, const std::string& path, const void* parameters,
                             const void* constants, bool partial = false) {
  tel_file_arguments arguments{sizeof(tel_file_arguments), path.c_str(), const_cast<void*>(parameters),
                               const_cast<void*>(constants), partial};
  tel_error error;
  if (function(&arguments, &error) != TEL_OK) return error;
  return {};
}

/// For constructors, which give no result: throws where exceptions are, otherwise the object stays unusable.
inline void require([[maybe_unused]] Result<void> result) {
#ifdef TEL_EXCEPTIONS
  std::move(result).value();
#endif
}

/// Memory for the extents that the C interface gives.
template <class T, std::size_t... Extents>
bool allocate(Tensor<T, Extents...>& tensor, const std::int64_t* extents = nullptr) noexcept {
  tensor = Tensor<T, Extents...>(View<T, Extents...>::of(nullptr, extents));
  return tensor.data() != nullptr;
}

inline tel_error no_memory() noexcept { return {TEL_MEMORY, "no memory"}; }

}  // namespace detail
}  // namespace tel::inline v1

#endif  // TEL_V1

/// Reads handwritten digits: a perceptron with one hidden layer over images of 28 x 28 pixels.
namespace digits {

/// The parameters, in one buffer. What was moved from may only be assigned to.
class Parameters final : public tel::Block<digits_parameters> {
 public:
  tel::Field<float, 784, 256> W1{at<float>(0)};
  tel::Field<float, 256> b1{at<float>(802816)};
  tel::Field<float, 256, 10> W2{at<float>(803840)};
  tel::Field<float, 10> b2{at<float>(814080)};

  /// Initialised with this seed.
  explicit Parameters(std::uint64_t seed = 0) { tel::detail::require(try_initialize(seed)); }
  /// All elements 0.
  explicit Parameters(tel::Zeros) noexcept {}
  Parameters(Parameters&& other) noexcept : Block(std::move(other)) {}
  Parameters& operator=(Parameters&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields must be those of the new memory
    return *std::construct_at(this, std::move(other));
  }
  Parameters copy() const {
    Parameters result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// Sets everything to its initial value; the same seed gives the same bits.
  tel::Result<void> try_initialize(std::uint64_t seed) {
    tel_error error;
    if (digits_initialize(data(), seed, &error) != TEL_OK) return error;
    return {};
  }
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) { try_initialize(seed).value(); }
#endif

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T = float>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
    return elements<T>(0, 203536);
  }
  template <class T = float>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 203536);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is initialised, what is unknown is passed over.
  static tel::Result<Parameters> try_load(const std::string& path) {
    Parameters result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(digits_load, path, result.data(), nullptr);
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  static tel::Result<Parameters> try_load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    Parameters result(seed);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(digits_load, path, result.data(), nullptr, true);
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(digits_save, path, data(), nullptr);
  }
#ifdef TEL_EXCEPTIONS
  static Parameters load(const std::string& path) { return try_load(path).value(); }
  static Parameters load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    return try_load(path, tel::partial, seed).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

/// The derivatives for the parameters, in the same layout; 0 at first.
class Gradients final : public tel::Block<digits_gradients> {
 public:
  tel::Field<float, 784, 256> W1{at<float>(0)};
  tel::Field<float, 256> b1{at<float>(802816)};
  tel::Field<float, 256, 10> W2{at<float>(803840)};
  tel::Field<float, 10> b2{at<float>(814080)};

  Gradients() noexcept = default;
  /// All elements 0.
  explicit Gradients(tel::Zeros) noexcept {}
  Gradients(Gradients&& other) noexcept : Block(std::move(other)) {}
  Gradients& operator=(Gradients&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields must be those of the new memory
    return *std::construct_at(this, std::move(other));
  }
  Gradients copy() const {
    Gradients result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T = float>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
    return elements<T>(0, 203536);
  }
  template <class T = float>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 203536);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over.
  static tel::Result<Gradients> try_load(const std::string& path) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(digits_load, path, result.data(), nullptr);
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  static tel::Result<Gradients> try_load(const std::string& path, tel::Partial) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(digits_load, path, result.data(), nullptr, true);
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(digits_save, path, data(), nullptr);
  }
#ifdef TEL_EXCEPTIONS
  static Gradients load(const std::string& path) { return try_load(path).value(); }
  static Gradients load(const std::string& path, tel::Partial) {
    return try_load(path, tel::partial).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

/// What `forward` takes.
struct ForwardInputs {
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
};

struct ForwardOptions {
  tel::Execution execution = tel::serial;
};

/// Where the results of `forward` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct ForwardOutputs {
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// What `forward` returns; owns its memory.
struct ForwardResult {
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

namespace detail {

inline digits_forward_arguments arguments(const ForwardInputs& inputs) noexcept {
  digits_forward_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  return arguments;
}

inline tel_options options(const ForwardOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

}  // namespace detail

/// Bytes of workspace that `forward` needs at most with these dimensions.
inline std::size_t forward_workspace(std::size_t N, const ForwardOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return digits_forward_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, const Parameters& parameters,
                                               const ForwardOutputs& outputs, tel::Workspace& workspace,
                                               const ForwardOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.parameters = parameters.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.digit = outputs.digit.data();
  outputs.digit.copy_extents(arguments.digit_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  arguments.options = &c_options;
  tel_error error;
  if (digits_forward(&arguments, &error) != TEL_OK) return error;
  ForwardOutputs results;
  results.y = tel::View<float, tel::dynamic, 10>::of(arguments.y, arguments.y_extents);
  results.digit = tel::View<std::int32_t, tel::dynamic>::of(arguments.digit, arguments.digit_extents);
  return results;
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, const Parameters& parameters,
                              const ForwardOutputs& outputs, tel::Workspace& workspace,
                              const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, const Parameters& parameters,
                                               tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, ForwardOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, const Parameters& parameters,
                              tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, workspace, options).value();
}
#endif

/// Returns results that own their memory.
inline tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, const Parameters& parameters,
                                              const ForwardOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.options = &c_options;
  tel_error error;
  if (digits_forward_prepare(&arguments, &error) != TEL_OK) return error;
  ForwardResult result{};
  ForwardOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  if (!tel::detail::allocate(result.digit, arguments.digit_extents)) return tel::detail::no_memory();
  outputs.digit = result.digit;
  const auto done = try_forward(inputs, parameters, outputs, workspace, options);
  if (!done) return done.error();
  return tel::Result<ForwardResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline ForwardResult forward(const ForwardInputs& inputs, const Parameters& parameters,
                             const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, options).value();
}
#endif

/// What `evaluate` takes.
struct EvaluateInputs {
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  /// The digit that each image shows, 0 to 9.
  tel::View<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

struct EvaluateOptions {
  tel::Execution execution = tel::serial;
};

/// Where the results of `evaluate` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct EvaluateOutputs {
  float L = {};
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// What `evaluate` returns; owns its memory.
struct EvaluateResult {
  float L;
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

namespace detail {

inline digits_evaluate_arguments arguments(const EvaluateInputs& inputs) noexcept {
  digits_evaluate_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  arguments.label = inputs.label.data();
  inputs.label.copy_extents(arguments.label_extents);
  return arguments;
}

inline tel_options options(const EvaluateOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

}  // namespace detail

/// Bytes of workspace that `evaluate` needs at most with these dimensions.
inline std::size_t evaluate_workspace(std::size_t N, const EvaluateOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return digits_evaluate_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs,
                                                 const Parameters& parameters,
                                                 const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                                 const EvaluateOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.parameters = parameters.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.digit = outputs.digit.data();
  outputs.digit.copy_extents(arguments.digit_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  arguments.options = &c_options;
  tel_error error;
  if (digits_evaluate(&arguments, &error) != TEL_OK) return error;
  EvaluateOutputs results;
  results.L = arguments.L;
  results.y = tel::View<float, tel::dynamic, 10>::of(arguments.y, arguments.y_extents);
  results.digit = tel::View<std::int32_t, tel::dynamic>::of(arguments.digit, arguments.digit_extents);
  return results;
}
#ifdef TEL_EXCEPTIONS
inline EvaluateOutputs evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                                const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs,
                                                 const Parameters& parameters, tel::Workspace& workspace,
                                                 const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, EvaluateOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline EvaluateOutputs evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                                tel::Workspace& workspace, const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, workspace, options).value();
}
#endif

/// Returns results that own their memory.
inline tel::Result<EvaluateResult> try_evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                                                const EvaluateOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.options = &c_options;
  tel_error error;
  if (digits_evaluate_prepare(&arguments, &error) != TEL_OK) return error;
  EvaluateResult result{};
  EvaluateOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  if (!tel::detail::allocate(result.digit, arguments.digit_extents)) return tel::detail::no_memory();
  outputs.digit = result.digit;
  const auto done = try_evaluate(inputs, parameters, outputs, workspace, options);
  if (!done) return done.error();
  result.L = (*done).L;
  return tel::Result<EvaluateResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline EvaluateResult evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                               const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, options).value();
}
#endif

/// What `gradient` takes.
struct GradientInputs {
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  /// The digit that each image shows, 0 to 9.
  tel::View<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

struct GradientOptions {
  tel::Execution execution = tel::serial;
  bool accumulate = false;  ///< add to the gradients instead of replacing them
};

/// Where the results of `gradient` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct GradientOutputs {
  float L = {};
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// What `gradient` returns beside the gradients.
struct GradientKept {
  float L;
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

/// What `gradient` returns; owns its memory.
struct GradientResult {
  Gradients gradient;
  float L;
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

namespace detail {

inline digits_gradient_arguments arguments(const GradientInputs& inputs) noexcept {
  digits_gradient_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  arguments.label = inputs.label.data();
  inputs.label.copy_extents(arguments.label_extents);
  return arguments;
}

inline tel_options options(const GradientOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, options.accumulate};
}

}  // namespace detail

/// Bytes of workspace that `gradient` needs at most with these dimensions.
inline std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return digits_gradient_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 const Parameters& parameters, Gradients& gradients,
                                                 const GradientOutputs& outputs, tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.parameters = parameters.data();
  arguments.gradients = gradients.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.digit = outputs.digit.data();
  outputs.digit.copy_extents(arguments.digit_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  arguments.options = &c_options;
  tel_error error;
  if (digits_gradient(&arguments, &error) != TEL_OK) return error;
  GradientOutputs results;
  results.L = arguments.L;
  results.y = tel::View<float, tel::dynamic, 10>::of(arguments.y, arguments.y_extents);
  results.digit = tel::View<std::int32_t, tel::dynamic>::of(arguments.digit, arguments.digit_extents);
  return results;
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, const Parameters& parameters,
                                Gradients& gradients, const GradientOutputs& outputs,
                                tel::Workspace& workspace, const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 const Parameters& parameters, Gradients& gradients,
                                                 tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, GradientOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, const Parameters& parameters,
                                Gradients& gradients, tel::Workspace& workspace,
                                const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, workspace, options).value();
}
#endif

/// Writes the gradients given; the other results own their memory.
inline tel::Result<GradientKept> try_gradient(const GradientInputs& inputs, const Parameters& parameters,
                                              Gradients& gradients, const GradientOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.options = &c_options;
  tel_error error;
  if (digits_gradient_prepare(&arguments, &error) != TEL_OK) return error;
  GradientKept result{};
  GradientOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  if (!tel::detail::allocate(result.digit, arguments.digit_extents)) return tel::detail::no_memory();
  outputs.digit = result.digit;
  const auto done = try_gradient(inputs, parameters, gradients, outputs, workspace, options);
  if (!done) return done.error();
  result.L = (*done).L;
  return tel::Result<GradientKept>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientKept gradient(const GradientInputs& inputs, const Parameters& parameters,
                             Gradients& gradients, const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, options).value();
}
#endif

/// Returns gradients and results that own their memory.
inline tel::Result<GradientResult> try_gradient(const GradientInputs& inputs, const Parameters& parameters,
                                                const GradientOptions& options = {}) {
  GradientResult result{};
  auto kept = try_gradient(inputs, parameters, result.gradient, options);
  if (!kept) return kept.error();
  result.L = std::move(kept->L);
  result.y = std::move(kept->y);
  result.digit = std::move(kept->digit);
  return tel::Result<GradientResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientResult gradient(const GradientInputs& inputs, const Parameters& parameters,
                               const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, options).value();
}
#endif

}  // namespace digits

#endif  // __cplusplus

#endif /* TEL_MODULE_digits */
