#include "dlvm/ir/type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

namespace dlvm {

struct Type::Node {
  Kind kind = Kind::tuple;
  ElementType element = ElementType::f32;
  Shape shape;
  std::vector<Type> elements;  ///< of a tuple or array, parameters of a function, or what is pointed to
  std::vector<Type> result;
  std::int64_t count = 0;  ///< of an array
  const TypeDeclaration* declaration = nullptr;
};

Type::Type() {
  static const auto empty = std::make_shared<const Node>();
  node_ = empty;
}

Type Type::tensor(ElementType element, Shape shape) {
  return Type(
      std::make_shared<const Node>(Node{Kind::tensor, element, std::move(shape), {}, {}, 0, nullptr}));
}

Type Type::tuple(std::vector<Type> elements) {
  return Type(std::make_shared<const Node>(
      Node{Kind::tuple, ElementType::f32, {}, std::move(elements), {}, 0, nullptr}));
}

Type Type::function(std::vector<Type> parameters, Type result) {
  return Type(std::make_shared<const Node>(
      Node{Kind::function, ElementType::f32, {}, std::move(parameters), {std::move(result)}, 0, nullptr}));
}

Type Type::array(std::int64_t count, Type element) {
  return Type(std::make_shared<const Node>(
      Node{Kind::array, ElementType::f32, {}, {std::move(element)}, {}, count, nullptr}));
}

Type Type::pointer(Type pointee) {
  return Type(std::make_shared<const Node>(
      Node{Kind::pointer, ElementType::f32, {}, {std::move(pointee)}, {}, 0, nullptr}));
}

Type Type::box(Type contents) {
  return Type(std::make_shared<const Node>(
      Node{Kind::box, ElementType::f32, {}, {std::move(contents)}, {}, 0, nullptr}));
}

Type Type::declared(const TypeDeclaration& declaration) {
  assert(declaration.kind != TypeDeclaration::Kind::alias);
  const Kind kind = declaration.kind == TypeDeclaration::Kind::structure     ? Kind::structure
                    : declaration.kind == TypeDeclaration::Kind::enumeration ? Kind::enumeration
                                                                             : Kind::opaque;
  return Type(std::make_shared<const Node>(Node{kind, ElementType::f32, {}, {}, {}, 0, &declaration}));
}

Type Type::stack() {
  static const Type only(
      std::make_shared<const Node>(Node{Kind::stack, ElementType::f32, {}, {}, {}, 0, nullptr}));
  return only;
}

Type::Kind Type::kind() const { return node_->kind; }

ElementType Type::element() const {
  assert(is_tensor());
  return node_->element;
}

const Shape& Type::shape() const {
  assert(is_tensor());
  return node_->shape;
}

const std::vector<Type>& Type::elements() const {
  assert(is_tuple());
  return node_->elements;
}

std::size_t Type::component_count() const {
  assert(is_aggregate());
  if (is_structure()) return node_->declaration->members.size();
  return is_tuple() ? node_->elements.size() : static_cast<std::size_t>(node_->count);
}

const Type& Type::component(std::size_t i) const {
  assert(i < component_count());
  if (is_structure()) return node_->declaration->members[i].types.front();
  return node_->elements[is_tuple() ? i : 0];
}

std::vector<Type> Type::components() const {
  std::vector<Type> all;
  for (std::size_t i = 0; i < component_count(); ++i) all.push_back(component(i));
  return all;
}

const Type& Type::pointee() const {
  assert(is_pointer() || is_box());
  return node_->elements.front();
}

const TypeDeclaration& Type::declaration() const {
  assert(node_->declaration != nullptr);
  return *node_->declaration;
}

std::vector<Type> Type::parts() const {
  std::vector<Type> all = node_->elements;
  all.insert(all.end(), node_->result.begin(), node_->result.end());
  return all;
}

bool Type::has_form_of(const Type& other) const {
  const Node &a = *node_, &b = *other.node_;
  return a.kind == b.kind && a.element == b.element && a.shape.size() == b.shape.size() &&
         a.elements.size() == b.elements.size() && a.count == b.count && a.declaration == b.declaration;
}

const std::vector<Type>& Type::parameters() const {
  assert(kind() == Kind::function);
  return node_->elements;
}

const Type& Type::result() const {
  assert(kind() == Kind::function);
  return node_->result.front();
}

Type Type::substitute(const Extent::Substitution& substitution) const {
  Node node = *node_;
  for (Extent& extent : node.shape) extent = extent.substitute(substitution);
  for (Type& type : node.elements) type = type.substitute(substitution);
  for (Type& type : node.result) type = type.substitute(substitution);
  return Type(std::make_shared<const Node>(std::move(node)));
}

void Type::collect_names(std::set<std::string>& names) const {
  for (const Extent& extent : node_->shape) extent.collect_names(names);
  for (const Type& type : node_->elements) type.collect_names(names);
  for (const Type& type : node_->result) type.collect_names(names);
}

namespace {

std::string list(const std::vector<Type>& types) {
  std::string out;
  for (const Type& type : types) out += (out.empty() ? "" : ", ") + type.text();
  return "(" + out + ")";
}

}  // namespace

std::string Type::text() const {
  switch (kind()) {
    case Kind::tensor: {
      const std::string name(info(element()).name);
      return shape().empty() ? name : "<" + dlvm::text(shape()) + " x " + name + ">";
    }
    case Kind::tuple:
      return list(node_->elements);
    case Kind::function:
      return list(node_->elements) + " -> " + result().text();
    case Kind::array:
      return fmt::format("[{} x {}]", node_->count, node_->elements[0].text());
    case Kind::pointer: {
      const bool function = pointee().kind() == Kind::function;
      return function ? "*(" + pointee().text() + ")" : "*" + pointee().text();
    }
    case Kind::box:
      return "box{" + pointee().text() + "}";
    case Kind::structure:
    case Kind::enumeration:
    case Kind::opaque:
      return "$" + declaration().name;
    case Kind::stack:
      return "stack";
  }
  return "";
}

std::optional<std::size_t> TypeDeclaration::find(std::string_view member) const {
  const auto found = std::ranges::find(members, member, &Member::name);
  if (found == members.end()) return std::nullopt;
  return static_cast<std::size_t>(found - members.begin());
}

namespace {

bool holds(const Type& type, const TypeDeclaration& declaration,
           std::unordered_set<const TypeDeclaration*>& seen) {
  if (type.is_structure() || type.is_enumeration()) {
    const TypeDeclaration& own = type.declaration();
    if (&own == &declaration) return true;
    if (!seen.insert(&own).second) return false;
    for (const auto& member : own.members)
      for (const Type& part : member.types)
        if (holds(part, declaration, seen)) return true;
    return false;
  }
  return std::ranges::any_of(type.parts(), [&](const Type& part) { return holds(part, declaration, seen); });
}

}  // namespace

std::optional<Type> component_type(const Type& type, std::int64_t position) {
  if (type.is_tensor()) {
    if (type.rank() == 0) return std::nullopt;
    const auto count = type.shape()[0].constant();
    if (position >= 0 && count && position >= *count) return std::nullopt;
    return type.with_shape(Shape(type.shape().begin() + 1, type.shape().end()));
  }
  if (!type.is_aggregate()) return std::nullopt;
  if (position < 0) {
    if (type.kind() != Type::Kind::array || type.component_count() == 0) return std::nullopt;
    return type.component(0);
  }
  if (position >= static_cast<std::int64_t>(type.component_count())) return std::nullopt;
  return type.component(static_cast<std::size_t>(position));
}

bool has_zero(const Type& type) {
  if (type.is_tensor() || type.is_pointer() || type.is_box()) return true;
  if (!type.is_aggregate()) return false;
  if (type.kind() == Type::Kind::array) return type.component_count() == 0 || has_zero(type.component(0));
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (!has_zero(type.component(i))) return false;
  return true;
}

bool holds(const Type& type, const TypeDeclaration& declaration) {
  std::unordered_set<const TypeDeclaration*> seen;
  return holds(type, declaration, seen);
}

bool operator==(const Type& a, const Type& b) {
  if (a.node_ == b.node_) return true;
  return a.node_->kind == b.node_->kind && a.node_->element == b.node_->element &&
         a.node_->shape == b.node_->shape && a.node_->elements == b.node_->elements &&
         a.node_->result == b.node_->result && a.node_->count == b.node_->count &&
         a.node_->declaration == b.node_->declaration;
}

bool unify(const Type& pattern, const Type& actual, Extent::Substitution& substitution) {
  if (!pattern.has_form_of(actual)) return false;
  if (pattern.is_tensor()) {
    // Lone names first, so that `<2*N x N>` binds N before it is used.
    for (const bool lone : {true, false})
      for (std::size_t i = 0; i < pattern.rank(); ++i)
        if (pattern.shape()[i].name().has_value() == lone &&
            !unify(pattern.shape()[i], actual.shape()[i], substitution))
          return false;
    return true;
  }
  const std::vector<Type> patterns = pattern.parts(), actuals = actual.parts();
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (!unify(patterns[i], actuals[i], substitution)) return false;
  return true;
}

}  // namespace dlvm
