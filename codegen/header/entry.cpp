#include "codegen/header/entry.h"

#include <fmt/format.h>

namespace codegen::header {
namespace {

/// Prints one entry point.
class EntryPrinter {
 public:
  explicit EntryPrinter(const EntryNames& names) : names_(names), entry_(*names.entry) {}

  std::string print() {
    std::string text = inputs() + options() + outputs() + result();
    text += detail() + workspace() + explicit_form() + workspace_form();
    text += names_.gradients ? kept_form() + owned_gradient_form() : owned_form();
    return text;
  }

 private:
  static constexpr auto dimension = Input::Role::dimension;
  static constexpr auto cotangent = Input::Role::cotangent;

  static bool scalar(const Tensor& tensor) { return tensor.extents.empty(); }

  /// A member with its documentation; `type` for a tensor, the element type for a scalar.
  static std::string member(const Tensor& tensor, const std::string& type, const std::string& name,
                            const char* initial, int indent) {
    const std::string shape = shape_text(tensor);
    return doc_comment(tensor.doc, indent) + fmt::format("{:{}}{} {}{};{}\n", "", indent, type, name, initial,
                                                         shape.empty() ? "" : "  ///< " + shape);
  }
  static std::string value_or(const char* tensor_class, const Tensor& tensor, bool constant) {
    return scalar(tensor) ? cpp_type(tensor.type)
                          : fmt::format("tel::{}<{}>", tensor_class, view_arguments(tensor, constant));
  }

  std::string inputs() {
    std::string text;
    if (names_.has_cotangents) {
      text +=
          fmt::format("/// The derivatives to begin with, of the outputs of `{}`.\nstruct {}Cotangent {{\n",
                      names_.name, names_.type);
      text += input_members(cotangent) + "};\n\n";
    }
    text += fmt::format(
        "/// What `{}` takes. Every view must be set, to no elements where there are none.\n"
        "struct {}Inputs {{\n",
        names_.name, names_.type);
    text += input_members(Input::Role::input);
    if (names_.has_cotangents) text += fmt::format("  {}Cotangent cotangent = {{}};\n", names_.type);
    return text + "};\n\n";
  }

  /// Those of a role; dimensions go with the inputs.
  std::string input_members(Input::Role role) {
    std::string text;
    for (std::size_t i = 0; i < entry_.inputs.size(); ++i) {
      const auto& [tensor, has] = entry_.inputs[i];
      if (has == dimension && role == Input::Role::input)
        text += fmt::format("  std::size_t {} = 0;  ///< a dimension\n", names_.inputs[i].cpp);
      if (has == role && has != dimension)
        text += member(tensor, value_or("View", tensor, true), names_.inputs[i].cpp, " = {}", 2);
    }
    return text;
  }

  std::string options() {
    std::string text = fmt::format("struct {}Options {{\n  tel::Execution execution = {{}};\n", names_.type);
    if (names_.seed) text += "  std::uint64_t seed = 0;  ///< of random numbers\n";
    if (names_.gradients)
      text += "  bool accumulate = false;  ///< add to the gradients instead of replacing them\n";
    return text + "};\n\n";
  }

  std::string output_members(const char* tensor_class, bool in_gradient, const char* initial, int indent) {
    std::string text;
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i)
      if (entry_.outputs[i].in_gradient == in_gradient)
        text += member(entry_.outputs[i].tensor, value_or(tensor_class, entry_.outputs[i].tensor, false),
                       names_.outputs[i].cpp, initial, indent);
    return text;
  }

  std::string outputs() {
    std::string text;
    if (names_.has_gradient_outputs)
      text += fmt::format("/// Where the derivatives of `{}` lie.\nstruct {}Gradient {{\n{}}};\n\n",
                          names_.name, names_.type, output_members("View", true, " = {}", 2));
    text += fmt::format(
        "/// Where the results of `{0}` lie. A view that is left empty is placed in the\n/// workspace, "
        "until its next use.\n"
        "struct {1}Outputs {{\n",
        names_.name, names_.type);
    if (names_.has_gradient_outputs) text += fmt::format("  {}Gradient gradient = {{}};\n", names_.type);
    return text + output_members("View", false, " = {}", 2) + "};\n\n";
  }

