namespace tel::inline v1 {

/// `Parameters p(tel::zeros)` sets all elements to 0.
struct Zeros {};
inline constexpr Zeros zeros{};

/// For loading: tensors that the file lacks keep their values, and tensors that the network does not have are
/// passed over.
struct Partial {};
inline constexpr Partial partial{};

/// The result of a partial load: the parameters, constants or state, and the names of tensors.
template <class T>
struct PartialLoad {
  T value;
  std::vector<std::string> loaded;       ///< those read from the file
  std::vector<std::string> kept;         ///< those that the file lacks, with their old values
  std::vector<std::string> passed_over;  ///< those in the file that the network does not have
};

/// One buffer that holds several tensors, laid out as the C struct `Layout`. `Combine` is the C function that
/// adds and scales such buffers; it is null for constants and states.
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

/// Collects the names that a partial load reports.
struct LoadReport {
  std::array<std::vector<std::string>*, 3> lists;  ///< loaded, kept, passed over
  bool complete = true;                            ///< whether there was memory for all names

  static void add(void* context, std::int32_t what, const char* name) noexcept {
    auto& report = *static_cast<LoadReport*>(context);
#ifdef TEL_EXCEPTIONS
    try {
      report.lists[static_cast<std::size_t>(what)]->emplace_back(name);
    } catch (...) {
      report.complete = false;
    }
#else
    report.lists[static_cast<std::size_t>(what)]->emplace_back(name);
#endif
  }
};

/// The parts of a file that are loaded or saved; a null part is left out.
struct Stores {
  const void* parameters = nullptr;
  const void* constants = nullptr;
  const void* state = nullptr;
};

/// Saves or loads a file. A load with a `report` is partial.
inline Result<void> transfer(FileFunction function, const std::string& path, const Stores& stores,
                             LoadReport* report = nullptr) {
  tel_file_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.path = path.c_str();
  arguments.parameters = const_cast<void*>(stores.parameters);
  arguments.constants = const_cast<void*>(stores.constants);
  arguments.state = const_cast<void*>(stores.state);
  arguments.partial = report != nullptr;
  arguments.report = report ? LoadReport::add : nullptr;
  arguments.context = report;
  tel_error error;
  if (function(&arguments, &error) != TEL_OK) return error;
  if (report && !report->complete) return tel_error{TEL_MEMORY, "no memory"};
  return {};
}

/// Loads what a file has of one store into `value`.
template <class T>
Result<PartialLoad<T>> load_part(FileFunction function, const std::string& path, T value,
                                 const void* Stores::* part) {
  if (!value.data()) return tel_error{TEL_MEMORY, "no memory"};
  PartialLoad<T> result{std::move(value), {}, {}, {}};
  LoadReport report{{&result.loaded, &result.kept, &result.passed_over}};
  Stores stores;
  stores.*part = result.value.data();
  const auto done = transfer(function, path, stores, &report);
  if (!done) return done.error();
  return Result<PartialLoad<T>>(std::move(result));
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

/// Parameters that do not change any more, together with a copy of their matrices in the order in which the
/// kernels for processors read them. Many threads may use it at once.
template <class T>
class Frozen {
 public:
  const T& get() const noexcept { return parameters_; }
  /// The memory that the C function `freeze` has filled; null if this network gains nothing by it.
  const void* packed() const noexcept { return memory_.data(); }

  using Function = std::int32_t (*)(const typename T::Struct*, void*, tel_error*);
  /// Takes the parameters, and lets the function fill `size` bytes.
  static Result<Frozen> try_make(T parameters, std::size_t size, Function freeze) {
    if (!parameters.data()) return detail::mistake("these parameters were moved from, and cannot be frozen");
    Frozen frozen(std::move(parameters), size);
    if (size > 0 && !frozen.memory_.data()) return detail::no_memory();
    tel_error error;
    if (freeze(frozen.parameters_.data(), frozen.memory_.data(), &error) != TEL_OK) return error;
    return Result<Frozen>(std::move(frozen));
  }

 private:
  Frozen(T parameters, std::size_t size) : parameters_(std::move(parameters)) {
    if (size > 0) memory_ = Memory(size);
  }

  T parameters_;
  Memory memory_;
};

}  // namespace tel::inline v1
