#include "telc/function_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "dlvm/interpret/files.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/text/number.h"

namespace telc {
namespace {

CallStatus fail(CallStatus status, const std::string& text) {
  fmt::print(stderr, "dlopt: {}\n", text);
  return status;
}

CallStatus fail(const dlvm::FileError& error) {
  const bool format = error.kind == dlvm::FileError::Kind::format;
  return fail(format ? CallStatus::wrong_input : CallStatus::system_failed, error.text);
}

CallStatus read_inputs(const FunctionCall& call, dlvm::NamedTensors& tensors) {
  for (const std::string& input : call.inputs) {
    dlvm::FileError error;
    const auto equals = input.find('=');
    if (equals == std::string::npos) {
      auto read = dlvm::read_safetensors(input, error);
      if (!read) return fail(error);
      std::move(read->begin(), read->end(), std::back_inserter(tensors));
    } else {
      auto read = dlvm::read_npy(input.substr(equals + 1), error);
      if (!read) return fail(error);
      tensors.push_back({input.substr(0, equals), std::move(*read)});
    }
  }
  return CallStatus::done;
}

CallStatus read_dimensions(const FunctionCall& call, dlvm::Extent::Bindings& bindings) {
  for (const std::string& text : call.dimensions) {
    const auto equals = text.find('=');
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const bool good = equals != std::string::npos && equals > 0 &&
                      std::from_chars(text.data() + equals + 1, end, value).ptr == end && value >= 0;
    if (!good) return fail(CallStatus::wrong_command_line, fmt::format("-D {}: write NAME=EXTENT", text));
    bindings[text.substr(0, equals)] = value;
  }
  return CallStatus::done;
}

void print_summary(const std::string& name, const dlvm::Tensor& tensor) {
  constexpr std::size_t most = 64;
  std::string extents;
  for (const auto extent : tensor.extents()) extents += fmt::format("{} x ", extent);
  fmt::print("{}: {}{}{}{} =", name, extents.empty() ? "" : "<", extents, dlvm::info(tensor.element()).name,
             extents.empty() ? "" : ">");
  for (std::size_t i = 0; i < std::min(tensor.size(), most); ++i)
    fmt::print("{} {}", i == 0 ? "" : ",", dlvm::number_text(tensor, i));
  fmt::print("{}\n", tensor.size() > most ? ", …" : "");
}

/// Tuples inside the result are named `1.0`, `1.1` …
void collect(const std::string& name, const dlvm::RuntimeValue& value, dlvm::NamedTensors& results) {
  if (value.is_tensor()) return void(results.push_back({name, value.tensor()}));
  for (std::size_t i = 0; i < value.elements().size(); ++i)
    collect(fmt::format("{}{}{}", name, name.empty() ? "" : ".", i), value.elements()[i], results);
}

CallStatus write(const FunctionCall& call, const dlvm::RuntimeValue& value) {
  dlvm::NamedTensors results;
  collect(value.is_tensor() ? "0" : "", value, results);
  if (call.output.empty()) {
    for (const auto& [name, tensor] : results) print_summary(name, tensor);
    return CallStatus::done;
  }
  dlvm::FileError error;
  return dlvm::write_safetensors(call.output, results, error) ? CallStatus::done : fail(error);
}

}  // namespace

CallStatus call(const dlvm::Module& module, const FunctionCall& call) {
  const std::string name = call.function.substr(call.function.starts_with('@') ? 1 : 0);
  const dlvm::Function* function = module.function(name);
  if (function == nullptr)
    return fail(CallStatus::wrong_input, fmt::format("there is no function @{}", name));
  dlvm::NamedTensors tensors;
  dlvm::InterpretOptions options;
  options.float64 = call.precision == "float64";
  if (const auto status = read_inputs(call, tensors); status != CallStatus::done) return status;
  if (const auto status = read_dimensions(call, options.dimensions); status != CallStatus::done)
    return status;
  std::vector<dlvm::RuntimeValue> arguments;
  for (std::size_t i = 0; i < function->type().parameters().size(); ++i) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const auto& tensor) { return tensor.name == std::to_string(i); });
    if (found == tensors.end())
      return fail(CallStatus::wrong_input, fmt::format("@{} needs --in {}=FILE.npy of type {}", name, i,
                                                       function->type().parameters()[i].text()));
    arguments.emplace_back(found->tensor);
  }
  const dlvm::Interpretation result = dlvm::interpret(*function, arguments, options);
  if (!result)
    return fail(CallStatus::wrong_input, fmt::format("@{}: {}", result.error->function, result.error->text));
  return write(call, result.value);
}

}  // namespace telc
