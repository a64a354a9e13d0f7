#pragma once

#include <optional>

#include "dlvm/ir/element_type.h"
#include "dlvm/ir/extent.h"

namespace dlvm {

/// Holds the sum and the product of any two 64-bit integers, signed or not; larger ones count as 2^120.
__extension__ typedef __int128 WideInteger;

/// Dimensions are taken to be no larger than this, so that counters of 32 bits do not wrap before they reach
/// one.
constexpr std::int64_t max_dimension = (std::int64_t{1} << 31) - (std::int64_t{1} << 16) - 1;

/// Returns an extent that is neither below `extent` nor negative: without what is subtracted, if it may be
/// negative. Returns an invalid extent if none is known.
Extent without_negative_terms(const Extent& extent);

/// The bounds that an integer never leaves: as extents, where such are known, and as numbers, which
/// hold for all dimensions up to `max_dimension`.
struct IntegerBounds {
  std::optional<Extent> lower, upper;
  WideInteger least = 0, most = 0;

  /// Returns what is known of every integer of the type, or of a bool as 0 or 1.
  static IntegerBounds of_type(ElementType type);
  static IntegerBounds exactly(const Extent& extent);

  /// Returns the extent that the integer is, if that is known.
  std::optional<Extent> exact() const;
  bool fit(ElementType type) const;
  /// Returns the bounds of the integer that wraps to the type. Upper bounds outlast that it gets too large,
  /// and lower bounds that it gets too small.
  IntegerBounds wrapped_to(ElementType type) const;
};

/// Bounds of what integers without a limit of size give.
IntegerBounds operator+(const IntegerBounds& a, const IntegerBounds& b);
IntegerBounds operator-(const IntegerBounds& a);
IntegerBounds operator-(const IntegerBounds& a, const IntegerBounds& b);
IntegerBounds operator*(const IntegerBounds& a, const IntegerBounds& b);
/// Bounds of floor(a / b), which is 0 if b is.
IntegerBounds floor_divided(const IntegerBounds& a, const IntegerBounds& b);
/// Bounds of a - b * floor(a / b), which is 0 if b is.
IntegerBounds modulo(const IntegerBounds& a, const IntegerBounds& b);
/// Bounds of the smaller, of the larger, and of either of the two.
IntegerBounds minimum(const IntegerBounds& a, const IntegerBounds& b);
IntegerBounds maximum(const IntegerBounds& a, const IntegerBounds& b);
IntegerBounds either(const IntegerBounds& a, const IntegerBounds& b);

}  // namespace dlvm
