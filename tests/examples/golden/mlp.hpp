/* Made by telc from mlp.tel. C11, and C++20 below. */
#ifndef TEL_MODULE_mlp
#define TEL_MODULE_mlp

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* What all headers of telc share. */
// (what all headers share)

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters. Aligned to 64 bytes; what lies between tensors is 0. */
typedef struct mlp_parameters {
  TEL_ALIGNED float W1[784][256];
  TEL_ALIGNED float b1[256];
  TEL_ALIGNED float W2[256][10];
  TEL_ALIGNED float b2[10];
} mlp_parameters;

/* The derivatives for the parameters. */
typedef mlp_parameters mlp_gradients;

/* Sets all parameters to their initial values for this seed. */
int32_t mlp_initialize(mlp_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.mlp.470d2935cbd1f93f");
/* Safetensors files; saving replaces the file whole or not at all. */
int32_t mlp_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.mlp.470d2935cbd1f93f");
int32_t mlp_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.mlp.470d2935cbd1f93f");

/* Entry points. They are thread-safe, and allocate nothing. Inputs and outputs are row-major, without
   gaps; a function gives a status, and writes its text to `error`, which may be null. An output that
   is null is placed in the workspace: the call sets its pointer and its extents. */

typedef struct mlp_forward_arguments {
  size_t size; /* sizeof(mlp_forward_arguments) */
  const float* x; /* [N x 784] */
  int64_t x_extents[2];
  const mlp_parameters* parameters;
  float* y; /* [N x 10] */
  int64_t y_extents[2];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} mlp_forward_arguments;

int32_t mlp_forward(mlp_forward_arguments* arguments, tel_error* error)
    __asm__("mlp.forward.470d2935cbd1f93f");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t mlp_forward_prepare(mlp_forward_arguments* arguments, tel_error* error)
    __asm__("mlp.forward.prepare.470d2935cbd1f93f");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t mlp_forward_workspace(int64_t N, const tel_options* options)
    __asm__("mlp.forward.workspace.470d2935cbd1f93f");

typedef struct mlp_evaluate_arguments {
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
  const tel_options* options; /* null: the defaults */
} mlp_evaluate_arguments;

int32_t mlp_evaluate(mlp_evaluate_arguments* arguments, tel_error* error)
    __asm__("mlp.evaluate.470d2935cbd1f93f");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t mlp_evaluate_prepare(mlp_evaluate_arguments* arguments, tel_error* error)
    __asm__("mlp.evaluate.prepare.470d2935cbd1f93f");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t mlp_evaluate_workspace(int64_t N, const tel_options* options)
    __asm__("mlp.evaluate.workspace.470d2935cbd1f93f");

typedef struct mlp_gradient_arguments {
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
  const tel_options* options; /* null: the defaults */
} mlp_gradient_arguments;

int32_t mlp_gradient(mlp_gradient_arguments* arguments, tel_error* error)
    __asm__("mlp.gradient.470d2935cbd1f93f");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t mlp_gradient_prepare(mlp_gradient_arguments* arguments, tel_error* error)
    __asm__("mlp.gradient.prepare.470d2935cbd1f93f");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t mlp_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("mlp.gradient.workspace.470d2935cbd1f93f");

#ifdef __cplusplus
}  // extern "C"
#endif

#ifdef __cplusplus
// (what all headers share)

/// A two-layer perceptron for 28x28 digits.
namespace mlp {

/// The parameters, in one buffer. What was moved from may only be assigned to.
class Parameters final : public tel::Block<mlp_parameters> {
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
    if (mlp_initialize(data(), seed, &error) != TEL_OK) return error;
    return {};
  }
#ifdef TEL_EXCEPTIONS
  void initialize(std::uint64_t seed) { try_initialize(seed).value(); }
#endif

