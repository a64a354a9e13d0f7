
// (what all headers share)

#ifdef __cplusplus

// (what all headers share)

namespace mixed::inline v8136e40d36931242 {

class Constants final : public tel::Block<Constants, mixed_constants> {
 public:
  tel::Field<bool, 3> mask{at<bool>(0)};
  tel::Field<tel::float16, 3> flat_{at<tel::float16>(64)};

  Constants() noexcept = default;
  /// Sets all elements to 0.
  explicit Constants(tel::Zeros) noexcept {}
  Constants(Constants&& other) noexcept : Block(std::move(other)) {}
  Constants& operator=(Constants&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields are made anew, for they point to the memory of `other` now
    return *std::construct_at(this, std::move(other));
  }
  Constants copy() const {
    Constants result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// All elements of a type in the order of declaration; those between two tensors are 0.
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
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over, and both are
  /// listed in the result. A file that has none of the tensors is an error either way.
  static tel::Result<Constants> try_load(const std::string& path) {
    Constants result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, {.constants = result.data()});
    if (!done) return done.error();
    return tel::Result<Constants>(std::move(result));
  }
  static tel::Result<tel::PartialLoad<Constants>> try_load(const std::string& path,
                                                     tel::Partial) {
    return tel::detail::load_part(mixed_load, path, Constants(tel::zeros), &tel::detail::Stores::constants);
  }
  /// Writes a safetensors file: replaces the whole file, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.constants = data()});
  }
#ifdef TEL_EXCEPTIONS
  static Constants load(const std::string& path) { return try_load(path).value(); }
  static tel::PartialLoad<Constants> load(const std::string& path, tel::Partial) {
    return try_load(path, tel::partial).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

class State final : public tel::Block<State, mixed_state> {
 public:
  /// What has been seen.
  tel::Field<float, 2> average{at<float>(0)};
  tel::Field<std::int64_t> copy_{at<std::int64_t>(64)};

  /// Sets all tensors to their initial values for this seed.
  explicit State(std::uint64_t seed = 0) { tel::detail::require(try_initialize(seed)); }
  /// Sets all elements to 0.
  explicit State(tel::Zeros) noexcept {}
  State(State&& other) noexcept : Block(std::move(other)) {}
  State& operator=(State&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields are made anew, for they point to the memory of `other` now
    return *std::construct_at(this, std::move(other));
  }
  State copy() const {
    State result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// Sets all tensors to their initial values. The same seed gives the same bits.
  tel::Result<void> try_initialize(std::uint64_t seed) {
    if (!data()) return tel::detail::no_memory();
    tel_error error;
    if (::mixed_initialize_state(data(), seed, &error) != TEL_OK) return error;
    return {};
  }
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) { try_initialize(seed).value(); }
#endif

  /// All elements of a type in the order of declaration; those between two tensors are 0.
  template <class T>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
    return elements<T>(0, 16);
  }
  template <class T>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 16);
  }
  template <class T>
    requires std::same_as<T, std::int64_t>
  std::span<T> flat() noexcept {
    return elements<T>(64, 8);
  }
  template <class T>
    requires std::same_as<T, std::int64_t>
  std::span<const T> flat() const noexcept {
    return elements<const T>(64, 8);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is initialised, what is unknown is passed over, and both are
  /// listed in the result. A file that has none of the tensors is an error either way.
  static tel::Result<State> try_load(const std::string& path) {
    State result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, {.state = result.data()});
    if (!done) return done.error();
    return tel::Result<State>(std::move(result));
  }
  static tel::Result<tel::PartialLoad<State>> try_load(const std::string& path,
                                                     tel::Partial, std::uint64_t seed = 0) {
    return tel::detail::load_part(mixed_load, path, State(seed), &tel::detail::Stores::state);
  }
  /// Writes a safetensors file: replaces the whole file, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.state = data()});
  }
#ifdef TEL_EXCEPTIONS
  static State load(const std::string& path) { return try_load(path).value(); }
  static tel::PartialLoad<State> load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    return try_load(path, tel::partial, seed).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

