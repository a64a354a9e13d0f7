#include "codegen/header/structs.h"

#include <algorithm>
#include <utility>

#include "codegen/header/model.h"

namespace codegen::header {
namespace {

using interface::Names;
using interface::Tensor;
using Tensors = std::vector<std::pair<std::size_t, const Tensor*>>;

/// The part number `depth` of the name; behind the last struct everything that is left.
std::string part_of(const Tensor& tensor, std::size_t depth) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < depth; ++i) begin = tensor.name.find('.', begin) + 1;
  const bool last = depth == tensor.structs.size();
  return tensor.name.substr(begin, last ? std::string::npos : tensor.name.find('.', begin) - begin);
}

/// Returns the tensor's name without its first `parts` parts.
std::string rest_of(const Tensor& tensor, std::size_t parts) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < parts; ++i) begin = tensor.name.find('.', begin) + 1;
  return tensor.name.substr(begin);
}

/// The root of the tables of nodes whose tensors these are; null where they are none.
const Tensor* root_of(const Tensors& tensors, std::size_t depth) {
  const auto found = std::ranges::find_if(tensors, [&](const auto& each) {
    const Tensor& tensor = *each.second;
    return is_node(tensor) && tensor.enumeration == tensor.structs[depth] &&
           rest_of(tensor, depth + 1) == "root";
  });
  return found != tensors.end() ? found->second : nullptr;
}

/// The tables of nodes have no structs in them.
void take_tables(Member& member, const Tensors& tensors, const Tensor& root, std::size_t depth) {
  for (std::size_t axis = 0; axis < root.extents.size(); ++axis) member.type += "[]";
  for (const auto& [index, tensor] : tensors)
    member.members.push_back({rest_of(*tensor, depth + 1), "", tensor, index, "", "", {}});
}

/// Tensors with one part of the name that follow each other are a struct.
std::vector<Member> grouped(const Tensors& tensors, std::size_t depth) {
  std::vector<Member> members;
  for (auto first = tensors.begin(); first != tensors.end();) {
    const Tensor& tensor = *first->second;
    Member& member = members.emplace_back();
    member.part = part_of(tensor, depth);
    if (tensor.structs.size() <= depth) {
      member.tensor = &tensor;
      member.index = (first++)->first;
      continue;
    }
    member.type = tensor.structs[depth];
    const auto end = std::find_if(first, tensors.end(), [&](const auto& other) {
      return other.second->structs.size() <= depth || other.second->structs[depth] != member.type ||
             part_of(*other.second, depth) != member.part;
    });
    const Tensors inner(first, end);
    if (const Tensor* root = root_of(inner, depth))
      take_tables(member, inner, *root, depth);
    else
      member.members = grouped(inner, depth + 1);
    first = end;
  }
  return members;
}

bool alike(const std::vector<Member>& a, const std::vector<Member>& b) {
  return std::ranges::equal(a, b, [](const Member& x, const Member& y) {
    if (x.part != y.part || x.type != y.type || (x.tensor == nullptr) != (y.tensor == nullptr)) return false;
    if (x.tensor == nullptr) return alike(x.members, y.members);
    return view_arguments(*x.tensor, false) == view_arguments(*y.tensor, false) &&
           x.tensor->enumeration == y.tensor->enumeration && x.tensor->cases == y.tensor->cases;
  });
}

/// The number of tensors, and of their axes.
std::pair<std::size_t, std::size_t> size_of(const std::vector<Member>& members) {
  std::pair<std::size_t, std::size_t> size{0, 0};
  for (const Member& each : members) {
    const auto [tensors, axes] = each.tensor != nullptr
                                     ? std::pair(std::size_t{1}, each.tensor->extents.size())
                                     : size_of(each.members);
    size.first += tensors;
    size.second += axes;
  }
  return size;
}

/// Returns whether the header should have the first form of a struct: it has more of its tensors, or the
/// tensors themselves where the other has sequences of them.
bool is_preferred(const std::vector<Member>& one, const std::vector<Member>& other) {
  const auto [tensors, axes] = size_of(one);
  const auto [other_tensors, other_axes] = size_of(other);
  return tensors != other_tensors ? tensors > other_tensors : axes < other_axes;
}

/// The types that the header makes of a struct.
std::vector<std::string> types_of(const std::string& name) {
  return {name, name + "Outputs", name + "Result"};
}

/// The number of the case of an enum with payloads, which is a struct around it.
bool is_kind(const Tensor& tensor) {
  return !tensor.enumeration.empty() && !tensor.structs.empty() &&
         tensor.structs.back() == tensor.enumeration;
}

bool has_constant_extents(const Member& member) {
  if (member.tensor == nullptr) return std::ranges::all_of(member.members, has_constant_extents);
  return std::ranges::all_of(member.tensor->extents,
                             [](const auto& each) { return each.constant().has_value(); });
}

void flatten(const Member& member, std::vector<Member>& members) {
  if (member.tensor != nullptr) {
    members.push_back(member);
    members.back().part = member.tensor->name;
  }
  for (const Member& each : member.members) flatten(each, members);
}

Tensors inputs_of(const interface::Entry& entry) {
  Tensors tensors;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) tensors.emplace_back(i, &entry.inputs[i].tensor);
  return tensors;
}

Tensors outputs_of(const interface::Entry& entry) {
  Tensors tensors;
  for (std::size_t i = 0; i < entry.outputs.size(); ++i) tensors.emplace_back(i, &entry.outputs[i].tensor);
  return tensors;
}

}  // namespace

