#include "frontend/check/expressions/declared_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "dlvm/support/suggest.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/declared_shape.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

std::vector<std::string_view> member_names(const DeclaredType& type) {
  std::vector<std::string_view> names;
  for (const auto& member : type.syntax->members) names.push_back(member.name.text);
  return names;
}

dlvm::Diagnostic& with_declaration(dlvm::Diagnostic& report, const DeclaredType& type) {
  return report.note(type.syntax->name.location, fmt::format("'{}' is declared here", type.name));
}

void suggest_member(dlvm::Diagnostic& report, const DeclaredType& type, std::string_view name) {
  const auto names = member_names(type);
  report.note(type.syntax->name.location,
              fmt::format("'{}' is declared here; its {} are {}", type.name,
                          type.is_structure() ? "fields" : "cases", fmt::join(names, ", ")));
  if (const auto near = dlvm::closest(name, names); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
}

Node* make(BodyContext& context, const DeclaredType& type, std::size_t index, std::vector<Node*> values,
           Location location) {
  Node node;
  node.kind = Node::Kind::made;
  node.type.declared = &type;
  node.location = location;
  node.operands = std::move(values);
  node.index = index;
  return add_node(context, std::move(node));
}

/// The value of an argument with the type of what it is for.
Node* value_for(BodyContext& context, Argument& argument, const Type& type, Location declared,
                std::string_view what) {
  const Hint hint = type.is_tensor() ? Hint(type.element.type) : Hint();
  return conform(context, argument_value(context, argument, hint, true), type, declared, what);
}

/// The value of an argument that is the initial value of a field or of a value in a payload: it is stretched.
/// In the initializer of a stored value, what draws numbers makes as many as that has.
Node* initial_value_for(BodyContext& context, Argument& argument, const Type& type, Location declared,
                        std::string_view what) {
  const std::optional<Type> outer = context.initializer;
  if (outer) context.initializer = type;
  const Hint hint = type.is_tensor() ? Hint(type.element.type) : Hint();
  Node* value = argument_value(context, argument, hint, true);
  context.initializer = outer;
  std::string why;
  if (value != nullptr && type.is_tensor() && value->type.is_tensor())
    if (const auto joined = dlvm::broadcast_shapes(value->type.shape, type.shape, why);
        joined && *joined == type.shape)
      value = make_broadcast(context, value, type.shape, value->location);
  return conform(context, value, type, declared, what);
}

/// The struct that the initial value of a tensor of that type is for; null where it is for none.
const DeclaredType* initialized(const BodyContext& context, const DeclaredType& type) {
  const DeclaredType* wanted = context.initializer ? context.initializer->declared : nullptr;
  return wanted != nullptr && &wanted->declared() == &type ? wanted : nullptr;
}

/// Whether a value of the type is an initial value, whose tensors are stretched.
bool is_initial(const BodyContext& context, const DeclaredType& type) {
  return context.before_first_step || initialized(context, type) != nullptr;
}

/// The values that are given for the fields, null where there is none. A scalar that is stretched has no
/// extents.
std::vector<Node*> values_of_fields(BodyContext& context, const DeclaredType& type,
                                    std::vector<Argument>& arguments, bool initial) {
  std::vector<Node*> values(type.members.size(), nullptr);
  for (Argument& argument : arguments) {
    const auto index = argument.name != nullptr ? type.find(argument.name->text) : std::nullopt;
    if (!index) continue;
    const Type& field = type.members[*index].types[0];
    Node* value =
        argument_value(context, argument, field.is_tensor() ? Hint(field.element.type) : Hint(), true);
    if (value != nullptr && !(initial && value->type.is_scalar())) values[*index] = value;
  }
  return values;
}

/// The struct with the extents of its fields.
const DeclaredType* with_extents(BodyContext& context, const DeclaredType& type,
                                 std::vector<Argument>& arguments, Location location) {
  if (type.dimensions.empty()) return &type;
  if (const DeclaredType* wanted = initialized(context, type)) return wanted;
  return type_of_fields(context, type, values_of_fields(context, type, arguments, context.before_first_step),
                        location);
}

/// The struct with other extents, which have to be equal to its own.
Node* with_extents_of(BodyContext& context, Node* x, const DeclaredType& wanted, std::string_view what,
                      Location place) {
  std::vector<Node*> values;
  for (std::size_t i = 0; i < wanted.members.size(); ++i) {
    const DeclaredType::Member& field = wanted.members[i];
    Node* own = x->kind == Node::Kind::made ? x->operands[i]
                                            : make_field(context, x, ast::Name{field.name, x->location});
    values.push_back(
        conform(context, own, field.types[0], place, fmt::format("the field '{}' of {}", field.name, what)));
    if (values.back() == nullptr) return nullptr;
  }
  return make_structure(context, wanted, std::move(values), x->location);
}

}  // namespace

