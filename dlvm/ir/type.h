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
  enum class Kind : std::uint8_t { tensor, tuple, function };

  /// The empty tuple.
  Type();
  static Type tensor(ElementType element, Shape shape);
  static Type scalar(ElementType element) { return tensor(element, {}); }
  static Type tuple(std::vector<Type> elements);
  static Type function(std::vector<Type> parameters, Type result);

  Kind kind() const;
  bool is_tensor() const { return kind() == Kind::tensor; }
  bool is_tuple() const { return kind() == Kind::tuple; }

  /// Of a tensor.
  ElementType element() const;
  const Shape& shape() const;
  std::size_t rank() const { return shape().size(); }
  bool is_scalar() const { return is_tensor() && shape().empty(); }
  bool is_scalar(ElementType element) const { return is_scalar() && this->element() == element; }
  Type with_element(ElementType element) const { return tensor(element, shape()); }
  Type with_shape(Shape shape) const { return tensor(element(), std::move(shape)); }

  /// Of a tuple.
  const std::vector<Type>& elements() const;

  /// Of a function.
  const std::vector<Type>& parameters() const;
  const Type& result() const;

  /// The same type with its dimensions replaced.
  Type substitute(const Extent::Substitution& substitution) const;
  void collect_names(std::set<std::string>& names) const;

  /// `f32`, `<N x 784 x f32>`, `(f32, i32)`, `(f32) -> f32`.
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
