/* The network `digits`, made by telc from digits.tel. This header is C11 and C++20.

   1. The C interface of the network: structs and functions that begin with digits_.
   2. Its C++ interface, namespace digits: what it takes and gives, and the functions to call.
   3. What the headers of all networks share: names that begin with tel_ in C, namespace tel in C++.
   4. The definitions of what part 2 declares. */
#ifndef TEL_MODULE_digits_vf92ab5626f68a7d8
#define TEL_MODULE_digits_vf92ab5626f68a7d8

#ifdef TEL_MODULE_digits
#error "two different networks are called digits: include them in different files, or rename one module"
#elif defined(__cplusplus) && __cplusplus <= 201703L
#error "the header of the network digits needs C++20: compile with -std=c++20"
#else
#define TEL_MODULE_digits

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
typedef struct digits_parameters_vf92ab5626f68a7d8 {
  TEL_ALIGNED float W1[784][256];
  TEL_ALIGNED float b1[256];
  TEL_ALIGNED float W2[256][10];
  TEL_ALIGNED float b2[10];
} digits_parameters;

/* The derivatives for the parameters. */
typedef digits_parameters digits_gradients;

/* Sets all parameters to their initial values. The same seed gives the same bits. */
int32_t digits_initialize(digits_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.digits.f92ab5626f68a7d8");
/* Computes to = a * to + b * from, of parameters or gradients in the memory that the execution uses
   (null: that of the processor). A term whose factor is 0 is not read, and `from` may then be null. */
int32_t digits_combine(digits_parameters* to, double a, const digits_parameters* from, double b,
    const tel_execution* execution, tel_error* error)
    __asm__("tel.combine.digits.f92ab5626f68a7d8");
/* `digits_freeze` copies matrices of the parameters into `frozen`, memory that is aligned to 64 bytes and has
   `digits_frozen_size()` bytes, in the order in which kernels for processors read them. Calls that are given
   both are faster, and have the same results. The parameters must not change afterwards. If the size is 0,
   nothing is gained, and `frozen` may be null. */
size_t digits_frozen_size(void)
    __asm__("tel.frozen_size.digits.f92ab5626f68a7d8");
int32_t digits_freeze(const digits_parameters* parameters, void* frozen, tel_error* error)
    __asm__("tel.freeze.digits.f92ab5626f68a7d8");
/* Load and save a safetensors file. Saving replaces the whole file, or leaves it as it was. */
int32_t digits_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.digits.f92ab5626f68a7d8");
int32_t digits_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.digits.f92ab5626f68a7d8");

/* The entry points. They are thread-safe and allocate no memory. Inputs and outputs are row-major,
   without gaps. An output that is null is placed in the workspace: the call then sets its pointer and
   its extents. An input that is null is not set, which is an error: where it has no elements, give any
   other pointer. Each function returns a status, TEL_OK or an error, and writes the text of an error to
   `error` unless that is null. */

/* Computes y and digit. */
typedef struct digits_forward_arguments_vf92ab5626f68a7d8 {
  size_t size; /* sizeof(digits_forward_arguments) */
  const float* x; /* [N x 784]: Brightness of each pixel, 0 to 1, row by row. */
  int64_t x_extents[2];
  const digits_parameters* parameters;
  float* y; /* [N x 10]: The probability of each digit. */
  int64_t y_extents[2];
  int32_t* digit; /* [N]: The digit that is most likely. */
  int64_t digit_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
  const void* frozen; /* what digits_freeze has made of the same parameters, or null */
} digits_forward_arguments;

int32_t digits_forward(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.f92ab5626f68a7d8");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t digits_forward_prepare(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.prepare.f92ab5626f68a7d8");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t digits_forward_wait(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.wait.f92ab5626f68a7d8");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t digits_forward_workspace(int64_t N, const tel_options* options)
    __asm__("digits.forward.workspace.f92ab5626f68a7d8");

/* Computes L, y and digit, without derivatives. */
typedef struct digits_evaluate_arguments_vf92ab5626f68a7d8 {
  size_t size; /* sizeof(digits_evaluate_arguments) */
  const float* x; /* [N x 784]: Brightness of each pixel, 0 to 1, row by row. */
  int64_t x_extents[2];
  const int32_t* label; /* [N]: The digit that each image shows, 0 to 9. */
  int64_t label_extents[1];
  const digits_parameters* parameters;
  float L;
  float* y; /* [N x 10]: The probability of each digit. */
  int64_t y_extents[2];
  int32_t* digit; /* [N]: The digit that is most likely. */
  int64_t digit_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
  const void* frozen; /* what digits_freeze has made of the same parameters, or null */
} digits_evaluate_arguments;

int32_t digits_evaluate(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.f92ab5626f68a7d8");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t digits_evaluate_prepare(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.prepare.f92ab5626f68a7d8");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t digits_evaluate_wait(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.wait.f92ab5626f68a7d8");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t digits_evaluate_workspace(int64_t N, const tel_options* options)
    __asm__("digits.evaluate.workspace.f92ab5626f68a7d8");

/* Computes the derivatives for the parameters, and L, y and digit. */
typedef struct digits_gradient_arguments_vf92ab5626f68a7d8 {
  size_t size; /* sizeof(digits_gradient_arguments) */
  const float* x; /* [N x 784]: Brightness of each pixel, 0 to 1, row by row. */
  int64_t x_extents[2];
  const int32_t* label; /* [N]: The digit that each image shows, 0 to 9. */
  int64_t label_extents[1];
  const digits_parameters* parameters;
  digits_gradients* gradients;
  float L;
  float* y; /* [N x 10]: The probability of each digit. */
  int64_t y_extents[2];
  int32_t* digit; /* [N]: The digit that is most likely. */
  int64_t digit_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
} digits_gradient_arguments;

int32_t digits_gradient(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.f92ab5626f68a7d8");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t digits_gradient_prepare(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.prepare.f92ab5626f68a7d8");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t digits_gradient_wait(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.wait.f92ab5626f68a7d8");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t digits_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("digits.gradient.workspace.f92ab5626f68a7d8");

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

/// Reads handwritten digits: a perceptron with one hidden layer over images of 28 x 28 pixels.
namespace digits::inline vf92ab5626f68a7d8 {

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
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::Input<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
};

/// The options of `forward`.
struct ForwardOptions {
  tel::Execution execution = {};  ///< where the call computes
};

/// The results of `forward`, as views. As an argument, it says where they are written: a view that is
/// left empty is placed in the workspace.
struct ForwardOutputs {
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// The results of `forward`, in tensors that own their memory.
struct ForwardResult;
/// A call of `forward` that is under way in a stream of a GPU.
using ForwardPending = tel::Pending<digits_forward_arguments, ForwardOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
///
/// Allocates the results, and returns them.
ForwardResult forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                      const ForwardOptions& options = {});

/// Computes y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                       tel::Workspace& workspace, const ForwardOptions& options = {});

/// Computes y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
ForwardOutputs forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                       const ForwardOutputs& outputs, tel::Workspace& workspace,
                       const ForwardOptions& options = {});

/// Computes y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
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
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::Input<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  /// The digit that each image shows, 0 to 9.
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
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// The results of `evaluate`, in tensors that own their memory.
struct EvaluateResult;
/// A call of `evaluate` that is under way in a stream of a GPU.
using EvaluatePending = tel::Pending<digits_evaluate_arguments, EvaluateOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes L, y and digit, without derivatives.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Allocates the results, and returns them.
EvaluateResult evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                        const EvaluateOptions& options = {});

/// Computes L, y and digit, without derivatives.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
EvaluateOutputs evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                         tel::Workspace& workspace, const EvaluateOptions& options = {});

/// Computes L, y and digit, without derivatives.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
EvaluateOutputs evaluate(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                         const EvaluateOutputs& outputs, tel::Workspace& workspace,
                         const EvaluateOptions& options = {});

/// Computes L, y and digit, without derivatives.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
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
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::Input<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  /// The digit that each image shows, 0 to 9.
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
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// The results of `gradient` without the gradients, in tensors that own their memory.
struct GradientKept;
/// The results of `gradient` and the gradients, in tensors that own their memory.
struct GradientResult;
/// A call of `gradient` that is under way in a stream of a GPU.
using GradientPending = tel::Pending<digits_gradient_arguments, GradientOutputs>;

#ifdef TEL_EXCEPTIONS
/// Computes the derivatives for the parameters, and L, y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Allocates the gradients and the results, and returns them.
GradientResult gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                        const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L, y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Writes the derivatives to `gradients`; allocates the other results, and returns them.
GradientKept gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                      tel::InOut<Gradients> gradients, const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L, y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Places the results in the workspace, where they are valid until its next use. Allocates nothing.
GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                         tel::InOut<Gradients> gradients, tel::Workspace& workspace,
                         const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L, y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
///
/// Writes the results to where the views of `outputs` point, and to the workspace for views that are empty.
/// Allocates nothing.
GradientOutputs gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                         tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                         tel::Workspace& workspace, const GradientOptions& options = {});

