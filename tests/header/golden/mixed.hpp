#ifdef __cplusplus

// (what all headers share)

// (what all headers share)

namespace mixed::inline v8136e40d36931242 {

/// The constants that are loaded, in one buffer: `Constants::load(path)`. They are never trained.
/// - `mask` bool [3]
/// - `flat_` tel::float16 [3]
class Constants;

/// What calls carry from one to the next, in one buffer: `State s` has the initial values, and a call that
/// updates it sets it when everything else has been done. `s.save(path)` and `State::load(path)` use a
/// safetensors file.
/// - `average` float [2]: What has been seen.
/// - `copy_` std::int64_t
class State;

/// The parameters, in one buffer: `Parameters p(seed)` has the initial values for a seed;
/// `p.save(path)` and `Parameters::load(path)` use a safetensors file; `p.flat()` is one span of all elements.
/// An object that was moved from can only be assigned to.
/// - `w` tel::bfloat16 [3]: Weights, in two lines: */ /* \.
/// - `scale` double
/// - `class_` tel::bfloat16 [2]
class Parameters;

/// The derivatives for the parameters, with the members and the layout of `Parameters`; 0 at first.
class Gradients;

/// Parameters that do not change any more, for calls that are repeated with them: `forward(inputs, frozen)` takes
/// `Frozen` in place of `Parameters`, and is faster where the network multiplies large matrices, which are laid
/// out for the processor once instead of in each call. The results have the same bits.
using Frozen = tel::Frozen<Parameters>;

#ifdef TEL_EXCEPTIONS
/// Freezes a copy of the parameters.
Frozen freeze(const Parameters& parameters);
/// Freezes the parameters themselves.
Frozen freeze(Parameters&& parameters);
#endif
/// Does what `freeze` does, and returns an error instead of throwing it.
tel::Result<Frozen> try_freeze(const Parameters& parameters);
/// Does what `freeze` does, and returns an error instead of throwing it.
tel::Result<Frozen> try_freeze(Parameters&& parameters);

/// The inputs of `forward`. Every view must be set; a view of no elements is set, too.
struct ForwardInputs {
  /// An odd number of rows.
  tel::Input<const tel::float16, tel::dynamic, 3> x = {};  ///< [2*N + 1 x 3]
  tel::float16 bias = {};
  bool on = {};
  tel::Input<const std::int64_t, tel::dynamic> size = {};  ///< [?]
  std::size_t M = 0;  ///< a dimension that no input gives
};

/// The options of `forward`.
struct ForwardOptions {
  tel::Execution execution = {};  ///< where the call computes
  std::uint64_t seed = 0;  ///< the seed of the random numbers
};

/// The results of `forward`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct ForwardOutputs {
  tel::View<tel::float16, tel::dynamic, 3> y = {};  ///< [2*N + 1 x 3]
  tel::View<std::int32_t, tel::dynamic> rows = {};  ///< [M]
  tel::bfloat16 total = {};
};

/// The results of `forward`, in tensors that own their memory.
struct ForwardResult;
/// A call of `forward` that is under way in a stream of a GPU.
using ForwardPending = tel::Pending<mixed_forward_arguments, ForwardOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes y, rows and total.
///
/// - `inputs.x` [2*N + 1 x 3]: An odd number of rows.
/// - `inputs.bias`
/// - `inputs.on`
/// - `inputs.size` [?]
/// - `inputs.M`
///
/// Allocates the results, and returns them.
ForwardResult forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                      tel::In<Constants> constants, const ForwardOptions& options = {});

/// Computes y, rows and total.
///
/// - `inputs.x` [2*N + 1 x 3]: An odd number of rows.
/// - `inputs.bias`
/// - `inputs.on`
/// - `inputs.size` [?]
/// - `inputs.M`
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                       tel::In<Constants> constants, tel::Workspace& workspace,
                       const ForwardOptions& options = {});

