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

/// Where a call's work is done: by itself, what the environment's TEL_DEVICE says, else the calling thread.
class Execution {
 public:
  constexpr Execution() noexcept : c_{} {}
  constexpr explicit Execution(const tel_execution& c) noexcept : c_(c) {}
  const tel_execution* c() const noexcept { return c_.size == 0 ? nullptr : &c_; }

 private:
  tel_execution c_;
};

/// All on the calling thread.
inline constexpr Execution serial{{sizeof(tel_execution), TEL_SERIAL, 0, nullptr, 0}};

/// On an NVIDIA GPU, in a CUstream of the caller's or the default one, which is waited for.
constexpr Execution cuda(std::int32_t device = 0, void* stream = nullptr) noexcept {
  return Execution{{sizeof(tel_execution), TEL_CUDA, device, stream, 0}};
}

/// The code for GPUs, run and checked by the processor; an order other than 0 shuffles blocks and threads.
constexpr Execution emulator(std::uint64_t order = 0) noexcept {
  return Execution{{sizeof(tel_execution), TEL_EMULATOR, 0, nullptr, order}};
}

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
