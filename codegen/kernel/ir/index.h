#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "dlvm/ir/extent.h"
#include "dlvm/support/value_semantics.h"

/// Quasi-affine indices and their algebra, which kernels and schedules share. An atom is an axis and a scalar
/// of a stage in a kernel; in a schedule it is a loop and a value.
namespace codegen::kernel {

using dlvm::Extent;

/// An axis, by an id that is unique in its kernel.
using AxisId = std::uint32_t;
/// A scalar, by its position in its stage: first those of `body`, then those of `epilogue`.
using ScalarId = std::uint32_t;

/// An atom of an index: the integer scalar that a gather or scatter has loaded.
struct Loaded {
  ScalarId scalar = 0;
  friend auto operator<=>(const Loaded&, const Loaded&) = default;
};

/// The value constant + Σ coefficient × atom, in which an atom is an axis, a quotient or a loaded scalar.
///
/// The functions below return canonical indices: the atoms of the terms ascend, no coefficient is zero, and d
/// × floor(x / d) + x mod d is x. So equal maps mostly compare equal.
struct Index {
  struct Quotient;
  struct Term;
  using Atom = std::variant<AxisId, std::shared_ptr<const Quotient>, Loaded>;

  DECLARE_VALUE_SEMANTICS(Index)
  Index(Extent constant, std::vector<Term> terms);

  Extent constant;
  std::vector<Term> terms;

  /// Compares structurally: two quotients are equal if the indices that they point to are.
  friend std::strong_ordering operator<=>(const Index& a, const Index& b);
  friend bool operator==(const Index& a, const Index& b) { return (a <=> b) == 0; }
};
/// The quotient floor(index / divisor), or its remainder.
struct Index::Quotient {
  enum class Kind : std::uint8_t { floor, modulo };  ///< modulo has the divisor's sign
  Kind kind = Kind::floor;
  Index index;
  Extent divisor;
};
/// The summand coefficient × atom.
struct Index::Term {
  Extent coefficient;
  Atom atom;
};

/// The indices of an element, one for each dimension of a tensor.
using Indices = std::vector<Index>;
/// The extent of each axis, indexed by its id.
using AxisExtents = std::span<const Extent>;

/// Return the index that is a constant, an axis, or a loaded scalar.
Index constant_index(Extent value);
Index axis_index(AxisId axis);
Index loaded_index(ScalarId scalar);
/// Returns the quotient unsimplified. `floor_divide` and `modulo` simplify by the extents of the axes.
Index quotient_index(Index::Quotient quotient);

Index operator+(const Index& a, const Index& b);
Index operator*(const Index& index, const Extent& by);
/// Return floor(index / divisor) and index - divisor * floor(index / divisor), simplified by the extents of
/// the axes.
Index floor_divide(const Index& index, const Extent& divisor, AxisExtents axes);
Index modulo(const Index& index, const Extent& divisor, AxisExtents axes);

/// Returns the quotient if the atom is one of that kind, else null.
const Index::Quotient* as_quotient(const Index::Atom& atom, Index::Quotient::Kind kind);
/// Calls `visit` with each axis and each loaded scalar that the index depends on, those in quotients
/// included.
template <typename Visit>
void visit_atoms(const Index& index, const Visit& visit) {
  for (const Index::Term& term : index.terms) {
    if (const auto* axis = std::get_if<AxisId>(&term.atom))
      visit(*axis);
    else if (const auto* loaded = std::get_if<Loaded>(&term.atom))
      visit(*loaded);
    else
      visit_atoms(std::get<std::shared_ptr<const Index::Quotient>>(term.atom)->index, visit);
  }
}
/// Returns the index in which `replace(atom)` stands for each axis and loaded scalar, also within quotients.
/// `replace` takes either and returns an index.
template <typename Replace>
Index substitute(const Index& index, const Replace& replace) {
  Index result = constant_index(index.constant);
  for (const Index::Term& term : index.terms) {
    if (const auto* axis = std::get_if<AxisId>(&term.atom)) {
      result = result + replace(*axis) * term.coefficient;
    } else if (const auto* loaded = std::get_if<Loaded>(&term.atom)) {
      result = result + replace(*loaded) * term.coefficient;
    } else {
      const auto& quotient = *std::get<std::shared_ptr<const Index::Quotient>>(term.atom);
      result =
          result + quotient_index({quotient.kind, substitute(quotient.index, replace), quotient.divisor}) *
                       term.coefficient;
    }
  }
  return result;
}

/// Returns the axes that the index depends on, except those behind a loaded scalar. An axis may occur twice.
std::vector<AxisId> axes_of(const Index& index);
/// Returns the axis if the index is one axis and nothing else.
std::optional<AxisId> lone_axis(const Index& index);
/// Returns the value if the index has no terms.
std::optional<Extent> constant(const Index& index);

/// The smallest and the largest value of an index over all points (inclusive); each is absent if it is not
/// known.
struct IndexRange {
  std::optional<Extent> lower_bound, upper_bound;
};
/// Returns the bounds of the index, given the extents of the axes.
IndexRange range(const Index& index, AxisExtents axes);
/// Returns whether 0 <= index < end is proved for every point.
bool provably_inside(const Index& index, const Extent& end, AxisExtents axes);

/// Returns the row-major position of an element in a tensor of that shape.
Index row_major_position(const Indices& indices, const dlvm::Shape& shape);

}  // namespace codegen::kernel
