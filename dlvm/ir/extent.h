#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dlvm/support/value_semantics.h"

namespace dlvm {

/// An extent of a tensor: a polynomial with integer coefficients over named dimensions and atoms
/// floor(p / q), in canonical form, so that two extents are equal where their forms are. Dimensions are at
/// least 0. Arithmetic is checked: a coefficient that 64 bits do not hold, or a polynomial over the limits
/// (terms, degree, depth), gives an extent that is not `valid()`, and so does whatever is computed from it.
class Extent {
 public:
  struct Floor;

  /// A named dimension, or floor(p / q) where `floor` is set.
  struct Atom {
    std::string name;
    std::shared_ptr<const Floor> floor;
  };
  /// coefficient × product of atoms; the atoms are sorted, a power is a repetition.
  struct Term {
    std::int64_t coefficient = 0;
    std::vector<Atom> atoms;
  };

  using Bindings = std::map<std::string, std::int64_t, std::less<>>;
  using Substitution = std::map<std::string, Extent, std::less<>>;

  DECLARE_VALUE_SEMANTICS(Extent)  ///< 0 by default
  Extent(std::int64_t constant);   // NOLINT: an integer is an extent
  static Extent dimension(std::string name);
  /// Returns a dimension without a name, which differs from all others and prints as `_`.
  static Extent erased();
  static Extent invalid();

  bool valid() const { return valid_; }
  std::optional<std::int64_t> constant() const;
  bool is(std::int64_t value) const { return constant() == value; }
  /// Returns the dimension's name if the extent is a single dimension.
  std::optional<std::string> name() const;
  /// Returns the terms whose sum the extent is; the constant term, if there is one, is the last.
  const std::vector<Term>& terms() const;

  friend Extent operator+(const Extent& a, const Extent& b);
  friend Extent operator-(const Extent& a, const Extent& b);
  friend Extent operator*(const Extent& a, const Extent& b);
  /// Returns floor(a / b), which is 0 if `b` is the constant 0.
  static Extent floor_divide(const Extent& a, const Extent& b);
  /// Returns the polynomial c with c * b == a, if there is one.
  static std::optional<Extent> exact_divide(const Extent& a, const Extent& b);

  /// Returns the value under `bindings`, or nothing if a name is not bound or 64 bits do not hold the value.
  std::optional<std::int64_t> evaluate(const Bindings& bindings) const;
  Extent substitute(const Substitution& substitution) const;
  void collect_names(std::set<std::string>& names) const;

  /// Returns a value that the extent is never below, if one follows from dimensions being at least 0.
  std::optional<std::int64_t> lower_bound() const;

  /// Returns the extent as text: `4*N + 1`, `floor((H - K)/S) + 1`, `_`.
  std::string text() const;

  friend bool operator==(const Extent& a, const Extent& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Extent& a, const Extent& b);

 private:
  /// Takes terms in any order, with products of any order.
  static Extent from_terms(std::vector<Term> terms);
  /// Takes terms in canonical form.
  static Extent of_canonical(std::vector<Term> terms);
  /// Returns the product with a constant that is not 0.
  Extent scaled(std::int64_t factor) const;

  /// Copies share the terms, which never change; null where there are none.
  std::shared_ptr<const std::vector<Term>> terms_;
  bool valid_ = true;
};

struct Extent::Floor {
  Extent numerator, denominator;
};

using Shape = std::vector<Extent>;

/// Returns the number of elements of a tensor of this shape.
Extent unit_count(const Shape& shape);
/// Returns the shape as text: `4 x N x 2`; empty for a scalar.
std::string text(const Shape& shape);

enum class Proof { yes, no, unknown };
/// Returns whether a == b for all values of the dimensions (yes), for none (no), or possibly for some.
Proof provably_equal(const Extent& a, const Extent& b);
/// Returns whether a <= b, with the same three answers.
Proof provably_at_most(const Extent& a, const Extent& b);

/// Binds dimensions so that `pattern` (whose names are generic) becomes `actual`: a lone name is bound, the
/// rest must be equal after substitution. Returns false if they do not provably agree.
bool unify(const Extent& pattern, const Extent& actual, Extent::Substitution& substitution);

}  // namespace dlvm
