namespace tel::inline v1 {

/// `Parameters p(tel::zeros)` sets all elements to 0.
struct Zeros {};
inline constexpr Zeros zeros{};

/// For loading: what the file does not have stays, what is unknown is passed over.
struct Partial {};
inline constexpr Partial partial{};

/// One buffer that holds several tensors, laid out as the C struct `Layout`. `Combine` is the C function that
/// adds and scales such buffers; it is null for constants.
template <class Self, class Layout, auto Combine = nullptr>
class Block {
 public:
  using Struct = Layout;
  static constexpr auto combine = Combine;

  Layout* data() noexcept { return static_cast<Layout*>(memory_.data()); }
  const Layout* data() const noexcept { return static_cast<const Layout*>(memory_.data()); }
  static constexpr std::size_t bytes() noexcept { return sizeof(Layout); }
  /// Sets all elements to 0.
  void clear() noexcept {
    if (memory_.data()) std::memset(memory_.data(), 0, sizeof(Layout));
  }
  /// Copies the tensors to the memory that calls with this execution use.
  Result<OnDevice<Self>> try_to(const Execution& execution) const {
    return OnDevice<Self>::try_make(static_cast<const Self&>(*this), execution);
  }
#ifdef TEL_EXCEPTIONS
  OnDevice<Self> to(const Execution& execution) const { return try_to(execution).value(); }
#endif

 protected:
  Block() noexcept : memory_(sizeof(Layout)) { clear(); }
  Block(Block&&) noexcept = default;
  Block& operator=(Block&&) noexcept = default;
  ~Block() = default;

  void copy_from(const Block& other) noexcept {
    if (memory_.data() && other.memory_.data())
      std::memcpy(memory_.data(), other.memory_.data(), sizeof(Layout));
  }
  /// The address of the tensor at this offset in bytes.
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

/// For constructors, which cannot return a result: throws the error. Without exceptions the object stays as
/// it is.
inline void require([[maybe_unused]] Result<void> result) {
#ifdef TEL_EXCEPTIONS
  std::move(result).value();
#endif
}

/// Allocates memory for a tensor with the extents that the C interface returned.
template <class T, std::size_t... Extents>
bool allocate(Tensor<T, Extents...>& tensor, const std::int64_t* extents = nullptr) noexcept {
  tensor = Tensor<T, Extents...>(View<T, Extents...>::of(nullptr, extents));
  return tensor.data() != nullptr;
}

inline tel_error no_memory() noexcept { return {TEL_MEMORY, "no memory"}; }

inline tel_error mistake(const char* text) noexcept {
  tel_error error{TEL_INVALID_ARGUMENT, {}};
  std::strncpy(error.text, text, sizeof error.text - 1);
  return error;
}

/// Copies bytes, and waits for the copy unless the execution is `later()`.
inline Result<void> copy(const Execution& execution, void* to, const void* from, std::size_t bytes) {
  tel_error error;
  if (tel_copy(execution.c(), to, from, bytes, &error) != TEL_OK) return error;
  return {};
}

}  // namespace detail

inline Workspace::Workspace(std::size_t size, const Execution& execution) {
  auto made = try_make(size, execution);
  if (made)
    *this = std::move(*made);
  else
    detail::require(made.error());
}

}  // namespace tel::inline v1
