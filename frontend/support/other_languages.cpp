#include "frontend/support/other_languages.h"

#include <algorithm>
#include <utility>

namespace frontend {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr Entry element_types[]{
    {"half", "float16"},  {"f16", "float16"},   {"fp16", "float16"},      {"bf16", "bfloat16"},
    {"float", "float32"}, {"f32", "float32"},   {"fp32", "float32"},      {"single", "float32"},
    {"real", "float32"},  {"Float", "float32"}, {"float32_t", "float32"}, {"double", "float64"},
    {"f64", "float64"},   {"fp64", "float64"},  {"Double", "float64"},    {"float64_t", "float64"},
    {"i8", "int8"},       {"i16", "int16"},     {"short", "int16"},       {"i32", "int32"},
    {"int", "int32"},     {"Int", "int32"},     {"integer", "int32"},     {"i64", "int64"},
    {"long", "int64"},    {"int8_t", "int8"},   {"int16_t", "int16"},     {"int32_t", "int32"},
    {"int64_t", "int64"}, {"u8", "uint8"},      {"byte", "uint8"},        {"uint8_t", "uint8"},
    {"boolean", "bool"},  {"Bool", "bool"},     {"bool_", "bool"}};

constexpr Entry roles[]{{"input", "in"},     {"output", "out"},    {"parameter", "param"},
                        {"weight", "param"}, {"weights", "param"}, {"constant", "const"},
                        {"tensor", "in"},    {"Tensor", "in"},     {"variable", "param"}};

constexpr Entry parameters[]{{"axis", "along"},
                             {"axes", "along"},
                             {"dim", "along"},
                             {"keepdims", "keep"},
                             {"keepdim", "keep"},
                             {"lr", "rate"},
                             {"learning_rate", "rate"},
                             {"p", "rate"},
                             {"weight_decay", "decay"},
                             {"eps", "epsilon"},
                             {"max_norm", "clip"},
                             {"clipnorm", "clip"},
                             {"negative_slope", "slope"},
                             {"strides", "stride"},
                             {"from", "low"},
                             {"minval", "low"},
                             {"maxval", "high"},
                             {"stddev", "std"},
                             {"loc", "mean"},
                             {"pad", "padding"},
                             {"kernel_size", "kernel"},
                             {"kernel_size", "window"},
                             {"pool_size", "window"},
                             {"output_padding", "extra"},
                             {"in_channels", "channels"},
                             {"num_channels", "channels"},
                             {"num_features", "channels"},
                             {"num_features", "size"},
                             {"out_channels", "filters"},
                             {"num_groups", "groups"},
                             {"in_features", "inputs"},
                             {"input_size", "inputs"},
                             {"input_dim", "inputs"},
                             {"out_features", "outputs"},
                             {"units", "outputs"},
                             {"num_embeddings", "count"},
                             {"embedding_dim", "size"},
                             {"embed_dim", "size"},
                             {"d_model", "size"},
                             {"hidden_size", "size"},
                             {"normalized_shape", "size"},
                             {"num_heads", "heads"},
                             {"nhead", "heads"},
                             {"dim_feedforward", "hidden"}};

/// The name here of a hyper-parameter of another library.
constexpr Entry hyper_parameters[]{
    {"lr", "rate"},       {"learning_rate", "rate"}, {"eta", "rate"},       {"step_size", "rate"},
    {"eps", "epsilon"},   {"weight_decay", "decay"}, {"l2", "decay"},       {"wd", "decay"},
    {"momentum", "beta"}, {"beta_1", "beta1"},       {"beta_2", "beta2"},   {"b1", "beta1"},
    {"b2", "beta2"},      {"rho", "alpha"},          {"clip_norm", "clip"}, {"max_norm", "clip"}};

template <std::size_t n>
std::string_view find(const Entry (&table)[n], std::string_view word) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const Entry& entry) { return entry.first == word; });
  return found == std::end(table) ? std::string_view() : found->second;
}

}  // namespace

std::string_view element_type_elsewhere(std::string_view word) { return find(element_types, word); }
std::string_view role_elsewhere(std::string_view word) { return find(roles, word); }

std::string_view parameter_elsewhere(std::string_view word, std::span<const std::string_view> here) {
  const auto found = std::ranges::find_if(parameters, [&](const Entry& entry) {
    return entry.first == word && std::ranges::find(here, entry.second) != here.end();
  });
  return found == std::end(parameters) ? std::string_view() : found->second;
}

std::string hyper_parameter_elsewhere(std::string_view word, std::span<const std::string_view> parameters) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(parameters, name) != parameters.end();
  };
  if (const auto name = find(hyper_parameters, word); has(name))
    return "write " + std::string(name) + ": ...";
  if (word == "betas" && has("beta1")) return "they stand side by side: beta1: 0.9, beta2: 0.999";
  if (word == "momentum" || word == "nesterov")
    return "another optimizer has it: momentum(rate: ..., beta: 0.9, nesterov: true)";
  if (word == "amsgrad") return "no optimizer has it: leave it out";
  if (word == "weight_decay") return "write decay: ...";
  return "";
}

}  // namespace frontend
