// Positions in values and in memory: `extract`, `insert`, and the path of `elementPointer`.
#include <utility>

#include "dlvm/analysis/type_parts.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {
namespace {

/// Whether the run gives the position: `%i: i32`, `0: i32`.
bool is_value(const Grammar::ArgumentContext& tree) {
  auto& argument = const_cast<Grammar::ArgumentContext&>(tree);
  return argument.VALUE() != nullptr || (argument.KEY() == nullptr && argument.type() != nullptr);
}

/// Whether the components of the array are functions, or have some in them.
bool holds_functions(const Type& array) {
  const auto is_function = [](const Type& part) { return part.kind() == Type::Kind::function; };
  return array.component_count() > 0 && any_part_of(array.component(0), is_function);
}

}  // namespace

std::optional<std::int64_t> BodyReader::position(Grammar::ArgumentContext& tree, const Type& type,
                                                 const Parts& parts) {
  if (tree.KEY() != nullptr) {
    const Token& key = token(tree.KEY());
    const auto found = type.is_structure() ? type.declaration().find(name(key)) : std::nullopt;
    if (found) return static_cast<std::int64_t>(*found);
    bad(parts, key.location, fmt::format("{} has no field {}", type.text(), key.text));
    return std::nullopt;
  }
  const bool number = tree.shape() != nullptr && tree.type() == nullptr && tree.shape()->extent().size() == 1;
  const auto extent = number ? this->extent(*tree.shape()->extent(0)) : std::nullopt;
  if (!extent || !extent->constant() || *extent->constant() < 0) {
    bad(parts, span(tree), "takes the number of a component or a field, as in '0' or '#w'");
    return std::nullopt;
  }
  return extent->constant();
}

Value* BodyReader::component(Value* aggregate, std::int64_t position, Location location) {
  const Type& type = aggregate->type();
  if (!type.is_tensor() || type.rank() == 0 || type.shape()[0].constant())
    return create(Opcode::extract, {aggregate}, {Integers{position}}, location);
  Shape first(type.rank(), Extent(0)), end = type.shape();
  first[0] = position;
  end[0] = Extent(position) + 1;
  Value* row = create(Opcode::slice, {aggregate}, {first, end, Attribute()}, location);
  return row == nullptr ? nullptr : create(Opcode::squeezeShape, {row}, {Integers{0}}, location);
}

Value* BodyReader::component_at(Value* aggregate, Value* position, Location location, const Parts& parts) {
  const Type& type = aggregate->type();
  if (type.is_tensor() && type.rank() > 0)
    return create(Opcode::gather, {aggregate, position}, {Integers{0}}, location);
  if (type.kind() != Type::Kind::array) {
    bad(parts, location,
        fmt::format("a value as a position goes into a tensor or an array, not into {}", type.text()));
    return nullptr;
  }
  if (holds_functions(type)) return holder_at(aggregate, position, location);
  Value* memory = create(Opcode::allocateStack, {}, {type, Shape{1}}, location);
  create(Opcode::store, {aggregate, memory}, {}, location);
  Value* place = create(Opcode::elementPointer, {memory, position}, {Integers{position_of_value}}, location);
  return place == nullptr ? nullptr : create(Opcode::load, {place}, {}, location);
}

/// No memory holds functions, so that the position chooses among all components.
Value* BodyReader::holder_at(Value* aggregate, Value* position, Location location) {
  const std::size_t count = aggregate->type().component_count();
  const Type type = position->type();
  const auto checked =
      create(Opcode::checkIndex, {position},
             {Shape{0}, Shape{Extent(static_cast<std::int64_t>(count))}, Attribute()}, location);
  if (checked == nullptr) return nullptr;
  std::vector<Value*> components, conditions;
  for (std::size_t i = 0; i < count; ++i) {
    Value* number = function_->literal(type.element(), static_cast<double>(i));
    components.push_back(component(aggregate, static_cast<std::int64_t>(i), location));
    if (i > 0) conditions.push_back(create(Opcode::equal, {checked, number}, {}, location));
  }
  return chosen(components, conditions, location);
}

/// Returns the value behind the first for which the condition is true, or the first where there is none. An
/// aggregate is chosen in parts.
Value* BodyReader::chosen(const std::vector<Value*>& values, const std::vector<Value*>& conditions,
                          Location location) {
  const Type& type = values.front()->type();
  if (type.is_aggregate()) {
    std::vector<Value*> parts;
    for (std::size_t part = 0; part < type.component_count(); ++part) {
      std::vector<Value*> of_each;
      for (Value* value : values)
        of_each.push_back(component(value, static_cast<std::int64_t>(part), location));
      parts.push_back(chosen(of_each, conditions, location));
      if (parts.back() == nullptr) return nullptr;
    }
    return create(Opcode::literal, std::move(parts),
                  {type.is_tuple() ? Attribute() : Attribute(type), Attribute()}, location);
  }
  Value* found = values.front();
  for (std::size_t i = 0; i < conditions.size() && found != nullptr; ++i)
    found = create(Opcode::select, {values[i + 1], found, conditions[i]}, {}, location);
  return found;
}

/// Returns the array with another component at a position that the run gives.
Value* BodyReader::array_with(Value* array, Value* position, Value* element, Location location,
                              const Parts& parts) {
  const Type& type = array->type();
  if (holds_functions(type)) {
    bad(parts, location, "a value as a position takes functions out, and puts none in");
    return nullptr;
  }
  Value* memory = create(Opcode::allocateStack, {}, {type, Shape{1}}, location);
  create(Opcode::store, {array, memory}, {}, location);
  Value* place = create(Opcode::elementPointer, {memory, position}, {Integers{position_of_value}}, location);
  if (place == nullptr || create(Opcode::store, {element, place}, {}, location) == nullptr) return nullptr;
  return create(Opcode::load, {memory}, {}, location);
}

