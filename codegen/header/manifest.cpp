#include <nlohmann/json.hpp>

#include "codegen/header/header.h"
#include "codegen/header/model.h"

namespace codegen::header {
using interface::ArgumentMember;
using interface::Entry;
using interface::Input;
using interface::Interface;
using interface::interface_hash;
using interface::Store;
using interface::SymbolNames;
using interface::Tensor;

namespace {

using Json = nlohmann::ordered_json;
using Kind = ArgumentMember::Kind;

Json describe(const Tensor& tensor) {
  Json extents = Json::array();
  for (const auto& extent : tensor.extents) {
    const auto constant = extent.constant();
    extents.push_back(constant ? Json(*constant) : Json(extent.text()));
  }
  Json json{{"name", tensor.name}, {"type", dlvm::info(tensor.type).tel_name}, {"shape", extents}};
  if (!tensor.structs.empty()) json["structs"] = tensor.structs;
  if (!tensor.enumeration.empty()) json["enum"] = {{"name", tensor.enumeration}, {"cases", tensor.cases}};
  if (!tensor.doc.empty()) json["doc"] = tensor.doc;
  return json;
}

Json describe(const Store& store) {
  Json tensors = Json::array();
  for (const auto& stored : store.tensors) {
    Json json = describe(stored.tensor);
    json["offset"] = stored.offset;
    if (!stored.file_name.empty()) json["file_name"] = stored.file_name;
    if (stored.transposed_in_file) json["transposed_in_file"] = true;
    tensors.push_back(std::move(json));
  }
  return {{"size", store.size}, {"alignment", 64}, {"tensors", std::move(tensors)}};
}

const char* kind_of(const ArgumentMember& member, const Entry& entry) {
  switch (member.kind) {
    case Kind::size:
      return "size";
    case Kind::dimension:
      return "dimension";
    case Kind::input:
      return entry.inputs[member.index].role == Input::Role::cotangent ? "cotangent" : "input";
    case Kind::input_extents:
    case Kind::output_extents:
      return "extents";
    case Kind::parameters:
      return "parameters";
    case Kind::constants:
      return "constants";
    case Kind::state:
      return "state";
    case Kind::frozen:
      return "frozen";
    case Kind::gradients:
      return "gradients";
    case Kind::output:
      return entry.outputs[member.index].in_gradient ? "gradient" : "output";
    case Kind::workspace:
      return "workspace";
    case Kind::workspace_size:
      return "workspace_size";
    case Kind::options:
      return "options";
  }
  return "";
}

/// A member of the argument struct; a tensor is a pointer, a scalar lies in the struct.
Json describe(const ArgumentMember& member, const Entry& entry) {
  Json json{{"member", member.name}, {"offset", member.offset}, {"kind", kind_of(member, entry)}};
  if (member.kind == Kind::input) json["tensor"] = describe(entry.inputs[member.index].tensor);
  if (member.kind == Kind::output) json["tensor"] = describe(entry.outputs[member.index].tensor);
  if (member.kind == Kind::input_extents) json["of"] = entry.inputs[member.index].tensor.name;
  if (member.kind == Kind::output_extents) json["of"] = entry.outputs[member.index].tensor.name;
  return json;
}

Json describe(const SymbolNames& symbols, const EntryNames& names) {
  const Entry& entry = *names.entry;
  Json members = Json::array();
  for (const auto& member : names.arguments.members) members.push_back(describe(member, entry));
  Json json{{"name", entry.name},
            {"function", names.c},
            {"symbol", symbols.of(entry)},
            {"prepare", symbols.of(entry, "prepare")},
            {"wait", symbols.of(entry, "wait")},
            {"workspace", symbols.of(entry, "workspace")},
            {"dimensions", names.dimensions},
            {"arguments", {{"size", names.arguments.size}, {"members", std::move(members)}}}};
  if (!entry.doc.empty()) json["doc"] = entry.doc;
  return json;
}

}  // namespace

std::string print_manifest(const Interface& interface) {
  const Model model = make_model(interface);
  const SymbolNames symbols(interface);
  Json entries = Json::array();
  for (const auto& entry : model.entries) entries.push_back(describe(symbols, entry));
  Json json{{"format", 1}, {"module", interface.module}, {"hash", interface_hash(interface)}};
  if (!interface.doc.empty()) json["doc"] = interface.doc;
  json["parameters"] = describe(interface.parameters);
  json["constants"] = describe(interface.constants);
  json["state"] = describe(interface.state);
  if (!interface.parameters.tensors.empty()) json["initialize"] = symbols.of("initialize");
  if (!interface.parameters.tensors.empty()) {
    json["combine"] = symbols.of("combine");
    json["freeze"] = symbols.of("freeze");
    json["frozen_size"] = symbols.of("frozen_size");
  }
  if (!interface.state.tensors.empty()) json["initialize_state"] = symbols.of("initialize_state");
  if (interface.has_stores()) json["load"] = symbols.of("load");
  if (interface.has_stores()) json["save"] = symbols.of("save");
  json["entries"] = std::move(entries);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace codegen::header