class Parameters final : public tel::Block<Parameters, mixed_parameters, mixed_combine> {
 public:
  /// Weights,
  /// in two lines: */ /* \.
  tel::Field<tel::bfloat16, 3> w{at<tel::bfloat16>(0)};
  tel::Field<double> scale{at<double>(128)};
  tel::Field<tel::bfloat16, 2> class_{at<tel::bfloat16>(64)};

  /// Sets all tensors to their initial values for this seed.
  explicit Parameters(std::uint64_t seed = 0) { tel::detail::require(try_initialize(seed)); }
  /// Sets all elements to 0.
  explicit Parameters(tel::Zeros) noexcept {}
  Parameters(Parameters&& other) noexcept : Block(std::move(other)) {}
  Parameters& operator=(Parameters&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields are made anew, for they point to the memory of `other` now
    return *std::construct_at(this, std::move(other));
  }
  Parameters copy() const {
    Parameters result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// Sets all tensors to their initial values. The same seed gives the same bits.
  tel::Result<void> try_initialize(std::uint64_t seed) {
    if (!data()) return tel::detail::no_memory();
    tel_error error;
    if (::mixed_initialize(data(), seed, &error) != TEL_OK) return error;
    return {};
  }
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) { try_initialize(seed).value(); }
#endif

  /// All elements of a type in the order of declaration; those between two tensors are 0.
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
  /// or shape; with `tel::partial`, what is missing is initialised, what is unknown is passed over, and both are
  /// listed in the result. A file that has none of the tensors is an error either way.
  static tel::Result<Parameters> try_load(const std::string& path) {
    Parameters result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, {.parameters = result.data()});
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  static tel::Result<tel::PartialLoad<Parameters>> try_load(const std::string& path,
                                                     tel::Partial, std::uint64_t seed = 0) {
    return tel::detail::load_part(mixed_load, path, Parameters(seed), &tel::detail::Stores::parameters);
  }
  /// Writes a safetensors file: replaces the whole file, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.parameters = data()});
  }
  /// Writes the parameters and the constants to one file.
  tel::Result<void> try_save(const std::string& path, const Constants& constants) const {
    if (!data() || !constants.data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.parameters = data(), .constants = constants.data()});
  }
  /// Writes the parameters and the state to one file.
  tel::Result<void> try_save(const std::string& path, const State& state) const {
    if (!data() || !state.data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.parameters = data(), .state = state.data()});
  }
  /// Writes the parameters and the constants and the state to one file.
  tel::Result<void> try_save(const std::string& path, const Constants& constants, const State& state) const {
    if (!data() || !constants.data() || !state.data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.parameters = data(), .constants = constants.data(), .state = state.data()});
  }
#ifdef TEL_EXCEPTIONS
  static Parameters load(const std::string& path) { return try_load(path).value(); }
  static tel::PartialLoad<Parameters> load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    return try_load(path, tel::partial, seed).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
  void save(const std::string& path, const Constants& constants) const {
    try_save(path, constants).value();
  }
  void save(const std::string& path, const State& state) const {
    try_save(path, state).value();
  }
  void save(const std::string& path, const Constants& constants, const State& state) const {
    try_save(path, constants, state).value();
  }
#endif
};

class Gradients final : public tel::Block<Gradients, mixed_gradients, mixed_combine> {
 public:
  /// Weights,
  /// in two lines: */ /* \.
  tel::Field<tel::bfloat16, 3> w{at<tel::bfloat16>(0)};
  tel::Field<double> scale{at<double>(128)};
  tel::Field<tel::bfloat16, 2> class_{at<tel::bfloat16>(64)};

  Gradients() noexcept = default;
  /// Sets all elements to 0.
  explicit Gradients(tel::Zeros) noexcept {}
  Gradients(Gradients&& other) noexcept : Block(std::move(other)) {}
  Gradients& operator=(Gradients&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);  // the fields are made anew, for they point to the memory of `other` now
    return *std::construct_at(this, std::move(other));
  }
  Gradients copy() const {
    Gradients result(tel::zeros);
    result.copy_from(*this);
    return result;
  }

  /// All elements of a type in the order of declaration; those between two tensors are 0.
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
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over, and both are
  /// listed in the result. A file that has none of the tensors is an error either way.
  static tel::Result<Gradients> try_load(const std::string& path) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mixed_load, path, {.parameters = result.data()});
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  static tel::Result<tel::PartialLoad<Gradients>> try_load(const std::string& path,
                                                     tel::Partial) {
    return tel::detail::load_part(mixed_load, path, Gradients(tel::zeros), &tel::detail::Stores::parameters);
  }
  /// Writes a safetensors file: replaces the whole file, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mixed_save, path, {.parameters = data()});
  }