/// Returns the tensor with another row: an element is chosen where its number along the first axis is the
/// position.
Value* BodyReader::tensor_with(Value* tensor, const Step& step, Value* element, Location location) {
  const Type& type = tensor->type();
  if (const Type row = *component_type(type, 0); !(element->type() == row)) {
    diagnostics_.report(wrong_use, location, "the element", element->type().text(), row.text());
    return nullptr;
  }
  Value* position = step.value;
  if (position == nullptr) position = function_->literal(ElementType::i64, static_cast<double>(step.number));
  if (step.value != nullptr || !type.shape()[0].constant())
    position =
        create(Opcode::checkIndex, {position}, {Shape{0}, Shape{type.shape()[0]}, Attribute()}, location);
  if (position == nullptr) return nullptr;
  Value* numbers =
      create(Opcode::iota, {}, {type.shape(), Integers{0}, position->type().element()}, location);
  Value* is_there = create(Opcode::equal, {numbers, position}, {}, location);
  return create(Opcode::select, {element, tensor, is_there}, {}, location);
}

Value* BodyReader::replaced(Value* whole, std::span<const Step> path, Value* element, Location location,
                            const Parts& parts) {
  if (path.empty()) return element;
  const Step& step = path.front();
  const Type& type = whole->type();
  if (path.size() > 1) {
    Value* inner = step.value != nullptr ? component_at(whole, step.value, location, parts)
                                         : component(whole, step.number, location);
    element = inner == nullptr ? nullptr : replaced(inner, path.subspan(1), element, location, parts);
  }
  if (element == nullptr) return nullptr;
  if (type.is_tensor()) return tensor_with(whole, step, element, location);
  if (step.value != nullptr) return array_with(whole, step.value, element, location, parts);
  return create(Opcode::insert, {element, whole}, {Integers{step.number}}, location);
}

Value* BodyReader::only_use(Parts& parts, Clause clause, std::string_view what) {
  const Group* group = group_of(clause, parts);
  if (group != nullptr && group->arguments.size() == 1) return use(*group->arguments[0]);
  bad(parts, parts.word->location, fmt::format("{} {}", group == nullptr ? "lacks its" : "takes one", what));
  return nullptr;
}

Value* BodyReader::build_extract(Parts& parts) {
  Value* value = only_use(parts, Clause::from, "aggregate behind 'from'");
  if (value == nullptr) return nullptr;
  if (parts.groups.size() != 2 || parts.groups[0].arguments.empty() || !parts.cases.empty()) {
    bad(parts, parts.word->location, "is written 'extract 0 from %t' or 'extract #w, 1, %i: i32 from %t'");
    return nullptr;
  }
  for (auto* each : parts.groups[0].arguments) {
    if (is_value(*each)) {
      Value* at = use(*each);
      value = at == nullptr ? nullptr : component_at(value, at, span(*each), parts);
    } else {
      const auto at = position(*each, value->type(), parts);
      value = at ? component(value, *at, span(*each)) : nullptr;
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

Value* BodyReader::build_insert(Parts& parts) {
  Value* element = only_use(parts, Clause::none, "element");
  Value* aggregate = element == nullptr ? nullptr : only_use(parts, Clause::to, "aggregate behind 'to'");
  if (aggregate == nullptr) return nullptr;
  const Group* at = group_of(Clause::at, parts);
  if (parts.groups.size() != 3 || at == nullptr || !parts.cases.empty()) {
    bad(parts, parts.word->location,
        "is written 'insert %x to %t at 0' or 'insert %x to %t at #w, 1, %i: i32'");
    return nullptr;
  }
  std::vector<Step> path;
  Type type = aggregate->type();
  for (auto* each : at->arguments) {
    Step step{position_of_value, nullptr};
    if (is_value(*each)) {
      step.value = use(*each);
      if (step.value == nullptr) return nullptr;
    } else if (const auto number = position(*each, type, parts)) {
      step.number = *number;
    } else {
      return nullptr;
    }
    const auto inner = component_type(type, step.number);
    if (!inner) {
      bad(parts, span(*each), "no such component in " + type.text());
      return nullptr;
    }
    path.push_back(step);
    type = *inner;
  }
  return replaced(aggregate, path, element, at->location, parts);
}

/// `at 0, #w, %i` behind a pointer; what is an operand stands for any component of an array or tensor.
bool BodyReader::take_path(const Part& part, Parts& parts, Group* group) {
  if (group == nullptr && part.optional) {
    parts.attributes.emplace_back(Integers{});
    return true;
  }
  if (group == nullptr || parts.operands.empty() || !parts.operands[0]->type().is_pointer()) {
    bad(parts, parts.word->location, "is written 'elementPointer %p at 0, #w, %i', where %p is a pointer");
    return false;
  }
  Type type = parts.operands[0]->type().pointee();
  Integers path;
  for (auto* each : rest(part, *group)) {
    std::int64_t at = position_of_value;
    if (is_value(*each)) {
      Value* value = use(*each);
      if (value == nullptr) return false;
      parts.operands.push_back(value);
    } else if (const auto read = position(*each, type, parts)) {
      at = *read;
    } else {
      return false;
    }
    path.push_back(at);
    const auto inner = component_type(type, at);
    if (!inner) {
      const bool has_none = !type.is_aggregate() && !(type.is_tensor() && type.rank() > 0);
      bad(parts, span(*each),
          "no such component in " + type.text() +
              (has_none ? "; 'from' names another value of an allocation" : ""));
      return false;
    }
    type = *inner;
  }
  parts.attributes.emplace_back(std::move(path));
  return true;
}

}  // namespace dlvm::reading