  /// All elements in the order of declaration; what lies between tensors is 0.
  template <class T = float>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
    return elements<T>(0, 203536);
  }
  template <class T = float>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 203536);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is initialised, what is unknown is passed over.
  static tel::Result<Parameters> try_load(const std::string& path) {
    Parameters result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mlp_load, path, result.data(), nullptr);
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  static tel::Result<Parameters> try_load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    Parameters result(seed);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mlp_load, path, result.data(), nullptr, true);
    if (!done) return done.error();
    return tel::Result<Parameters>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mlp_save, path, data(), nullptr);
  }
#ifdef TEL_EXCEPTIONS
  static Parameters load(const std::string& path) { return try_load(path).value(); }
  static Parameters load(const std::string& path, tel::Partial, std::uint64_t seed = 0) {
    return try_load(path, tel::partial, seed).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

/// The derivatives for the parameters, in the same layout; 0 at first.
class Gradients final : public tel::Block<mlp_gradients> {
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
  template <class T = float>
    requires std::same_as<T, float>
  std::span<T> flat() noexcept {
    return elements<T>(0, 203536);
  }
  template <class T = float>
    requires std::same_as<T, float>
  std::span<const T> flat() const noexcept {
    return elements<const T>(0, 203536);
  }

  /// Reads a safetensors file. One error lists all tensors that are missing, unknown, or of another type
  /// or shape; with `tel::partial`, what is missing is 0, what is unknown is passed over.
  static tel::Result<Gradients> try_load(const std::string& path) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mlp_load, path, result.data(), nullptr);
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  static tel::Result<Gradients> try_load(const std::string& path, tel::Partial) {
    Gradients result(tel::zeros);
    if (!result.data()) return tel::detail::no_memory();
    const auto done = tel::detail::transfer(mlp_load, path, result.data(), nullptr, true);
    if (!done) return done.error();
    return tel::Result<Gradients>(std::move(result));
  }
  /// Writes a safetensors file: replaces it whole, or leaves it as it was.
  tel::Result<void> try_save(const std::string& path) const {
    if (!data()) return tel::detail::no_memory();
    return tel::detail::transfer(mlp_save, path, data(), nullptr);
  }
#ifdef TEL_EXCEPTIONS
  static Gradients load(const std::string& path) { return try_load(path).value(); }
  static Gradients load(const std::string& path, tel::Partial) {
    return try_load(path, tel::partial).value();
  }
  void save(const std::string& path) const { try_save(path).value(); }
#endif
};

/// What `forward` takes.
struct ForwardInputs {
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
};

struct ForwardOptions {
  tel::Execution execution = {};
};

/// Where the results of `forward` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct ForwardOutputs {
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
};

/// What `forward` returns; owns its memory.
struct ForwardResult {
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
};

