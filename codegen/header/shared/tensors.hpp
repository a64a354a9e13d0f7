namespace tel::inline v1 {

namespace detail {

struct Delete {
  Execution execution{};
  void operator()(void* data) const noexcept {
    if (execution.on_gpu())
      tel_free(execution.c(), data, nullptr);
    else
      ::operator delete(data, std::align_val_t(64));
  }
};

}  // namespace detail

/// Owns memory of the processor or of a GPU, aligned to 64 bytes. `data()` is null where none could be
/// allocated.
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t size) noexcept
      : data_(size <= PTRDIFF_MAX
                  ? tel_with_large_pages(::operator new(size, std::align_val_t(64), std::nothrow), size)
                  : nullptr),
        size_(data_ ? size : 0) {}
  /// Allocates memory that calls with this execution use.
  static Result<Memory> on(const Execution& execution, std::size_t size) {
    Memory memory;
    if (execution.on_gpu()) {
      void* data = nullptr;
      tel_error error;
      if (tel_allocate(execution.c(), size, &data, &error) != TEL_OK) return error;
      memory.data_ = {data, detail::Delete{execution}};
      memory.size_ = size;
    } else {
      memory = Memory(size);
      if (!memory.data()) return tel_error{TEL_MEMORY, "no memory"};
      memory.data_.get_deleter().execution = execution;
    }
    return Result<Memory>(std::move(memory));
  }
  void* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  const Execution& execution() const noexcept { return data_.get_deleter().execution; }

 private:
  std::unique_ptr<void, detail::Delete> data_;
  std::size_t size_ = 0;
};

namespace detail {

/// The bytes of a tensor, at least one element's; SIZE_MAX where no memory could hold them.
template <class T, std::size_t... Extents>
std::size_t bytes_of(const View<T, Extents...>& shape) noexcept {
  if (shape.empty()) return sizeof(T);
  std::size_t bytes = sizeof(T);
  for (std::size_t axis = 0; axis < sizeof...(Extents); ++axis) {
    if (shape.extent(axis) > PTRDIFF_MAX / bytes) return SIZE_MAX;
    bytes *= shape.extent(axis);
  }
  return bytes;
}

}  // namespace detail

/// A tensor that owns its memory. It can be moved; `copy()` makes a copy.
template <class T, std::size_t... Extents>
class Tensor final : public Field<T, Extents...> {
 public:
  Tensor() noexcept : Field<T, Extents...>({}) {}

  /// Takes the extents that are `dynamic`, in order. All elements are 0. `data()` is null if there is no
  /// memory.
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) == detail::dynamic_count<Extents...> && sizeof...(Sizes) > 0)
  explicit Tensor(Sizes... extents) noexcept : Tensor(View<T, Extents...>(nullptr, extents...)) {}

  /// Takes the extents of a view. All elements are 0.
  explicit Tensor(View<T, Extents...> shape) noexcept
      : Field<T, Extents...>(shape), memory_(detail::bytes_of(shape)) {
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

/// The memory that a call works in. It can be used for any number of calls, by one at a time.
class Workspace {
 public:
  Workspace() = default;
  /// Allocates `size` bytes. If there is no memory, `data()` is null, and a call with this workspace returns
  /// an error.
  explicit Workspace(std::size_t size) noexcept
      : memory_(size), data_(memory_.data()), size_(memory_.size()) {}
  /// Allocates memory that calls with this execution use: for `tel::cuda` in the memory of the GPU. Results
  /// that a call places in this workspace are then in the memory of the GPU too; `tel::copy` reads them. If
  /// there is no memory, this constructor throws; without exceptions, `data()` is null.
  Workspace(std::size_t size, const Execution& execution);
  static Result<Workspace> try_make(std::size_t size, const Execution& execution) {
    auto memory = Memory::on(execution, size);
    if (!memory) return memory.error();
    Workspace workspace;
    workspace.memory_ = std::move(*memory);
    workspace.data_ = workspace.memory_.data();
    workspace.size_ = size;
    return Result<Workspace>(std::move(workspace));
  }
  /// Uses memory of the caller, which must be aligned to 64 bytes.
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
  /// The execution whose memory this is; the default one for memory of the processor.
  Execution execution() const noexcept { return memory_.execution(); }

 private:
  Memory memory_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tel::inline v1
