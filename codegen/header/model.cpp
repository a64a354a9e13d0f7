#include "codegen/header/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "codegen/interface/names.h"

namespace codegen::header {
using interface::Binding;
using interface::interface_hash;
using interface::is_global;
using interface::Names;

namespace {

using Kind = interface::ArgumentMember::Kind;

std::string capitalised(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

TensorNames tensor_names(const Arguments& arguments, Kind kind, Kind extents, std::size_t index,
                         std::string cpp) {
  const auto* member = arguments.find(kind, index);
  const auto* free = arguments.find(extents, index);
  return {std::move(cpp), member->name, free ? free->name : std::string(), ""};
}

/// The types that the header makes of an entry's name.
std::vector<std::string> types_of(const std::string& name) {
  std::vector<std::string> types;
  for (const char* type :
       {"Inputs", "Options", "Result", "Outputs", "Pending", "Kept", "Gradient", "Cotangent"})
    types.push_back(capitalised(name) + type);
  return types;
}

constexpr std::array c_endings{"", "_prepare", "_wait", "_workspace", "_arguments"};

/// All names that the header makes of an entry's name.
std::vector<std::string> names_of(const std::string& name) {
  std::vector<std::string> names = types_of(name);
  for (const char* before : {"try_", "start_", "try_start_"}) names.push_back(before + name);
  for (const char* ending : c_endings) names.push_back(name + ending);
  return names;
}

void name_entries(Model& model) {
  Names scope{"Parameters", "Gradients", "Constants", "State",       "Frozen",     "Network",
              "parameters", "gradients", "constants", "state",       "combine",    "freeze",
              "try_freeze", "load",      "save",      "frozen_size", "initialize", "initialize_state",
              "detail",     "tel",       "std"};
  for (const auto& entry : model.interface->entries) {
    EntryNames names;
    names.entry = &entry;
    names.name = scope.add(entry.name, names_of);
    names.type = capitalised(names.name);
    names.parameters = entry.takes_parameters();
    names.constants = entry.reads(Binding::Kind::constant);
    names.state = entry.takes_state();
    names.gradients = entry.writes_gradients();
    names.seed = entry.reads(Binding::Kind::seed);
    model.entries.push_back(std::move(names));
  }
}

/// All names of the network's C interface.
std::vector<std::string> c_names(const Model& model) {
  std::vector<std::string> names;
  for (const char* name : {"parameters", "gradients", "constants", "state", "initialize", "initialize_state",
                           "combine", "freeze", "frozen_size", "load", "save"})
    names.push_back(model.module + "_" + name);
  for (const auto& entry : model.entries)
    for (const char* ending : c_endings) names.push_back(model.module + "_" + entry.name + ending);
  return names;
}

/// A name whose namespace and whose C names the standard headers leave free.
void name_module(Model& model) {
  Names modules{"tel", "std"};
  const auto taken = [&] {
    const auto names = c_names(model);
    return is_global(model.module) ||
           std::any_of(names.begin(), names.end(), [](const auto& name) { return is_global(name); });
  };
  model.module = modules.add(model.interface->module);
  while (taken()) model.module += '_';
  for (auto& entry : model.entries) entry.c = model.module + "_" + entry.name;
  model.version = "v" + interface_hash(*model.interface);
}

/// The names that members and parameters cannot have, for they stand beside them.
Names taken_by_types(const Model& model) {
  Names scope{"Parameters", "Gradients", "Constants", "State", "Frozen",
              "Network",    "Gradient",  "detail",    "tel",   "std"};
  for (auto& name : c_names(model)) scope.take(std::move(name));
  for (const auto& entry : model.entries)
    for (auto& type : types_of(entry.name)) scope.take(std::move(type));
  return scope;
}

/// Names of inputs: cotangents are in a struct of their own.
void name_inputs(EntryNames& names, const Structs& structs, const Names& types) {
  std::vector<std::pair<std::size_t, const Tensor*>> plain, cotangents;
  for (std::size_t i = 0; i < names.entry->inputs.size(); ++i) {
    const auto& [tensor, role] = names.entry->inputs[i];
    (role == Input::Role::cotangent ? cotangents : plain).emplace_back(i, &tensor);
    const Kind kind = role == Input::Role::dimension ? Kind::dimension : Kind::input;
    names.inputs.push_back(tensor_names(names.arguments, kind, Kind::input_extents, i, ""));
  }
  names.has_cotangents = !cotangents.empty();
  Names plain_scope = types, cotangent_scope = types;
  plain_scope.take("cotangent");
  names.input_members = structs.members_of(plain, plain_scope);
  names.cotangent_members = structs.members_of(cotangents, cotangent_scope);
  for (const auto* members : {&names.input_members, &names.cotangent_members})
    for_each_tensor(*members, "", [&](const std::string& path, const Member& member) {
      names.inputs[member.index].cpp = path;
      names.inputs[member.index].cpp_enum = member.cpp_type;
    });
}

void name_outputs(EntryNames& names, const Structs& structs, const Names& types) {
  std::vector<std::pair<std::size_t, const Tensor*>> plain, derivatives;
  for (std::size_t i = 0; i < names.entry->outputs.size(); ++i) {
    const auto& [tensor, in_gradient] = names.entry->outputs[i];
    (in_gradient ? derivatives : plain).emplace_back(i, &tensor);
    names.outputs.push_back(tensor_names(names.arguments, Kind::output, Kind::output_extents, i, ""));
  }
  names.has_gradient_outputs = !derivatives.empty();
  Names plain_scope = types, derivative_scope = types;
  plain_scope.take("gradient");
  names.output_members = structs.members_of(plain, plain_scope);
  names.gradient_members = structs.members_of(derivatives, derivative_scope);
  for (const auto* members : {&names.output_members, &names.gradient_members})
    for_each_tensor(*members, "", [&](const std::string& path, const Member& member) {
      names.outputs[member.index].cpp = path;
      names.outputs[member.index].cpp_enum = member.cpp_type;
    });
}

/// A dimension written `?` is called by its place: `x_0`.
void name_dimensions(EntryNames& names, const Names& types) {
  Names scope = types;
  scope.take("options");
  scope.take("c_options");
  for (const auto& dimension : names.entry->dimensions) {
    const bool made_up =
        dimension.name[0] == '_' && dimension.name.size() > 1 && std::isdigit(dimension.name[1]);
    names.dimensions.push_back(scope.add(
        made_up ? fmt::format("{}_{}", names.entry->inputs[dimension.input].tensor.name, dimension.axis)
                : dimension.name));
  }
}

void name_members(EntryNames& names, const Structs& structs, const Names& types) {
  names.arguments = arguments_of(*names.entry);
  Names scope = types;
  for (auto& member : names.arguments.members) member.name = scope.add(std::move(member.name));
  name_inputs(names, structs, types);
  name_outputs(names, structs, types);
  name_dimensions(names, types);
}

/// The names that members of a class that owns a store cannot have.
Names taken_by_store(Names scope) {
  for (const char* member :
       {"Block", "at", "bytes", "clear", "copy", "copy_from", "data", "elements", "flat", "initialize",
        "load", "save", "try_initialize", "try_load", "try_save", "to", "try_to", "Struct", "combine"})
    scope.take(member);
  return scope;
}

std::vector<std::string> member_names(const Store& store, Names scope) {
  std::vector<std::string> names;
  for (const auto& stored : store.tensors) names.push_back(scope.add(stored.tensor.name));
  return names;
}

}  // namespace

Model make_model(const Interface& interface) {
  Model model;
  model.interface = &interface;
  name_entries(model);
  name_module(model);
  Names types = taken_by_types(model);
  model.structs = Structs(interface, types);
  const Names members = taken_by_store(types);
  model.parameters = member_names(interface.parameters, members);
  model.constants = member_names(interface.constants, members);
  model.state = member_names(interface.state, members);
  model.parameter_fields = fields_of(interface.parameters, model.structs, members);
  model.constant_fields = fields_of(interface.constants, model.structs, members);
  model.state_fields = fields_of(interface.state, model.structs, members);
  for (auto& entry : model.entries) name_members(entry, model.structs, types);
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

bool is_input_tensor(const EntryNames& names, std::size_t input) {
  return names.inputs[input].cpp_enum.empty() && !names.entry->inputs[input].tensor.extents.empty();
}

bool has_input_tensors(const EntryNames& names) {
  for (std::size_t i = 0; i < names.inputs.size(); ++i)
    if (is_input_tensor(names, i)) return true;
  return false;
}

std::string view_arguments(const Tensor& tensor, bool constant) {
  std::string text = (constant ? "const " : "") + cpp_type(tensor.type);
  for (const auto& extent : tensor.extents) text += ", " + cpp_extent(extent);
  return text;
}

}  // namespace codegen::header
