// Values that are written by their components: tuples, arrays, structs, enums, and tensors of values.
// Positions in them.
#include <utility>

#include "dlvm/analysis/type_parts.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {

Value* BodyReader::address(Grammar::ArgumentContext& tree) {
  const Token& word = token(tree.GLOBAL());
  if (const auto function = declared_.functions.find(name(word)); function != declared_.functions.end()) {
    const auto written = type(*tree.type());
    const Function* value = function->second;
    if (!written) return nullptr;
    if (written->kind() == Type::Kind::function)
      return create(Opcode::literal, {}, {*written, Attribute(), value}, span(tree));
    diagnostics_.report(wrong_use, span(tree), word.text, value->type().text(), written->text());
    return nullptr;
  }
  const auto found = declared_.globals.find(name(word));
  if (found == declared_.globals.end()) {
    diagnostics_.report(unknown_value, word.location, word.text);
    return nullptr;
  }
  const auto written = type(*tree.type());
  if (!written) return nullptr;
  const Type pointer = Type::pointer(found->second->type);
  if (*written == pointer) return function_->literal(pointer, Literal::Form::address, found->second);
  diagnostics_.report(wrong_use, span(tree), word.text, pointer.text(), written->text());
  return nullptr;
}

std::optional<std::vector<Value*>> BodyReader::uses(Grammar::ArgumentsContext* tree) {
  std::vector<Value*> values;
  if (tree == nullptr) return values;
  for (auto* each : tree->argument()) {
    values.push_back(use(*each));
    if (values.back() == nullptr) return std::nullopt;
  }
  return values;
}

/// `(%x: f32, 1: i32)`, with or without the type of the tuple.
Value* BodyReader::tuple(Grammar::ArgumentContext& tree) {
  auto elements = uses(tree.arguments());
  if (!elements) return nullptr;
  Value* made = create(Opcode::literal, std::move(*elements), {Attribute(), Attribute()}, span(tree));
  if (made == nullptr || tree.type() == nullptr) return made;
  const auto written = type(*tree.type());
  if (!written) return nullptr;
  if (fits(*written, made->type())) return made;
  diagnostics_.report(wrong_use, span(tree), "the tuple", made->type().text(), written->text());
  return nullptr;
}

Value* BodyReader::composite(Grammar::ArgumentContext& tree) {
  const auto written = type(*tree.type());
  if (!written) return nullptr;
  Grammar::CompositeContext& value = *tree.composite();
  const Location location = span(tree);
  if (value.CASE() != nullptr) return enumerator(value, *written, location);
  if (token(value.getStart()).text == "{") return structure(value, *written, location);
  auto elements = uses(value.arguments());
  if (!elements) return nullptr;
  return create(Opcode::literal, std::move(*elements), {*written, Attribute()}, location);
}

Value* BodyReader::structure(Grammar::CompositeContext& tree, const Type& type, Location location) {
  if (!type.is_structure()) {
    diagnostics_.report(bad_type, location, type.text() + " is not a struct");
    return nullptr;
  }
  const TypeDeclaration& declaration = type.declaration();
  std::vector<Value*> fields(declaration.members.size());
  for (auto* member : tree.member()) {
    const Token& key = token(member->KEY());
    const auto at = declaration.find(name(key));
    if (!at) {
      diagnostics_.report(bad_type, key.location, fmt::format("{} has no field {}", type.text(), key.text));
      return nullptr;
    }
    if (fields[*at] != nullptr) {
      diagnostics_.report(duplicate, key.location, key.text);
      return nullptr;
    }
    fields[*at] = use(*member->argument());
    if (fields[*at] == nullptr) return nullptr;
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i] == nullptr) {
      diagnostics_.report(
          bad_type, location,
          fmt::format("the field #{} of {} is missing", declaration.members[i].name, type.text()));
      return nullptr;
    }
  return create(Opcode::literal, std::move(fields), {type, Attribute()}, location);
}

Value* BodyReader::enumerator(Grammar::CompositeContext& tree, const Type& type, Location location) {
  const Token& word = token(tree.CASE());
  const auto found = type.is_enumeration() ? type.declaration().find(name(word)) : std::nullopt;
  if (!found) {
    diagnostics_.report(bad_type, location, fmt::format("{} has no case {}", type.text(), word.text));
    return nullptr;
  }
  auto payload = uses(tree.arguments());
  if (!payload) return nullptr;
  return create(Opcode::literal, std::move(*payload), {type, Integers{static_cast<std::int64_t>(*found)}},
                location);
}

