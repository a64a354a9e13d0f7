// The syntax of the words of a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dlvm/ir/extent.h"

namespace telc {

/// Splits `d=256`; returns nothing if the text has another form.
std::optional<std::pair<std::string, std::int64_t>> parse_define(const std::string& text);
/// Returns the values of dimensions that a list of NAME=NUMBER gives.
dlvm::Extent::Bindings dimensions_of(const std::vector<std::string>& defines);

// Checks the text as CLI11 requires: returns an empty string, or what is wrong.
std::string check_define(const std::string& text);
std::string check_memory_budget(const std::string& text);
std::string check_seed(const std::string& text);
std::string check_seconds(const std::string& text);
std::string check_file_name(const std::string& text);

}  // namespace telc
