#include "frontend/python/names.h"

#include <algorithm>
#include <vector>

#include "frontend/python/binding.h"
#include "frontend/python/table/table.h"

namespace frontend::python {
namespace {

// Flatten keeps the first axis, the one of the batch.
constexpr Layer classes[]{{"ReLU", "relu"},
                          {"ReLU6", "relu6"},
                          {"LeakyReLU", "leaky_relu"},
                          {"ELU", "elu"},
                          {"SELU", "selu"},
                          {"GELU", "gelu"},
                          {"SiLU", "silu"},
                          {"Mish", "mish"},
                          {"Sigmoid", "sigmoid"},
                          {"Tanh", "tanh"},
                          {"Hardtanh", "hardtanh"},
                          {"Softplus", "softplus"},
                          {"Softsign", "softsign"},
                          {"LogSigmoid", "logsigmoid"},
                          {"Softmax", "softmax"},
                          {"LogSoftmax", "log_softmax"},
                          {"Dropout", "dropout"},
                          {"LayerNorm", "layer_norm"},
                          {"Flatten", "flatten_behind_batch"},
                          {"CrossEntropyLoss", "cross_entropy"},
                          {"MSELoss", "mse_loss"},
                          {"L1Loss", "l1_loss"},
                          {"HuberLoss", "huber_loss"},
                          {"SmoothL1Loss", "smooth_l1_loss"},
                          {"BCEWithLogitsLoss", "binary_cross_entropy_with_logits"},
                          {"BCELoss", "bce_loss"},
                          {"NLLLoss", "nll_loss"},
                          {"MaxPool1d", "max_pool1d"},
                          {"MaxPool2d", "max_pool2d"},
                          {"MaxPool3d", "max_pool3d"},
                          {"AvgPool1d", "avg_pool1d"},
                          {"AvgPool2d", "avg_pool2d"},
                          {"AvgPool3d", "avg_pool3d"},
                          {"AdaptiveAvgPool1d", "adaptive_avg_pool1d"},
                          {"AdaptiveAvgPool2d", "adaptive_avg_pool2d"},
                          {"AdaptiveAvgPool3d", "adaptive_avg_pool3d"},
                          {"AdaptiveMaxPool1d", "adaptive_max_pool1d"},
                          {"AdaptiveMaxPool2d", "adaptive_max_pool2d"},
                          {"AdaptiveMaxPool3d", "adaptive_max_pool3d"},
                          {"Conv1d", "Conv1d"},
                          {"Conv2d", "Conv2d"},
                          {"Conv3d", "Conv3d"},
                          {"BatchNorm1d", "BatchNorm1d"},
                          {"BatchNorm2d", "BatchNorm2d"},
                          {"BatchNorm3d", "BatchNorm3d"},
                          {"Linear", "Linear"},
                          {"Dense", "Dense"},
                          {"Embedding", "Embedding"},
                          {"ConvTranspose1d", "ConvTranspose1d"},
                          {"ConvTranspose2d", "ConvTranspose2d"},
                          {"ConvTranspose3d", "ConvTranspose3d"},
                          {"GroupNorm", "GroupNorm"},
                          {"InstanceNorm1d", "InstanceNorm1d"},
                          {"InstanceNorm2d", "InstanceNorm2d"},
                          {"RMSNorm", "RMSNorm"},
                          {"MultiheadAttention", "MultiheadAttention"},
                          {"TransformerEncoderLayer", "TransformerEncoderLayer"},
                          {"PReLU", "PReLU"},
                          {"Conv2D", "Conv2D"},
                          {"Identity", "clone"},
                          {"KLDivLoss", "kl_div"},
                          {"CosineSimilarity", "cosine_similarity"}};

constexpr Constant values[]{
    {"True", "true"},
    {"TRUE", "true"},
    {"False", "false"},
    {"FALSE", "false"},
    {"pi", "3.141592653589793"},
    {"PI", "3.141592653589793"},
    {"e", "2.718281828459045"},
    {"nan", "!there is no literal for NaN; is_nan(x) asks for it"},
    {"NaN", "!there is no literal for NaN; is_nan(x) asks for it"},
    {"newaxis", "!an axis of extent 1 is added by its shape: x as [1 x N]"},
    {"None",
     "!there is no None: an axis of extent 1 is added by its shape, x as [1 x N]; an argument is left out"},
    {"lambda", "!a function has a name: func f(x: [s...]) -> [s...] = ..."},
};

constexpr std::string_view infinite[]{"inf", "Inf", "infty", "Infinity", "INFINITY", "HUGE_VAL", "PINF"};

constexpr std::string_view numpy_libraries[]{"np", "numpy", "jnp", "jax", "onp", "cp", "cupy", "scipy"};
constexpr std::string_view other_libraries[]{
    "torch",      "F",     "nn",           "functional", "tf",   "tensorflow", "keras",
    "math",       "init",  "th",           "random",     "K",    "layers",     "optim",
    "optimizers", "optax", "lr_scheduler", "schedulers", "utils"};

}  // namespace

std::span<const Row> rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> joined;
    for (const auto& part :
         {table::elementwise(), table::reductions(), table::shapes(), table::networks(), table::training()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}
bool has_rows(std::string_view name) {
  return std::ranges::any_of(rows(), [&](const Row& row) {
    const auto names = words(row.names);
    return std::ranges::find(names, name) != names.end();
  });
}

std::span<const Layer> layers() { return classes; }
std::span<const Constant> constants() { return values; }

bool is_infinite(std::string_view name) { return std::ranges::find(infinite, name) != std::end(infinite); }

bool is_numpy(std::string_view library) {
  return std::ranges::find(numpy_libraries, library) != std::end(numpy_libraries);
}
std::string_view advice_on_method(std::string_view method) { return table::advice_on_method(method); }

bool is_library(std::string_view name) {
  return is_numpy(name) || std::ranges::find(other_libraries, name) != std::end(other_libraries);
}

}  // namespace frontend::python
