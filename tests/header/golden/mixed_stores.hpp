#ifdef __cplusplus
// (what all headers share)

namespace mixed {

/// The constants that are loaded, in one buffer; never trained.
class Constants final : public tel::Block<Constants, mixed_constants> {
 public:
  tel::Field<bool, 3> mask{at<bool>(0)};
  tel::Field<tel::float16, 3> flat_{at<tel::float16>(64)};

  Constants() noexcept = default;
  /// All elements 0.
  explicit Constants(tel::Zeros) noexcept {}
  Constants(Constants&& other) noexcept : Block(std::move(other)) {}
  Constants& operator=(Constants&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields must be those of the new memory
    return *std::construct_at(this, std::move(other));
  }
  Constants copy() const {
    Constants result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T>
    requires std::same_as<T, bool>
  std::span<T> flat() noexcept {
    return elements<T>(0, 64);
  }
  template <class T>
    requires std::same_as<T, bool>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 64);
  }
  template <class T>
    requires std::same_as<T, tel::float16>
  std::span<T> flat() noexcept {
    return elements<T>(64, 32);
  }
  template <class T>
    requires std::same_as<T, tel::float16>
  std::span<const T> flat() const noexcept {
    return elements<const T>(64, 32);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over.
  static tel::Result<Constants> try_load(const std::string& path) {
    Constants result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, nullptr, result.data());
    if (!done) return done.error();
    return tel::Result<Constants>(std::move(result));
  }
  static tel::Result<Constants> try_load(const std::string& path, tel::Partial) {
    Constants result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, nullptr, result.data(), true);
    if (!done) return done.error();
    return tel::Result<Constants>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, nullptr, data());
  }
#ifdef TEL_EXCEPTIONS
  static Constants load(const std::string& path) { return try_load(path).value(); }
  static Constants load(const std::string& path, tel::Partial) {
    return try_load(path, tel::partial).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

/// The parameters, in one buffer. What was moved from may only be assigned to.
class Parameters final : public tel::Block<Parameters, mixed_parameters, mixed_combine> {
 public:
  /// Weights,
  /// in two lines: */ /* \.
  tel::Field<tel::bfloat16, 3> w{at<tel::bfloat16>(0)};
  tel::Field<double> scale{at<double>(128)};
  tel::Field<tel::bfloat16, 2> class_{at<tel::bfloat16>(64)};

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
    if (mixed_initialize(data(), seed, &error) != TEL_OK) return error;
    return {};
  }
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) { try_initialize(seed).value(); }
#endif

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T>
    requires std::same_as<T, tel::bfloat16>
  std::span<T> flat() noexcept {
    return elements<T>(0, 64);
  }
  template <class T>
    requires std::same_as<T, tel::bfloat16>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 64);
  }
  template <class T>
    requires std::same_as<T, double>
  std::span<T> flat() noexcept {
    return elements<T>(128, 8);
  }
  template <class T>
    requires std::same_as<T, double>
  std::span<const T> flat() const noexcept {
    return elements<const T>(128, 8);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is initialised, what is unknown is passed over.
  static tel::Result<Parameters> try_load(const std::string& path) {
    Parameters result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, result.data(), nullptr);
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  static tel::Result<Parameters> try_load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    Parameters result(seed);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, result.data(), nullptr, true);
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, data(), nullptr);
  }
  /// With the constants, in one file.
  tel::Result<void> try_save(const std::string& path, const Constants& constants) const {
    if (!data() || !constants.data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, data(), constants.data());
  }
#ifdef TEL_EXCEPTIONS
  static Parameters load(const std::string& path) { return try_load(path).value(); }
  static Parameters load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    return try_load(path, tel::partial, seed).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
  void save(const std::string& path, const Constants& constants) const {
    try_save(path, constants).value();
  }
#endif
};

/// The derivatives for the parameters, in the same layout; 0 at first.
class Gradients final : public tel::Block<Gradients, mixed_gradients, mixed_combine> {
 public:
  /// Weights,
  /// in two lines: */ /* \.
  tel::Field<tel::bfloat16, 3> w{at<tel::bfloat16>(0)};
  tel::Field<double> scale{at<double>(128)};
  tel::Field<tel::bfloat16, 2> class_{at<tel::bfloat16>(64)};

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
  template <class T>
    requires std::same_as<T, tel::bfloat16>
  std::span<T> flat() noexcept {
    return elements<T>(0, 64);
  }
  template <class T>
    requires std::same_as<T, tel::bfloat16>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 64);
  }
  template <class T>
    requires std::same_as<T, double>
  std::span<T> flat() noexcept {
    return elements<T>(128, 8);
  }
  template <class T>
    requires std::same_as<T, double>
  std::span<const T> flat() const noexcept {
    return elements<const T>(128, 8);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over.
  static tel::Result<Gradients> try_load(const std::string& path) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, result.data(), nullptr);
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  static tel::Result<Gradients> try_load(const std::string& path, tel::Partial) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, result.data(), nullptr, true);
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, data(), nullptr);
  }
#ifdef TEL_EXCEPTIONS
  static Gradients load(const std::string& path) { return try_load(path).value(); }
  static Gradients load(const std::string& path, tel::Partial) {
    return try_load(path, tel::partial).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