  std::string result() {
    std::string text;
    if (names_.gradients)
      text += fmt::format("/// What `{}` returns beside the gradients.\nstruct {}Kept {{\n{}}};\n\n",
                          names_.name, names_.type, output_members("Tensor", false, "", 2));
    text += fmt::format("/// What `{}` returns; owns its memory.\nstruct {}Result {{\n", names_.name,
                        names_.type);
    if (names_.gradients) text += "  Gradients gradient;\n";
    if (names_.has_gradient_outputs)
      text +=
          "  struct Gradient {\n" + output_members("Tensor", true, "", 4) + "  };\n  Gradient gradient;\n";
    return text + output_members("Tensor", false, "", 2) + "};\n\n";
  }

  /// `inputs.cotangent.y`.
  std::string input_path(std::size_t i) {
    return (entry_.inputs[i].role == cotangent ? "inputs.cotangent." : "inputs.") + names_.inputs[i].cpp;
  }
  std::string output_path(const std::string& object, std::size_t i) {
    return object + (entry_.outputs[i].in_gradient ? ".gradient." : ".") + names_.outputs[i].cpp;
  }

  std::string detail() {
    std::string text = fmt::format(
        "namespace detail {{\n\ninline {0}_arguments arguments(const {1}Inputs& inputs) noexcept {{\n"
        "  {0}_arguments arguments{{}};\n  arguments.size = sizeof arguments;\n",
        names_.c, names_.type);
    if (entry_.inputs.empty()) text += "  static_cast<void>(inputs);\n";
    for (std::size_t i = 0; i < entry_.inputs.size(); ++i) {
      const auto& [tensor, role] = entry_.inputs[i];
      const auto& [cpp, c, c_extents] = names_.inputs[i];
      const std::string path = input_path(i);
      if (role == dimension)
        text += fmt::format("  arguments.{} = static_cast<std::int64_t>({});\n", c, path);
      else
        text += fmt::format("  arguments.{} = {}{};\n", c, path, scalar(tensor) ? "" : ".data()");
      if (!c_extents.empty()) text += fmt::format("  {}.copy_extents(arguments.{});\n", path, c_extents);
    }
    text += fmt::format(
        "  return arguments;\n}}\n\ninline tel_options options(const {}Options& options) noexcept {{\n"
        "  return {{sizeof(tel_options), options.execution.c(), {}, {}}};\n}}\n\n",
        names_.type, names_.seed ? "options.seed" : "0", names_.gradients ? "options.accumulate" : "0");
    return text + explicit_detail() + "}  // namespace detail\n\n";
  }

  std::string workspace() {
    std::string parameters, arguments;
    for (const auto& name : names_.dimensions) {
      parameters += "std::size_t " + name + ", ";
      arguments += fmt::format("static_cast<std::int64_t>({}), ", name);
    }
    return fmt::format(R"(/// Bytes of workspace that `{0}` needs at most with these dimensions.
inline std::size_t {0}_workspace({1}const {2}Options& options = {{}}) noexcept {{
  const tel_options c_options = detail::options(options);
  return {3}_workspace({4}&c_options);
}}

)",
                       names_.name, parameters, names_.type, names_.c, arguments);
  }

  /// `const ForwardInputs& inputs, const Parameters& parameters, `.
  std::string first_parameters() {
    return fmt::format("const {}Inputs& inputs, {}{}", names_.type,
                       names_.parameters ? "tel::In<Parameters> parameters, " : "",
                       names_.constants ? "tel::In<Constants> constants, " : "");
  }
  std::string first_arguments() {
    return std::string("inputs, ") + (names_.parameters ? "parameters, " : "") +
           (names_.constants ? "constants, " : "");
  }

  /// `try_NAME` with `body`, and `NAME` that throws.
  std::string function(const std::string& result, const std::string& name, const std::string& parameters,
                       const std::string& arguments, const std::string& body) {
    const std::string all = parameters + fmt::format("const {}Options& options = {{}}", names_.type);
    return wrapped(fmt::format("inline tel::Result<{}> try_{}(", result, name), all) + body +
           "}\n#ifdef TEL_EXCEPTIONS\n" + wrapped(fmt::format("inline {} {}(", result, name), all) +
           fmt::format("  return try_{}({}options).value();\n}}\n#endif\n\n", name, arguments);
  }
  /// The head of a function, its parameters aligned after the bracket, at most 110 columns where that can be.
  static std::string wrapped(const std::string& begin, const std::string& parameters) {
    std::string text = begin;
    std::size_t column = begin.size();
    for (std::size_t at = 0; at < parameters.size();) {
      const std::size_t comma = parameters.find(", ", at);
      const std::size_t end = comma == std::string::npos ? parameters.size() : comma + 2;
      if (column + end - at > 108 && column > begin.size()) {
        text.back() = '\n';
        text.append(begin.size(), ' ');
        column = begin.size();
      }
      text.append(parameters, at, end - at);
      column += end - at;
      at = end;
    }
    return text + ") {\n";
  }

