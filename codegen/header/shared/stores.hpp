namespace tel::inline v1 {

/// For constructors: all elements 0.
struct Zeros {};
inline constexpr Zeros zeros{};

/// For loading: what the file does not have is kept as it is, what is unknown is passed over.
struct Partial {};
inline constexpr Partial partial{};

/// What a partial load gives: the parameters or constants, and the names of tensors.
template <class T>
struct PartialLoad {
  T value;
  std::vector<std::string> loaded;       ///< from the file
  std::vector<std::string> kept;         ///< not in the file: as they were
  std::vector<std::string> passed_over;  ///< in the file alone
};

template <class T>
class OnDevice;

/// One buffer of tensors, the C struct `Layout`; `Combine` is its function of sums, null for constants.
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
  /// A copy where calls with this execution have their memory.
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

/// Where the names go that a load reports.
struct LoadReport {
  std::array<std::vector<std::string>*, 3> lists;  ///< loaded, kept, passed over
  bool complete = true;                            ///< there was memory for all

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

/// Saves; loads, partially where there is a `report`.
inline Result<void> transfer(FileFunction function, const std::string& path, const void* parameters,
                             const void* constants, LoadReport* report = nullptr) {
  tel_file_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.path = path.c_str();
  arguments.parameters = const_cast<void*>(parameters);
  arguments.constants = const_cast<void*>(constants);
  arguments.partial = report != nullptr;
  arguments.report = report ? LoadReport::add : nullptr;
  arguments.context = report;
  tel_error error;
  if (function(&arguments, &error) != TEL_OK) return error;
  if (report && !report->complete) return tel_error{TEL_MEMORY, "no memory"};
  return {};
}

/// A partial load into parameters or constants.
template <class T>
Result<PartialLoad<T>> load_part(FileFunction function, const std::string& path, T value, bool constants) {
  if (!value.data()) return tel_error{TEL_MEMORY, "no memory"};
  PartialLoad<T> result{std::move(value), {}, {}, {}};
  LoadReport report{{&result.loaded, &result.kept, &result.passed_over}};
  void* data = result.value.data();
  const auto done = transfer(function, path, constants ? nullptr : data, constants ? data : nullptr, &report);
  if (!done) return done.error();
  return Result<PartialLoad<T>>(std::move(result));
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

inline tel_error mistake(const char* text) noexcept {
  tel_error error{TEL_INVALID_ARGUMENT, {}};
  std::strncpy(error.text, text, sizeof error.text - 1);
  return error;
}

/// Waits, unless the execution says otherwise.
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
