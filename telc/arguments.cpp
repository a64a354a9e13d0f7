#include "telc/arguments.h"

#include <charconv>

#include "dlvm/memory_budget.h"

namespace telc {

std::optional<std::pair<std::string, std::int64_t>> parse_define(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  std::int64_t value = 0;
  const char *begin = text.data() + equals + 1, *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return std::pair{text.substr(0, equals), value};
}

dlvm::Extent::Bindings dimensions_of(const std::vector<std::string>& defines) {
  dlvm::Extent::Bindings dimensions;
  for (const std::string& define : defines)
    if (const auto parsed = parse_define(define)) dimensions[parsed->first] = parsed->second;
  return dimensions;
}

std::string check_memory_budget(const std::string& text) {
  if (dlvm::parse_memory_budget(text)) return "";
  return "'" + text + "' is neither a number of bytes nor a percentage such as 25%";
}

std::string check_define(const std::string& text) {
  if (parse_define(text)) return "";
  const auto equals = text.find('=');
  const bool number =
      equals != std::string::npos && equals > 0 && equals + 1 < text.size() &&
      text.find_first_not_of("0123456789", equals + (text[equals + 1] == '-' ? 2 : 1)) == std::string::npos;
  const bool list = text.find(',') != std::string::npos;
  return "'" + text + "' is not NAME=NUMBER" +
         (number ? ": the number must be from 0 to 2^63 - 1"
          : list ? ": each dimension has a -D of its own, -D N=3 -D M=4"
                 : "");
}

std::string check_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, seed);
  return error == std::errc() && parsed == end ? ""
                                               : "takes an integer from 0 to 2^64 - 1, not '" + text + "'";
}

std::string check_seconds(const std::string& text) {
  constexpr double most = 1e9;  // what clocks count in 64 bits
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, seconds);
  const bool is_number = error == std::errc() && parsed == end;
  return is_number && seconds > 0 && seconds <= most
             ? ""
             : "takes a number above 0, at most 10^9, not '" + text + "'";
}

std::string check_file_name(const std::string& text) {
  return text.empty() ? "the name of a file is empty" : "";
}

}  // namespace telc
