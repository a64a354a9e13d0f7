#include "codegen/header/forms.h"

#include <fmt/format.h>

namespace codegen::header {
namespace {

/// `inputs, parameters, gradients, ` of some overload, as parameters and as arguments.
struct Signature {
  std::string parameters, arguments;

  Signature with(bool present, const std::string& type, const std::string& name) const {
    if (!present) return *this;
    return {parameters + type + " " + name + ", ", arguments + name + ", "};
  }
};

/// Makes the overloads of one entry point.
class FormBuilder {
 public:
  explicit FormBuilder(const EntryNames& names) : names_(names), entry_(*names.entry) {}

  std::vector<Form> build() const {
    const Signature given =
        Signature{}
            .with(true, "const " + names_.type + "Inputs&", "inputs")
            .with(names_.parameters,
                  entry_.updates_parameters() ? "tel::InOut<Parameters>" : "tel::In<Parameters>",
                  "parameters")
            .with(names_.constants, "tel::In<Constants>", "constants")
            .with(names_.state, entry_.updates_state() ? "tel::InOut<State>" : "tel::In<State>", "state");
    const Signature written = given.with(names_.gradients, "tel::InOut<Gradients>", "gradients");
    const Signature within = written.with(true, "tel::Workspace&", "workspace");
    const Signature complete = written.with(true, "const " + names_.type + "Outputs&", "outputs")
                                   .with(true, "tel::Workspace&", "workspace");
    std::vector<Form> forms;
    forms.push_back(names_.gradients ? owned_gradient(given) : owned("Result", given));
    if (names_.gradients) forms.push_back(owned("Kept", written));
    forms.push_back(in_workspace(within, written));
    forms.push_back(in_outputs(complete));
    forms.push_back(started(complete));
    return forms;
  }

 private:
  Form form(const std::string& name, const std::string& result, const Signature& signature,
            const std::string& doc, const std::string& body) const {
    return {name, names_.type + result, signature.parameters, signature.arguments, doc, body};
  }

  /// `result.gradient.x`.
  std::string path(const std::string& object, std::size_t output) const {
    return object + (entry_.outputs[output].in_gradient ? ".gradient." : ".") + names_.outputs[output].cpp;
  }
  bool scalar(std::size_t output) const { return entry_.outputs[output].tensor.extents.empty(); }

  /// Returns the error of an input whose elements do not fill its extents.
  std::string misfit() const {
    return has_input_tensors(names_)
               ? "  if (tel_error error; detail::misfits(inputs, error)) return error;\n"
               : "";
  }

  /// The execution of a call, by its option and by where its memory is.
  std::string execution(bool with_workspace) const {
    return fmt::format("tel::detail::choose(options.execution{}{}{}{}{})",
                       names_.parameters ? ", parameters" : "", names_.constants ? ", constants" : "",
                       names_.state ? ", state" : "", names_.gradients ? ", gradients" : "",
                       with_workspace ? ", workspace" : "");
  }

  Form owned_gradient(const Signature& given) const {
    std::string body = fmt::format(
        "  {0}Result result{{}};\n"
        "  auto kept = try_{1}({2}result.gradient, options);\n"
        "  if (!kept) return kept.error();\n",
        names_.type, names_.name, given.arguments);
    for (const auto& output : names_.outputs)
      body += fmt::format("  result.{0} = std::move(kept->{0});\n", output.cpp);
    body += fmt::format("  return tel::Result<{}Result>(std::move(result));\n", names_.type);
    return form(names_.name, "Result", given, "Allocates the gradients and the results, and returns them.",
                body);
  }

