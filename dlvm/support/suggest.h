#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dlvm {

/// Returns the candidate that `name` is most likely a misspelling of; empty if none is close (more than a
/// third of the letters differ). Upper and lower case differ less than any two letters.
std::string_view closest(std::string_view name, std::span<const std::string_view> candidates);

/// Returns `: did you mean SIGILnear?` for the candidate that `closest` finds, to go on a sentence; empty if
/// there is none, or there are too many candidates to look at.
std::string question(std::string_view name, std::span<const std::string_view> candidates,
                     std::string_view sigil = "");

}  // namespace dlvm
