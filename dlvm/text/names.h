#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/ir/function.h"

namespace dlvm {

/// `sigil` and the name, in quotes where it is not plain: letters, digits, `_`, single `.` between them.
std::string written_name(char sigil, std::string_view name);
/// In quotes, with `"`, `\` and control characters escaped.
std::string quoted_text(std::string_view text);
/// What stands between the quotes, without the escapes.
std::string unescaped(std::string_view text);

/// What the values of one function are called in text.
class ValueNames {
 public:
  explicit ValueNames(const Function& function);
  /// With the `%`.
  std::string_view of(const Value& value) const;

 private:
  void add(const Value& value, std::string anonymous);
  std::unordered_map<const Value*, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;  ///< number to try behind a name that is taken
};

}  // namespace dlvm
