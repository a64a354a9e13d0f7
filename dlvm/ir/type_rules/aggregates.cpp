// Defines the type rules of the instructions that make aggregates and take them apart.
#include "dlvm/ir/function.h"
#include "dlvm/ir/type_rules/parts.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm::type_rules {
namespace {

/// Whether the operands have the types of what is to be made of them.
bool are_components(const Signature& s, const std::vector<Type>& types, std::string_view what,
                    std::string& why) {
  if (s.operands.size() != types.size()) {
    why = fmt::format("{} values for the {} of {}", s.operands.size(), types.size(), what);
    return false;
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!(s.operands[i] == types[i])) {
      why = fmt::format("component {} of {} is {}, not {}", i, what, types[i].text(), s.operands[i].text());
      return false;
    }
  return true;
}

/// Whether the operands have the type of the tensor's elements along its first axis, and are as many.
bool are_elements(const Signature& s, const Type& tensor, std::string& why) {
  if (tensor.rank() == 0) return are_components(s, {tensor}, tensor.text(), why);
  const Shape row(tensor.shape().begin() + 1, tensor.shape().end());
  const auto extent = tensor.shape()[0].constant();
  if (!extent || *extent != static_cast<std::int64_t>(s.operands.size()) || s.operands.empty()) {
    why = fmt::format("{} values for the elements of {}", s.operands.size(), tensor.text());
    return false;
  }
  return are_components(s, std::vector(s.operands.size(), tensor.with_shape(row)), tensor.text(), why);
}

/// The type of the only component that the path names.
std::optional<Type> component_at(const Type& aggregate, const Integers& path, std::string& why) {
  if (!aggregate.is_aggregate()) return fail(why, aggregate.text() + " is not a tuple, struct or array");
  if (path.size() != 1 || path[0] < 0) return fail(why, "takes one position");
  auto component = component_type(aggregate, path[0]);
  if (!component) why = "no such element in " + aggregate.text();
  return component;
}

/// The type of the tensor's elements along its first axis, which has a constant extent.
std::optional<Type> row_at(const Type& tensor, const Integers& path, std::string& why) {
  if (path.size() != 1 || path[0] < 0) return fail(why, "takes one position");
  const auto extent = tensor.shape()[0].constant();
  if (!extent) return fail(why, fmt::format("the extent {} is not a constant", tensor.shape()[0].text()));
  if (path[0] >= *extent) return fail(why, "no such element in " + tensor.text());
  return tensor.with_shape(Shape(tensor.shape().begin() + 1, tensor.shape().end()));
}

/// Whether the function can be called as one of that type, for some extents of its dimensions.
bool has_type(const Function& function, const Type& type) {
  const std::vector<Type>& parameters = function.type().parameters();
  Extent::Substitution dimensions;
  if (parameters.size() != type.parameters().size()) return false;
  if (unify_lists(parameters, type.parameters(), dimensions) < parameters.size()) return false;
  return function.type().result().substitute(dimensions) == type.result();
}

}  // namespace

TYPE_RULE(literal) {
  if (std::holds_alternative<std::monostate>(s.attributes[0])) {
    if (!std::holds_alternative<std::monostate>(s.attributes[1])) return fail(why, "a case without an enum");
    std::vector<Type> elements(s.operands.begin(), s.operands.end());
    return Type::tuple(std::move(elements));
  }
  const Type& type = std::get<Type>(s.attributes[0]);
  if (type.kind() == Type::Kind::function) {
    const auto* function = s.attributes.size() > 2 ? std::get_if<const Function*>(&s.attributes[2]) : nullptr;
    if (function == nullptr || !s.operands.empty()) return fail(why, "a function value is a function");
    if (has_type(**function, type)) return type;
    return fail(
        why, fmt::format("@{} is {}, not {}", (*function)->name(), (*function)->type().text(), type.text()));
  }
  if (type.is_tensor()) {
    const bool names_constant = s.operands.size() == 1 && s.operands[0] == type;
    if (!names_constant && !are_elements(s, type, why)) return std::nullopt;
    return type;
  }
  if (type.kind() == Type::Kind::array || type.is_structure()) {
    if (!are_components(s, type.components(), type.text(), why)) return std::nullopt;
    return type;
  }
  const auto* at = std::get_if<Integers>(&s.attributes[1]);
  if (!type.is_enumeration() || at == nullptr || at->size() != 1)
    return fail(why, type.text() + " is not made of values");
  const auto& members = type.declaration().members;
  if ((*at)[0] < 0 || (*at)[0] >= static_cast<std::int64_t>(members.size()))
    return fail(why, "no such case in " + type.text());
  const auto& member = members[static_cast<std::size_t>((*at)[0])];
  if (!are_components(s, member.types, fmt::format("?{} of {}", member.name, type.text()), why))
    return std::nullopt;
  return type;
}

TYPE_RULE(extract) {
  const Type& whole = s.operands[0];
  if (whole.is_tensor() && whole.rank() > 0) return row_at(whole, integers(s, 0), why);
  return component_at(whole, integers(s, 0), why);
}

TYPE_RULE(insert) {
  const auto component = component_at(s.operands[1], integers(s, 0), why);
  if (!component || !same(*component, s.operands[0], why)) return std::nullopt;
  return s.operands[1];
}

}  // namespace dlvm::type_rules
