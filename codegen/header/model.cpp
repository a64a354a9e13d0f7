#include "codegen/header/model.h"

#include <fmt/format.h>

#include <cctype>

#include "codegen/names.h"

namespace codegen::header {
namespace {

using Kind = ArgumentMember::Kind;

std::string capitalised(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

TensorNames tensor_names(const Arguments& arguments, Kind kind, Kind extents, std::size_t index,
                         std::string cpp) {
  const auto* member = arguments.find(kind, index);
  const auto* free = arguments.find(extents, index);
  return {std::move(cpp), member->name, free ? free->name : std::string()};
}

/// Names of inputs: cotangents lie in a struct of their own.
void name_inputs(EntryNames& names) {
  Names plain{"cotangent"}, cotangents;
  for (std::size_t i = 0; i < names.entry->inputs.size(); ++i) {
    const auto& [tensor, role] = names.entry->inputs[i];
    const bool cotangent = role == Input::Role::cotangent;
    names.has_cotangents |= cotangent;
    std::string cpp = (cotangent ? cotangents : plain).add(tensor.name);
    const Kind kind = role == Input::Role::dimension ? Kind::dimension : Kind::input;
    names.inputs.push_back(tensor_names(names.arguments, kind, Kind::input_extents, i, std::move(cpp)));
  }
}

void name_outputs(EntryNames& names) {
  Names plain{"gradient"}, derivatives;
  for (std::size_t i = 0; i < names.entry->outputs.size(); ++i) {
    const auto& [tensor, in_gradient] = names.entry->outputs[i];
    names.has_gradient_outputs |= in_gradient;
    std::string cpp = (in_gradient ? derivatives : plain).add(tensor.name);
    names.outputs.push_back(
        tensor_names(names.arguments, Kind::output, Kind::output_extents, i, std::move(cpp)));
  }
}

/// A dimension written `?` is called by its place: `x_0`.
void name_dimensions(EntryNames& names) {
  Names scope{"options"};
  for (const auto& dimension : names.entry->dimensions) {
    const bool made_up =
        dimension.name[0] == '_' && dimension.name.size() > 1 && std::isdigit(dimension.name[1]);
    names.dimensions.push_back(scope.add(
        made_up ? fmt::format("{}_{}", names.entry->inputs[dimension.input].tensor.name, dimension.axis)
                : dimension.name));
  }
}

std::vector<std::string> member_names(const Store& store) {
  Names scope{"Parameters", "Gradients", "Constants", "Block",          "at",       "bytes",
              "clear",      "copy",      "copy_from", "data",           "elements", "flat",
              "initialize", "load",      "save",      "try_initialize", "try_load", "try_save",
              "to",         "try_to",    "Struct",    "combine"};
  std::vector<std::string> names;
  for (const auto& stored : store.tensors) names.push_back(scope.add(stored.tensor.name));
  return names;
}

}  // namespace

Model make_model(const Interface& interface) {
  Model model;
  model.interface = &interface;
  Names modules{"tel", "std"};
  model.module = modules.add(interface.module);
  model.parameters = member_names(interface.parameters);
  model.constants = member_names(interface.constants);
  Names scope{"Parameters", "Gradients", "Constants", "parameters", "gradients", "constants", "initialize",
              "combine",    "load",      "save",      "detail",     "tel",       "std"};
  Names types;
  for (const auto& entry : interface.entries) {
    EntryNames names;
    names.entry = &entry;
    names.arguments = arguments_of(entry);
    names.name = scope.add(entry.name);
    for (const char* derived : {"_prepare", "_wait", "_workspace", "_arguments"})
      scope.add(names.name + derived);
    for (const char* before : {"try_", "start_", "try_start_"}) scope.add(before + names.name);
    names.type = types.add(capitalised(names.name));
    for (const char* derived :
         {"Inputs", "Options", "Result", "Outputs", "Pending", "Kept", "Gradient", "Cotangent"})
      scope.add(names.type + derived);
    names.c = model.module + "_" + names.name;
    names.parameters = entry.reads(Binding::Kind::parameter);
    names.constants = entry.reads(Binding::Kind::constant);
    names.gradients = entry.writes_gradients();
    names.seed = entry.reads(Binding::Kind::seed);
    name_inputs(names);
    name_outputs(names);
    name_dimensions(names);
    model.entries.push_back(std::move(names));
  }
  return model;
}

std::string c_type(dlvm::ElementType type) {
  const std::string name(dlvm::info(type).cpp_name);
  if (name.rfind("std::", 0) == 0) return name.substr(5);
  return name.rfind("tel::", 0) == 0 ? "tel_" + name.substr(5) : name;
}

std::string cpp_type(dlvm::ElementType type) { return std::string(dlvm::info(type).cpp_name); }

std::string cpp_extent(const dlvm::Extent& extent) {
  const auto constant = extent.constant();
  return constant ? fmt::format("{}", *constant) : "tel::dynamic";
}

std::string shape_text(const Tensor& tensor) {
  if (tensor.extents.empty()) return {};
  std::string text;
  for (const auto& extent : tensor.extents) {
    const std::string one = extent.text();
    const bool made_up = one.size() > 1 && one[0] == '_' && std::isdigit(static_cast<unsigned char>(one[1]));
    text += (text.empty() ? "[" : " x ") + (made_up || one == "_" ? "?" : one);
  }
  return text + "]";
}

std::string view_arguments(const Tensor& tensor, bool constant) {
  std::string text = (constant ? "const " : "") + cpp_type(tensor.type);
  for (const auto& extent : tensor.extents) text += ", " + cpp_extent(extent);
  return text;
}

std::string doc_comment(const std::string& text, int indent) {
  if (text.empty()) return {};
  const std::string before = std::string(static_cast<std::size_t>(indent), ' ') + "///";
  std::string result = before + (text[0] == '\n' ? "" : " ");
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A backslash at the end of a line would make the next one a part of the comment.
    if (text[i] == '\n' && i > 0 && text[i - 1] == '\\') result += '.';
    result += text[i];
    if (text[i] == '\n') result += before + (i + 1 < text.size() && text[i + 1] != '\n' ? " " : "");
  }
  return result + (text.back() == '\\' ? ".\n" : "\n");
}

std::string c_comment_text(std::string text) {
  for (std::size_t at; (at = text.find("*/")) != std::string::npos;) text.replace(at, 2, "* /");
  for (std::size_t at; (at = text.find("/*")) != std::string::npos;) text.replace(at, 2, "/ *");
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace codegen::header