DeclaredType* named_type(BodyContext& context, const ast::Expression& e) {
  if (const auto* name = ast::if_a<ast::NameReference>(e)) {
    if (knows_name(context, name->text)) return nullptr;
    DeclaredType* type = find_type(*context.scope, name->text);
    // With a report where two files have one of that name.
    return type == nullptr ? nullptr
                           : find_type(*context.scope, ast::TypeName{{}, {name->text, name->location}},
                                       context.diagnostics);
  }
  const auto* member = ast::if_a<ast::Member>(e);
  const auto* file = member != nullptr ? ast::if_a<ast::NameReference>(*member->object) : nullptr;
  if (file == nullptr || knows_name(context, file->text)) return nullptr;
  const Scope* import = find_import(*context.scope, file->text);
  const auto found =
      import != nullptr ? import->types.find(member->member.text) : decltype(import->types.end())();
  if (import == nullptr || found == import->types.end()) return nullptr;
  found->second->used = true;
  return found->second;
}

void report_type_as_value(BodyContext& context, const DeclaredType& type, Location location) {
  auto& report = context.diagnostics.report(type_as_value, location, type.name, kind_of(type));
  with_declaration(report, type);
  if (!type.failed) report.fix("make a value of it: " + example(type, 0));
}

Node* make_structure(BodyContext& context, DeclaredType& declared, std::vector<Argument>& arguments,
                     Location location) {
  if (declared.failed) return nullptr;
  const DeclaredType* found = with_extents(context, declared, arguments, location);
  if (found == nullptr) return nullptr;
  const DeclaredType& type = *found;
  std::vector<Node*> values(type.members.size(), nullptr);
  std::vector<bool> given(type.members.size(), false);
  bool fine = true;
  const bool initial = is_initial(context, declared);
  for (Argument& argument : arguments) {
    if (argument.name == nullptr) {
      auto& report = context.diagnostics.report(field_without_name, argument.location, type.name);
      with_declaration(report, type).fix(example(type, 0));
      return nullptr;
    }
    const auto position = type.find(argument.name->text);
    if (!position) {
      suggest_member(
          context.diagnostics.report(unknown_field, argument.name->location, type.name, argument.name->text),
          type, argument.name->text);
      return nullptr;
    }
    const std::size_t index = *position;
    if (given[index]) {
      with_declaration(
          context.diagnostics.report(argument_twice, argument.location, argument.name->text, type.name),
          type);
      return nullptr;
    }
    given[index] = true;
    const DeclaredType::Member& field = type.members[index];
    const std::string what = fmt::format("the field '{}' of '{}'", field.name, type.name);
    values[index] = initial ? initial_value_for(context, argument, field.types[0], field.location, what)
                            : value_for(context, argument, field.types[0], field.location, what);
    fine = fine && values[index] != nullptr;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!given[i]) {
      with_declaration(
          context.diagnostics.report(argument_missing, location, type.name, type.members[i].name), type)
          .fix(example(type, 0));
      return nullptr;
    }
  return fine ? make(context, type, 0, std::move(values), location) : nullptr;
}

