// Defines the type rules of control flow and of calls.
#include "dlvm/ir/function.h"
#include "dlvm/ir/type_rules/parts.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm::type_rules {

TYPE_RULE(end) { return Type(); }

TYPE_RULE(conditional) {
  if (s.operands[0].is_scalar(ElementType::boolean)) return Type();
  return fail(why, fmt::format("the condition is {}, not bool; where it holds for a tensor, reduce it by "
                               "and or or",
                               s.operands[0].text()));
}

TYPE_RULE(branch_enum) {
  const Type& value = s.operands[0];
  if (!value.is_enumeration()) return fail(why, value.text() + " is not an enum");
  const auto& members = value.declaration().members;
  std::vector<bool> named(members.size());
  for (const std::int64_t at : integers(s, 0)) {
    if (at < 0 || at >= static_cast<std::int64_t>(members.size()))
      return fail(why, "no such case in " + value.text());
    const auto i = static_cast<std::size_t>(at);
    if (named[i]) return fail(why, fmt::format("the case ?{} is named twice", members[i].name));
    named[i] = true;
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    if (!named[i])
      return fail(why, fmt::format("the case ?{} of {} is missing", members[i].name, value.text()));
  return Type();
}

namespace {

/// The call of a value, which is the first operand.
std::optional<Type> apply_value(const Signature& s, std::string& why) {
  if (s.operands.empty() || s.operands[0].kind() != Type::Kind::function)
    return fail(why, "calls no function");
  const Type& type = s.operands[0];
  const auto arguments = s.operands.subspan(1);
  if (type.parameters().size() != arguments.size())
    return fail(why, fmt::format("a {} takes {} arguments, not {}", type.text(), type.parameters().size(),
                                 arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!(type.parameters()[i] == arguments[i]))
      return fail(
          why, fmt::format("argument {} is {}, not {}", i, arguments[i].text(), type.parameters()[i].text()));
  return type.result();
}

}  // namespace

TYPE_RULE(apply) {
  const Function* callee = std::get<const Function*>(s.attributes[0]);
  if (callee == nullptr) return apply_value(s, why);
  const Type& type = callee->type();
  if (type.parameters().size() != s.operands.size())
    return fail(why, fmt::format("@{} takes {} arguments, not {}", callee->name(), type.parameters().size(),
                                 s.operands.size()));
  Extent::Substitution substitution;
  if (const std::size_t i = unify_lists(type.parameters(), s.operands, substitution); i < s.operands.size())
    return fail(why, fmt::format("argument {} of @{} is {}, not {}", i, callee->name(),
                                 type.parameters()[i].substitute(substitution).text(), s.operands[i].text()));
  return type.result().substitute(substitution);
}

}  // namespace dlvm::type_rules