/// Computes y, rows and total.
///
/// - `inputs.x` [2*N + 1 x 3]: An odd number of rows.
/// - `inputs.bias`
/// - `inputs.on`
/// - `inputs.size` [?]
/// - `inputs.M`
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                       tel::In<Constants> constants, const ForwardOutputs& outputs,
                       tel::Workspace& workspace, const ForwardOptions& options = {});

/// Computes y, rows and total.
///
/// - `inputs.x` [2*N + 1 x 3]: An odd number of rows.
/// - `inputs.bias`
/// - `inputs.on`
/// - `inputs.size` [?]
/// - `inputs.M`
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
ForwardPending start_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                             tel::In<Constants> constants, const ForwardOutputs& outputs,
                             tel::Workspace& workspace, const ForwardOptions& options = {});

#endif

/// Does what `forward` does, and returns an error instead of throwing it.
/// Allocates the results, and returns them.
tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                       tel::In<Constants> constants, const ForwardOptions& options = {});
/// Does what `forward` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                        tel::In<Constants> constants, tel::Workspace& workspace,
                                        const ForwardOptions& options = {});
/// Does what `forward` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                        tel::In<Constants> constants, const ForwardOutputs& outputs,
                                        tel::Workspace& workspace, const ForwardOptions& options = {});
/// Does what `start_forward` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<ForwardPending> try_start_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                              tel::In<Constants> constants, const ForwardOutputs& outputs,
                                              tel::Workspace& workspace, const ForwardOptions& options = {});

/// The bytes of workspace with which `forward` can compute for these dimensions, and for smaller ones.
std::size_t forward_workspace(std::size_t N, std::size_t size_0, std::size_t M,
                              const ForwardOptions& options = {}) noexcept;

/// The derivatives that `gradient` begins with: those of your own loss for each output.
struct GradientCotangent {
  tel::Input<const float, tel::dynamic> y = {};  ///< [N]
};

/// The inputs of `gradient`. Every view must be set; a view of no elements is set, too.
struct GradientInputs {
  tel::Input<const float, tel::dynamic> x = {};  ///< [N]
  GradientCotangent cotangent = {};
};

/// The options of `gradient`.
struct GradientOptions {
  tel::Execution execution = {};  ///< where the call computes
  bool accumulate = false;  ///< adds the derivatives to the gradients instead of replacing them
};

/// The results of `gradient`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct GradientOutputs {
  tel::View<float, tel::dynamic> y = {};  ///< [N]
};

/// The results of `gradient` without the gradients, in tensors that own their memory.
struct GradientKept;
/// The results of `gradient` and the gradients, in tensors that own their memory.
struct GradientResult;
/// A call of `gradient` that is under way in a stream of a GPU.
using GradientPending = tel::Pending<mixed_gradient_arguments, GradientOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes the derivatives for the parameters, and y.
///
/// - `inputs.x` [N]
/// - `inputs.cotangent.y` [N]
///
/// Allocates the gradients and the results, and returns them.
GradientResult gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                        const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and y.
///
/// - `inputs.x` [N]
/// - `inputs.cotangent.y` [N]
///
/// Writes the derivatives to `gradients`; allocates the other results, and returns them.
GradientKept gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                      tel::InOut<Gradients> gradients, const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and y.
///
/// - `inputs.x` [N]
/// - `inputs.cotangent.y` [N]
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                         tel::InOut<Gradients> gradients, tel::Workspace& workspace,
                         const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and y.
///
/// - `inputs.x` [N]
/// - `inputs.cotangent.y` [N]
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                         tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                         tel::Workspace& workspace, const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and y.
///
/// - `inputs.x` [N]
/// - `inputs.cotangent.y` [N]
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
GradientPending start_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                               tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                               tel::Workspace& workspace, const GradientOptions& options = {});

#endif

/// Does what `gradient` does, and returns an error instead of throwing it.
/// Allocates the gradients and the results, and returns them.
tel::Result<GradientResult> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                         const GradientOptions& options = {});
/// Does what `gradient` does, and returns an error instead of throwing it.
/// Writes the derivatives to `gradients`; allocates the other results, and returns them.
tel::Result<GradientKept> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                       tel::InOut<Gradients> gradients, const GradientOptions& options = {});
/// Does what `gradient` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                          tel::InOut<Gradients> gradients, tel::Workspace& workspace,
                                          const GradientOptions& options = {});