Node* make_structure(BodyContext& context, const DeclaredType& type, std::vector<Node*> values,
                     Location location) {
  return make(context, type, 0, std::move(values), location);
}

Node* make_case(BodyContext& context, const DeclaredType& type, std::size_t position,
                std::vector<Node*> payload, Location location) {
  return make(context, type, position, std::move(payload), location);
}

Node* make_case(BodyContext& context, DeclaredType& type, const ast::Name& name,
                std::vector<Argument>& arguments, Location location) {
  if (type.failed) return nullptr;
  if (type.is_structure()) {
    report_type_as_value(context, type, name.location);
    return nullptr;
  }
  const auto index = type.find(name.text);
  if (!index) {
    suggest_member(context.diagnostics.report(unknown_case, name.location, type.name, name.text), type,
                   name.text);
    return nullptr;
  }
  const DeclaredType::Member& member = type.members[*index];
  const std::string whole = type.name + "." + member.name;
  if (arguments.size() != member.types.size()) {
    context.diagnostics
        .report(argument_count, location, whole, counted(member.types.size(), "argument"), arguments.size())
        .note(member.location, fmt::format("'{}' is declared here", whole))
        .fix(example(type, *index));
    return nullptr;
  }
  std::vector<Node*> values;
  bool fine = true;
  const bool initial = is_initial(context, type);
  for (Argument& argument : arguments) {
    if (argument.name != nullptr) {
      context.diagnostics.report(unknown_argument, argument.name->location, whole, argument.name->text)
          .note(member.location, fmt::format("'{}' is declared here", whole))
          .fix("the payload of a case has no names: " + example(type, *index));
      return nullptr;
    }
    const std::string what = member.types.size() == 1 ? fmt::format("the payload of '{}'", whole)
                                                      : fmt::format("value {} of '{}'", values.size(), whole);
    const Type& wanted = member.types[values.size()];
    values.push_back(initial ? initial_value_for(context, argument, wanted, member.location, what)
                             : value_for(context, argument, wanted, member.location, what));
    fine = fine && values.back() != nullptr;
  }
  return fine ? make(context, type, *index, std::move(values), location) : nullptr;
}

Node* make_field(BodyContext& context, Node* x, const ast::Name& name) {
  const DeclaredType& type = *x->type.declared;
  if (type.failed) return nullptr;
  if (!type.is_structure()) {
    auto& report = context.diagnostics.report(members_of_enum, name.location, name.text);
    const auto index = type.find(name.text);
    const std::string written = index ? name.text : type.syntax->members[0].name.text;
    with_declaration(report, type)
        .fix(fmt::format("match {} {{ {}(...) {{ ... }} ... }}", quoted(x->place(), "value"), written));
    return nullptr;
  }
  const auto index = type.find(name.text);
  if (!index) {
    suggest_member(context.diagnostics.report(unknown_field, name.location, type.name, name.text), type,
                   name.text);
    return nullptr;
  }
  Node node;
  node.kind = Node::Kind::field;
  node.type = type.members[*index].types[0];
  node.location = name.location;
  node.operands = {x};
  node.index = *index;
  return add_node(context, std::move(node));
}

namespace {

/// Returns the struct all of whose tensors have the value; empty if it holds an enum.
std::string filled(const DeclaredType& type, const std::string& value) {
  std::string fields;
  for (const DeclaredType::Member& field : type.members) {
    const Type& own = field.types[0];
    const std::string text = own.is_tensor()                ? value
                             : own.declared->is_structure() ? filled(*own.declared, value)
                                                            : "";
    if (text.empty()) return "";
    fields += fmt::format("{}{}: {}", fields.empty() ? "" : ", ", field.name, text);
  }
  return fmt::format("{}({})", type.name, fields);
}

/// Returns the struct that a number as its initial value means, `Line(slope: 0, offset: 0)` for 0; empty
/// where that is not sure.
std::string made_of_number(const BodyContext& context, const Node& x, const DeclaredType& wanted) {
  const bool stretches = context.initializer && context.initializer->declared == &wanted;
  if (!stretches || !x.is_constant() || !x.type.is_scalar() || !wanted.is_structure()) return "";
  return filled(wanted, quoted(x.place(), "0"));
}

}  // namespace

