#pragma once

#include <fmt/format.h>

#include <string>

#include "dlvm/ir/type_rules/type_rules.h"

/// The functions that the type rules of all families use. Where one of them gives false, `why` says the
/// reason.
namespace dlvm::type_rules {

/// Begins the definition of a type rule.
#define TYPE_RULE(name)                                                     \
  std::optional<Type> name([[maybe_unused]] const InstructionDefinition& d, \
                           [[maybe_unused]] const Signature& s, [[maybe_unused]] std::string& why)

/// Returns nothing, and the reason in `why`.
inline std::nullopt_t fail(std::string& why, std::string reason) {
  why = std::move(reason);
  return std::nullopt;
}

/// Returns an attribute of integers.
inline const Integers& integers(const Signature& s, std::size_t i) {
  return std::get<Integers>(s.attributes[i]);
}

/// Returns an attribute of extents.
inline const Shape& extents(const Signature& s, std::size_t i) { return std::get<Shape>(s.attributes[i]); }

/// Returns whether the types are equal.
inline bool same(const Type& a, const Type& b, std::string& why) {
  if (a == b) return true;
  why = fmt::format("types {} and {} differ", a.text(), b.text());
  return false;
}

/// Returns whether all operands are tensors.
bool all_tensors(const Signature& s, std::string& why);

/// Returns whether the instruction takes elements of the type.
bool accepted(const InstructionDefinition& d, ElementType element, std::string& why);

/// Returns whether these are axes of a tensor of the rank, each named once.
bool axes_of(const Integers& axes, std::size_t rank, std::string& why);

/// Returns whether this is one axis of a tensor of the rank.
bool one_axis(const Integers& axes, std::size_t rank, std::string& why);

/// Returns whether the combinator takes two elements of the type and returns one.
bool combines(const Combinator& combinator, ElementType element, std::string& why);

}  // namespace dlvm::type_rules
