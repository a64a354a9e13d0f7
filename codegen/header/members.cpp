#include "codegen/header/members.h"

#include <fmt/format.h>

#include "codegen/header/comments.h"

namespace codegen::header {
namespace {

bool is_initialized(MemberKind kind) { return kind != MemberKind::owned; }

/// The enum of the number of a case, the element type of another scalar, else a view or a tensor.
std::string type_of(const Member& member, MemberKind kind) {
  if (!member.cpp_type.empty()) return member.cpp_type;
  const Tensor& tensor = *member.tensor;
  if (is_scalar(tensor)) return cpp_type(tensor.type);
  return fmt::format("tel::{}<{}>", kind == MemberKind::owned ? "Tensor" : "View",
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

std::string print_struct(const Struct& shown, MemberKind kind) {
  std::string text = fmt::format("struct {} {{\n", struct_name(shown.name, kind));
  for (const Member& each : shown.members) text += print_member(each, kind, 2);
  if (!shown.given || kind == MemberKind::given) return text + "};\n\n";
  std::string values;
  for (const Member& each : shown.members) values += (values.empty() ? "" : ", ") + each.name;
  return text + fmt::format(
                    "\n  /// As an input; it must live until the call is over.\n"
                    "  operator {}() const noexcept {{ return {{{}}}; }}\n}};\n\n",
                    shown.name, values);
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
    text += fmt::format("/// The enum `{}` of the network.\nenum class {} : std::int32_t {{ {} }};\n\n",
                        each.source, each.name, fmt::join(each.enumerators, ", "));
  for (const Struct& each : structs.all()) {
    if (each.given)
      text += fmt::format("/// The struct `{}` of the network, for inputs. Every view must be set.\n",
                          each.source) +
              print_struct(each, MemberKind::given);
    if (each.returned)
      text += fmt::format("/// The struct `{}` of the network in results, as views.\n", each.source) +
              print_struct(each, MemberKind::returned) +
              fmt::format("/// The same in tensors that own their memory.\nstruct {};\n\n",
                          struct_name(each.name, MemberKind::owned));
  }
  return text;
}

std::string define_structs(const Structs& structs) {
  std::string text;
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
