#include "dlvm/ir/failures.h"

#include <array>
#include <utility>

namespace dlvm {
namespace {

constexpr std::string_view prefix = "fails_if.";

/// By `Failure`: the word of the name, and the text.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> failures{{
    {"null", "the pointer is null"},
    {"deallocated", "the memory is used after it was deallocated"},
    {"released", "the memory is used after its last reference was released"},
    {"ended", "the memory is used after it was deallocated, or its last reference was released"},
    {"no_values", "the allocation has no values"},
    {"outside_allocation", "the pointer would leave its allocation"},
    {"outside_copy", "a copy of more values than there are, or of less than none"},
    {"not_allocated", "the pointer is not one that allocateHeap gave"},
}};

}  // namespace

std::string name_of_check(Failure failure) {
  return std::string(prefix) + std::string(failures[static_cast<std::size_t>(failure)].first);
}

std::string_view text_of_failure(std::string_view name) {
  if (!name.starts_with(prefix)) return "";
  name.remove_prefix(prefix.size());
  name = name.substr(0, name.find('.'));  // text puts a number behind a name that is taken
  for (const auto& [word, text] : failures)
    if (word == name) return text;
  return "";
}

}  // namespace dlvm