/// Does what `gradient` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                          tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                          tel::Workspace& workspace, const GradientOptions& options = {});
/// Does what `start_gradient` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<GradientPending> try_start_gradient(const GradientInputs& inputs,
                                                tel::In<Parameters> parameters,
                                                tel::InOut<Gradients> gradients,
                                                const GradientOutputs& outputs, tel::Workspace& workspace,
                                                const GradientOptions& options = {});

/// The bytes of workspace with which `gradient` can compute for these dimensions, and for smaller ones.
std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept;

/// The inputs of `new_`. Every view must be set; a view of no elements is set, too.
struct New_Inputs {
  tel::Input<const double, 4> x = {};  ///< [4]
};

/// The options of `new_`.
struct New_Options {
  tel::Execution execution = {};  ///< where the call computes
};

/// The derivatives that `new_` computes, as views.
struct New_Gradient {
  tel::View<double, 4> x = {};  ///< [4]
};

/// The results of `new_`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct New_Outputs {
  New_Gradient gradient = {};
  double L = {};
};

/// The results of `new_`, in tensors that own their memory.
struct New_Result;
/// A call of `new_` that is under way in a stream of a GPU.
using New_Pending = tel::Pending<mixed_new__arguments, New_Outputs>;

#ifdef TEL_EXCEPTIONS
/// Computes the derivatives for x, and L.
///
/// - `inputs.x` [4]
///
/// Allocates the results, and returns them.
New_Result new_(const New_Inputs& inputs, const New_Options& options = {});

/// Computes the derivatives for x, and L.
///
/// - `inputs.x` [4]
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
New_Outputs new_(const New_Inputs& inputs, tel::Workspace& workspace, const New_Options& options = {});

/// Computes the derivatives for x, and L.
///
/// - `inputs.x` [4]
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
New_Outputs new_(const New_Inputs& inputs, const New_Outputs& outputs, tel::Workspace& workspace,
                 const New_Options& options = {});

/// Computes the derivatives for x, and L.
///
/// - `inputs.x` [4]
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
New_Pending start_new_(const New_Inputs& inputs, const New_Outputs& outputs, tel::Workspace& workspace,
                       const New_Options& options = {});

#endif

/// Does what `new_` does, and returns an error instead of throwing it.
/// Allocates the results, and returns them.
tel::Result<New_Result> try_new_(const New_Inputs& inputs, const New_Options& options = {});
/// Does what `new_` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<New_Outputs> try_new_(const New_Inputs& inputs, tel::Workspace& workspace,
                                  const New_Options& options = {});
/// Does what `new_` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<New_Outputs> try_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                                  tel::Workspace& workspace, const New_Options& options = {});
/// Does what `start_new_` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<New_Pending> try_start_new_(const New_Inputs& inputs, const New_Outputs& outputs,
                                        tel::Workspace& workspace, const New_Options& options = {});

/// The bytes of workspace with which `new_` can compute for these dimensions, and for smaller ones.
std::size_t new__workspace(const New_Options& options = {}) noexcept;

/// The inputs of `count`. Every view must be set; a view of no elements is set, too.
struct CountInputs {
  tel::Input<const float, 2> x = {};  ///< [2]
};

/// The options of `count`.
struct CountOptions {
  tel::Execution execution = {};  ///< where the call computes
};

/// The results of `count`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct CountOutputs {
  tel::View<float, 2> before = {};  ///< [2]
};

/// The results of `count`, in tensors that own their memory.
struct CountResult;
/// A call of `count` that is under way in a stream of a GPU.
using CountPending = tel::Pending<mixed_count_arguments, CountOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes before; updates the state.
///
/// - `inputs.x` [2]
///
/// Allocates the results, and returns them.
CountResult count(const CountInputs& inputs, tel::InOut<State> state, const CountOptions& options = {});

/// Computes before; updates the state.
///
/// - `inputs.x` [2]
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
CountOutputs count(const CountInputs& inputs, tel::InOut<State> state, tel::Workspace& workspace,
                   const CountOptions& options = {});