Structs::Structs(const interface::Interface& interface, Names& scope) {
  for (const auto& entry : interface.entries) {
    for (const Member& each : grouped(inputs_of(entry), 0)) enter(each, true);
    for (const Member& each : grouped(outputs_of(entry), 0)) enter(each, false);
  }
  for (const auto* store : {&interface.constants, &interface.state})
    for (const auto& stored : store->tensors) enter(stored.tensor);
  for (Struct& each : all_)
    each.name = scope.add(
        each.tables_of.empty() ? each.source : each.tables_of + (each.is_batch() ? "Batch" : ""), types_of);
  for (Enumeration& each : enumerations_) {
    each.name = scope.add(each.source + (each.payloads ? "Kind" : ""));
    Names names;
    for (const std::string& written : each.cases) each.enumerators.push_back(names.add(written));
  }
  add_node_classes(scope);
  fields_ = scope;
  for (Struct& each : all_) {
    name_members(each.members, fields_);
    if (each.tables_of.empty()) name_cases(each);
  }
}

/// The functions that add a node stand beside others.
void Structs::add_node_classes(Names& scope) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const std::string& source = all_[i].tables_of;
    if (source.empty()) continue;
    const auto known = std::ranges::find(node_classes_, source, &NodeClass::source);
    if (known != node_classes_.end()) {
      known->structs.push_back(i);
      continue;
    }
    NodeClass& made = node_classes_.emplace_back(NodeClass{source, scope.add(source + "Nodes"), {}, {i}});
    Names functions = scope;
    for (const char* taken :
         {"Node", "rooted", "size", "depth", "clear", "add", "Tables", "tables_", "depth_", "depths_"})
      functions.take(taken);
    for (const std::string& each : all_[i].members.front().tensor->cases)
      made.cases.push_back({each, functions.add(each)});
  }
}

/// The functions of the cases stand beside the members.
void Structs::name_cases(Struct& made) const {
  const Tensor* kind = made.members.front().tensor;
  if (kind == nullptr || !is_kind(*kind)) return;
  const auto& numbers = *std::ranges::find(enumerations_, kind->enumeration, &Enumeration::source);
  if (numbers.cases != kind->cases) return;  // another enum of this name came first
  if (!std::ranges::all_of(made.members, has_constant_extents)) return;  // zeros have no shape
  Names scope = fields_;
  for (const Member& each : made.members) scope.take(each.name);
  for (const std::string& each : kind->cases) made.cases.push_back({each, scope.add(each)});
}

/// The name of the member is that of the case with a number behind it; in tables fields may follow.
bool Struct::is_payload(const Member& member, const Case& of) {
  const std::string part = member.part.substr(0, member.part.find('.'));
  const auto end = part.rfind('_');
  return part.substr(0, end) == of.source && end != std::string::npos;
}

void Structs::enter(const Tensor& tensor) {
  if (tensor.enumeration.empty()) return;
  if (std::ranges::find(enumerations_, tensor.enumeration, &Enumeration::source) != enumerations_.end())
    return;
  enumerations_.push_back({tensor.enumeration, "", tensor.cases, {}, is_kind(tensor)});
}

void Structs::enter(const Member& member, bool given) {
  if (member.tensor != nullptr) return enter(*member.tensor);
  for (const Member& each : member.members) enter(each, given);
  auto found = std::ranges::find(all_, member.type, &Struct::source);
  const bool are_tables = member.members.back().tensor != nullptr && member.members.back().part == "root" &&
                          is_node(*member.members.back().tensor);
  if (found == all_.end())
    found = all_.insert(all_.end(), {member.type,
                                     "",
                                     member.members,
                                     false,
                                     false,
                                     {},
                                     are_tables ? member.type.substr(0, member.type.find('[')) : ""});
  else if (is_preferred(member.members, found->members))
    found->members = member.members;
  (given ? found->given : found->returned) = true;
}

bool Structs::is_known(const Member& member) const {
  if (member.tensor != nullptr) return true;
  return alike(find(member.type).members, member.members) &&
         std::ranges::all_of(member.members, [&](const Member& each) { return is_known(each); });
}

std::vector<Member> Structs::members_of(const Tensors& tensors, const Names& scope) const {
  std::vector<Member> members;
  for (const Member& each : grouped(tensors, 0))
    if (is_known(each))
      members.push_back(each);
    else
      flatten(each, members);
  name_members(members, scope);
  return members;
}

std::string Structs::enum_of(const Tensor& tensor) const {
  return tensor.extents.empty() && !is_node(tensor) ? enum_of_elements(tensor) : "";
}

std::string Structs::enum_of_elements(const Tensor& tensor) const {
  const auto found = std::ranges::find(enumerations_, tensor.enumeration, &Enumeration::source);
  return found != enumerations_.end() && found->cases == tensor.cases ? found->name : "";
}

const Struct& Structs::find(const std::string& source) const {
  return *std::ranges::find(all_, source, &Struct::source);
}

void Structs::name_members(std::vector<Member>& members, Names scope) const {
  for (Member& each : members) {
    each.name = scope.add(each.part);
    if (each.tensor != nullptr) {
      each.cpp_type = enum_of(*each.tensor);
      continue;
    }
    each.cpp_type = find(each.type).name;
    name_members(each.members, fields_);
  }
}

}  // namespace codegen::header
