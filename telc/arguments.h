// What the words of a command line must be like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace telc {

/// `d=256`; nothing where it is not that.
std::optional<std::pair<std::string, std::int64_t>> parse_define(const std::string& text);

// As the parser of command lines wants them: empty, or what is wrong.
std::string check_define(const std::string& text);
std::string check_file_name(const std::string& text);

}  // namespace telc