#ifdef TEL_EXCEPTIONS
  static Gradients load(const std::string& path) { return try_load(path).value(); }
  static tel::PartialLoad<Gradients> load(const std::string& path, tel::Partial) {
    return try_load(path, tel::partial).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

inline tel::Result<Frozen> try_freeze(Parameters&& parameters) {
  return Frozen::try_make(std::move(parameters), ::mixed_frozen_size(), ::mixed_freeze);
}
inline tel::Result<Frozen> try_freeze(const Parameters& parameters) {
  if (!parameters.data()) return tel::detail::mistake("these parameters were moved from, and cannot be frozen");
  return try_freeze(parameters.copy());
}
#ifdef TEL_EXCEPTIONS
inline Frozen freeze(Parameters&& parameters) { return try_freeze(std::move(parameters)).value(); }
inline Frozen freeze(const Parameters& parameters) { return try_freeze(parameters).value(); }
#endif

struct ForwardResult {
  tel::Tensor<tel::float16, tel::dynamic, 3> y;  ///< [2*N + 1 x 3]
  tel::Tensor<std::int32_t, tel::dynamic> rows;  ///< [M]
  tel::bfloat16 total;
};

namespace detail {

inline mixed_forward_arguments arguments(const ForwardInputs& inputs) noexcept {
  mixed_forward_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  arguments.bias = inputs.bias;
  arguments.on = inputs.on;
  arguments.size_ = inputs.size.data();
  inputs.size.copy_extents(arguments.size__extents);
  arguments.M = static_cast<std::int64_t>(inputs.M);
  return arguments;
}

inline bool misfits(const ForwardInputs& inputs, tel_error& error) {
  return tel::detail::misfits(inputs.x, "mixed::forward", "x", error) ||
         tel::detail::misfits(inputs.size, "mixed::forward", "size", error);
}

inline tel_options options(const ForwardOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), options.seed, 0};
}

inline mixed_forward_arguments arguments(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                         tel::In<Constants> constants, const ForwardOutputs& outputs,
                                         tel::Workspace& workspace) {
  auto arguments = detail::arguments(inputs);
  arguments.parameters = parameters.data();
  arguments.constants = constants.data();
  arguments.frozen = parameters.frozen();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.rows = outputs.rows.data();
  outputs.rows.copy_extents(arguments.rows_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  return arguments;
}

inline ForwardOutputs results(const mixed_forward_arguments& arguments) noexcept {
  ForwardOutputs results;
  results.y = tel::View<tel::float16, tel::dynamic, 3>::of(static_cast<tel::float16*>(arguments.y), arguments.y_extents);
  results.rows = tel::View<std::int32_t, tel::dynamic>::of(arguments.rows, arguments.rows_extents);
  results.total = std::bit_cast<tel::bfloat16>(arguments.total);
  return results;
}

}  // namespace detail

inline std::size_t forward_workspace(std::size_t N, std::size_t size_0, std::size_t M,
                                     const ForwardOptions& options) noexcept {
  const tel_options c_options = detail::options(options);
  return ::mixed_forward_workspace(static_cast<std::int64_t>(N), static_cast<std::int64_t>(size_0), static_cast<std::int64_t>(M), &c_options);
}

inline tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                              tel::In<Constants> constants, const ForwardOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution, parameters, constants);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (::mixed_forward_prepare(&arguments, &error) != TEL_OK) return error;
  ForwardResult result{};
  ForwardOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  if (!tel::detail::allocate(result.rows, arguments.rows_extents)) return tel::detail::no_memory();
  outputs.rows = result.rows;
  const auto done = try_forward(inputs, parameters, constants, outputs, workspace, options);
  if (!done) return done.error();
  result.total = (*done).total;
  return tel::Result<ForwardResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline ForwardResult forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                             tel::In<Constants> constants, const ForwardOptions& options) {
  return try_forward(inputs, parameters, constants, options).value();
}
#endif

inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                               tel::In<Constants> constants, tel::Workspace& workspace,
                                               const ForwardOptions& options) {
  return try_forward(inputs, parameters, constants, ForwardOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                              tel::In<Constants> constants, tel::Workspace& workspace,
                              const ForwardOptions& options) {
  return try_forward(inputs, parameters, constants, workspace, options).value();
}
#endif

inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                               tel::In<Constants> constants, const ForwardOutputs& outputs,
                                               tel::Workspace& workspace, const ForwardOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::call<ForwardOutputs>(detail::arguments(inputs, parameters, constants, outputs, workspace),
      ::mixed_forward, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, constants, workspace));
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                              tel::In<Constants> constants, const ForwardOutputs& outputs,
                              tel::Workspace& workspace, const ForwardOptions& options) {
  return try_forward(inputs, parameters, constants, outputs, workspace, options).value();
}
#endif

inline tel::Result<ForwardPending> try_start_forward(const ForwardInputs& inputs,
                                                     tel::In<Parameters> parameters,
                                                     tel::In<Constants> constants,
                                                     const ForwardOutputs& outputs,
                                                     tel::Workspace& workspace,
                                                     const ForwardOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::start<ForwardOutputs>(detail::arguments(inputs, parameters, constants, outputs, workspace),
      ::mixed_forward, ::mixed_forward_wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, constants, workspace));
}
#ifdef TEL_EXCEPTIONS
inline ForwardPending start_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                    tel::In<Constants> constants, const ForwardOutputs& outputs,
                                    tel::Workspace& workspace, const ForwardOptions& options) {
  return try_start_forward(inputs, parameters, constants, outputs, workspace, options).value();
}
#endif

struct GradientKept {
  tel::Tensor<float, tel::dynamic> y;  ///< [N]
};

struct GradientResult {
  Gradients gradient;
  tel::Tensor<float, tel::dynamic> y;  ///< [N]
};

namespace detail {

inline mixed_gradient_arguments arguments(const GradientInputs& inputs) noexcept {
  mixed_gradient_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  arguments.cotangent_y = inputs.cotangent.y.data();
  inputs.cotangent.y.copy_extents(arguments.cotangent_y_extents);
  return arguments;
}

inline bool misfits(const GradientInputs& inputs, tel_error& error) {
  return tel::detail::misfits(inputs.x, "mixed::gradient", "x", error) ||
         tel::detail::misfits(inputs.cotangent.y, "mixed::gradient", "y", error);
}

inline tel_options options(const GradientOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, options.accumulate};
}

inline mixed_gradient_arguments arguments(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                          tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                          tel::Workspace& workspace) {
  auto arguments = detail::arguments(inputs);
  arguments.parameters = parameters.data();
  arguments.gradients = gradients.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  return arguments;
}

inline GradientOutputs results(const mixed_gradient_arguments& arguments) noexcept {
  GradientOutputs results;
  results.y = tel::View<float, tel::dynamic>::of(arguments.y, arguments.y_extents);
  return results;
}

}  // namespace detail

inline std::size_t gradient_workspace(std::size_t N, const GradientOptions& options) noexcept {
  const tel_options c_options = detail::options(options);
  return ::mixed_gradient_workspace(static_cast<std::int64_t>(N), &c_options);
}

inline tel::Result<GradientResult> try_gradient(const GradientInputs& inputs,
                                                tel::In<Parameters> parameters,
                                                const GradientOptions& options) {
  GradientResult result{};
  auto kept = try_gradient(inputs, parameters, result.gradient, options);
  if (!kept) return kept.error();
  result.y = std::move(kept->y);
  return tel::Result<GradientResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientResult gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                               const GradientOptions& options) {
  return try_gradient(inputs, parameters, options).value();
}
#endif