/// Computes before; updates the state.
///
/// - `inputs.x` [2]
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
CountOutputs count(const CountInputs& inputs, tel::InOut<State> state, const CountOutputs& outputs,
                   tel::Workspace& workspace, const CountOptions& options = {});

/// Computes before; updates the state.
///
/// - `inputs.x` [2]
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
CountPending start_count(const CountInputs& inputs, tel::InOut<State> state, const CountOutputs& outputs,
                         tel::Workspace& workspace, const CountOptions& options = {});

#endif

/// Does what `count` does, and returns an error instead of throwing it.
/// Allocates the results, and returns them.
tel::Result<CountResult> try_count(const CountInputs& inputs, tel::InOut<State> state,
                                   const CountOptions& options = {});
/// Does what `count` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<CountOutputs> try_count(const CountInputs& inputs, tel::InOut<State> state,
                                    tel::Workspace& workspace, const CountOptions& options = {});
/// Does what `count` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<CountOutputs> try_count(const CountInputs& inputs, tel::InOut<State> state,
                                    const CountOutputs& outputs, tel::Workspace& workspace,
                                    const CountOptions& options = {});
/// Does what `start_count` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<CountPending> try_start_count(const CountInputs& inputs, tel::InOut<State> state,
                                          const CountOutputs& outputs, tel::Workspace& workspace,
                                          const CountOptions& options = {});

/// The bytes of workspace with which `count` can compute for these dimensions, and for smaller ones.
std::size_t count_workspace(const CountOptions& options = {}) noexcept;

/// The inputs of `counted`. Every view must be set; a view of no elements is set, too.
struct CountedInputs {
};

/// The options of `counted`.
struct CountedOptions {
  tel::Execution execution = {};  ///< where the call computes
};

/// The results of `counted`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct CountedOutputs {
  std::int64_t times = {};
};

/// The results of `counted`, in tensors that own their memory.
struct CountedResult;
/// A call of `counted` that is under way in a stream of a GPU.
using CountedPending = tel::Pending<mixed_counted_arguments, CountedOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes times.
///
/// Allocates the results, and returns them.
CountedResult counted(const CountedInputs& inputs, tel::In<State> state, const CountedOptions& options = {});

/// Computes times.
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
CountedOutputs counted(const CountedInputs& inputs, tel::In<State> state, tel::Workspace& workspace,
                       const CountedOptions& options = {});

/// Computes times.
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
CountedOutputs counted(const CountedInputs& inputs, tel::In<State> state, const CountedOutputs& outputs,
                       tel::Workspace& workspace, const CountedOptions& options = {});

/// Computes times.
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
CountedPending start_counted(const CountedInputs& inputs, tel::In<State> state,
                             const CountedOutputs& outputs, tel::Workspace& workspace,
                             const CountedOptions& options = {});

#endif

/// Does what `counted` does, and returns an error instead of throwing it.
/// Allocates the results, and returns them.
tel::Result<CountedResult> try_counted(const CountedInputs& inputs, tel::In<State> state,
                                       const CountedOptions& options = {});
/// Does what `counted` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<CountedOutputs> try_counted(const CountedInputs& inputs, tel::In<State> state,
                                        tel::Workspace& workspace, const CountedOptions& options = {});
/// Does what `counted` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<CountedOutputs> try_counted(const CountedInputs& inputs, tel::In<State> state,
                                        const CountedOutputs& outputs, tel::Workspace& workspace,
                                        const CountedOptions& options = {});
/// Does what `start_counted` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<CountedPending> try_start_counted(const CountedInputs& inputs, tel::In<State> state,
                                              const CountedOutputs& outputs, tel::Workspace& workspace,
                                              const CountedOptions& options = {});

/// The bytes of workspace with which `counted` can compute for these dimensions, and for smaller ones.
std::size_t counted_workspace(const CountedOptions& options = {}) noexcept;

