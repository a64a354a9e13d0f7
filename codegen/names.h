#pragma once

#include <set>
#include <string>
#include <string_view>

namespace codegen {

/// Names of one scope of the header, in C and in C++. A name that is a keyword of either, a macro of the
/// headers that every header includes, or taken in this scope, gets a trailing `_` (as many as it needs).
class Names {
 public:
  Names() = default;
  Names(std::initializer_list<std::string_view> reserved) : taken_(reserved.begin(), reserved.end()) {}

  /// The name to use for `name`; taken from now on.
  std::string add(std::string name);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace codegen
