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
    member.members = grouped(Tensors(first, end), depth + 1);
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

/// Whether the first is a form of a struct that the header rather has: of more of its tensors, or of the
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
  for (Struct& each : all_) each.name = scope.add(each.source, types_of);
  for (Enumeration& each : enumerations_) {
    each.name = scope.add(each.source);
    Names names;
    for (const std::string& written : each.cases) each.enumerators.push_back(names.add(written));
  }
  fields_ = scope;
  for (Struct& each : all_) name_members(each.members, fields_);
}

void Structs::enter(const Tensor& tensor) {
  if (tensor.enumeration.empty()) return;
  if (std::ranges::find(enumerations_, tensor.enumeration, &Enumeration::source) != enumerations_.end())
    return;
  enumerations_.push_back({tensor.enumeration, "", tensor.cases, {}});
}

void Structs::enter(const Member& member, bool given) {
  if (member.tensor != nullptr) return enter(*member.tensor);
  for (const Member& each : member.members) enter(each, given);
  auto found = std::ranges::find(all_, member.type, &Struct::source);
  if (found == all_.end())
    found = all_.insert(all_.end(), {member.type, "", member.members, false, false});
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

const Struct& Structs::find(const std::string& source) const {
  return *std::ranges::find(all_, source, &Struct::source);
}

void Structs::name_members(std::vector<Member>& members, Names scope) const {
  for (Member& each : members) {
    each.name = scope.add(each.part);
    if (each.tensor != nullptr) {
      const auto found = std::ranges::find(enumerations_, each.tensor->enumeration, &Enumeration::source);
      if (found != enumerations_.end() && found->cases == each.tensor->cases) each.cpp_type = found->name;
      continue;
    }
    each.cpp_type = find(each.type).name;
    name_members(each.members, fields_);
  }
}

}  // namespace codegen::header
