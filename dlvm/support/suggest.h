#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dlvm {

/// Returns the candidate that `name` is most likely a misspelling of; empty if none is close (more than a
/// third of the letters differ). Upper and lower case differ less than any two letters.
std::string_view closest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace dlvm
