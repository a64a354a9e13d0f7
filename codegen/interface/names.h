#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace codegen {

/// Whether no declaration of the header can have the name: it is a keyword of C or C++, a macro of a compiler
/// or of the standard headers, a name that compilers (`__x`, `_X`) or the header's shared text (`tel_x`,
/// `TEL_x`) may have for themselves, or one of the integer types that the header's structs are written with.
bool is_reserved(std::string_view name);

/// Whether the standard headers declare the name in the global scope (`abs`, `size_t`), or it is `main`: no
/// namespace and no function of the C interface can have it.
bool is_global(std::string_view name);

/// Names of one scope of the header, in C and in C++. A name that is reserved or taken in this scope gets a
/// trailing `_` (as many as it needs).
class Names {
 public:
  Names() = default;
  Names(std::initializer_list<std::string_view> taken) : taken_(taken.begin(), taken.end()) {}

  /// Makes `name` one that `add` gives to nothing.
  void take(std::string name) { taken_.insert(std::move(name)); }
  /// The name to use for `name`; taken from now on.
  std::string add(std::string name);
  /// The same, where the names that `derive` makes of it must be free too; all are taken from now on.
  std::string add(std::string name, std::vector<std::string> (*derive)(const std::string&));

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace codegen