  std::string gradients_parameter() { return names_.gradients ? "tel::InOut<Gradients> gradients, " : ""; }
  std::string gradients_argument() { return names_.gradients ? "gradients, " : ""; }

  std::string summary() {
    std::string text = entry_.doc.empty() ? std::string() : doc_comment(entry_.doc, 0) + "///\n";
    return text;
  }

  /// The execution of a call, by where its memory lies.
  std::string execution(bool with_workspace) {
    return fmt::format("tel::detail::choose(options.execution{}{}{}{})",
                       names_.parameters ? ", parameters" : "", names_.constants ? ", constants" : "",
                       names_.gradients ? ", gradients" : "", with_workspace ? ", workspace" : "");
  }

  std::string explicit_parameters() {
    return first_parameters() + gradients_parameter() +
           fmt::format("const {}Outputs& outputs, tel::Workspace& workspace, ", names_.type);
  }
  std::string explicit_arguments() {
    return first_arguments() + gradients_argument() + "outputs, workspace, ";
  }

  /// All arguments but the options; the results of a call.
  std::string explicit_detail() {
    std::string parameters = explicit_parameters(), body = "  auto arguments = detail::arguments(inputs);\n";
    parameters.resize(parameters.size() - 2);
    for (const auto& [has, name] : {std::pair(names_.parameters, "parameters"),
                                    {names_.constants, "constants"},
                                    {names_.gradients, "gradients"}})
      if (has) body += fmt::format("  arguments.{0} = {0}.data();\n", name);
    std::string results = fmt::format("  {}Outputs results;\n", names_.type);
    bool tensors = false;
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i) {
      const auto& [cpp, c, c_extents] = names_.outputs[i];
      results += result(i);
      if (scalar(entry_.outputs[i].tensor)) continue;
      tensors = true;
      body += fmt::format("  arguments.{} = {}.data();\n", c, output_path("outputs", i));
      if (!c_extents.empty())
        body += fmt::format("  {}.copy_extents(arguments.{});\n", output_path("outputs", i), c_extents);
    }
    if (!tensors) body += "  static_cast<void>(outputs);\n";
    body +=
        "  arguments.workspace = workspace.data();\n  arguments.workspace_size = workspace.size();\n"
        "  return arguments;\n";
    return wrapped(fmt::format("inline {}_arguments arguments(", names_.c), parameters) + body + "}\n\n" +
           fmt::format("inline {}Outputs results(const {}_arguments& arguments) noexcept {{\n", names_.type,
                       names_.c) +
           results + "  return results;\n}\n\n";
  }

  /// `results.y = …;`
  std::string result(std::size_t i) {
    const Tensor& tensor = entry_.outputs[i].tensor;
    const auto& [cpp, c, c_extents] = names_.outputs[i];
    const std::string type = cpp_type(tensor.type);
    const bool storage = c_type(tensor.type).rfind("tel_", 0) == 0;
    std::string value = "arguments." + c;
    if (scalar(tensor) && storage) value = fmt::format("std::bit_cast<{}>({})", type, value);
    if (!scalar(tensor)) {
      if (storage) value = fmt::format("static_cast<{}*>({})", type, value);
      value = fmt::format("tel::View<{}>::of({}, {})", view_arguments(tensor, false), value,
                          c_extents.empty() ? "nullptr" : "arguments." + c_extents);
    }
    return fmt::format("  {} = {};\n", output_path("results", i), value);
  }

  /// Outputs in the caller's memory; the same in a stream.
  std::string explicit_form() {
    std::string arguments = explicit_arguments();
    arguments.resize(arguments.size() - 2);
    const auto body = [&](const char* how, const std::string& functions) {
      return fmt::format(
          "  return tel::detail::{}<{}Outputs>(detail::arguments({}),\n"
          "      {}, detail::results, detail::options(options),\n      {});\n",
          how, names_.type, arguments, functions, execution(true));
    };
    return summary() + "/// Writes into the outputs given, and allocates nothing.\n" +
           function(names_.type + "Outputs", names_.name, explicit_parameters(), explicit_arguments(),
                    body("call", names_.c)) +
           fmt::format("using {}Pending = tel::Pending<{}_arguments, {}Outputs>;\n\n", names_.type, names_.c,
                       names_.type) +
           "/// The same, returning when all is in the stream of a GPU; `wait` then gives the results, or "
           "the error.\n" +
           function(names_.type + "Pending", "start_" + names_.name, explicit_parameters(),
                    explicit_arguments(), body("start", fmt::format("{0}, {0}_wait", names_.c)));
  }

  std::string workspace_form() {
    const std::string body = fmt::format("  return try_{}({}{}{}Outputs{{}}, workspace, options);\n",
                                         names_.name, first_arguments(), gradients_argument(), names_.type);
    return "/// The same with all results in the workspace, until its next use; allocates nothing.\n" +
           function(names_.type + "Outputs", names_.name,
                    first_parameters() + gradients_parameter() + "tel::Workspace& workspace, ",
                    first_arguments() + gradients_argument() + "workspace, ", body);
  }

  /// The body of a form that allocates its results (`type`) and its workspace.
  std::string owning_body(const std::string& type) {
    std::string body = fmt::format(
        "  auto arguments = detail::arguments(inputs);\n"
        "  const auto execution = {};\n"
        "  if (!execution) return execution.error();\n"
        "  tel_options c_options = detail::options(options);\n"
        "  c_options.execution = execution->c();\n"
        "  arguments.options = &c_options;\n  tel_error error;\n"
        "  if ({}_prepare(&arguments, &error) != TEL_OK) return error;\n"
        "  {} result{{}};\n  {}Outputs outputs;\n"
        "  tel::Workspace workspace(arguments.workspace_size);\n",
        execution(false), names_.c, type, names_.type);
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i) {
      const auto& [cpp, c, c_extents] = names_.outputs[i];
      if (scalar(entry_.outputs[i].tensor)) continue;
      const std::string path = output_path("result", i);
      body += fmt::format(
          "  if (!tel::detail::allocate({}{})) return tel::detail::no_memory();\n  {} = {};\n", path,
          c_extents.empty() ? "" : ", arguments." + c_extents, output_path("outputs", i), path);
    }
    body += fmt::format(
        "  const auto done = try_{}({}{}outputs, workspace, options);\n"
        "  if (!done) return done.error();\n",
        names_.name, first_arguments(), gradients_argument());
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i)
      if (scalar(entry_.outputs[i].tensor))
        body += fmt::format("  {} = {};\n", output_path("result", i), output_path("(*done)", i));
    return body + fmt::format("  return tel::Result<{}>(std::move(result));\n", type);
  }

  std::string owned_form() {
    return "/// Returns results that own their memory.\n" + function(names_.type + "Result", names_.name,
                                                                     first_parameters(), first_arguments(),
                                                                     owning_body(names_.type + "Result"));
  }

  std::string kept_form() {
    return "/// Writes the gradients given; the other results own their memory.\n" +
           function(names_.type + "Kept", names_.name, first_parameters() + gradients_parameter(),
                    first_arguments() + gradients_argument(), owning_body(names_.type + "Kept"));
  }

  std::string owned_gradient_form() {
    std::string body = fmt::format(
        "  {0}Result result{{}};\n"
        "  auto kept = try_{1}({2}result.gradient, options);\n"
        "  if (!kept) return kept.error();\n",
        names_.type, names_.name, first_arguments());
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i)
      body += fmt::format("  result.{0} = std::move(kept->{0});\n", names_.outputs[i].cpp);
    body += fmt::format("  return tel::Result<{}Result>(std::move(result));\n", names_.type);
    return "/// Returns gradients and results that own their memory.\n" +
           function(names_.type + "Result", names_.name, first_parameters(), first_arguments(), body);
  }

  const EntryNames& names_;
  const Entry& entry_;
};

}  // namespace

std::string print_entry(const EntryNames& names) { return EntryPrinter(names).print(); }

}  // namespace codegen::header
