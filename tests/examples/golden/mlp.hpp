/* The network `mlp`, made by telc from mlp.tel. This header is C11 and C++20.

   1. The C interface of the network: structs and functions that begin with mlp_.
   2. Its C++ interface, namespace mlp: what it takes and gives, and the functions to call.
   3. What the headers of all networks share: names that begin with tel_ in C, namespace tel in C++.
   4. The definitions of what part 2 declares. */
#ifndef TEL_MODULE_mlp_v9f9a86201fc40022
#define TEL_MODULE_mlp_v9f9a86201fc40022

#ifdef TEL_MODULE_mlp
#error "two different networks are called mlp: include them in different files, or rename one module"
#elif defined(__cplusplus) && __cplusplus <= 201703L
#error "the header of the network mlp needs C++20: compile with -std=c++20"
#else
#define TEL_MODULE_mlp

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* The types that the network's interface is written with. All headers of telc share them; those that are only
   named here are defined behind the network. */
// (what all headers share)

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters. The struct is aligned to 64 bytes; the bytes between tensors are 0. */
typedef struct mlp_parameters_v9f9a86201fc40022 {
  TEL_ALIGNED float W1[784][256];
  TEL_ALIGNED float b1[256];
  TEL_ALIGNED float W2[256][10];
  TEL_ALIGNED float b2[10];
} mlp_parameters;

/* The derivatives for the parameters. */
typedef mlp_parameters mlp_gradients;

/* Sets all parameters to their initial values. The same seed gives the same bits. */
int32_t mlp_initialize(mlp_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.mlp.9f9a86201fc40022");
/* Computes to = a * to + b * from, of parameters or gradients in the memory that the execution uses
   (null: that of the processor). A term whose factor is 0 is not read, and `from` may then be null. */
int32_t mlp_combine(mlp_parameters* to, double a, const mlp_parameters* from, double b,
    const tel_execution* execution, tel_error* error)
    __asm__("tel.combine.mlp.9f9a86201fc40022");
/* `mlp_freeze` copies matrices of the parameters into `frozen`, memory that is aligned to 64 bytes and has
   `mlp_frozen_size()` bytes, in the order in which kernels for processors read them. Calls that are given
   both are faster, and have the same results. The parameters must not change afterwards. If the size is 0,
   nothing is gained, and `frozen` may be null. */
size_t mlp_frozen_size(void)
    __asm__("tel.frozen_size.mlp.9f9a86201fc40022");
int32_t mlp_freeze(const mlp_parameters* parameters, void* frozen, tel_error* error)
    __asm__("tel.freeze.mlp.9f9a86201fc40022");
/* Load and save a safetensors file. Saving replaces the whole file, or leaves it as it was. */
int32_t mlp_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.mlp.9f9a86201fc40022");
int32_t mlp_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.mlp.9f9a86201fc40022");

/* The entry points. They are thread-safe and allocate no memory. Inputs and outputs are row-major,
   without gaps. An output that is null is placed in the workspace: the call then sets its pointer and
   its extents. An input that is null is not set, which is an error: where it has no elements, give any
   other pointer. Each function returns a status, TEL_OK or an error, and writes the text of an error to
   `error` unless that is null. */

/* Computes y. */
typedef struct mlp_forward_arguments_v9f9a86201fc40022 {
  size_t size; /* sizeof(mlp_forward_arguments) */
  const float* x; /* [N x 784] */
  int64_t x_extents[2];
  const mlp_parameters* parameters;
  float* y; /* [N x 10] */
  int64_t y_extents[2];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
  const void* frozen; /* what mlp_freeze has made of the same parameters, or null */
} mlp_forward_arguments;

int32_t mlp_forward(mlp_forward_arguments* arguments, tel_error* error)
    __asm__("mlp.forward.9f9a86201fc40022");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mlp_forward_prepare(mlp_forward_arguments* arguments, tel_error* error)
    __asm__("mlp.forward.prepare.9f9a86201fc40022");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mlp_forward_wait(mlp_forward_arguments* arguments, tel_error* error)
    __asm__("mlp.forward.wait.9f9a86201fc40022");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mlp_forward_workspace(int64_t N, const tel_options* options)
    __asm__("mlp.forward.workspace.9f9a86201fc40022");

/* Computes L and y, without derivatives. */
typedef struct mlp_evaluate_arguments_v9f9a86201fc40022 {
  size_t size; /* sizeof(mlp_evaluate_arguments) */
  const float* x; /* [N x 784] */
  int64_t x_extents[2];
  const int32_t* label; /* [N] */
  int64_t label_extents[1];
  const mlp_parameters* parameters;
  float L;
  float* y; /* [N x 10] */
  int64_t y_extents[2];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
  const void* frozen; /* what mlp_freeze has made of the same parameters, or null */
} mlp_evaluate_arguments;

int32_t mlp_evaluate(mlp_evaluate_arguments* arguments, tel_error* error)
    __asm__("mlp.evaluate.9f9a86201fc40022");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mlp_evaluate_prepare(mlp_evaluate_arguments* arguments, tel_error* error)
    __asm__("mlp.evaluate.prepare.9f9a86201fc40022");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mlp_evaluate_wait(mlp_evaluate_arguments* arguments, tel_error* error)
    __asm__("mlp.evaluate.wait.9f9a86201fc40022");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mlp_evaluate_workspace(int64_t N, const tel_options* options)
    __asm__("mlp.evaluate.workspace.9f9a86201fc40022");

/* Computes the derivatives for the parameters, and L and y. */
typedef struct mlp_gradient_arguments_v9f9a86201fc40022 {
  size_t size; /* sizeof(mlp_gradient_arguments) */
  const float* x; /* [N x 784] */
  int64_t x_extents[2];
  const int32_t* label; /* [N] */
  int64_t label_extents[1];
  const mlp_parameters* parameters;
  mlp_gradients* gradients;
  float L;
  float* y; /* [N x 10] */
  int64_t y_extents[2];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
} mlp_gradient_arguments;

int32_t mlp_gradient(mlp_gradient_arguments* arguments, tel_error* error)
    __asm__("mlp.gradient.9f9a86201fc40022");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mlp_gradient_prepare(mlp_gradient_arguments* arguments, tel_error* error)
    __asm__("mlp.gradient.prepare.9f9a86201fc40022");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mlp_gradient_wait(mlp_gradient_arguments* arguments, tel_error* error)
    __asm__("mlp.gradient.wait.9f9a86201fc40022");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mlp_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("mlp.gradient.workspace.9f9a86201fc40022");

#ifdef __cplusplus
}  // extern "C"
#endif