namespace detail {

inline mlp_forward_arguments arguments(const ForwardInputs& inputs) noexcept {
  mlp_forward_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  return arguments;
}

inline tel_options options(const ForwardOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

}  // namespace detail

/// Bytes of workspace that `forward` needs at most with these dimensions.
inline std::size_t forward_workspace(std::size_t N, const ForwardOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return mlp_forward_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, const Parameters& parameters,
                                               const ForwardOutputs& outputs, tel::Workspace& workspace,
                                               const ForwardOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.parameters = parameters.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  arguments.options = &c_options;
  tel_error error;
  if (mlp_forward(&arguments, &error) != TEL_OK) return error;
  ForwardOutputs results;
  results.y = tel::View<float, tel::dynamic, 10>::of(arguments.y, arguments.y_extents);
  return results;
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, const Parameters& parameters,
                              const ForwardOutputs& outputs, tel::Workspace& workspace,
                              const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<ForwardOutputs> try_forward(const ForwardInputs& inputs, const Parameters& parameters,
                                               tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, ForwardOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline ForwardOutputs forward(const ForwardInputs& inputs, const Parameters& parameters,
                              tel::Workspace& workspace, const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, workspace, options).value();
}
#endif

/// Returns results that own their memory.
inline tel::Result<ForwardResult> try_forward(const ForwardInputs& inputs, const Parameters& parameters,
                                              const ForwardOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.options = &c_options;
  tel_error error;
  if (mlp_forward_prepare(&arguments, &error) != TEL_OK) return error;
  ForwardResult result{};
  ForwardOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  const auto done = try_forward(inputs, parameters, outputs, workspace, options);
  if (!done) return done.error();
  return tel::Result<ForwardResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline ForwardResult forward(const ForwardInputs& inputs, const Parameters& parameters,
                             const ForwardOptions& options = {}) {
  return try_forward(inputs, parameters, options).value();
}
#endif

/// What `evaluate` takes.
struct EvaluateInputs {
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
  tel::View<const std::int32_t, tel::dynamic> label = {};  ///< [N]
};

struct EvaluateOptions {
  tel::Execution execution = {};
};

/// Where the results of `evaluate` lie. A view that is left empty is placed in the
/// workspace, until its next use.
struct EvaluateOutputs {
  float L = {};
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
};

/// What `evaluate` returns; owns its memory.
struct EvaluateResult {
  float L;
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
};

namespace detail {

inline mlp_evaluate_arguments arguments(const EvaluateInputs& inputs) noexcept {
  mlp_evaluate_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  arguments.label = inputs.label.data();
  inputs.label.copy_extents(arguments.label_extents);
  return arguments;
}

inline tel_options options(const EvaluateOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, 0};
}

}  // namespace detail

/// Bytes of workspace that `evaluate` needs at most with these dimensions.
inline std::size_t evaluate_workspace(std::size_t N, const EvaluateOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return mlp_evaluate_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs,
                                                 const Parameters& parameters,
                                                 const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                                 const EvaluateOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.parameters = parameters.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  arguments.options = &c_options;
  tel_error error;
  if (mlp_evaluate(&arguments, &error) != TEL_OK) return error;
  EvaluateOutputs results;
  results.L = arguments.L;
  results.y = tel::View<float, tel::dynamic, 10>::of(arguments.y, arguments.y_extents);
  return results;
}
#ifdef TEL_EXCEPTIONS
inline EvaluateOutputs evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                                const EvaluateOutputs& outputs, tel::Workspace& workspace,
                                const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<EvaluateOutputs> try_evaluate(const EvaluateInputs& inputs,
                                                 const Parameters& parameters, tel::Workspace& workspace,
                                                 const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, EvaluateOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline EvaluateOutputs evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                                tel::Workspace& workspace, const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, workspace, options).value();
}
#endif

/// Returns results that own their memory.
inline tel::Result<EvaluateResult> try_evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                                                const EvaluateOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.options = &c_options;
  tel_error error;
  if (mlp_evaluate_prepare(&arguments, &error) != TEL_OK) return error;
  EvaluateResult result{};
  EvaluateOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  const auto done = try_evaluate(inputs, parameters, outputs, workspace, options);
  if (!done) return done.error();
  result.L = (*done).L;
  return tel::Result<EvaluateResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline EvaluateResult evaluate(const EvaluateInputs& inputs, const Parameters& parameters,
                               const EvaluateOptions& options = {}) {
  return try_evaluate(inputs, parameters, options).value();
}
#endif

/// What `gradient` takes.
struct GradientInputs {
  tel::View<const float, tel::dynamic, 784> x = {};  ///< [N x 784]
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
  tel::View<float, tel::dynamic, 10> y = {};  ///< [N x 10]
};

/// What `gradient` returns beside the gradients.
struct GradientKept {
  float L;
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
};

/// What `gradient` returns; owns its memory.
struct GradientResult {
  Gradients gradient;
  float L;
  tel::Tensor<float, tel::dynamic, 10> y;  ///< [N x 10]
};

namespace detail {

inline mlp_gradient_arguments arguments(const GradientInputs& inputs) noexcept {
  mlp_gradient_arguments arguments{};
  arguments.size = sizeof arguments;
  arguments.x = inputs.x.data();
  inputs.x.copy_extents(arguments.x_extents);
  arguments.label = inputs.label.data();
  inputs.label.copy_extents(arguments.label_extents);
  return arguments;
}

inline tel_options options(const GradientOptions& options) noexcept {
  return {sizeof(tel_options), options.execution.c(), 0, options.accumulate};
}

}  // namespace detail

/// Bytes of workspace that `gradient` needs at most with these dimensions.
inline std::size_t gradient_workspace(std::size_t N, const GradientOptions& options = {}) noexcept {
  const tel_options c_options = detail::options(options);
  return mlp_gradient_workspace(static_cast<std::int64_t>(N), &c_options);
}

/// Writes into the outputs given, and allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 const Parameters& parameters, Gradients& gradients,
                                                 const GradientOutputs& outputs, tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.parameters = parameters.data();
  arguments.gradients = gradients.data();
  arguments.y = outputs.y.data();
  outputs.y.copy_extents(arguments.y_extents);
  arguments.workspace = workspace.data();
  arguments.workspace_size = workspace.size();
  arguments.options = &c_options;
  tel_error error;
  if (mlp_gradient(&arguments, &error) != TEL_OK) return error;
  GradientOutputs results;
  results.L = arguments.L;
  results.y = tel::View<float, tel::dynamic, 10>::of(arguments.y, arguments.y_extents);
  return results;
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, const Parameters& parameters,
                                Gradients& gradients, const GradientOutputs& outputs,
                                tel::Workspace& workspace, const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, outputs, workspace, options).value();
}
#endif