  /// Allocates the results and the workspace.
  Form owned(const std::string& type, const Signature& signature) const {
    std::string body = misfit() + fmt::format(
                                      "  auto arguments = detail::arguments(inputs);\n"
                                      "  const auto execution = {};\n"
                                      "  if (!execution) return execution.error();\n"
                                      "  tel_options c_options = detail::options(options);\n"
                                      "  c_options.execution = execution->c();\n"
                                      "  arguments.options = &c_options;\n  tel_error error;\n"
                                      "  if (::{}_prepare(&arguments, &error) != TEL_OK) return error;\n"
                                      "  {}{} result{{}};\n  {}Outputs outputs;\n"
                                      "  tel::Workspace workspace(arguments.workspace_size);\n",
                                      execution(false), names_.c, names_.type, type, names_.type);
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i) {
      const std::string& extents = names_.outputs[i].c_extents;
      if (scalar(i)) continue;
      body +=
          fmt::format("  if (!tel::detail::allocate({}{})) return tel::detail::no_memory();\n  {} = {};\n",
                      path("result", i), extents.empty() ? "" : ", arguments." + extents, path("outputs", i),
                      path("result", i));
    }
    body += fmt::format(
        "  const auto done = try_{}({}outputs, workspace, options);\n"
        "  if (!done) return done.error();\n",
        names_.name, signature.arguments);
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i)
      if (scalar(i)) body += fmt::format("  {} = {};\n", path("result", i), path("(*done)", i));
    body += fmt::format("  return tel::Result<{}{}>(std::move(result));\n", names_.type, type);
    return form(names_.name, type, signature,
                names_.gradients ? "Writes the derivatives to `gradients`; allocates the other results, and "
                                   "returns them."
                                 : "Allocates the results, and returns them.",
                body);
  }

  Form in_workspace(const Signature& signature, const Signature& written) const {
    return form(names_.name, "Outputs", signature,
                "Places the results in the workspace, where they are valid until its next use. Allocates "
                "nothing.",
                fmt::format("  return try_{}({}{}Outputs{{}}, workspace, options);\n", names_.name,
                            written.arguments, names_.type));
  }

  Form in_outputs(const Signature& signature) const {
    return form(names_.name, "Outputs", signature,
                "Writes the results to where the views of `outputs` point, and to the workspace for views "
                "that are empty.\nAllocates nothing.",
                call("call", signature, "::" + names_.c));
  }

  Form started(const Signature& signature) const {
    return form(
        "start_" + names_.name, "Pending", signature,
        "Returns as soon as the work is in the stream of a GPU. `wait()` of what it returns waits for "
        "the work, and\ngives the results or the error.",
        call("start", signature, fmt::format("::{0}, ::{0}_wait", names_.c)));
  }

  std::string call(const char* how, const Signature& signature, const std::string& functions) const {
    std::string arguments = signature.arguments;
    arguments.resize(arguments.size() - 2);
    return misfit() + fmt::format(
                          "  return tel::detail::{}<{}Outputs>(detail::arguments({}),\n"
                          "      {}, detail::results, detail::options(options),\n      {});\n",
                          how, names_.type, arguments, functions, execution(true));
  }

  const EntryNames& names_;
  const Entry& entry_;
};

/// `a`, `a and b`, `a, b and c`.
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

}  // namespace

std::string summary(const EntryNames& names) {
  if (!names.entry->doc.empty()) return names.entry->doc;
  std::vector<std::string> results, derivatives;
  for (const Member& each : names.output_members) results.push_back(each.part);
  for (const Member& each : names.gradient_members) derivatives.push_back(each.part);
  if (names.gradients) derivatives.emplace_back("the parameters");
  const bool state = names.entry->updates_state(), parameters = names.entry->updates_parameters();
  const std::string_view end = parameters && state ? "; updates the parameters and the state."
                               : parameters        ? "; updates the parameters."
                               : state             ? "; updates the state."
                                                   : ".";
  if (!derivatives.empty())
    return fmt::format("Computes the derivatives for {}{}{}", listed(derivatives),
                       results.empty() ? "" : ", and " + listed(results), end);
  const bool evaluates = names.entry->kind == interface::EntryKind::evaluate;
  return fmt::format("Computes {}{}{}", results.empty() ? "nothing" : listed(results),
                     evaluates ? ", without derivatives" : "", end);
}

std::vector<Form> forms_of(const EntryNames& names) { return FormBuilder(names).build(); }

std::string workspace_parameters(const EntryNames& names, const char* default_options) {
  std::string parameters;
  for (const auto& name : names.dimensions) parameters += "std::size_t " + name + ", ";
  return parameters + fmt::format("const {}Options& options{}", names.type, default_options);
}

std::string wrapped(const std::string& head, const std::string& parameters) {
  std::string text = head;
  std::size_t column = head.size();
  for (std::size_t at = 0; at < parameters.size();) {
    const std::size_t comma = parameters.find(", ", at);
    const std::size_t end = comma == std::string::npos ? parameters.size() : comma + 2;
    if (column + end - at > 108 && column > head.size()) {
      text.back() = '\n';
      text.append(head.size(), ' ');
      column = head.size();
    }
    text.append(parameters, at, end - at);
    column += end - at;
    at = end;
  }
  return text + ")";
}

}  // namespace codegen::header
