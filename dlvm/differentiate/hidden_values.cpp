#include "dlvm/differentiate/hidden_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/lasting_memory.h"
#include "dlvm/analysis/parameter_memory.h"
#include "dlvm/ir/derived_names.h"

namespace dlvm {
namespace {

bool has_floats(const Type& type, std::unordered_set<const TypeDeclaration*>& seen) {
  if (type.is_tensor()) return is_floating(type.element());
  const auto inside = [&](const Type& part) { return has_floats(part, seen); };
  if (!type.is_structure() && !type.is_enumeration()) return std::ranges::any_of(type.parts(), inside);
  return seen.insert(&type.declaration()).second &&
         std::ranges::any_of(type.declaration().members,
                             [&](const auto& member) { return std::ranges::any_of(member.types, inside); });
}

/// The part of the type that hides floating-point values.
std::optional<Type> hiding_part(const Type& type) {
  if (type.is_enumeration() || type.is_pointer() || type.is_box()) {
    std::unordered_set<const TypeDeclaration*> seen;
    return has_floats(type, seen) ? std::optional(type) : std::nullopt;
  }
  if (type.is_aggregate())
    for (std::size_t i = 0; i < type.component_count(); ++i)
      if (auto part = hiding_part(type.component(i))) return part;
  return std::nullopt;
}

/// Says which variable of the module the function gives away; empty where there is none.
std::string variable_given_away(const Function& function) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      for (Value* operand : instruction->operands()) {
        const Literal* literal = as_literal(operand);
        if (literal == nullptr || literal->global() == nullptr || !hiding_part(literal->type())) continue;
        if (const std::string why = why_it_lasts(*operand); !why.empty())
          return fmt::format("@{} has the variable @{}{} through which no derivative is known",
                             name_in_messages(function.name()), literal->global()->name, why);
      }
  return "";
}

std::string hidden_in(const Function& function) {
  if (std::string found = variable_given_away(function); !found.empty()) return found;
  const std::string_view name = name_in_messages(function.name());
  const auto reason = [&](Value& value) -> std::string {
    const auto part = hiding_part(value.type());
    Argument* parameter = parameter_of(value);
    if (!part || (parameter != nullptr && leads_to_constants(*parameter))) return "";
    if (parameter != nullptr)
      if (const std::string why = why_not_copied(function, *parameter); !why.empty())
        return fmt::format("@{} has the parameter %{}, {}, through which no derivative is known", name,
                           parameter->name(), why);
    Instruction* allocation = as_instruction(&value);
    const std::string why = allocation == nullptr ? "" : why_it_lasts(*allocation);
    if (!why.empty())
      return fmt::format("@{} has the memory {}{} through which no derivative is known", name,
                         value.name().empty() ? "of type " + part->text() : "%" + value.name(), why);
    return fmt::format("@{} works on values of type {}, through which no derivative is known", name,
                       part->text());
  };
  for (const auto& block : function.blocks()) {
    for (const auto& argument : block->arguments())
      if (std::string found = reason(*argument); !found.empty()) return found;
    for (const auto& instruction : block->instructions()) {
      if (instruction->opcode() == Opcode::branchEnum)
        return fmt::format("@{} branches by the case of {}, through which no derivative is known", name,
                           instruction->operand(0)->type().text());
      if (std::string found = reason(*instruction); !found.empty()) return found;
      for (Value* operand : instruction->operands())
        if (std::string found = reason(*operand); !found.empty()) return found;
    }
  }
  return "";
}

}  // namespace

std::string hidden_values(const Function& function) {
  std::unordered_set<const Function*> seen{&function};
  std::vector<const Function*> open{&function};
  while (!open.empty()) {
    const Function* next = open.back();
    open.pop_back();
    if (std::string found = hidden_in(*next); !found.empty()) return found;
    for (const Function* other : references(*next))
      if (seen.insert(other).second) open.push_back(other);
  }
  return "";
}

}  // namespace dlvm