Node* require_declared(BodyContext& context, Node* x, const DeclaredType* wanted, std::string_view what,
                       Location place) {
  if (x->type.declared == wanted) return x;
  if (wanted != nullptr && x->type.declared != nullptr &&
      &x->type.declared->declared() == &wanted->declared())
    return with_extents_of(context, x, *wanted, what, place);
  auto& report = context.diagnostics.report(type_differs, x->location, what, spelling(type_of(context, x)),
                                            wanted != nullptr ? wanted->name : "a tensor");
  if (place.valid()) report.note(place, "its type is declared here");
  if (wanted == nullptr || x->type.declared != nullptr || wanted->members.empty()) return nullptr;
  if (const std::string made = made_of_number(context, *x, *wanted); !made.empty())
    report.fix("make one: " + made, dlvm::replacement(x->place(), made));
  else
    report.fix("make one: " + example(*wanted, 0));
  return nullptr;
}

Node* conform(BodyContext& context, Node* x, const Type& type, Location declared, std::string_view what) {
  if (x == nullptr) return nullptr;
  x = require_declared(context, x, type.declared, what, declared);
  if (x == nullptr || !type.is_tensor()) return x;
  if (!unify_elements(context, x->type.element, type.element)) {
    context.diagnostics
        .report(declared_element_differs, x->location, what, spelling(type.element.type),
                spelling(type_of(context, x)))
        .note(declared, fmt::format("it is declared {} here", spelling(type)))
        .fix(fmt::format("convert it: {}", converted(x->place(), type.element.type)));
    return nullptr;
  }
  return conform(context, x, ShapePattern(type.shape.begin(), type.shape.end()), declared, what);
}

Node* require_tensor(BodyContext& context, Node* x) {
  if (x == nullptr || x->type.is_tensor()) return x;
  const DeclaredType& type = *x->type.declared;
  auto& report = context.diagnostics.report(tensor_wanted, x->place(), type.name);
  with_declaration(report, type);
  const std::string text = quoted_operand(x->place());
  if (!type.is_structure())
    report.fix(fmt::format("tell its cases apart: match {} {{ ... }}", text));
  else if (!type.members.empty())
    report.fix(fmt::format("take a field: {}.{}", text, type.members[0].name));
  return nullptr;
}

namespace {

/// Writes the cases of a match that tells whether a value is that of one case.
std::string cases_that_are(const DeclaredType& type, std::size_t index, bool equal) {
  std::string cases;
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    const std::vector<std::string_view> payload(type.members[i].types.size(), "_");
    cases += fmt::format(" {}{} => {} ", type.members[i].name,
                         payload.empty() ? "" : fmt::format("({})", fmt::join(payload, ", ")),
                         (i == index) == equal);
  }
  return cases;
}

}  // namespace

void report_comparison(BodyContext& context, const Node& left, const Node& right, bool equal) {
  const DeclaredType& type = *left.type.declared;
  auto& report = context.diagnostics.report(tensor_wanted, left.place(), type.name);
  with_declaration(report, type);
  const bool case_first = left.kind == Node::Kind::made;
  const Node &value = case_first ? right : left, &other = case_first ? left : right;
  const std::string text = quoted_operand(value.place());
  if (type.is_structure()) {
    if (!type.members.empty())
      report.fix(fmt::format("compare the fields: {0}.{2} {3} {1}.{2}", quoted_operand(left.place()),
                             quoted_operand(right.place()), type.members[0].name, equal ? "==" : "!="));
  } else if (other.kind == Node::Kind::made && other.operands.empty()) {
    report.fix(
        fmt::format("tell the cases apart: match {} {{{}}}", text, cases_that_are(type, other.index, equal)));
  } else {
    report.fix(fmt::format("tell the cases apart: match {} {{ {} => ... }}", text, type.members[0].name));
  }
}

}  // namespace frontend::check
