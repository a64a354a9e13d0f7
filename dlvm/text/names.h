#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns `sigil` and the name, in quotes unless it is plain: letters, digits, `_`, and single `.` between
/// them.
std::string written_name(char sigil, std::string_view name);
/// Returns the text in quotes, with `"`, `\` and control characters escaped.
std::string quoted_text(std::string_view text);
/// Returns the text between the quotes with its escapes replaced.
std::string unescaped(std::string_view text);

/// Makes names unique: where one is there already, a number follows the later one.
class UniqueNames {
 public:
  std::string add(const std::string& name);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;  ///< number to try behind a name that is taken
};

/// Returns whether a block of this name is anonymous: it is written as its number in the function.
bool is_anonymous_block(std::string_view name);

/// The names of one function's values and blocks in text.
class BodyNames {
 public:
  explicit BodyNames(const Function& function);
  /// Returns the value's name with the `%`.
  std::string_view of(const Value& value) const;
  /// Returns the block's name with the `'`.
  std::string_view of(const BasicBlock* block) const;

 private:
  void add(const Value& value, std::string anonymous);
  std::unordered_map<const Value*, std::string> names_;
  std::unordered_map<const BasicBlock*, std::string> block_names_;
  UniqueNames values_, blocks_;
};

}  // namespace dlvm
