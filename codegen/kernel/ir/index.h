#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "dlvm/ir/extent.h"

/// Quasi-affine indices and their algebra, for kernels and schedules alike: what is an axis and a scalar of a
/// stage in a kernel, is a loop and a value in a schedule.
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

/// constant + Σ coefficient × atom, an atom being an axis, a quotient or a loaded scalar.
///
/// The functions below return canonical indices: the atoms of the terms ascend, no coefficient is zero, and
/// d × floor(x / d) + x mod d is x. So equal maps mostly compare equal.
struct Index {
  struct Quotient;
  struct Term;
  using Atom = std::variant<AxisId, std::shared_ptr<const Quotient>, Loaded>;

  Extent constant;
  std::vector<Term> terms;

  /// Structural: quotients are equal where what they point to is.
  friend std::strong_ordering operator<=>(const Index& a, const Index& b);
  friend bool operator==(const Index& a, const Index& b) { return (a <=> b) == 0; }
};
struct Index::Quotient {
  enum class Kind : std::uint8_t { floor, modulo };  ///< modulo has the divisor's sign
  Kind kind = Kind::floor;
  Index index;
  Extent divisor;
};
struct Index::Term {
  Extent coefficient;
  Atom atom;
};

using Indices = std::vector<Index>;
/// The extent of each axis, by its id.
using AxisExtents = std::span<const Extent>;

Index constant_index(Extent value);
Index axis_index(AxisId axis);
Index loaded_index(ScalarId scalar);
/// The quotient as it stands. `floor_divide` and `modulo` simplify by what they know of the axes.
Index quotient_index(Index::Quotient quotient);

Index operator+(const Index& a, const Index& b);
Index operator*(const Index& index, const Extent& by);
Index floor_divide(const Index& index, const Extent& divisor, AxisExtents axes);
Index modulo(const Index& index, const Extent& divisor, AxisExtents axes);

/// The quotient of that kind where the atom is one, else null.
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
/// The index with `replace(atom)` in the place of each axis and loaded scalar, quotients included; `replace`
/// takes either and returns an index.
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

/// The axes that the index depends on, but for those behind a loaded scalar; one may be there twice.
std::vector<AxisId> axes_of(const Index& index);
/// The axis where the index is just that.
std::optional<AxisId> lone_axis(const Index& index);
/// The value where the index has no terms.
std::optional<Extent> constant(const Index& index);

/// Smallest and largest value (inclusive) over all points, where they follow.
struct IndexRange {
  std::optional<Extent> least, most;
};
IndexRange range(const Index& index, AxisExtents axes);
/// Whether 0 <= index < end at every point.
bool provably_inside(const Index& index, const Extent& end, AxisExtents axes);

/// Row-major position of an element in a tensor of that shape.
Index row_major_position(const Indices& indices, const dlvm::Shape& shape);

}  // namespace codegen::kernel
