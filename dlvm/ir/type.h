#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/element_type.h"
#include "dlvm/ir/extent.h"
#include "dlvm/support/source.h"

namespace dlvm {

struct TypeDeclaration;

/// The type of a value: an immutable value type, cheap to copy. Types are compared by structure, and types
/// that a module declares by their declaration, which must outlive them.
class Type {
 public:
  enum class Kind : std::uint8_t {
    tensor,
    tuple,
    function,
    array,
    pointer,
    box,
    stack,
    structure,
    enumeration,
    opaque
  };

  /// Makes the type of the empty tuple.
  Type();
  static Type tensor(ElementType element, Shape shape);
  static Type scalar(ElementType element) { return tensor(element, {}); }
  static Type tuple(std::vector<Type> elements);
  static Type function(std::vector<Type> parameters, Type result);
  static Type array(std::int64_t count, Type element);
  static Type pointer(Type pointee);
  static Type box(Type contents);
  /// Makes the type that a struct, an enum or an opaque type declares.
  static Type declared(const TypeDeclaration& declaration);
  /// Makes the type of a stack of values of any types.
  static Type stack();

  Kind kind() const;
  bool is_tensor() const { return kind() == Kind::tensor; }
  bool is_tuple() const { return kind() == Kind::tuple; }
  bool is_pointer() const { return kind() == Kind::pointer; }
  bool is_box() const { return kind() == Kind::box; }
  bool is_structure() const { return kind() == Kind::structure; }
  bool is_enumeration() const { return kind() == Kind::enumeration; }
  /// Returns whether values have a fixed list of components: tuples, arrays and structs.
  bool is_aggregate() const { return is_tuple() || is_structure() || kind() == Kind::array; }
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

  /// Return the types of an aggregate's components.
  std::size_t component_count() const;
  const Type& component(std::size_t i) const;
  std::vector<Type> components() const;

  /// Returns the type of what a pointer points to or a box holds.
  const Type& pointee() const;

  /// Returns the declaration of a struct, an enum or an opaque type.
  const TypeDeclaration& declaration() const;

  /// Returns the parameters' types of a function type.
  const std::vector<Type>& parameters() const;
  const Type& result() const;

  /// Returns the types of which the type is made; those of a declared type belong to its declaration, and the
  /// result of a function type stands behind its parameters.
  std::vector<Type> parts() const;
  /// Returns whether the types differ at most in their parts, or in the extents of two tensors of one element
  /// type and rank.
  bool has_form_of(const Type& other) const;

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

/// A type that a module declares: `struct $S { #w: f32 }`, `enum $T { ?leaf(f32) ?node($T, $T) }`,
/// `type $A = (f32, f32)` or `type $O = opaque`.
struct TypeDeclaration {
  enum class Kind : std::uint8_t { structure, enumeration, alias, opaque };
  /// A field of a struct with its one type, or a case of an enum with the types of its payload.
  struct Member {
    std::string name;
    std::vector<Type> types;
  };

  Kind kind = Kind::opaque;
  std::string name;  ///< without the `$`
  std::vector<Member> members;
  Type aliased;  ///< the type that an alias stands for; it is that type wherever it is used
  Location location;

  /// Returns the position of the field or case of that name.
  std::optional<std::size_t> find(std::string_view member) const;
};

/// Returns the type of the component at the position in an aggregate, or of the elements that the position
/// along the first axis has in a tensor; nothing if there is none. A negative position stands for any one of
/// an array or a tensor.
std::optional<Type> component_type(const Type& type, std::int64_t position);

/// Returns whether there is a zero of the type: of an enum, a function or an opaque type there is none.
bool has_zero(const Type& type);

/// Returns whether a value of the type may hold values of that enum's or struct's type, at any depth and also
/// behind pointers.
bool holds(const Type& type, const TypeDeclaration& declaration);

/// Binds the dimensions of `pattern` so that it becomes `actual`; see `unify` on extents.
bool unify(const Type& pattern, const Type& actual, Extent::Substitution& substitution);

}  // namespace dlvm
