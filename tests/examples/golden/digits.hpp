/* Made by telc from digits.tel. C11, and C++20 below. */
#ifndef TEL_MODULE_digits
#define TEL_MODULE_digits

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* What all headers of telc share. */
// (what all headers share)

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters. Aligned to 64 bytes; what lies between tensors is 0. */
typedef struct digits_parameters {
  TEL_ALIGNED float W1[784][256];
  TEL_ALIGNED float b1[256];
  TEL_ALIGNED float W2[256][10];
  TEL_ALIGNED float b2[10];
} digits_parameters;

/* The derivatives for the parameters. */
typedef digits_parameters digits_gradients;

/* Sets all parameters to their initial values for this seed. */
int32_t digits_initialize(digits_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.digits.94986be21fcce9a1");
/* to = a * to + b * from, for parameters and gradients, where the execution has its memory (null: the
   processor's); a term whose factor is 0 is left out, and `from` may then be null. */
int32_t digits_combine(digits_parameters* to, double a, const digits_parameters* from, double b,
    const tel_execution* execution, tel_error* error)
    __asm__("tel.combine.digits.94986be21fcce9a1");
/* Safetensors files; saving replaces the file whole or not at all. */
int32_t digits_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.digits.94986be21fcce9a1");
int32_t digits_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.digits.94986be21fcce9a1");

/* Entry points. They are thread-safe, and allocate nothing. Inputs and outputs are row-major, without
   gaps; a function gives a status, and writes its text to `error`, which may be null. An output that
   is null is placed in the workspace: the call sets its pointer and its extents. */

typedef struct digits_forward_arguments {
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
  const tel_options* options; /* null: the defaults */
} digits_forward_arguments;

int32_t digits_forward(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.94986be21fcce9a1");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t digits_forward_prepare(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.prepare.94986be21fcce9a1");
/* Ends a call that was to return at once: waits, and sets the results that are scalars. */
int32_t digits_forward_wait(digits_forward_arguments* arguments, tel_error* error)
    __asm__("digits.forward.wait.94986be21fcce9a1");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t digits_forward_workspace(int64_t N, const tel_options* options)
    __asm__("digits.forward.workspace.94986be21fcce9a1");

typedef struct digits_evaluate_arguments {
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
  const tel_options* options; /* null: the defaults */
} digits_evaluate_arguments;

int32_t digits_evaluate(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.94986be21fcce9a1");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t digits_evaluate_prepare(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.prepare.94986be21fcce9a1");
/* Ends a call that was to return at once: waits, and sets the results that are scalars. */
int32_t digits_evaluate_wait(digits_evaluate_arguments* arguments, tel_error* error)
    __asm__("digits.evaluate.wait.94986be21fcce9a1");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t digits_evaluate_workspace(int64_t N, const tel_options* options)
    __asm__("digits.evaluate.workspace.94986be21fcce9a1");

typedef struct digits_gradient_arguments {
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
  const tel_options* options; /* null: the defaults */
} digits_gradient_arguments;

int32_t digits_gradient(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.94986be21fcce9a1");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t digits_gradient_prepare(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.prepare.94986be21fcce9a1");
/* Ends a call that was to return at once: waits, and sets the results that are scalars. */
int32_t digits_gradient_wait(digits_gradient_arguments* arguments, tel_error* error)
    __asm__("digits.gradient.wait.94986be21fcce9a1");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t digits_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("digits.gradient.workspace.94986be21fcce9a1");

#ifdef __cplusplus
}  // extern "C"
#endif

#ifdef __cplusplus
// (what all headers share)

/// Reads handwritten digits: a perceptron with one hidden layer over images of 28 x 28 pixels.
namespace digits {

/// The parameters, in one buffer. What was moved from may only be assigned to.
class Parameters final : public tel::Block<Parameters, digits_parameters, digits_combine> {
 public:
  tel::Field<float, 784, 256> W1{at<float>(0)};
  tel::Field<float, 256> b1{at<float>(802816)};
  tel::Field<float, 256, 10> W2{at<float>(803840)};
  tel::Field<float, 10> b2{at<float>(814080)};

