#include "codegen/header/members.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/header/comments.h"
#include "codegen/header/trees.h"

namespace codegen::header {
namespace {

bool is_initialized(MemberKind kind) { return kind != MemberKind::owned; }

/// The enum of the number of a case, the element type of another scalar, else a view or a tensor.
std::string type_of(const Member& member, MemberKind kind) {
  if (!member.cpp_type.empty()) return member.cpp_type;
  const Tensor& tensor = *member.tensor;
  if (is_scalar(tensor)) return cpp_type(tensor.type);
  return fmt::format("tel::{}<{}>",
                     kind == MemberKind::owned   ? "Tensor"
                     : kind == MemberKind::given ? "Input"
                                                 : "View",
                     view_arguments(tensor, kind == MemberKind::given));
}

/// `Line`, `LineOutputs` or `LineResult`.
std::string struct_name(const std::string& name, MemberKind kind) {
  return name + (kind == MemberKind::given ? "" : kind == MemberKind::returned ? "Outputs" : "Result");
}

std::string print_member(const Member& member, MemberKind kind, int indent) {
  const bool is_tensor = member.tensor != nullptr;
  const std::string shape = is_tensor ? shape_text(*member.tensor) : "";
  return fmt::format("{:{}}{} {}{};{}\n", "", indent,
                     is_tensor ? type_of(member, kind) : struct_name(member.cpp_type, kind), member.name,
                     is_initialized(kind) ? " = {}" : "", shape.empty() ? "" : "  ///< " + shape);
}

/// The head of the function that makes a value of a case, behind its type.
std::string head_of_case(const Struct& shown, const Struct::Case& made) {
  std::string parameters;
  for (const Member& each : shown.members)
    if (Struct::is_payload(each, made))
      parameters +=
          fmt::format("{}{} {}", parameters.empty() ? "" : ", ",
                      each.tensor != nullptr ? type_of(each, MemberKind::given) : each.cpp_type, each.name);
  return fmt::format("{}({})", made.name, parameters);
}

std::string print_struct(const Struct& shown, MemberKind kind) {
  std::string text = fmt::format("struct {} {{\n", struct_name(shown.name, kind));
  for (const Member& each : shown.members) text += print_member(each, kind, 2);
  if (kind == MemberKind::given && !shown.cases.empty()) {
    text += "\n  // A value of each case, whose views must live until the call is over.\n";
    for (const Struct::Case& each : shown.cases)
      text += fmt::format("  static {} {} noexcept;\n", shown.name, head_of_case(shown, each));
  }
  if (!shown.given || kind == MemberKind::given) return text + "};\n\n";
  std::string values;
  for (const Member& each : shown.members) values += (values.empty() ? "" : ", ") + each.name;
  return text + fmt::format(
                    "\n  /// As an input; it must live until the call is over.\n"
                    "  operator {}() const noexcept {{ return {{{}}}; }}\n}};\n\n",
                    shown.name, values);
}

/// A value for a member that the call ignores, for it is of the payload of another case.
std::string ignored(const Member& member) {
  if (member.tensor != nullptr)
    return is_scalar(*member.tensor)
               ? "{}"
               : fmt::format("detail::zeros<{}>()", view_arguments(*member.tensor, false));
  std::string values;
  for (const Member& each : member.members) values += (values.empty() ? "" : ", ") + ignored(each);
  return "{" + values + "}";
}

/// The functions that make values of the cases of an enum.
std::string define_cases(const Struct& shown, const Enumeration& numbers) {
  std::string text;
  for (std::size_t i = 0; i < shown.cases.size(); ++i) {
    const Struct::Case& made = shown.cases[i];
    std::string values = fmt::format("{}::{}", numbers.name, numbers.enumerators[i]);
    for (const Member& each : shown.members)
      if (&each != &shown.members.front())
        values += ", " + (Struct::is_payload(each, made) ? each.name : ignored(each));
    text += fmt::format("inline {0} {0}::{1} noexcept {{\n  return {{{2}}};\n}}\n", shown.name,
                        head_of_case(shown, made), values);
  }
  return text + "\n";
}

std::string define_all_cases(const Structs& structs) {
  std::string text;
  for (const Struct& each : structs.all()) {
    if (!each.given || each.cases.empty()) continue;
    if (text.empty())
      text =
          "namespace detail {\n\n"
          "/// A view of zeros, for the payload of a case that a value does not have.\n"
          "template <class T, std::size_t... Extents>\n"
          "tel::View<const T, Extents...> zeros() noexcept {\n"
          "  static T elements[(Extents * ... * 1)]{};\n"
          "  return {static_cast<const T*>(elements)};\n}\n\n"
          "}  // namespace detail\n\n";
    const std::string& enumeration = each.members.front().tensor->enumeration;
    text += define_cases(each, *std::ranges::find(structs.enumerations(), enumeration, &Enumeration::source));
  }
  return text;
}

/// Says what a struct of the header is.
std::string describe(const Struct& shown, MemberKind kind) {
  const bool given = kind == MemberKind::given;
  if (shown.cases.empty())
    return fmt::format("/// The struct `{}` of the network{}\n", shown.source,
                       given ? ", for inputs. Every view must be set." : " in results, as views.");
  return fmt::format("/// The enum `{}` of the network{}\n", shown.source,
                     given ? ", for inputs. Every view must be set; those of other cases than\n"
                             "/// `kind` are ignored."
                           : " in results, as views. What is of other cases than\n/// `kind` is 0.");
}

}  // namespace

std::string print_members(const Entry& entry, const std::vector<Member>& members, MemberKind kind,
                          int indent) {
  std::string text;
  for (const Member& each : members) {
    const Tensor& first = each.first();
    if (kind == MemberKind::given &&
        entry.inputs[each.tensor != nullptr ? each.index : 0].role == Input::Role::dimension)
      text +=
          fmt::format("  std::size_t {} = 0;  ///< {}\n", each.name, one_line(dimension_comment(first.doc)));
    else
      text += doc_comment(first.doc, indent) + print_member(each, kind, indent);
  }
  return text;
}

std::string declare_structs(const Structs& structs) {
  std::string text;
  for (const Enumeration& each : structs.enumerations())
    text += fmt::format("/// The {} `{}` of the network.\nenum class {} : std::int32_t {{ {} }};\n\n",
                        each.payloads ? "cases of the enum" : "enum", each.source, each.name,
                        fmt::join(each.enumerators, ", "));
  for (const Struct& each : structs.all()) {
    if (!each.tables_of.empty()) {
      text += print_tables(structs, each);
      continue;
    }
    if (each.given) text += describe(each, MemberKind::given) + print_struct(each, MemberKind::given);
    if (each.returned)
      text += describe(each, MemberKind::returned) + print_struct(each, MemberKind::returned) +
              fmt::format("/// The same in tensors that own their memory.\nstruct {};\n\n",
                          struct_name(each.name, MemberKind::owned));
  }
  return text + declare_node_classes(structs);
}

std::string define_structs(const Structs& structs) {
  std::string text = define_all_cases(structs) + define_node_classes(structs);
  for (const Struct& each : structs.all())
    if (each.returned) text += print_struct(each, MemberKind::owned);
  return text;
}

std::string input_list(const EntryNames& names) {
  std::string text;
  const auto list = [&](const std::vector<Member>& members, const char* before) {
    for (const Member& each : members) {
      const Tensor& first = each.first();
      const std::string what = each.cpp_type.empty() ? shape_text(first) : each.cpp_type;
      text += fmt::format("- `inputs.{}{}`{}{}", before, each.name, what.empty() ? "" : " ", what);
      text += (first.doc.empty() ? "" : ": " + one_line(first.doc)) + "\n";
    }
  };
  list(names.input_members, "");
  list(names.cotangent_members, "cotangent.");
  return text;
}

}  // namespace codegen::header
