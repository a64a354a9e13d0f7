#include "codegen/header/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codegen/header/comments.h"
#include "codegen/header/model.h"

namespace codegen::header {
namespace {

bool is_number(const std::string& part) {
  return !part.empty() &&
         std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_name(const std::string& part) {
  return !part.empty() && !std::isdigit(static_cast<unsigned char>(part[0])) &&
         std::all_of(part.begin(), part.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts{""};
  for (const char c : name)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// The struct of that part, which is added unless it is the last member: the tensors of a net follow each
/// other.
Field& struct_of(std::vector<Field>& fields, const std::string& part) {
  if (fields.empty() || fields.back().tensor || fields.back().part != part)
    fields.push_back({part, "", std::nullopt, {}, false});
  return fields.back();
}

/// The same members with the same types, so that both can be elements of one array.
bool alike(const Field& a, const Field& b, const Store& store) {
  if (a.tensor.has_value() != b.tensor.has_value() || a.array != b.array ||
      a.members.size() != b.members.size())
    return false;
  if (a.tensor)
    return view_arguments(store.tensors[*a.tensor].tensor, false) ==
           view_arguments(store.tensors[*b.tensor].tensor, false);
  for (std::size_t i = 0; i < a.members.size(); ++i)
    if (a.members[i].part != b.members[i].part || !alike(a.members[i], b.members[i], store)) return false;
  return true;
}

/// Marks the arrays. Returns false if there is a part that can be no member.
bool find_arrays(Field& field, const Store& store) {
  if (field.tensor) return true;
  field.array = is_number(field.members.front().part);
  for (std::size_t i = 0; i < field.members.size(); ++i) {
    Field& each = field.members[i];
    if (field.array ? each.part != std::to_string(i) || each.tensor : !is_name(each.part)) return false;
    if (!find_arrays(each, store)) return false;
    if (field.array && !alike(field.members.front(), each, store)) return false;
  }
  return true;
}

void name_members(Field& field) {
  interface::Names scope;
  for (Field& each : field.members) {
    if (!field.array) each.name = scope.add(each.part);
    name_members(each);
  }
}

void flatten(const Field& field, const std::string& before, std::vector<Field>& fields) {
  const std::string name = before.empty() ? field.part : before + "." + field.part;
  if (field.tensor) fields.push_back({name, "", field.tensor, {}, false, field.cpp_enum});
  for (const Field& each : field.members) flatten(each, name, fields);
}

/// The type of the elements: the enum of the number of a case, or that of the tensor.
std::string element_type(const Field& field, const Tensor& tensor) {
  return field.cpp_enum.empty() ? cpp_type(tensor.type) : field.cpp_enum;
}

std::string field_type(const Field& field, const Tensor& tensor) {
  return fmt::format("tel::Field<{}>",
                     field.cpp_enum.empty() ? view_arguments(tensor, false) : field.cpp_enum);
}

/// The declarations of the members of a struct, without initial values.
std::string declare(const std::vector<Field>& members, const Store& store, std::size_t indent) {
  std::string text;
  for (const Field& each : members) {
    if (each.tensor) {
      const Tensor& tensor = store.tensors[*each.tensor].tensor;
      text += doc_comment(tensor.doc, static_cast<int>(indent));
      text += fmt::format("{:{}}{} {};\n", "", indent, field_type(each, tensor), each.name);
      continue;
    }
    const Field& shown = each.array ? each.members.front() : each;
    text += fmt::format("{:{}}struct {{\n{}{:{}}}} {}", "", indent, declare(shown.members, store, indent + 2),
                        "", indent, each.name);
    text += each.array ? fmt::format("[{}];\n", each.members.size()) : ";\n";
  }
  return text;
}

std::string initial(const Field& field, const Store& store) {
  if (field.tensor) {
    const auto& stored = store.tensors[*field.tensor];
    return fmt::format("{}{{at<{}>({})}}", field_type(field, stored.tensor),
                       element_type(field, stored.tensor), stored.offset);
  }
  std::string text;
  for (const Field& each : field.members) text += (text.empty() ? "" : ", ") + initial(each, store);
  return "{" + text + "}";
}

void list(const Field& field, const std::string& path, const Store& store, std::string& text) {
  if (!field.tensor) {
    for (std::size_t i = 0; i < field.members.size(); ++i)
      list(field.members[i], path + (field.array ? fmt::format("[{}]", i) : "." + field.members[i].name),
           store, text);
    return;
  }
  const Tensor& tensor = store.tensors[*field.tensor].tensor;
  text += fmt::format("\n- `{}` {}{}", path, element_type(field, tensor),
                      tensor.extents.empty() ? "" : " " + shape_text(tensor));
  if (!tensor.doc.empty()) text += ": " + one_line(tensor.doc);
}

}  // namespace

std::vector<Field> fields_of(const interface::Store& store, const Structs& structs, interface::Names scope) {
  std::vector<Field> tree, fields;
  for (std::size_t i = 0; i < store.tensors.size(); ++i) {
    const auto parts = parts_of(store.tensors[i].tensor.name);
    std::vector<Field>* level = &tree;
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) level = &struct_of(*level, parts[k]).members;
    level->push_back({parts.back(), "", i, {}, false, structs.enum_of(store.tensors[i].tensor)});
  }
  for (Field& each : tree) {
    if (each.tensor || (is_name(each.part) && find_arrays(each, store)))
      fields.push_back(std::move(each));
    else
      flatten(each, "", fields);
  }
  for (Field& each : fields) {
    each.name = scope.add(each.part);
    name_members(each);
  }
  return fields;
}

std::string print_fields(const std::vector<Field>& fields, const interface::Store& store) {
  std::string text;
  for (const Field& each : fields) {
    if (each.tensor) {
      const auto& stored = store.tensors[*each.tensor];
      text += doc_comment(stored.tensor.doc, 2);
      text += fmt::format("  {} {}{{at<{}>({})}};\n", field_type(each, stored.tensor), each.name,
                          element_type(each, stored.tensor), stored.offset);
      continue;
    }
    std::string declared = declare({each}, store, 2);
    declared.resize(declared.size() - 2);  // the `;` and the end of the line
    text += declared + "{";
    for (std::size_t i = 0; i < each.members.size(); ++i)
      text += (i > 0 ? ",\n      " : "\n      ") + initial(each.members[i], store);
    text += "};\n";
  }
  return text + "\n";
}

std::string list_fields(const std::vector<Field>& fields, const interface::Store& store) {
  std::string text;
  for (const Field& each : fields) list(each, each.name, store, text);
  return text;
}

}  // namespace codegen::header