  /// Initialised with this seed.
  explicit Parameters(std::uint64_t seed = 0) { tel::detail::require(try_initialize(seed)); }
  /// All elements 0.
  explicit Parameters(tel::Zeros) noexcept {}
  Parameters(Parameters&& other) noexcept : Block(std::move(other)) {}
  Parameters& operator=(Parameters&& other) noexcept {
  }
  Parameters copy() const {
  }

  /// Sets everything to its initial value; the same seed gives the same bits.
  tel::Result<void> try_initialize(std::uint64_t seed) {
  }

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T = float>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
  }
  template <class T = float>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is initialised, what is unknown is passed over.
  static tel::Result<Parameters> try_load(const std::string& path) {
  }
  static tel::Result<Parameters> try_load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
  }
};

/// The derivatives for the parameters, in the same layout; 0 at first.
class Gradients final : public tel::Block<Gradients, digits_gradients, digits_combine> {
 public:
  tel::Field<float, 784, 256> W1{at<float>(0)};
  tel::Field<float, 256> b1{at<float>(802816)};
  tel::Field<float, 256, 10> W2{at<float>(803840)};
  tel::Field<float, 10> b2{at<float>(814080)};

  Gradients() noexcept = default;
  /// All elements 0.
  explicit Gradients(tel::Zeros) noexcept {}
  Gradients(Gradients&& other) noexcept : Block(std::move(other)) {}
  Gradients& operator=(Gradients&& other) noexcept {
  }
  Gradients copy() const {
  }

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T = float>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
  }
  template <class T = float>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over.
  static tel::Result<Gradients> try_load(const std::string& path) {
  }
  static tel::Result<Gradients> try_load(const std::string& path, tel::Partial) {
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
  }
};

/// What `forward` takes.
struct ForwardInputs {
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
};

struct ForwardOptions {
  tel::Execution execution = {};
};

/// Where the results of `forward` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct ForwardOutputs {
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// What `forward` returns; owns its memory.
struct ForwardResult {
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

namespace detail {

inline digits_forward_arguments arguments(const ForwardInputs& inputs) noexcept {
}

inline tel_options options(const ForwardOptions& options) noexcept {
}

inline digits_forward_arguments arguments(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                          const ForwardOutputs& outputs, tel::Workspace& workspace) {
}

inline ForwardOutputs results(const digits_forward_arguments& arguments) noexcept {
}

}  // namespace detail

/// Bytes of workspace that `forward` needs at most with these dimensions.
inline std::size_t forward_workspace(std::size_t N, const ForwardOptions& options = {}) noexcept {
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                               const ForwardOutputs& outputs, tel::Workspace& workspace,
                                               const ForwardOptions& options = {}) {
}

using ForwardPending = tel::Pending<digits_forward_arguments, ForwardOutputs>;

/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or the error.
inline tel::Result<ForwardPending> try_start_forward(const ForwardInputs& inputs,
                                                     tel::In<Parameters> parameters,
                                                     const ForwardOutputs& outputs,
                                                     tel::Workspace& workspace,
                                                     const ForwardOptions& options = {}) {
}

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                               tel::Workspace& workspace, const ForwardOptions& options = {}) {
}

/// Returns results that own their memory.
inline tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, tel::In<Parameters> parameters,
                                              const ForwardOptions& options = {}) {
}

