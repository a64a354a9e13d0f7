#include "dlvm/ir/failures.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dlvm {
namespace {

/// By `Failure`: the word, and the text.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> failures{{
    {"nullPointer", "the pointer is null"},
    {"deallocated", "the memory is used after it was deallocated"},
    {"released", "the memory is used after its last reference was released"},
    {"ended", "the memory is used after it was deallocated, or its last reference was released"},
    {"noValues", "the allocation has no values"},
    {"outsideAllocation", "the pointer would leave its allocation"},
    {"outsideCopy", "a copy of more values than there are, or of less than none"},
    {"notAllocated", "the pointer is not one that allocateHeap gave"},
}};
static_assert(failures.size() == static_cast<std::size_t>(last_failure) + 1);

}  // namespace

std::string_view word(Failure failure) { return failures[static_cast<std::size_t>(failure)].first; }

std::optional<Failure> failure_named(std::string_view word) {
  const auto* found = std::ranges::find(failures, word, [](const auto& each) { return each.first; });
  if (found == failures.end()) return std::nullopt;
  return static_cast<Failure>(found - failures.begin());
}

std::string_view text_of_failure(Failure failure) {
  return failures[static_cast<std::size_t>(failure)].second;
}

}  // namespace dlvm
