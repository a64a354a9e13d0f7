#include "codegen/header/entry.h"

#include <fmt/format.h>

#include "codegen/header/comments.h"
#include "codegen/header/forms.h"
#include "codegen/header/members.h"

namespace codegen::header {
namespace {

std::string inputs(const EntryNames& names) {
  std::string text;
  if (names.has_cotangents)
    text += fmt::format(
        "/// The derivatives that `{}` begins with: those of your own loss for each output.\n"
        "struct {}Cotangent {{\n{}}};\n\n",
        names.name, names.type, print_members(*names.entry, names.cotangent_members, MemberKind::given, 2));
  text += fmt::format(
      "/// The inputs of `{}`. Every view must be set; a view of no elements is set, too.\n"
      "struct {}Inputs {{\n",
      names.name, names.type);
  text += print_members(*names.entry, names.input_members, MemberKind::given, 2);
  if (names.has_cotangents) text += fmt::format("  {}Cotangent cotangent = {{}};\n", names.type);
  return text + "};\n\n";
}

std::string options(const EntryNames& names) {
  std::string text = fmt::format("/// The options of `{}`.\nstruct {}Options {{\n", names.name, names.type) +
                     "  tel::Execution execution = {};  ///< where the call computes\n";
  if (names.seed) text += "  std::uint64_t seed = 0;  ///< the seed of the random numbers\n";
  if (names.gradients)
    text +=
        "  bool accumulate = false;  ///< adds the derivatives to the gradients instead of replacing them\n";
  return text + "};\n\n";
}

std::string outputs(const EntryNames& names) {
  std::string text;
  if (names.has_gradient_outputs)
    text += fmt::format("/// The derivatives that `{}` computes, as views.\nstruct {}Gradient {{\n{}}};\n\n",
                        names.name, names.type,
                        print_members(*names.entry, names.gradient_members, MemberKind::returned, 2));
  text += fmt::format(
      "/// The results of `{0}`, as views. As an argument, it says where they are written: a view that is\n"
      "/// left empty is placed in the workspace.\n"
      "struct {1}Outputs {{\n",
      names.name, names.type);
  if (names.has_gradient_outputs) text += fmt::format("  {}Gradient gradient = {{}};\n", names.type);
  return text + print_members(*names.entry, names.output_members, MemberKind::returned, 2) + "};\n\n";
}

std::string owning_types(const EntryNames& names) {
  std::string text;
  if (names.gradients)
    text += fmt::format(
        "/// The results of `{}` without the gradients, in tensors that own their memory.\nstruct {}Kept;\n",
        names.name, names.type);
  return text + fmt::format(
                    "/// The results of `{0}`{2}, in tensors that own their memory.\nstruct {1}Result;\n"
                    "/// A call of `{0}` that is under way in a stream of a GPU.\n"
                    "using {1}Pending = tel::Pending<{3}_arguments, {1}Outputs>;\n\n",
                    names.name, names.type, names.gradients ? " and the gradients" : "", names.c);
}

/// `const ForwardOptions& options = {}` behind the parameters of a form.
std::string with_options(const EntryNames& names, const Form& form) {
  return form.parameters + fmt::format("const {}Options& options = {{}}", names.type);
}

std::string declared_forms(const EntryNames& names) {
  const std::string list = input_list(names);
  std::string throwing, others;
  for (const Form& form : forms_of(names)) {
    throwing += doc_comment(summary(names) + "\n\n" + list + (list.empty() ? "" : "\n") + form.doc, 0);
    throwing += wrapped(fmt::format("{} {}(", form.result, form.name), with_options(names, form)) + ";\n\n";
    others += doc_comment(fmt::format("Does what `{}` does, and returns an error instead of throwing it.\n{}",
                                      form.name, form.doc),
                          0);
    others +=
        wrapped(fmt::format("tel::Result<{}> try_{}(", form.result, form.name), with_options(names, form)) +
        ";\n";
  }
  return "#ifdef TEL_EXCEPTIONS\n" + throwing + "#endif\n\n" + others + "\n";
}

}  // namespace

std::string declare_entry(const EntryNames& names) {
  return inputs(names) + options(names) + outputs(names) + owning_types(names) + declared_forms(names) +
         fmt::format(
             "/// The bytes of workspace with which `{0}` can compute for these dimensions, and for smaller "
             "ones.\n",
             names.name) +
         wrapped(fmt::format("std::size_t {}_workspace(", names.name), workspace_parameters(names, " = {}")) +
         " noexcept;\n\n";
}

std::string network_members(const EntryNames& names, const std::string& space) {
  std::string text;
  for (const char* type : {"Inputs", "Options", "Outputs", "Result", "Kept", "Pending"})
    if (names.gradients || std::string_view(type) != "Kept")
      text += fmt::format("  using {0}{1} = {2}::{0}{1};\n", names.type, type, space);
  const auto function = [&](const std::string& name) {
    return fmt::format(
        "  static auto {0}(const {1}Inputs& inputs, auto&&... rest) {{\n"
        "    return {2}::{0}(inputs, std::forward<decltype(rest)>(rest)...);\n  }}\n",
        name, names.type, space);
  };
  std::string dimensions;
  for (const auto& name : names.dimensions) dimensions += name + ", ";
  return text + "#ifdef TEL_EXCEPTIONS\n" + function(names.name) + function("start_" + names.name) +
         "#endif\n" + function("try_" + names.name) + function("try_start_" + names.name) +
         wrapped(fmt::format("  static std::size_t {}_workspace(", names.name),
                 workspace_parameters(names, " = {}")) +
         fmt::format(" noexcept {{\n    return {}::{}_workspace({}options);\n  }}\n\n", space, names.name,
                     dimensions);
}

}  // namespace codegen::header