/// What `evaluate` takes.
struct EvaluateInputs {
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  /// The digit that each image shows, 0 to 9.
  tel::View<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

struct EvaluateOptions {
  tel::Execution execution = {};
};

/// Where the results of `evaluate` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct EvaluateOutputs {
  float L = {};
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// What `evaluate` returns; owns its memory.
struct EvaluateResult {
  float L;
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

namespace detail {

inline digits_evaluate_arguments arguments(const EvaluateInputs& inputs) noexcept {
}

inline tel_options options(const EvaluateOptions& options) noexcept {
}

inline digits_evaluate_arguments arguments(const EvaluateInputs& inputs, tel::In<Parameters> parameters,
                                           const EvaluateOutputs& outputs, tel::Workspace& workspace) {
}

inline EvaluateOutputs results(const digits_evaluate_arguments& arguments) noexcept {
}

}  // namespace detail

/// Bytes of workspace that `evaluate` needs at most with these dimensions.
inline std::size_t evaluate_workspace(std::size_t N, const EvaluateOptions& options = {}) noexcept {
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                                 const EvaluateOptions& options = {}) {
}

using EvaluatePending = tel::Pending<digits_evaluate_arguments, EvaluateOutputs>;

/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or the error.
inline tel::Result<EvaluatePending> try_start_evaluate(const EvaluateInputs& inputs,
                                                       tel::In<Parameters> parameters,
                                                       const EvaluateOutputs& outputs,
                                                       tel::Workspace& workspace,
                                                       const EvaluateOptions& options = {}) {
}

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs,
                                                 tel::In<Parameters> parameters, tel::Workspace& workspace,
                                                 const EvaluateOptions& options = {}) {
}

/// Returns results that own their memory.
inline tel::Result<EvaluateResult> try_evaluate(const EvaluateInputs& inputs,
                                                tel::In<Parameters> parameters,
                                                const EvaluateOptions& options = {}) {
}

/// What `gradient` takes.
struct GradientInputs {
  /// Brightness of each pixel, 0 to 1, row by row.
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  /// The digit that each image shows, 0 to 9.
  tel::View<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

struct GradientOptions {
  tel::Execution execution = {};
  bool accumulate = false;  ///< add to the gradients instead of replacing them
};

/// Where the results of `gradient` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct GradientOutputs {
  float L = {};
  /// The probability of each digit.
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
  /// The digit that is most likely.
  tel::View<std::int32_t, tel::dynamic> digit = {};  ///< [N]
};

/// What `gradient` returns beside the gradients.
struct GradientKept {
  float L;
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

/// What `gradient` returns; owns its memory.
struct GradientResult {
  Gradients gradient;
  float L;
  /// The probability of each digit.
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
  /// The digit that is most likely.
  tel::Tensor<std::int32_t, tel::dynamic> digit;  ///< [N]
};

namespace detail {

inline digits_gradient_arguments arguments(const GradientInputs& inputs) noexcept {
}

inline tel_options options(const GradientOptions& options) noexcept {
}

inline digits_gradient_arguments arguments(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                           tel::InOut<Gradients> gradients, const GradientOutputs& outputs,
                                           tel::Workspace& workspace) {
}

inline GradientOutputs results(const digits_gradient_arguments& arguments) noexcept {
}

}  // namespace detail

/// Bytes of workspace that `gradient` needs at most with these dimensions.
inline std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 tel::InOut<Gradients> gradients,
                                                 const GradientOutputs& outputs, tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
}

using GradientPending = tel::Pending<digits_gradient_arguments, GradientOutputs>;

/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or the error.
inline tel::Result<GradientPending> try_start_gradient(const GradientInputs& inputs,
                                                       tel::In<Parameters> parameters,
                                                       tel::InOut<Gradients> gradients,
                                                       const GradientOutputs& outputs,
                                                       tel::Workspace& workspace,
                                                       const GradientOptions& options = {}) {
}

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 tel::In<Parameters> parameters,
                                                 tel::InOut<Gradients> gradients,
                                                 tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
}

/// Writes the gradients given; the other results own their memory.
inline tel::Result<GradientKept> try_gradient(const GradientInputs& inputs, tel::In<Parameters> parameters,
                                              tel::InOut<Gradients> gradients,
                                              const GradientOptions& options = {}) {
}

/// Returns gradients and results that own their memory.
inline tel::Result<GradientResult> try_gradient(const GradientInputs& inputs,
                                                tel::In<Parameters> parameters,
                                                const GradientOptions& options = {}) {
}

}  // namespace digits

#endif  // __cplusplus

#endif /* TEL_MODULE_digits */
