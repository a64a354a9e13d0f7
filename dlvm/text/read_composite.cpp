// Values that are written by their components: tuples, arrays, structs, enums, and tensors of values.
#include <utility>

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

/// A tensor of its elements along the first axis, as in `<%x: f32, 1: f32>: <2 x f32>`.
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
    elements.push_back(value);
  }
  Type made = type;
  if (!elements.empty() && elements.front()->type().is_tensor()) {
    Shape shape = elements.front()->type().shape();
    shape.insert(shape.begin(), static_cast<std::int64_t>(elements.size()));
    made = elements.front()->type().with_shape(std::move(shape));
    if (!fits(type, made)) {
      diagnostics_.report(wrong_use, location, "the list", made.text(), type.text());
      return nullptr;
    }
  }
  return create(Opcode::literal, std::move(elements), {made, Attribute()}, location);
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

}  // namespace dlvm::reading