#ifdef __cplusplus

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

// C++ must know `Execution` and `View` before the structs that hold them; everything else that all headers of
// telc share is defined behind the network.
// (what all headers share)

/// A two-layer perceptron for 28x28 digits.
namespace mlp::inline v9f9a86201fc40022 {

/// The parameters, in one buffer: `Parameters p(seed)` has the initial values for a seed;
/// `p.save(path)` and `Parameters::load(path)` use a safetensors file; `p.flat()` is one span of all elements.
/// An object that was moved from can only be assigned to.
/// - `W1` float [784 x 256]
/// - `b1` float [256]
/// - `W2` float [256 x 10]
/// - `b2` float [10]
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
  tel::Input<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
};

/// The options of `forward`.
struct ForwardOptions {
  tel::Execution execution = {};  ///< where the call computes
};

/// The results of `forward`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct ForwardOutputs {
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
};

/// The results of `forward`, in tensors that own their memory.
struct ForwardResult;
/// A call of `forward` that is under way in a stream of a GPU.
using ForwardPending = tel::Pending<mlp_forward_arguments, ForwardOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes y.
///
/// - `inputs.x` [N x 784]
///
/// Allocates the results, and returns them.
ForwardResult forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                      const ForwardOptions& options = {});

/// Computes y.
///
/// - `inputs.x` [N x 784]
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                       tel::Workspace& workspace, const ForwardOptions& options = {});

/// Computes y.
///
/// - `inputs.x` [N x 784]
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                       const ForwardOutputs& outputs, tel::Workspace& workspace,
                       const ForwardOptions& options = {});

/// Computes y.
///
/// - `inputs.x` [N x 784]
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
ForwardPending start_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                             const ForwardOutputs& outputs, tel::Workspace& workspace,
                             const ForwardOptions& options = {});

#endif

/// Does what `forward` does, and returns an error instead of throwing it.
/// Allocates the results, and returns them.
tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                       const ForwardOptions& options = {});
/// Does what `forward` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                        tel::Workspace& workspace, const ForwardOptions& options = {});
/// Does what `forward` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                        const ForwardOutputs& outputs, tel::Workspace& workspace,
                                        const ForwardOptions& options = {});
/// Does what `start_forward` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<ForwardPending> try_start_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                              const ForwardOutputs& outputs, tel::Workspace& workspace,
                                              const ForwardOptions& options = {});

/// The bytes of workspace with which `forward` can compute for these dimensions, and for smaller ones.
std::size_t forward_workspace(std::size_t N, const ForwardOptions& options = {}) noexcept;

/// The inputs of `evaluate`. Every view must be set; a view of no elements is set, too.
struct EvaluateInputs {
  tel::Input<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  tel::Input<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

/// The options of `evaluate`.
struct EvaluateOptions {
  tel::Execution execution = {};  ///< where the call computes
};

/// The results of `evaluate`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct EvaluateOutputs {
  float L = {};
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
};

/// The results of `evaluate`, in tensors that own their memory.
struct EvaluateResult;
/// A call of `evaluate` that is under way in a stream of a GPU.
using EvaluatePending = tel::Pending<mlp_evaluate_arguments, EvaluateOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes L and y, without derivatives.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Allocates the results, and returns them.
EvaluateResult evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                        const EvaluateOptions& options = {});

/// Computes L and y, without derivatives.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
EvaluateOutputs evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                         tel::Workspace& workspace, const EvaluateOptions& options = {});

