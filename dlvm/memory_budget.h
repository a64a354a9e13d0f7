#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/type.h"
#include "dlvm/support/source.h"
#include "dlvm/transform/loop_segmentation.h"

namespace dlvm {

/// How much a derivative may keep for its reverse part: bytes, or percent of what it would keep otherwise.
struct MemoryBudget {
  std::int64_t amount = 0;
  bool is_percent = false;

  /// Returns the bytes, for a derivative that would keep `all` bytes.
  std::int64_t bytes(std::int64_t all) const;
};
/// Reads `1000` or `25%`; nothing where the text is something else.
std::optional<MemoryBudget> parse_memory_budget(std::string_view text);

/// A value that a derivative keeps or computes again.
struct CheckpointedValue {
  std::string text;  ///< the instruction that computes it, and its type
  std::int64_t bytes = 0;
  Location place;
};

/// Describes what the passes CKP and REM did for one gradient declaration.
struct CheckpointingChoice {
  std::string function;   ///< the name of the declaration, or of a function that calls it
  Location place;         ///< that of the declaration
  std::int64_t all = 0;   ///< the bytes that the derivative would keep
  std::int64_t kept = 0;  ///< the bytes that it keeps
  std::int64_t budget = 0;
  Segments segments = {};         ///< of the loops; without levels if they are not cut
  bool is_straight_line = false;  ///< there are no loops, and REM chooses
  bool is_typical = false;        ///< the bytes are those where every dimension is `typical_dimension`
  /// What REM keeps and computes again, the largest first, and how much that adds to the work.
  std::vector<CheckpointedValue> stored = {}, computed_again = {};
  double more_work = 0;
};

/// Returns the first dimension in the type; empty if all extents are numbers.
std::string dimension_of(const Type& type);
/// Returns why the bytes are not known where the types have that dimension.
std::string depends_on(std::string_view dimension);

/// The attribute of functions of which REM may compute values again.
inline constexpr std::string_view rematerialize_attribute = "rematerialize";

}  // namespace dlvm