/// The same with all results in the workspace, until its next use; allocates nothing.
inline tel::Result<GradientOutputs> try_gradient(const GradientInputs& inputs,
                                                 const Parameters& parameters, Gradients& gradients,
                                                 tel::Workspace& workspace,
                                                 const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, GradientOutputs{}, workspace, options);
}
#ifdef TEL_EXCEPTIONS
inline GradientOutputs gradient(const GradientInputs& inputs, const Parameters& parameters,
                                Gradients& gradients, tel::Workspace& workspace,
                                const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, workspace, options).value();
}
#endif

/// Writes the gradients given; the other results own their memory.
inline tel::Result<GradientKept> try_gradient(const GradientInputs& inputs, const Parameters& parameters,
                                              Gradients& gradients, const GradientOptions& options = {}) {
  auto arguments = detail::arguments(inputs);
  const tel_options c_options = detail::options(options);
  arguments.options = &c_options;
  tel_error error;
  if (mlp_gradient_prepare(&arguments, &error) != TEL_OK) return error;
  GradientKept result{};
  GradientOutputs outputs;
  tel::Workspace workspace(arguments.workspace_size);
  if (!tel::detail::allocate(result.y, arguments.y_extents)) return tel::detail::no_memory();
  outputs.y = result.y;
  const auto done = try_gradient(inputs, parameters, gradients, outputs, workspace, options);
  if (!done) return done.error();
  result.L = (*done).L;
  return tel::Result<GradientKept>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientKept gradient(const GradientInputs& inputs, const Parameters& parameters,
                             Gradients& gradients, const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, gradients, options).value();
}
#endif

/// Returns gradients and results that own their memory.
inline tel::Result<GradientResult> try_gradient(const GradientInputs& inputs, const Parameters& parameters,
                                                const GradientOptions& options = {}) {
  GradientResult result{};
  auto kept = try_gradient(inputs, parameters, result.gradient, options);
  if (!kept) return kept.error();
  result.L = std::move(kept->L);
  result.y = std::move(kept->y);
  return tel::Result<GradientResult>(std::move(result));
}
#ifdef TEL_EXCEPTIONS
inline GradientResult gradient(const GradientInputs& inputs, const Parameters& parameters,
                               const GradientOptions& options = {}) {
  return try_gradient(inputs, parameters, options).value();
}
#endif

}  // namespace mlp

#endif  // __cplusplus

#endif /* TEL_MODULE_mlp */
