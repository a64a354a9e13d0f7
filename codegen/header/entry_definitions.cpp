#include <fmt/format.h>

#include "codegen/header/entry.h"
#include "codegen/header/forms.h"
#include "codegen/header/members.h"

namespace codegen::header {
namespace {

std::string owning_results(const EntryNames& names) {
  const std::string results = print_members(*names.entry, names.output_members, MemberKind::owned, 2);
  std::string text;
  if (names.gradients) text += fmt::format("struct {}Kept {{\n{}}};\n\n", names.type, results);
  text += fmt::format("struct {}Result {{\n", names.type);
  if (names.gradients) text += "  Gradients gradient;\n";
  if (names.has_gradient_outputs)
    text += "  struct Gradient {\n" +
            print_members(*names.entry, names.gradient_members, MemberKind::owned, 4) +
            "  };\n  Gradient gradient;\n";
  return text + results + "};\n\n";
}

std::string input_path(const EntryNames& names, std::size_t i) {
  const bool cotangent = names.entry->inputs[i].role == Input::Role::cotangent;
  return (cotangent ? "inputs.cotangent." : "inputs.") + names.inputs[i].cpp;
}

/// The argument struct with the inputs.
std::string input_arguments(const EntryNames& names) {
  std::string text = fmt::format(
      "inline {0}_arguments arguments(const {1}Inputs& inputs) noexcept {{\n"
      "  {0}_arguments arguments{{}};\n  arguments.size = sizeof arguments;\n",
      names.c, names.type);
  if (names.inputs.empty()) text += "  static_cast<void>(inputs);\n";
  for (std::size_t i = 0; i < names.inputs.size(); ++i) {
    const auto& [tensor, role] = names.entry->inputs[i];
    const auto& [cpp, c, c_extents, cpp_enum] = names.inputs[i];
    const std::string path = input_path(names, i);
    if (role == Input::Role::dimension)
      text += fmt::format("  arguments.{} = static_cast<std::int64_t>({});\n", c, path);
    else if (!cpp_enum.empty())
      text += fmt::format("  arguments.{} = static_cast<std::int32_t>({});\n", c, path);
    else
      text += fmt::format("  arguments.{} = {}{};\n", c, path, is_scalar(tensor) ? "" : ".data()");
    if (!c_extents.empty()) text += fmt::format("  {}.copy_extents(arguments.{});\n", path, c_extents);
  }
  return text + "  return arguments;\n}\n\n";
}

/// Finds an input whose elements do not fill its extents.
std::string misfitting_inputs(const EntryNames& names, const std::string& module) {
  std::string text =
      fmt::format("inline bool misfits(const {}Inputs& inputs, tel_error& error) {{\n", names.type);
  const char* start = "  return ";
  for (std::size_t i = 0; i < names.inputs.size(); ++i) {
    if (!is_input_tensor(names, i)) continue;
    text += fmt::format("{}tel::detail::misfits({}, \"{}::{}\", \"{}\", error)", start, input_path(names, i),
                        module, names.name, names.entry->inputs[i].tensor.name);
    start = " ||\n         ";
  }
  return text + ";\n}\n\n";
}

std::string c_options(const EntryNames& names) {
  return fmt::format(
      "inline tel_options options(const {}Options& options) noexcept {{\n"
      "  return {{sizeof(tel_options), options.execution.c(), {}, {}}};\n}}\n\n",
      names.type, names.seed ? "options.seed" : "0", names.gradients ? "options.accumulate" : "0");
}

std::string output_path(const EntryNames& names, const std::string& object, std::size_t i) {
  return object + (names.entry->outputs[i].in_gradient ? ".gradient." : ".") + names.outputs[i].cpp;
}

/// The argument struct with everything but the options.
std::string all_arguments(const EntryNames& names) {
  std::string parameters = forms_of(names).back().parameters;
  parameters.resize(parameters.size() - 2);
  std::string text = wrapped(fmt::format("inline {}_arguments arguments(", names.c), parameters) +
                     " {\n  auto arguments = detail::arguments(inputs);\n";
  for (const auto& [has, name] : {std::pair(names.parameters, "parameters"),
                                  {names.constants, "constants"},
                                  {names.state, "state"},
                                  {names.gradients, "gradients"}})
    if (has) text += fmt::format("  arguments.{0} = {0}.data();\n", name);
  if (names.entry->takes_frozen()) text += "  arguments.frozen = parameters.frozen();\n";
  bool tensors = false;
  for (std::size_t i = 0; i < names.outputs.size(); ++i) {
    const auto& [cpp, c, c_extents, cpp_enum] = names.outputs[i];
    if (is_scalar(names.entry->outputs[i].tensor)) continue;
    tensors = true;
    const std::string path = output_path(names, "outputs", i);
    text += fmt::format("  arguments.{} = {}.data();\n", c, path);
    if (!c_extents.empty()) text += fmt::format("  {}.copy_extents(arguments.{});\n", path, c_extents);
  }
  if (!tensors) text += "  static_cast<void>(outputs);\n";
  return text +
         "  arguments.workspace = workspace.data();\n  arguments.workspace_size = workspace.size();\n"
         "  return arguments;\n}\n\n";
}

/// `results.y = …;`
std::string result(const EntryNames& names, std::size_t i) {
  const Tensor& tensor = names.entry->outputs[i].tensor;
  const auto& [cpp, c, c_extents, cpp_enum] = names.outputs[i];
  const std::string type = cpp_type(tensor.type);
  const bool storage = c_type(tensor.type).starts_with("tel_");
  std::string value = "arguments." + c;
  if (!cpp_enum.empty()) value = fmt::format("static_cast<{}>({})", cpp_enum, value);
  if (is_scalar(tensor) && storage) value = fmt::format("std::bit_cast<{}>({})", type, value);
  if (!is_scalar(tensor)) {
    if (storage) value = fmt::format("static_cast<{}*>({})", type, value);
    value = fmt::format("tel::View<{}>::of({}, {})", view_arguments(tensor, false), value,
                        c_extents.empty() ? "nullptr" : "arguments." + c_extents);
  }
  return fmt::format("  {} = {};\n", output_path(names, "results", i), value);
}

std::string all_results(const EntryNames& names) {
  std::string text = fmt::format(
      "inline {0}Outputs results(const {1}_arguments& arguments) noexcept {{\n  {0}Outputs results;\n",
      names.type, names.c);
  if (names.outputs.empty()) text += "  static_cast<void>(arguments);\n";
  for (std::size_t i = 0; i < names.outputs.size(); ++i) text += result(names, i);
  return text + "  return results;\n}\n\n";
}

std::string define_workspace(const EntryNames& names) {
  std::string arguments;
  for (const auto& name : names.dimensions) arguments += fmt::format("static_cast<std::int64_t>({}), ", name);
  return wrapped(fmt::format("inline std::size_t {}_workspace(", names.name),
                 workspace_parameters(names, "")) +
         fmt::format(
             " noexcept {{\n  const tel_options c_options = detail::options(options);\n"
             "  return ::{}_workspace({}&c_options);\n}}\n\n",
             names.c, arguments);
}

std::string define_form(const EntryNames& names, const Form& form) {
  const std::string parameters = form.parameters + fmt::format("const {}Options& options", names.type);
  return wrapped(fmt::format("inline tel::Result<{}> try_{}(", form.result, form.name), parameters) + " {\n" +
         form.body + "}\n#ifdef TEL_EXCEPTIONS\n" +
         wrapped(fmt::format("inline {} {}(", form.result, form.name), parameters) +
         fmt::format(" {{\n  return try_{}({}options).value();\n}}\n#endif\n\n", form.name, form.arguments);
}

}  // namespace

std::string define_entry(const EntryNames& names, const std::string& module) {
  std::string text = owning_results(names) + "namespace detail {\n\n" + input_arguments(names) +
                     (has_input_tensors(names) ? misfitting_inputs(names, module) : "") + c_options(names) +
                     all_arguments(names) + all_results(names) + "}  // namespace detail\n\n" +
                     define_workspace(names);
  for (const Form& form : forms_of(names)) text += define_form(names, form);
  return text;
}

}  // namespace codegen::header