inline tel::Result<GradientKept> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                              tel::InOut<Gradients> gradients,
                                              const GradientOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution, parameters, gradients);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (::mixed_gradient_prepare(&arguments, &error) != TEL_OK) return error;
  GradientKept result{};
  GradientOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  const auto done = try_gradient(inputs, parameters, gradients, outputs, workspace, options);
  if (!done) return done.error();
  return tel::Result<GradientKept>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientKept gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                             tel::InOut<Gradients> gradients, const GradientOptions& options) {
  return try_gradient(inputs, parameters, gradients, options).value();
}
#endif

inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 tel::InOut<Gradients> gradients,
                                                 tel::Workspace& workspace, const GradientOptions& options) {
  return try_gradient(inputs, parameters, gradients, GradientOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                tel::InOut<Gradients> gradients, tel::Workspace& workspace,
                                const GradientOptions& options) {
  return try_gradient(inputs, parameters, gradients, workspace, options).value();
}
#endif

inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 tel::InOut<Gradients> gradients,
                                                 const GradientOutputs& outputs, tel::Workspace& workspace,
                                                 const GradientOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::call<GradientOutputs>(detail::arguments(inputs, parameters, gradients, outputs, workspace),
      ::mixed_gradient, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, gradients, workspace));
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                tel::Workspace& workspace, const GradientOptions& options) {
  return try_gradient(inputs, parameters, gradients, outputs, workspace, options).value();
}
#endif

inline tel::Result<GradientPending> try_start_gradient(const GradientInputs& inputs,
                                                       tel::In<Parameters> parameters,
                                                       tel::InOut<Gradients> gradients,
                                                       const GradientOutputs& outputs,
                                                       tel::Workspace& workspace,
                                                       const GradientOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::start<GradientOutputs>(detail::arguments(inputs, parameters, gradients, outputs, workspace),
      ::mixed_gradient, ::mixed_gradient_wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, gradients, workspace));
}
#ifdef TEL_EXCEPTIONS
inline GradientPending start_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                      tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                      tel::Workspace& workspace, const GradientOptions& options) {
  return try_start_gradient(inputs, parameters, gradients, outputs, workspace, options).value();
}
#endif

struct New_Result {
  struct Gradient {
    tel::Tensor<double, 4> x;  ///< [4]
  };
  Gradient gradient;
  double L;
};

namespace detail {

inline mixed_new__arguments arguments(const New_Inputs& inputs) noexcept {
  mixed_new__arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  return arguments;
}

inline bool misfits(const New_Inputs& inputs, tel_error& error) {
  return tel::detail::misfits(inputs.x, "mixed::new_", "x", error);
}

inline tel_options options(const New_Options& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

inline mixed_new__arguments arguments(const New_Inputs& inputs, const New_Outputs& outputs,
                                      tel::Workspace& workspace) {
  auto arguments = detail::arguments(inputs);
  arguments.gradient_x = outputs.gradient.x.data();
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  return arguments;
}

inline New_Outputs results(const mixed_new__arguments& arguments) noexcept {
  New_Outputs results;
  results.gradient.x = tel::View<double, 4>::of(arguments.gradient_x, nullptr);
  results.L = arguments.L;
  return results;
}

}  // namespace detail

inline std::size_t new__workspace(const New_Options& options) noexcept {
  const tel_options c_options = detail::options(options);
  return ::mixed_new__workspace(&c_options);
}

inline tel::Result<New_Result> try_new_(const New_Inputs& inputs, const New_Options& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (::mixed_new__prepare(&arguments, &error) != TEL_OK) return error;
  New_Result result{};
  New_Outputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.gradient.x)) return tel::detail::no_memory();
  outputs.gradient.x = result.gradient.x;
  const auto done = try_new_(inputs, outputs, workspace, options);
  if (!done) return done.error();
  result.L = (*done).L;
  return tel::Result<New_Result>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline New_Result new_(const New_Inputs& inputs, const New_Options& options) {
  return try_new_(inputs, options).value();
}
#endif

