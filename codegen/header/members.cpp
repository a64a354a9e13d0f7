#include "codegen/header/members.h"

#include <fmt/format.h>

#include "codegen/header/comments.h"

namespace codegen::header {
namespace {

/// A member with its documentation.
std::string member(const Tensor& tensor, const std::string& type, const std::string& name,
                   const char* initial, int indent) {
  const std::string shape = shape_text(tensor);
  return doc_comment(tensor.doc, indent) + fmt::format("{:{}}{} {}{};{}\n", "", indent, type, name, initial,
                                                       shape.empty() ? "" : "  ///< " + shape);
}

/// The element type of a scalar, else a view or a tensor.
std::string type_of(const char* tensor_class, const Tensor& tensor, bool constant) {
  return is_scalar(tensor) ? cpp_type(tensor.type)
                           : fmt::format("tel::{}<{}>", tensor_class, view_arguments(tensor, constant));
}

}  // namespace

std::string input_members(const EntryNames& names, Input::Role role) {
  std::string text;
  for (std::size_t i = 0; i < names.inputs.size(); ++i) {
    const auto& [tensor, has] = names.entry->inputs[i];
    const bool dimension = has == Input::Role::dimension;
    if (dimension && role == Input::Role::input)
      text += fmt::format("  std::size_t {} = 0;  ///< {}\n", names.inputs[i].cpp,
                          one_line(dimension_comment(tensor.doc)));
    if (!dimension && has == role)
      text += member(tensor, type_of("View", tensor, true), names.inputs[i].cpp, " = {}", 2);
  }
  return text;
}

std::string output_members(const EntryNames& names, const char* tensor_class, bool in_gradient,
                           const char* initial, int indent) {
  std::string text;
  for (std::size_t i = 0; i < names.outputs.size(); ++i) {
    const Output& output = names.entry->outputs[i];
    if (output.in_gradient == in_gradient)
      text += member(output.tensor, type_of(tensor_class, output.tensor, false), names.outputs[i].cpp,
                     initial, indent);
  }
  return text;
}

std::string input_list(const EntryNames& names) {
  std::string text;
  for (std::size_t i = 0; i < names.inputs.size(); ++i) {
    const auto& [tensor, role] = names.entry->inputs[i];
    text +=
        "- `inputs." + (role == Input::Role::cotangent ? "cotangent." : std::string()) + names.inputs[i].cpp;
    text += "`" + (is_scalar(tensor) ? "" : " " + shape_text(tensor));
    text += (tensor.doc.empty() ? "" : ": " + one_line(tensor.doc)) + "\n";
  }
  return text;
}

}  // namespace codegen::header
