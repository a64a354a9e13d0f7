// Defines the type rules of memory and of stacks.
#include "dlvm/ir/type_rules/parts.h"

namespace dlvm::type_rules {
namespace {

/// Whether the count of an allocation or a copy is an integer.
bool is_count(const Type& type, std::string& why) {
  if (type.is_scalar() && is_integer(type.element())) return true;
  why = fmt::format("the count is {}, not an integer", type.text());
  return false;
}

bool is_pointer(const Type& type, std::string& why) {
  if (!type.is_pointer()) why = type.text() + " is not a pointer";
  return type.is_pointer();
}

bool has_values(const Type& type, std::string& why) {
  const bool values = type.kind() != Type::Kind::function && type.kind() != Type::Kind::opaque;
  if (!values) why = fmt::format("{} has no values that memory holds", type.text());
  return values;
}

}  // namespace

TYPE_RULE(allocate_stack) {
  const Type& type = std::get<Type>(s.attributes[0]);
  const Shape& count = extents(s, 1);
  if (!has_values(type, why)) return std::nullopt;
  if (count.size() != 1 || count[0].constant().value_or(0) < 0)
    return fail(why, "takes one count, which is not negative");
  return Type::pointer(type);
}

TYPE_RULE(allocate_heap) {
  const Type& type = std::get<Type>(s.attributes[0]);
  if (!has_values(type, why) || !is_count(s.operands[0], why)) return std::nullopt;
  return Type::pointer(type);
}

TYPE_RULE(allocate_box) {
  const Type& type = std::get<Type>(s.attributes[0]);
  if (!has_values(type, why)) return std::nullopt;
  return Type::box(type);
}

TYPE_RULE(project_box) {
  if (!s.operands[0].is_box()) return fail(why, s.operands[0].text() + " is not a box");
  return Type::pointer(s.operands[0].pointee());
}

TYPE_RULE(box_references) {
  if (!s.operands[0].is_box()) return fail(why, s.operands[0].text() + " is not a box");
  return Type();
}

TYPE_RULE(deallocate) {
  if (!is_pointer(s.operands[0], why)) return std::nullopt;
  return Type();
}

TYPE_RULE(load) {
  if (!is_pointer(s.operands[0], why) || !has_values(s.operands[0].pointee(), why)) return std::nullopt;
  return s.operands[0].pointee();
}

TYPE_RULE(store) {
  if (!is_pointer(s.operands[1], why) || !same(s.operands[1].pointee(), s.operands[0], why))
    return std::nullopt;
  return Type();
}

TYPE_RULE(element_pointer) {
  if (!is_pointer(s.operands[0], why)) return std::nullopt;
  const auto is_position = [&](const Type& index) {
    if (index.is_scalar() && is_integer(index.element())) return true;
    why = fmt::format("a position of type {}", index.text());
    return false;
  };
  Type type = s.operands[0].pointee();
  std::size_t next = 1;
  for (const std::int64_t at : integers(s, 0)) {
    if (at == position_of_value) {
      if (next >= s.operands.size()) return fail(why, "a position is missing");
      if (!is_position(s.operands[next++])) return std::nullopt;
    }
    const auto component = component_type(type, at);
    if (!component) return fail(why, "no such component in " + type.text());
    type = *component;
  }
  if (next == s.operands.size() && integers(s, 0).empty()) return fail(why, "lacks 'at' or 'from'");
  if (next < s.operands.size()) {
    if (!is_position(s.operands[next])) return std::nullopt;
    ++next;
  }
  if (next != s.operands.size()) return fail(why, "more positions than the path has");
  return Type::pointer(type);
}

TYPE_RULE(copy) {
  if (!is_pointer(s.operands[0], why) || !same(s.operands[0], s.operands[1], why) ||
      !is_count(s.operands[2], why))
    return std::nullopt;
  return Type();
}

TYPE_RULE(create_stack) {
  const auto* capacity = std::get_if<Shape>(&s.attributes[0]);
  if (capacity != nullptr && capacity->size() != 1) return fail(why, "takes one count");
  const auto* below = std::get_if<Integers>(&s.attributes[1]);
  if (below != nullptr && *below != Integers{0}) return fail(why, "begins with nothing but 'init 0'");
  return Type::stack();
}

TYPE_RULE(stack_change) {
  const Type& stack = s.operands.back();
  if (!stack.is_stack()) return fail(why, stack.text() + " is not a stack");
  return Type();
}

TYPE_RULE(pop) {
  if (!s.operands[0].is_stack()) return fail(why, s.operands[0].text() + " is not a stack");
  return std::get<Type>(s.attributes[0]);
}

}  // namespace dlvm::type_rules
