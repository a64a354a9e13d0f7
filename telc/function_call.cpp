#include "telc/function_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/interpret/files.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/text/number.h"
#include "telc/arguments.h"
#include "telc/streams.h"

namespace telc {
namespace {

Status fail(Status status, const std::string& text) {
  print_error(fmt::format("dlopt: {}\n", text));
  return status;
}

Status fail(const dlvm::FileError& error) {
  const bool format = error.kind == dlvm::FileError::Kind::format;
  return fail(format ? wrong_input : system_failed, error.text);
}

Status read_inputs(const FunctionCall& call, dlvm::NamedTensors& tensors) {
  dlvm::FileError error;
  for (const std::string& input : call.inputs)
    if (!dlvm::read_given(input, tensors, error)) return fail(error);
  return done;
}

void print_summary(const std::string& name, const dlvm::Tensor& tensor) {
  constexpr std::size_t most = 64;
  std::string extents;
  for (const auto extent : tensor.extents()) extents += fmt::format("{} x ", extent);
  std::string line = fmt::format("{}: {}{}{}{} =", name, extents.empty() ? "" : "<", extents,
                                 dlvm::info(tensor.element()).name, extents.empty() ? "" : ">");
  for (std::size_t i = 0; i < std::min(tensor.size(), most); ++i)
    line += fmt::format("{} {}", i == 0 ? "" : ",", dlvm::number_text(tensor, i));
  print(line + (tensor.size() > most ? ", …\n" : "\n"));
}

/// Tuples inside the result are named `1.0`, `1.1` …
void collect(const std::string& name, const dlvm::RuntimeValue& value, dlvm::NamedTensors& results) {
  if (value.is_tensor()) return void(results.push_back({name, value.tensor()}));
  for (std::size_t i = 0; i < value.elements().size(); ++i)
    collect(fmt::format("{}{}{}", name, name.empty() ? "" : ".", i), value.elements()[i], results);
}

Status write(const FunctionCall& call, const dlvm::RuntimeValue& value) {
  dlvm::NamedTensors results;
  collect(value.is_tensor() ? "0" : "", value, results);
  if (call.output.empty()) {
    for (const auto& [name, tensor] : results) print_summary(name, tensor);
    return done;
  }
  dlvm::FileError error;
  return dlvm::write_safetensors(call.output, results, error) ? done : fail(error);
}

}  // namespace

Status call(const dlvm::Module& module, const FunctionCall& call) {
  const std::string name = call.function.substr(call.function.starts_with('@') ? 1 : 0);
  const dlvm::Function* function = module.function(name);
  if (function == nullptr) return fail(wrong_input, fmt::format("there is no function @{}", name));
  dlvm::NamedTensors tensors;
  dlvm::InterpretOptions options;
  options.float64 = call.precision == "float64";
  if (const auto status = read_inputs(call, tensors); status != done) return status;
  for (const std::string& define : call.dimensions)
    if (const auto parsed = parse_define(define)) options.dimensions[parsed->first] = parsed->second;
  std::vector<dlvm::RuntimeValue> arguments;
  for (std::size_t i = 0; i < function->type().parameters().size(); ++i) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const auto& tensor) { return tensor.name == std::to_string(i); });
    if (found == tensors.end())
      return fail(wrong_input, fmt::format("@{} needs --in {}=FILE.npy of type {}", name, i,
                                           function->type().parameters()[i].text()));
    arguments.emplace_back(found->tensor);
  }
  const dlvm::Interpretation result = dlvm::interpret(*function, arguments, options);
  if (!result) return fail(wrong_input, fmt::format("@{}: {}", result.error->function, result.error->text));
  return write(call, result.value);
}

}  // namespace telc