inline tel::Result<New_Outputs> try_new_(const New_Inputs& inputs, tel::Workspace& workspace,
                                         const New_Options& options) {
  return try_new_(inputs, New_Outputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline New_Outputs new_(const New_Inputs& inputs, tel::Workspace& workspace, const New_Options& options) {
  return try_new_(inputs, workspace, options).value();
}
#endif

inline tel::Result<New_Outputs> try_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                                         tel::Workspace& workspace, const New_Options& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::call<New_Outputs>(detail::arguments(inputs, outputs, workspace),
      ::mixed_new_, detail::results, detail::options(options),
      tel::detail::choose(options.execution, workspace));
}
#ifdef TEL_EXCEPTIONS
inline New_Outputs new_(const New_Inputs& inputs, const New_Outputs& outputs, tel::Workspace& workspace,
                        const New_Options& options) {
  return try_new_(inputs, outputs, workspace, options).value();
}
#endif

inline tel::Result<New_Pending> try_start_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                                               tel::Workspace& workspace, const New_Options& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::start<New_Outputs>(detail::arguments(inputs, outputs, workspace),
      ::mixed_new_, ::mixed_new__wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, workspace));
}
#ifdef TEL_EXCEPTIONS
inline New_Pending start_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                              tel::Workspace& workspace, const New_Options& options) {
  return try_start_new_(inputs, outputs, workspace, options).value();
}
#endif

struct CountResult {
  tel::Tensor<float, 2> before;  ///< [2]
};

namespace detail {

inline mixed_count_arguments arguments(const CountInputs& inputs) noexcept {
  mixed_count_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  return arguments;
}

inline bool misfits(const CountInputs& inputs, tel_error& error) {
  return tel::detail::misfits(inputs.x, "mixed::count", "x", error);
}

inline tel_options options(const CountOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

inline mixed_count_arguments arguments(const CountInputs& inputs, tel::InOut<State> state,
                                       const CountOutputs& outputs, tel::Workspace& workspace) {
  auto arguments = detail::arguments(inputs);
  arguments.state = state.data();
  arguments.before = outputs.before.data();
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  return arguments;
}

inline CountOutputs results(const mixed_count_arguments& arguments) noexcept {
  CountOutputs results;
  results.before = tel::View<float, 2>::of(arguments.before, nullptr);
  return results;
}

}  // namespace detail

inline std::size_t count_workspace(const CountOptions& options) noexcept {
  const tel_options c_options = detail::options(options);
  return ::mixed_count_workspace(&c_options);
}

inline tel::Result<CountResult> try_count(const CountInputs& inputs, tel::InOut<State> state,
                                          const CountOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution, state);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (::mixed_count_prepare(&arguments, &error) != TEL_OK) return error;
  CountResult result{};
  CountOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.before)) return tel::detail::no_memory();
  outputs.before = result.before;
  const auto done = try_count(inputs, state, outputs, workspace, options);
  if (!done) return done.error();
  return tel::Result<CountResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline CountResult count(const CountInputs& inputs, tel::InOut<State> state, const CountOptions& options) {
  return try_count(inputs, state, options).value();
}
#endif

