// Index notation, C[i, j] = sum(A[i, k] * B[k, j] for k), in three steps:
//
// 1. The expression is checked as that of one element (elements.cpp): an index is a number, an access of a
//    tensor at indices is a scalar, a reduction of a scalar is a scalar. So operators, conditions and calls
//    of functions are checked like everywhere else. The values are marked `indexed`.
// 2. Each index gets the range over which it runs, and every access is proved to be inside, or checked on
//    entry (ranges.cpp).
// 3. The indexed values become tensors, whose axes are the indices that they depend on (lift.h).
//
// An equation is what is on the right of an indexed left side, or a reduction that is not inside of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/check/types/extents.h"

namespace frontend::check {

/// The number of an index in its equation: those of the left side first, in their order.
using IndexId = std::size_t;

struct IndexVariable {
  std::string name;
  Location location;               ///< the place where it is bound
  bool reduced = false;            ///< bound by `for`
  bool visible = true;             ///< false behind the reduction that binds it
  bool given = false;              ///< the range is written: `u in 0..3`
  Extent first = 0;                ///< its least value
  std::optional<Extent> extent;    ///< the number of its values, when that is known
  std::optional<Extent> declared;  ///< the extent of its axis in the type of the left side
  Location declared_at;
  Location source;  ///< the place that `extent` comes from
};

/// A subscript that is a sum of indices with constant factors, and an extent: 2*i + u - 1.
struct Affine {
  Extent constant = 0;
  std::map<IndexId, std::int64_t> coefficients;

  /// Returns the index of which the subscript consists, without factor and constant.
  std::optional<IndexId> alone() const;
};

struct Position {
  std::optional<Affine> affine;  ///< nothing where the subscript is computed
  std::size_t operand = 0;       ///< otherwise the operand of the node that computes it
  Location location;
};

/// One access A[i, 2*k]: a node of kind `element`, whose first operand is the tensor.
struct Access {
  Node* node = nullptr;
  std::vector<Position> positions;  ///< one for each axis
};

struct Reduction {
  std::vector<IndexId> indices;
  bool mean = false;
};

struct Equation {
  std::string name;      ///< the name on the left, if there is one
  std::size_t left = 0;  ///< the number of indices on the left
  std::vector<IndexVariable> indices;
  std::vector<Access> accesses;       ///< the accesses, by `Node::index`
  std::vector<Reduction> reductions;  ///< the reductions, by `Node::index`

  /// Returns the index that the name means here, or nothing.
  std::optional<IndexId> find(std::string_view name) const;
};

/// Checks the equation, C[i, j] = …. `declared` is the shape that its type has, if one is written.
Node* check_equation(BodyContext& context, const ast::Declaration& syntax, Hint hint,
                     const std::optional<ShapePattern>& declared);
/// Checks sum(… for k).
Node* check_reduction(BodyContext& context, const ast::Reduction& e, Hint hint);
/// Checks an access, one of whose subscripts has an index in it.
Node* check_element(BodyContext& context, const ast::Index& e, Hint hint);
/// Returns whether a subscript has an index in it.
bool has_index(const BodyContext& context, const ast::Index& e);
/// Returns the index as a number, or null if the name means no index.
Node* check_index_name(BodyContext& context, const ast::NameReference& e);

/// Gives each index its range and requires every access to be inside. Returns false after an error.
bool settle_ranges(BodyContext& context, Equation& equation);
/// Returns the affine expression, if it is one (subscripts.cpp).
std::optional<Affine> affine_subscript(BodyContext& context, const ast::Expression& e);
bool mentions_index(const BodyContext& context, const ast::Expression& e);

}  // namespace frontend::check