/// The types and the functions of the network as the members of one type, so that a template over it
/// serves every network: `Network::gradient(inputs, parameters, gradients, workspace)`.
struct Network {
  using Constants = ::mixed::Constants;
  using State = ::mixed::State;
  using Parameters = ::mixed::Parameters;
  using Gradients = ::mixed::Gradients;
  using Frozen = ::mixed::Frozen;

  using ForwardInputs = ::mixed::ForwardInputs;
  using ForwardOptions = ::mixed::ForwardOptions;
  using ForwardOutputs = ::mixed::ForwardOutputs;
  using ForwardResult = ::mixed::ForwardResult;
  using ForwardPending = ::mixed::ForwardPending;
#ifdef TEL_EXCEPTIONS
  static auto forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mixed::forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mixed::start_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mixed::try_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mixed::try_start_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t forward_workspace(std::size_t N, std::size_t size_0, std::size_t M,
                                       const ForwardOptions& options = {}) noexcept {
    return ::mixed::forward_workspace(N, size_0, M, options);
  }

  using GradientInputs = ::mixed::GradientInputs;
  using GradientOptions = ::mixed::GradientOptions;
  using GradientOutputs = ::mixed::GradientOutputs;
  using GradientResult = ::mixed::GradientResult;
  using GradientKept = ::mixed::GradientKept;
  using GradientPending = ::mixed::GradientPending;
#ifdef TEL_EXCEPTIONS
  static auto gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mixed::gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mixed::start_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mixed::try_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mixed::try_start_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
    return ::mixed::gradient_workspace(N, options);
  }

  using New_Inputs = ::mixed::New_Inputs;
  using New_Options = ::mixed::New_Options;
  using New_Outputs = ::mixed::New_Outputs;
  using New_Result = ::mixed::New_Result;
  using New_Pending = ::mixed::New_Pending;
#ifdef TEL_EXCEPTIONS
  static auto new_(const New_Inputs& inputs, auto&&... rest) {
    return ::mixed::new_(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_new_(const New_Inputs& inputs, auto&&... rest) {
    return ::mixed::start_new_(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_new_(const New_Inputs& inputs, auto&&... rest) {
    return ::mixed::try_new_(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_new_(const New_Inputs& inputs, auto&&... rest) {
    return ::mixed::try_start_new_(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t new__workspace(const New_Options& options = {}) noexcept {
    return ::mixed::new__workspace(options);
  }

  using CountInputs = ::mixed::CountInputs;
  using CountOptions = ::mixed::CountOptions;
  using CountOutputs = ::mixed::CountOutputs;
  using CountResult = ::mixed::CountResult;
  using CountPending = ::mixed::CountPending;
#ifdef TEL_EXCEPTIONS
  static auto count(const CountInputs& inputs, auto&&... rest) {
    return ::mixed::count(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_count(const CountInputs& inputs, auto&&... rest) {
    return ::mixed::start_count(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_count(const CountInputs& inputs, auto&&... rest) {
    return ::mixed::try_count(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_count(const CountInputs& inputs, auto&&... rest) {
    return ::mixed::try_start_count(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t count_workspace(const CountOptions& options = {}) noexcept {
    return ::mixed::count_workspace(options);
  }

  using CountedInputs = ::mixed::CountedInputs;
  using CountedOptions = ::mixed::CountedOptions;
  using CountedOutputs = ::mixed::CountedOutputs;
  using CountedResult = ::mixed::CountedResult;
  using CountedPending = ::mixed::CountedPending;
#ifdef TEL_EXCEPTIONS
  static auto counted(const CountedInputs& inputs, auto&&... rest) {
    return ::mixed::counted(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_counted(const CountedInputs& inputs, auto&&... rest) {
    return ::mixed::start_counted(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_counted(const CountedInputs& inputs, auto&&... rest) {
    return ::mixed::try_counted(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_counted(const CountedInputs& inputs, auto&&... rest) {
    return ::mixed::try_start_counted(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t counted_workspace(const CountedOptions& options = {}) noexcept {
    return ::mixed::counted_workspace(options);
  }
};

}  // namespace mixed::inline v8136e40d36931242

#endif  // __cplusplus
