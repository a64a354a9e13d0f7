#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dlvm/ir/element_type.h"
#include "dlvm/ir/extent.h"

namespace dlvm {

/// The type of a value: an immutable value type, cheap to copy, compared by structure.
class Type {
 public:
  enum class Kind : std::uint8_t { tensor, tuple, function, stack };

  /// Makes the type of the empty tuple.
  Type();
  static Type tensor(ElementType element, Shape shape);
  static Type scalar(ElementType element) { return tensor(element, {}); }
  static Type tuple(std::vector<Type> elements);
  static Type function(std::vector<Type> parameters, Type result);
  /// Makes the type of a stack of values of any types.
  static Type stack();

  Kind kind() const;
  bool is_tensor() const { return kind() == Kind::tensor; }
  bool is_tuple() const { return kind() == Kind::tuple; }
  bool is_stack() const { return kind() == Kind::stack; }

  /// Returns the element type of a tensor type.
  ElementType element() const;
  const Shape& shape() const;
  std::size_t rank() const { return shape().size(); }
  bool is_scalar() const { return is_tensor() && shape().empty(); }
  bool is_scalar(ElementType element) const { return is_scalar() && this->element() == element; }
  Type with_element(ElementType element) const { return tensor(element, shape()); }
  Type with_shape(Shape shape) const { return tensor(element(), std::move(shape)); }

  /// Returns the element types of a tuple type.
  const std::vector<Type>& elements() const;

  /// Returns the parameters' types of a function type.
  const std::vector<Type>& parameters() const;
  const Type& result() const;

  /// Returns the type with its dimensions replaced.
  Type substitute(const Extent::Substitution& substitution) const;
  void collect_names(std::set<std::string>& names) const;

  /// Returns the type as text: `f32`, `<N x 784 x f32>`, `(f32, i32)`, `(f32) -> f32`, `stack`.
  std::string text() const;

  friend bool operator==(const Type& a, const Type& b);

 private:
  struct Node;
  explicit Type(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

/// Binds the dimensions of `pattern` so that it becomes `actual`; see `unify` on extents.
bool unify(const Type& pattern, const Type& actual, Extent::Substitution& substitution);

}  // namespace dlvm
