/// What `forward` takes.
struct ForwardInputs {
  /// An odd number of rows.
  tel::View<const tel::float16, tel::dynamic, 3> x = {};  ///< [2*N + 1 x 3]
  tel::float16 bias = {};
  bool on = {};
  tel::View<const std::int64_t, tel::dynamic> size = {};  ///< [?]
  std::size_t M = 0;  ///< a dimension
};

struct ForwardOptions {
  tel::Execution execution = {};
  std::uint64_t seed = 0;  ///< of random numbers
};

/// Where the results of `forward` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct ForwardOutputs {
  tel::View<tel::float16, tel::dynamic, 3> y = {};  ///< [2*N + 1 x 3]
  tel::View<std::int32_t, tel::dynamic> rows = {};  ///< [M]
  tel::bfloat16 total = {};
};

/// What `forward` returns; owns its memory.
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

inline tel_options options(const ForwardOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), options.seed, 0};
}

inline mixed_forward_arguments arguments(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                         tel::In<Constants> constants, const ForwardOutputs& outputs,
                                         tel::Workspace& workspace) {
  auto arguments = detail::arguments(inputs);
  arguments.parameters = parameters.data();
  arguments.constants = constants.data();
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

/// Bytes of workspace that `forward` needs at most with these dimensions.
inline std::size_t forward_workspace(std::size_t N, std::size_t size_0, std::size_t M, const ForwardOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return mixed_forward_workspace(static_cast<std::int64_t>(N), static_cast<std::int64_t>(size_0), static_cast<std::int64_t>(M), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                               tel::In<Constants> constants, const ForwardOutputs& outputs,
                                               tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return tel::detail::call<ForwardOutputs>(detail::arguments(inputs, parameters, constants, outputs, workspace),
      mixed_forward, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, constants, workspace));
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                              tel::In<Constants> constants, const ForwardOutputs& outputs,
                              tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, constants, outputs, workspace, options).value();
}
#endif

using ForwardPending = tel::Pending<mixed_forward_arguments, ForwardOutputs>;

/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or the error.
inline tel::Result<ForwardPending> try_start_forward(const ForwardInputs& inputs,
                                                     tel::In<Parameters> parameters,
                                                     tel::In<Constants> constants,
                                                     const ForwardOutputs& outputs,
                                                     tel::Workspace& workspace,
                                                     const ForwardOptions& options = {}) {
  return tel::detail::start<ForwardOutputs>(detail::arguments(inputs, parameters, constants, outputs, workspace),
      mixed_forward, mixed_forward_wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, constants, workspace));
}
#ifdef TEL_EXCEPTIONS
inline ForwardPending start_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                    tel::In<Constants> constants, const ForwardOutputs& outputs,
                                    tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return try_start_forward(inputs, parameters, constants, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                               tel::In<Constants> constants, tel::Workspace& workspace,
                                               const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, constants, ForwardOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                              tel::In<Constants> constants, tel::Workspace& workspace,
                              const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, constants, workspace, options).value();
}
#endif

/// Returns results that own their memory.
inline tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                              tel::In<Constants> constants,
                                              const ForwardOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution, parameters, constants);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (mixed_forward_prepare(&arguments, &error) != TEL_OK) return error;
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
                             tel::In<Constants> constants, const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, constants, options).value();
}
#endif

/// The derivatives to begin with, of the outputs of `gradient`.
struct GradientCotangent {
  tel::View<const float, tel::dynamic> y = {};  ///< [N]
};

/// What `gradient` takes.
struct GradientInputs {
  tel::View<const float, tel::dynamic> x = {};  ///< [N]
  GradientCotangent cotangent = {};
};

struct GradientOptions {
  tel::Execution execution = {};
  bool accumulate = false;  ///< add to the gradients instead of replacing them
};

/// Where the results of `gradient` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct GradientOutputs {
  tel::View<float, tel::dynamic> y = {};  ///< [N]
};

/// What `gradient` returns beside the gradients.
struct GradientKept {
  tel::Tensor<float, tel::dynamic> y;  ///< [N]
};

/// What `gradient` returns; owns its memory.
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

/// Bytes of workspace that `gradient` needs at most with these dimensions.
inline std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return mixed_gradient_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 tel::InOut<Gradients> gradients,
                                                 const GradientOutputs& outputs, tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
  return tel::detail::call<GradientOutputs>(detail::arguments(inputs, parameters, gradients, outputs, workspace),
      mixed_gradient, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, gradients, workspace));
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                tel::Workspace& workspace, const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, outputs, workspace, options).value();
}
#endif

using GradientPending = tel::Pending<mixed_gradient_arguments, GradientOutputs>;

