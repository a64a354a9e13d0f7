#include "dlvm/ir/type.h"

#include <cassert>
#include <utility>

namespace dlvm {

struct Type::Node {
  Kind kind = Kind::tuple;
  ElementType element = ElementType::f32;
  Shape shape;
  std::vector<Type> elements;  ///< of a tuple; of a function its parameters, then its result
  std::vector<Type> result;
};

Type::Type() {
  static const auto empty = std::make_shared<const Node>();
  node_ = empty;
}

Type Type::tensor(ElementType element, Shape shape) {
  return Type(std::make_shared<const Node>(Node{Kind::tensor, element, std::move(shape), {}, {}}));
}

Type Type::tuple(std::vector<Type> elements) {
  return Type(std::make_shared<const Node>(Node{Kind::tuple, ElementType::f32, {}, std::move(elements), {}}));
}

Type Type::function(std::vector<Type> parameters, Type result) {
  return Type(std::make_shared<const Node>(
      Node{Kind::function, ElementType::f32, {}, std::move(parameters), {std::move(result)}}));
}

Type Type::stack() {
  static const Type only(std::make_shared<const Node>(Node{Kind::stack, ElementType::f32, {}, {}, {}}));
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
    case Kind::stack:
      return "stack";
  }
  return "";
}

bool operator==(const Type& a, const Type& b) {
  if (a.node_ == b.node_) return true;
  return a.node_->kind == b.node_->kind && a.node_->element == b.node_->element &&
         a.node_->shape == b.node_->shape && a.node_->elements == b.node_->elements &&
         a.node_->result == b.node_->result;
}

bool unify(const Type& pattern, const Type& actual, Extent::Substitution& substitution) {
  if (pattern.kind() != actual.kind()) return false;
  switch (pattern.kind()) {
    case Type::Kind::tensor: {
      if (pattern.element() != actual.element() || pattern.rank() != actual.rank()) return false;
      // Lone names first, so that `<2*N x N>` binds N before it is used.
      for (const bool lone : {true, false})
        for (std::size_t i = 0; i < pattern.rank(); ++i)
          if (pattern.shape()[i].name().has_value() == lone &&
              !unify(pattern.shape()[i], actual.shape()[i], substitution))
            return false;
      return true;
    }
    case Type::Kind::tuple:
      if (pattern.elements().size() != actual.elements().size()) return false;
      for (std::size_t i = 0; i < pattern.elements().size(); ++i)
        if (!unify(pattern.elements()[i], actual.elements()[i], substitution)) return false;
      return true;
    case Type::Kind::function:
    case Type::Kind::stack:
      return pattern == actual;
  }
  return false;
}

}  // namespace dlvm
