#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace codegen::interface {

/// Returns whether no declaration of the header can have the name: it is a keyword of C or C++, a macro of a
/// compiler or of the standard headers, a name that is reserved for compilers (`__x`, `_X`) or for the
/// header's shared text (`tel_x`, `TEL_x`), or one of the integer types that the header's structs use.
bool is_reserved(std::string_view name);

/// Returns whether the standard headers declare the name in the global scope (`abs`, `size_t`), or it is
/// `main`. No namespace and no function of the C interface can have such a name.
bool is_global(std::string_view name);

/// The names of one scope of the header, in C and in C++. A dot in a name becomes `_`. A name that is
/// reserved or already taken in this scope gets as many `_` at its end as it needs.
class Names {
 public:
  Names() = default;
  Names(std::initializer_list<std::string_view> taken) : taken_(taken.begin(), taken.end()) {}

  /// Takes `name`, so that `add` does not return it.
  void take(std::string name) { taken_.insert(std::move(name)); }
  /// Returns the name to use for `name` and takes it.
  std::string add(std::string name);
  /// Returns the name to use for `name`, chosen so that the names that `derive` makes of it are free too. It
  /// takes all of them.
  std::string add(std::string name, std::vector<std::string> (*derive)(const std::string&));

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace codegen::interface