/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or the error.
inline tel::Result<GradientPending> try_start_gradient(const GradientInputs& inputs,
                                                       tel::In<Parameters> parameters,
                                                       tel::InOut<Gradients> gradients,
                                                       const GradientOutputs& outputs,
                                                       tel::Workspace& workspace,
                                                       const GradientOptions& options = {}) {
  return tel::detail::start<GradientOutputs>(detail::arguments(inputs, parameters, gradients, outputs, workspace),
      mixed_gradient, mixed_gradient_wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, parameters, gradients, workspace));
}
#ifdef TEL_EXCEPTIONS
inline GradientPending start_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                      tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                      tel::Workspace& workspace, const GradientOptions& options = {}) {
  return try_start_gradient(inputs, parameters, gradients, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 tel::InOut<Gradients> gradients,
                                                 tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, GradientOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                tel::InOut<Gradients> gradients, tel::Workspace& workspace,
                                const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, workspace, options).value();
}
#endif

/// Writes the gradients given; the other results own their memory.
inline tel::Result<GradientKept> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                              tel::InOut<Gradients> gradients,
                                              const GradientOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution, parameters, gradients);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (mixed_gradient_prepare(&arguments, &error) != TEL_OK) return error;
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
                             tel::InOut<Gradients> gradients, const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, options).value();
}
#endif

/// Returns gradients and results that own their memory.
inline tel::Result<GradientResult> try_gradient(const GradientInputs& inputs,
                                                tel::In<Parameters> parameters,
                                                const GradientOptions& options = {}) {
  GradientResult result{};
  auto kept = try_gradient(inputs, parameters, result.gradient, options);
  if (!kept) return kept.error();
  result.y = std::move(kept->y);
  return tel::Result<GradientResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientResult gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                               const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, options).value();
}
#endif

/// What `new_` takes.
struct New_Inputs {
  tel::View<const double, 4> x = {};  ///< [4]
};

struct New_Options {
  tel::Execution execution = {};
};

/// Where the derivatives of `new_` lie.
struct New_Gradient {
  tel::View<double, 4> x = {};  ///< [4]
};

/// Where the results of `new_` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct New_Outputs {
  New_Gradient gradient = {};
  double L = {};
};

/// What `new_` returns; owns its memory.
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

/// Bytes of workspace that `new_` needs at most with these dimensions.
inline std::size_t new__workspace(const New_Options& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return mixed_new__workspace(&c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<New_Outputs> try_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                                         tel::Workspace& workspace, const New_Options& options = {}) {
  return tel::detail::call<New_Outputs>(detail::arguments(inputs, outputs, workspace),
      mixed_new_, detail::results, detail::options(options),
      tel::detail::choose(options.execution, workspace));
}
#ifdef TEL_EXCEPTIONS
inline New_Outputs new_(const New_Inputs& inputs, const New_Outputs& outputs, tel::Workspace& workspace,
                        const New_Options& options = {}) {
  return try_new_(inputs, outputs, workspace, options).value();
}
#endif

using New_Pending = tel::Pending<mixed_new__arguments, New_Outputs>;

/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or the error.
inline tel::Result<New_Pending> try_start_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                                               tel::Workspace& workspace, const New_Options& options = {}) {
  return tel::detail::start<New_Outputs>(detail::arguments(inputs, outputs, workspace),
      mixed_new_, mixed_new__wait, detail::results, detail::options(options),
      tel::detail::choose(options.execution, workspace));
}
#ifdef TEL_EXCEPTIONS
inline New_Pending start_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                              tel::Workspace& workspace, const New_Options& options = {}) {
  return try_start_new_(inputs, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<New_Outputs> try_new_(const New_Inputs& inputs, tel::Workspace& workspace,
                                         const New_Options& options = {}) {
  return try_new_(inputs, New_Outputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline New_Outputs new_(const New_Inputs& inputs, tel::Workspace& workspace, const New_Options& options = {}) {
  return try_new_(inputs, workspace, options).value();
}
#endif

/// Returns results that own their memory.
inline tel::Result<New_Result> try_new_(const New_Inputs& inputs, const New_Options& options = {}) {
  auto arguments = detail::arguments(inputs);
  const auto execution = tel::detail::choose(options.execution);
  if (!execution) return execution.error();
  tel_options c_options = detail::options(options);
  c_options.execution = execution->c();
  arguments.options = &c_options;
  tel_error error;
  if (mixed_new__prepare(&arguments, &error) != TEL_OK) return error;
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
inline New_Result new_(const New_Inputs& inputs, const New_Options& options = {}) {
  return try_new_(inputs, options).value();
}
#endif

}  // namespace mixed

#endif  // __cplusplus

#endif /* TEL_MODULE_mixed */
