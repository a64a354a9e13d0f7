#include <fmt/format.h>

#include <algorithm>

#include "dlvm/ir/instruction_views.h"
#include "dlvm/text/print_parts.h"

namespace dlvm::printing {
namespace {

/// The member of a declared type at the position; what the verifier refuses is printed as well.
std::string member_name(const Type& type, std::int64_t at) {
  const bool declared = type.is_structure() || type.is_enumeration();
  if (!declared || at < 0 || at >= static_cast<std::int64_t>(type.declaration().members.size()))
    return number(at);
  return type.declaration().members[static_cast<std::size_t>(at)].name;
}

class InstructionPrinter {
 public:
  InstructionPrinter(const Instruction& instruction, const BodyNames& names, const Numbering& numbers)
      : instruction_(instruction), names_(names), numbers_(numbers) {}

  std::string text() {
    if (gives_value(instruction_.definition())) out_ = std::string(names_.of(instruction_)) + " = ";
    out_ += instruction_.definition().name;
    if (const auto value = as<FunctionValue>(instruction_); value && instruction_.attributes().size() > 2)
      out_ += fmt::format(" {}: {}", attribute_text(instruction_.attributes()[2], Clause::none),
                          numbered(instruction_.type(), numbers_).text());
    else if (instruction_.opcode() == Opcode::literal)
      out_ += " " + composite();
    else if (instruction_.opcode() == Opcode::apply)
      out_ += call();
    else
      for (const Part& part : instruction_.definition().parts) add(part);
    for (const Location& location : instruction_.locations()) out_ += location_text(location);
    return std::move(out_);
  }

 private:
  /// A call with its result's type, or, where it was written so, with its arguments' types as well.
  std::string call() {
    const std::string result = " -> " + numbered(instruction_.type(), numbers_).text();
    const bool names_value = as<ApplyValue>(instruction_) && !instruction_.operands().empty();
    const std::string callee = names_value ? std::string(names_.of(*instruction_.operand(0)))
                                           : attribute_text(instruction_.attributes()[0], Clause::none);
    next_operand_ = names_value ? 1 : 0;
    const auto arguments = std::span(instruction_.operands()).subspan(next_operand_);
    std::string types;
    if (instruction_.attributes().size() > 1)
      types = ": (" +
              joined(arguments, ", ",
                     [&](const Value* operand) { return numbered(operand->type(), numbers_).text(); }) +
              ")";
    return fmt::format(" {}({}){}{}", callee, uses(arguments.size()), types, result);
  }

  std::string composite() {
    const Type& type = instruction_.type();
    const std::size_t count = instruction_.operands().size();
    if (as<NamedConstant>(instruction_)) return uses(count);
    const std::string behind = ": " + numbered(type, numbers_).text();
    if (type.is_tensor()) return "<" + uses(count) + ">" + behind;
    if (type.is_tuple()) return "(" + uses(count) + ")" + behind;
    if (type.kind() == Type::Kind::array) return "[" + uses(count) + "]" + behind;
    if (type.is_structure()) {
      std::string fields;
      for (std::size_t i = 0; i < count; ++i)
        fields += fmt::format("{}#{} = {}", fields.empty() ? "" : ", ",
                              member_name(type, static_cast<std::int64_t>(i)), uses(1));
      return "{" + fields + "}" + behind;
    }
    next_attribute_ = 1;
    const Integers at = positions();
    return fmt::format("?{}({}){}", at.empty() ? "" : member_name(type, at[0]), uses(count), behind);
  }

  /// The next attribute as a list; empty where it is none.
  Integers positions() {
    if (next_attribute_ >= instruction_.attributes().size()) return {};
    const auto* list = std::get_if<Integers>(&instruction_.attributes()[next_attribute_++]);
    return list == nullptr ? Integers() : *list;
  }

  std::string cases() {
    std::string out;
    const Integers cases = positions();
    for (std::size_t i = 0; i < std::min(cases.size(), instruction_.successors().size()); ++i)
      out += fmt::format("{}?{} {}", i == 0 ? "" : " case ",
                         member_name(instruction_.operand(0)->type(), cases[i]),
                         names_.of(instruction_.successors()[i].block));
    return out;
  }

  /// The path into the aggregate or what the pointer points to; a position in a struct is written as its
  /// field.
  std::string path() {
    if (instruction_.operands().empty()) return "";
    Type type = instruction_.operands().back()->type();  // of an extract or an insert
    if (instruction_.opcode() == Opcode::elementPointer) {
      const Type& pointer = instruction_.operand(0)->type();
      type = pointer.is_pointer() ? pointer.pointee() : Type();
    }
    return joined(positions(), ", ", [&](std::int64_t at) {
      const bool given = at == position_of_value && next_operand_ < instruction_.operands().size();
      std::string text = given ? uses(1) : (type.is_structure() ? "#" : "") + member_name(type, at);
      if (auto inner = component_type(type, at)) type = std::move(*inner);
      return text;
    });
  }

  void add(const Part& part) {
    const std::string text = part.kind == PartKind::successor ? successor_part()
                             : part.kind == PartKind::cases   ? cases()
                             : part.kind == PartKind::path    ? path()
                             : is_operand(part.kind)          ? operand_part(part)
                                                              : attribute_part(part);
    if (text.empty()) return;
    if (part.kind == PartKind::result_type)
      out_ += ": ";
    else if (part.clause != Clause::none)
      out_ += fmt::format(" {} ", word(part.clause));
    else
      out_ += some_ ? ", " : " ";
    some_ = true;
    out_ += text;
  }

  std::string attribute_part(const Part& part) {
    return next_attribute_ < instruction_.attributes().size()
               ? attribute_text(instruction_.attributes()[next_attribute_++], part.clause, numbers_)
               : "";
  }

  std::string operand_part(const Part& part) {
    const std::size_t left = instruction_.own_operands().size() - next_operand_;
    if (part.kind == PartKind::operands) {
      // All but what the operands behind this part take.
      std::size_t behind = 0;
      for (const Part& other : instruction_.definition().parts)
        if (&other > &part && other.kind == PartKind::operand && !other.optional) ++behind;
      return uses(left > behind ? left - behind : 0);
    }
    return uses(left > 0 ? 1 : 0);
  }

  std::string successor_part() {
    if (next_successor_ == instruction_.successors().size()) return "";
    const Successor& successor = instruction_.successors()[next_successor_++];
    return fmt::format("{}({})", names_.of(successor.block), uses(successor.passed));
  }

  std::string uses(std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ", ";
      const Value& value = *instruction_.operand(next_operand_++);
      const Literal* literal = as_literal(&value);
      out += literal != nullptr
                 ? literal_text(*literal, numbers_)
                 : fmt::format("{}: {}", names_.of(value), numbered(value.type(), numbers_).text());
    }
    return out;
  }

  const Instruction& instruction_;
  const BodyNames& names_;
  const Numbering& numbers_;
  std::string out_;
  std::size_t next_operand_ = 0, next_attribute_ = 0, next_successor_ = 0;
  bool some_ = false;
};

}  // namespace

std::string instruction_text(const Instruction& instruction, const BodyNames& names,
                             const Numbering& numbers) {
  return InstructionPrinter(instruction, names, numbers).text();
}

}  // namespace dlvm::printing
