#include "telc/function_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/analysis/function_values.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/io/tensor_files.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/dimension_names.h"
#include "dlvm/pipeline.h"
#include "dlvm/support/suggest.h"
#include "dlvm/text/number.h"
#include "telc/arguments.h"
#include "telc/machine_call.h"
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

/// Says where it happened, if the instruction knows.
Status fail(const dlvm::InterpretError& error) {
  std::string text = fmt::format("@{}: {}", error.function, error.text);
  if (!error.locations.empty()) {
    const dlvm::Location& at = error.locations.front();
    text += fmt::format(" (at {}:{}:{})", at.source->name(), at.line, at.column);
  }
  return fail(wrong_input, text);
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

Status write(const FunctionCall& call, const dlvm::NamedTensors& results) {
  if (call.output.empty()) {
    for (const auto& [name, tensor] : results) print_summary(name, tensor);
    return done;
  }
  if (call.output.ends_with(".npy") && results.size() != 1)
    return fail(wrong_input, fmt::format("{} holds one tensor, but {} has {} results", call.output,
                                         call.function, results.size()));
  dlvm::FileError error;
  return dlvm::write_results(call.output, results, error) ? done : fail(error);
}

/// The arguments of the function, in order; what is missing is reported.
std::optional<dlvm::NamedTensors> arguments_of(const dlvm::Function& function,
                                               const dlvm::NamedTensors& tensors) {
  dlvm::NamedTensors arguments;
  for (const dlvm::Type& type : function.type().parameters()) {
    const std::string name = std::to_string(arguments.size());
    const auto found = std::ranges::find(tensors, name, &dlvm::NamedTensor::name);
    if (found == tensors.end()) {
      fail(wrong_input,
           fmt::format("@{} needs --in {}=FILE.npy of type {}", function.name(), name, type.text()));
      return std::nullopt;
    }
    arguments.push_back(*found);
  }
  return arguments;
}

Status on_interpreter(const dlvm::Function& function, const dlvm::NamedTensors& given,
                      const FunctionCall& call, const dlvm::Extent::Bindings& dimensions) {
  dlvm::InterpretOptions options;
  options.float64 = call.precision == "float64";
  options.dimensions = dimensions;
  options.step_limit = call.step_limit;
  std::vector<dlvm::RuntimeValue> arguments;
  for (const auto& [name, tensor] : given) arguments.emplace_back(tensor);
  const dlvm::Interpretation result = dlvm::interpret(function, arguments, options);
  if (!result) return fail(*result.error);
  dlvm::NamedTensors results;
  collect(result.value.is_tensor() ? "0" : "", result.value, results);
  return write(call, results);
}

/// Adds the tensors of a value to `parts`, and their names, as `collect` has them, to `entry`.
void take_apart(dlvm::Builder& builder, dlvm::Value* value, const std::string& name,
                std::vector<dlvm::Value*>& parts, dlvm::EntryPoint& entry) {
  if (value->type().is_tensor()) {
    parts.push_back(value);
    entry.results.push_back({dlvm::ResultRole::output, name, ""});
    return;
  }
  if (!value->type().is_aggregate()) return;
  for (std::size_t i = 0; i < value->type().component_count(); ++i)
    take_apart(builder, builder.extract(value, static_cast<std::int64_t>(i)),
               fmt::format("{}{}{}", name, name.empty() ? "" : ".", i), parts, entry);
}

/// Leaves the module one entry point, which calls the function.
void make_only_entry(dlvm::Module& module, const dlvm::Function& called) {
  dlvm::EntryPoint entry{
      dlvm::EntryKind::forward, "run", module.fresh_name(dlvm::name_of_caller(called.name())), {}, {}, "",
      called.location};
  const auto build = [&](dlvm::Function& function) {
    entry.results.clear();
    dlvm::Builder builder(*function.add_entry());
    std::vector<dlvm::Value*> arguments, parts;
    for (const auto& argument : function.entry().arguments()) arguments.push_back(argument.get());
    dlvm::Value* result = builder.apply(&called, arguments);
    take_apart(builder, result, result->type().is_tensor() ? "0" : "", parts, entry);
    dlvm::Value* all = builder.tuple(parts);
    builder.return_(all);
    return all->type();
  };
  const auto& parameters = called.type().parameters();
  dlvm::Module scratch("scratch");  // a function has a result type before it has a body
  const dlvm::Type result =
      build(*scratch.add_function("probe", dlvm::Type::function(parameters, dlvm::Type())));
  build(*module.add_function(entry.function, dlvm::Type::function(parameters, result)));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    entry.arguments.push_back({dlvm::ArgumentRole::input, std::to_string(i), ""});
  module.tensors.clear();
  module.entries = {std::move(entry)};
}

Status on_machine(dlvm::Module& module, const dlvm::Function& function, const dlvm::NamedTensors& given,
                  const FunctionCall& call, const dlvm::Extent::Bindings& dimensions) {
  std::string name = function.name();  // a copy: optimizing erases what has been inlined
  make_only_entry(module, function);
  dlvm::Diagnostics diagnostics;
  std::vector<std::string> problems;
  std::optional<dlvm::NamedTensors> results;
  std::string why;
  if (dlvm::optimize(module, diagnostics) && dlvm::lower_control_flow(module, diagnostics)) {
    const dlvm::EntryPoint& entry = module.entries.front();
    dlvm::EntryInputs inputs;
    inputs.inputs = given;
    inputs.dimensions = dimensions;
    Seconds seconds;
    if (const auto prepared = dlvm::prepare_call(module, entry, inputs, problems))
      results = call_on_machine(module, entry, *prepared, {call.device, false, call.source, 0}, seconds,
                                diagnostics, why);
  }
  print_error(dlvm::render(diagnostics));
  if (results) return write(call, *results);
  for (const std::string& problem : problems) fail(wrong_input, problem);
  return why.empty() ? wrong_input : fail(wrong_input, fmt::format("@{}: {}", name, why));
}

/// Says which of the dimensions change nothing, because the function does not have them.
void warn_of_unknown(const dlvm::Module& module, const dlvm::Function& function,
                     const dlvm::Extent::Bindings& dimensions) {
  const std::set<std::string> names = dlvm::dimension_names(function);
  for (const auto& [name, value] : dimensions)
    if (!names.contains(name) && !dlvm::is_bound_of_lowering(name, module))
      print_error(fmt::format("dlopt: warning: -D {}: @{} has no such dimension{}\n", name, function.name(),
                              dlvm::list_of(names)));
}

bool has_declarations(const dlvm::Module& module) {
  return std::ranges::any_of(module.functions(),
                             [](const auto& function) { return function->gradient.has_value(); });
}

}  // namespace

