// Declares how the printer writes values, instructions and declarations.
#pragma once

#include <string>
#include <string_view>

#include "dlvm/text/names.h"

namespace dlvm::printing {

/// The names under which erased dimensions are written.
using Numbering = Extent::Substitution;

/// Returns the numbers of the erased dimensions of a function that its text must tell apart, because they
/// stand in several places or in attributes: `_1`. All others print as `_`.
Numbering erased_numbers(const Function& function);

inline Type numbered(const Type& type, const Numbering& numbers) {
  return numbers.empty() ? type : type.substitute(numbers);
}
inline Extent numbered(const Extent& extent, const Numbering& numbers) {
  return numbers.empty() ? extent : extent.substitute(numbers);
}

std::string location_text(const Location& location);
std::string literal_text(const Literal& literal, const Numbering& numbers);
std::string attribute_text(const Attribute& attribute, Clause clause, const Numbering& numbers = {});
/// Returns the instruction without an end of line.
std::string instruction_text(const Instruction& instruction, const BodyNames& names,
                             const Numbering& numbers);

template <typename List, typename Text>
std::string joined(const List& list, std::string_view separator, Text text) {
  std::string out;
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += separator;
    first = false;
    out += text(element);
  }
  return out;
}

inline std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace dlvm::printing