/// Computes L and y, without derivatives.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
EvaluateOutputs evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                         const EvaluateOutputs& outputs, tel::Workspace& workspace,
                         const EvaluateOptions& options = {});

/// Computes L and y, without derivatives.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
EvaluatePending start_evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                               const EvaluateOutputs& outputs, tel::Workspace& workspace,
                               const EvaluateOptions& options = {});

#endif

/// Does what `evaluate` does, and returns an error instead of throwing it.
/// Allocates the results, and returns them.
tel::Result<EvaluateResult> try_evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                                         const EvaluateOptions& options = {});
/// Does what `evaluate` does, and returns an error instead of throwing it.
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                                          tel::Workspace& workspace, const EvaluateOptions& options = {});
/// Does what `evaluate` does, and returns an error instead of throwing it.
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                                          const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                          const EvaluateOptions& options = {});
/// Does what `start_evaluate` does, and returns an error instead of throwing it.
/// Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for the work, and
/// gives the results or the error.
tel::Result<EvaluatePending> try_start_evaluate(const EvaluateInputs& inputs,
                                                tel::In<Parameters> parameters,
                                                const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                                const EvaluateOptions& options = {});

/// The bytes of workspace with which `evaluate` can compute for these dimensions, and for smaller ones.
std::size_t evaluate_workspace(std::size_t N, const EvaluateOptions& options = {}) noexcept;

/// The inputs of `gradient`. Every view must be set; a view of no elements is set, too.
struct GradientInputs {
  tel::Input<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  tel::Input<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

/// The options of `gradient`.
struct GradientOptions {
  tel::Execution execution = {};  ///< where the call computes
  bool accumulate = false;  ///< adds the derivatives to the gradients instead of replacing them
};

/// The results of `gradient`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct GradientOutputs {
  float L = {};
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
};

/// The results of `gradient` without the gradients, in tensors that own their memory.
struct GradientKept;
/// The results of `gradient` and the gradients, in tensors that own their memory.
struct GradientResult;
/// A call of `gradient` that is under way in a stream of a GPU.
using GradientPending = tel::Pending<mlp_gradient_arguments, GradientOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes the derivatives for the parameters, and L and y.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Allocates the gradients and the results, and returns them.
GradientResult gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                        const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L and y.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Writes the derivatives to `gradients`; allocates the other results, and returns them.
GradientKept gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                      tel::InOut<Gradients> gradients, const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L and y.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                         tel::InOut<Gradients> gradients, tel::Workspace& workspace,
                         const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L and y.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                         tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                         tel::Workspace& workspace, const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L and y.
///
/// - `inputs.x` [N x 784]
/// - `inputs.label` [N]
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

/// The types and the functions of the network as the members of one type, so that a template over it
/// serves every network: `Network::gradient(inputs, parameters, gradients, workspace)`.
struct Network {
  using Parameters = ::mlp::Parameters;
  using Gradients = ::mlp::Gradients;
  using Frozen = ::mlp::Frozen;

  using ForwardInputs = ::mlp::ForwardInputs;
  using ForwardOptions = ::mlp::ForwardOptions;
  using ForwardOutputs = ::mlp::ForwardOutputs;
  using ForwardResult = ::mlp::ForwardResult;
  using ForwardPending = ::mlp::ForwardPending;
#ifdef TEL_EXCEPTIONS
  static auto forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mlp::forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mlp::start_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mlp::try_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::mlp::try_start_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t forward_workspace(std::size_t N, const ForwardOptions& options = {}) noexcept {
    return ::mlp::forward_workspace(N, options);
  }

  using EvaluateInputs = ::mlp::EvaluateInputs;
  using EvaluateOptions = ::mlp::EvaluateOptions;
  using EvaluateOutputs = ::mlp::EvaluateOutputs;
  using EvaluateResult = ::mlp::EvaluateResult;
  using EvaluatePending = ::mlp::EvaluatePending;
#ifdef TEL_EXCEPTIONS
  static auto evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::mlp::evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::mlp::start_evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::mlp::try_evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::mlp::try_start_evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t evaluate_workspace(std::size_t N, const EvaluateOptions& options = {}) noexcept {
    return ::mlp::evaluate_workspace(N, options);
  }

  using GradientInputs = ::mlp::GradientInputs;
  using GradientOptions = ::mlp::GradientOptions;
  using GradientOutputs = ::mlp::GradientOutputs;
  using GradientResult = ::mlp::GradientResult;
  using GradientKept = ::mlp::GradientKept;
  using GradientPending = ::mlp::GradientPending;
#ifdef TEL_EXCEPTIONS
  static auto gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mlp::gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mlp::start_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mlp::try_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::mlp::try_start_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
    return ::mlp::gradient_workspace(N, options);
  }
};

}  // namespace mlp::inline v9f9a86201fc40022

#endif  // __cplusplus

/* What the headers of all networks share. */
// (what all headers share)

#ifdef __cplusplus

// (what all headers share)

// (what all headers share)
// (definitions)