inline tel::Result<CountOutputs> try_count(const CountInputs& inputs, tel::InOut<State> state,
                                           tel::Workspace& workspace, const CountOptions& options) {
  return try_count(inputs, state, CountOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline CountOutputs count(const CountInputs& inputs, tel::InOut<State> state, tel::Workspace& workspace,
                          const CountOptions& options) {
  return try_count(inputs, state, workspace, options).value();
}
#endif

inline tel::Result<CountOutputs> try_count(const CountInputs& inputs, tel::InOut<State> state,
                                           const CountOutputs& outputs, tel::Workspace& workspace,
                                           const CountOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::call<CountOutputs>(detail::arguments(inputs, state, outputs, workspace),
      ::mixed_count, detail::results, detail::options(options),
      tel::detail::choose(options.execution, state, workspace));
}
#ifdef TEL_EXCEPTIONS
inline CountOutputs count(const CountInputs& inputs, tel::InOut<State> state, const CountOutputs& outputs,
                          tel::Workspace& workspace, const CountOptions& options) {
  return try_count(inputs, state, outputs, workspace, options).value();
}
#endif

inline tel::Result<CountPending> try_start_count(const CountInputs& inputs, tel::InOut<State> state,
                                                 const CountOutputs& outputs, tel::Workspace& workspace,
                                                 const CountOptions& options) {
  if (tel_error error; detail::misfits(inputs, error)) return error;
  return tel::detail::start<CountOutputs>(detail::arguments(inputs, state, outputs, workspace),
      ::mixed_count, ::mixed_count_wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, state, workspace));
}
#ifdef TEL_EXCEPTIONS
inline CountPending start_count(const CountInputs& inputs, tel::InOut<State> state,
                                const CountOutputs& outputs, tel::Workspace& workspace,
                                const CountOptions& options) {
  return try_start_count(inputs, state, outputs, workspace, options).value();
}
#endif

struct CountedResult {
  std::int64_t times;
};

namespace detail {

inline mixed_counted_arguments arguments(const CountedInputs& inputs) noexcept {
  mixed_counted_arguments arguments{};
  arguments.size = sizeof arguments;
  static_cast<void>(inputs);
  return arguments;
}

inline tel_options options(const CountedOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

inline mixed_counted_arguments arguments(const CountedInputs& inputs, tel::In<State> state,
                                         const CountedOutputs& outputs, tel::Workspace& workspace) {
  auto arguments = detail::arguments(inputs);
  arguments.state = state.data();
  static_cast<void>(outputs);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  return arguments;
}

inline CountedOutputs results(const mixed_counted_arguments& arguments) noexcept {
  CountedOutputs results;
  results.times = arguments.times;
  return results;
}

}  // namespace detail

inline std::size_t counted_workspace(const CountedOptions& options) noexcept {
  const tel_options c_options = detail::options(options);
  return ::mixed_counted_workspace(&c_options);
}

inline tel::Result<CountedResult> try_counted(const CountedInputs& inputs, tel::In<State> state,
                                              const CountedOptions& options) {
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution, state);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (::mixed_counted_prepare(&arguments, &error) != TEL_OK) return error;
  CountedResult result{};
  CountedOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  const auto done = try_counted(inputs, state, outputs, workspace, options);
  if (!done) return done.error();
  result.times = (*done).times;
  return tel::Result<CountedResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline CountedResult counted(const CountedInputs& inputs, tel::In<State> state,
                             const CountedOptions& options) {
  return try_counted(inputs, state, options).value();
}
#endif

inline tel::Result<CountedOutputs> try_counted(const CountedInputs& inputs, tel::In<State> state,
                                               tel::Workspace& workspace, const CountedOptions& options) {
  return try_counted(inputs, state, CountedOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline CountedOutputs counted(const CountedInputs& inputs, tel::In<State> state, tel::Workspace& workspace,
                              const CountedOptions& options) {
  return try_counted(inputs, state, workspace, options).value();
}
#endif

inline tel::Result<CountedOutputs> try_counted(const CountedInputs& inputs, tel::In<State> state,
                                               const CountedOutputs& outputs, tel::Workspace& workspace,
                                               const CountedOptions& options) {
  return tel::detail::call<CountedOutputs>(detail::arguments(inputs, state, outputs, workspace),
      ::mixed_counted, detail::results, detail::options(options),
      tel::detail::choose(options.execution, state, workspace));
}
#ifdef TEL_EXCEPTIONS
inline CountedOutputs counted(const CountedInputs& inputs, tel::In<State> state,
                              const CountedOutputs& outputs, tel::Workspace& workspace,
                              const CountedOptions& options) {
  return try_counted(inputs, state, outputs, workspace, options).value();
}
#endif

inline tel::Result<CountedPending> try_start_counted(const CountedInputs& inputs, tel::In<State> state,
                                                     const CountedOutputs& outputs,
                                                     tel::Workspace& workspace,
                                                     const CountedOptions& options) {
  return tel::detail::start<CountedOutputs>(detail::arguments(inputs, state, outputs, workspace),
      ::mixed_counted, ::mixed_counted_wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, state, workspace));
}
#ifdef TEL_EXCEPTIONS
inline CountedPending start_counted(const CountedInputs& inputs, tel::In<State> state,
                                    const CountedOutputs& outputs, tel::Workspace& workspace,
                                    const CountedOptions& options) {
  return try_start_counted(inputs, state, outputs, workspace, options).value();
}
#endif

}  // namespace mixed::inline v8136e40d36931242

#endif  // __cplusplus

#endif
#endif /* TEL_MODULE_mixed_v8136e40d36931242 */
