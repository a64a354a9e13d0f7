// The failures that a `checkIndex` reports instead of an index outside of its bounds. A pass that puts a
// check in the place of an instruction that uses memory lets it report what the instruction would have
// reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dlvm {

enum class Failure : std::uint8_t {
  null_pointer,
  deallocated,
  released,
  ended,  ///< deallocated or released
  no_values,
  outside_allocation,
  outside_copy,
  not_allocated,
};
inline constexpr Failure last_failure = Failure::not_allocated;

/// Returns the word that stands for the failure in an instruction's text.
std::string_view word(Failure failure);
std::optional<Failure> failure_named(std::string_view word);

/// Returns what the user reads.
std::string_view text_of_failure(Failure failure);

}  // namespace dlvm