/// `<%x: f32, 1: f32>: <2 x f32>`: the elements, each with an axis more, one after another.
Value* BodyReader::stacked(Grammar::DenseContext& tree, const Type& type, Location location) {
  std::vector<Value*> elements;
  for (auto* each : tree.element()) {
    const auto written = this->type(*each->type());
    if (!written) return nullptr;
    Value* value = nullptr;
    if (each->VALUE() != nullptr)
      value = typed(token(each->VALUE()), *written, span(*each));
    else if (each->dense() != nullptr)
      value = stacked(*each->dense(), *written, span(*each));
    else
      value = constant(number_text(*each->number()), *written, span(*each));
    if (value == nullptr) return nullptr;
    elements.push_back(create(Opcode::padShape, {value}, {Integers{0}}, location));
    if (elements.back() == nullptr) return nullptr;
  }
  Value* whole = create(Opcode::concatenate, std::move(elements), {Integers{0}}, location);
  if (whole == nullptr || fits(type, whole->type())) return whole;
  diagnostics_.report(wrong_use, location, "the list", whole->type().text(), type.text());
  return nullptr;
}

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
  if (!type.is_tensor() || type.rank() == 0)
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
  const auto is_function = [](const Type& part) { return part.kind() == Type::Kind::function; };
  if (type.component_count() > 0 && any_part_of(type.component(0), is_function))
    return holder_at(aggregate, position, location);
  Value* memory = create(Opcode::allocateStack, {}, {type, Shape{1}}, location);
  create(Opcode::store, {aggregate, memory}, {}, location);
  Value* place = create(Opcode::elementPointer, {memory, position}, {Integers{position_of_value}}, location);
  return place == nullptr ? nullptr : create(Opcode::load, {place}, {}, location);
}

/// No memory holds functions, so that the position chooses among all components.
Value* BodyReader::holder_at(Value* aggregate, Value* position, Location location) {
  const std::size_t count = aggregate->type().component_count();
  const Type type = position->type();
  const auto checked = create(Opcode::checkIndex, {position},
                              {Shape{0}, Shape{Extent(static_cast<std::int64_t>(count))}}, location);
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

Value* BodyReader::replaced(Value* aggregate, std::span<const std::int64_t> path, Value* element,
                            Location location) {
  if (path.empty()) return element;
  if (aggregate->type().is_tensor()) {
    diagnostics_.report(ill_typed, location, "insert", aggregate->type().text() + " is no aggregate");
    return nullptr;
  }
  if (path.size() > 1) {
    Value* inner = component(aggregate, path[0], location);
    element = inner == nullptr ? nullptr : replaced(inner, path.subspan(1), element, location);
  }
  if (element == nullptr) return nullptr;
  return create(Opcode::insert, {element, aggregate}, {Integers{path[0]}}, location);
}

Value* BodyReader::build_literal(Parts& parts) {
  const auto& list = parts.groups[0].arguments;
  const bool one = list.size() == 1 && parts.groups.size() == 1 && parts.cases.empty() &&
                   list[0]->VALUE() == nullptr && list[0]->LABEL() == nullptr &&
                   list[0]->STRING() == nullptr && list[0]->KEY() == nullptr;
  if (one) {
    Value* value = use(*list[0]);
    if (value == nullptr || as_literal(value) == nullptr || !value->type().is_tensor()) return value;
    return create(Opcode::literal, {value}, {value->type(), Attribute()}, parts.word->location);
  }
  bad(parts, parts.word->location, "takes one constant with its type, or a tuple of values");
  return nullptr;
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
    if (each->VALUE() != nullptr || (each->KEY() == nullptr && each->type() != nullptr)) {
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
    bad(parts, parts.word->location, "is written 'insert %x to %t at 0' or 'insert %x to %t at #w, 1'");
    return nullptr;
  }
  std::vector<std::int64_t> path;
  Type type = aggregate->type();
  for (auto* each : at->arguments) {
    const auto next = position(*each, type, parts);
    if (!next) return nullptr;
    path.push_back(*next);
    const auto inner = component_type(type, *next);
    if (!inner) {
      bad(parts, span(*each), "no such component in " + type.text());
      return nullptr;
    }
    type = *inner;
  }
  return replaced(aggregate, path, element, at->location);
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
    if (each->VALUE() != nullptr || each->type() != nullptr) {
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