/// Computes the derivatives for the parameters, and L, y and digit.
///
/// - `inputs.x` [N x 784]: Brightness of each pixel, 0 to 1, row by row.
/// - `inputs.label` [N]: The digit that each image shows, 0 to 9.
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
  using Parameters = ::digits::Parameters;
  using Gradients = ::digits::Gradients;
  using Frozen = ::digits::Frozen;

  using ForwardInputs = ::digits::ForwardInputs;
  using ForwardOptions = ::digits::ForwardOptions;
  using ForwardOutputs = ::digits::ForwardOutputs;
  using ForwardResult = ::digits::ForwardResult;
  using ForwardPending = ::digits::ForwardPending;
#ifdef TEL_EXCEPTIONS
  static auto forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::digits::forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::digits::start_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::digits::try_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_forward(const ForwardInputs& inputs, auto&&... rest) {
    return ::digits::try_start_forward(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t forward_workspace(std::size_t N, const ForwardOptions& options = {}) noexcept {
    return ::digits::forward_workspace(N, options);
  }

  using EvaluateInputs = ::digits::EvaluateInputs;
  using EvaluateOptions = ::digits::EvaluateOptions;
  using EvaluateOutputs = ::digits::EvaluateOutputs;
  using EvaluateResult = ::digits::EvaluateResult;
  using EvaluatePending = ::digits::EvaluatePending;
#ifdef TEL_EXCEPTIONS
  static auto evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::digits::evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::digits::start_evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::digits::try_evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_evaluate(const EvaluateInputs& inputs, auto&&... rest) {
    return ::digits::try_start_evaluate(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t evaluate_workspace(std::size_t N, const EvaluateOptions& options = {}) noexcept {
    return ::digits::evaluate_workspace(N, options);
  }

  using GradientInputs = ::digits::GradientInputs;
  using GradientOptions = ::digits::GradientOptions;
  using GradientOutputs = ::digits::GradientOutputs;
  using GradientResult = ::digits::GradientResult;
  using GradientKept = ::digits::GradientKept;
  using GradientPending = ::digits::GradientPending;
#ifdef TEL_EXCEPTIONS
  static auto gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::digits::gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto start_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::digits::start_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
#endif
  static auto try_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::digits::try_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static auto try_start_gradient(const GradientInputs& inputs, auto&&... rest) {
    return ::digits::try_start_gradient(inputs, std::forward<decltype(rest)>(rest)...);
  }
  static std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
    return ::digits::gradient_workspace(N, options);
  }
};

}  // namespace digits::inline vf92ab5626f68a7d8

#endif  // __cplusplus

/* What the headers of all networks share. */
// (what all headers share)

#ifdef __cplusplus

// (what all headers share)

// (what all headers share)
// (definitions)
