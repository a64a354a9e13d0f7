#pragma once

#include <fmt/format.h>

#include <string>

#include "dlvm/ir/instruction_table.h"

/// The functions that the type rules of all families use.
namespace dlvm::type_rules {

/// Returns nothing, and the reason in `why`.
inline std::nullopt_t fail(std::string& why, std::string reason) {
  why = std::move(reason);
  return std::nullopt;
}

/// Returns an attribute of integers.
inline const Integers& integers(const Signature& s, std::size_t i) {
  return std::get<Integers>(s.attributes[i]);
}

/// Returns whether the types are equal, and otherwise in `why` that they are not.
inline bool same(const Type& a, const Type& b, std::string& why) {
  if (a == b) return true;
  why = fmt::format("types {} and {} differ", a.text(), b.text());
  return false;
}

}  // namespace dlvm::type_rules