std::string name_of(const FunctionCall& call) {
  return call.function.substr(call.function.starts_with('@') ? 1 : 0);
}

Status call(dlvm::Module& module, const FunctionCall& call) {
  const std::string name = name_of(call);
  if (module.function(name) == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& function : module.functions()) names.push_back(function->name());
    return fail(wrong_input,
                fmt::format("there is no function @{}{}", name, dlvm::question(name, names, "@")));
  }
  const dlvm::Type& type = module.function(name)->type();
  if (std::ranges::any_of(type.parts(), dlvm::holds_function))
    return fail(wrong_input,
                fmt::format("@{} takes or returns functions, which are values of the module alone: {}", name,
                            type.text()));
  if (dlvm::Diagnostics diagnostics;
      has_declarations(module) && !dlvm::expand_gradients(module, diagnostics)) {
    print_error(dlvm::render(diagnostics));
    return wrong_input;
  }
  dlvm::NamedTensors tensors;
  if (const auto status = read_inputs(call, tensors); status != done) return status;
  const dlvm::Extent::Bindings dimensions = dimensions_of(call.dimensions);
  const dlvm::Function& function = *module.function(name);
  warn_of_unknown(module, function, dimensions);
  const auto arguments = arguments_of(function, tensors);
  if (!arguments) return wrong_input;
  return call.device == "interpreter" ? on_interpreter(function, *arguments, call, dimensions)
                                      : on_machine(module, function, *arguments, call, dimensions);
}

}  // namespace telc
