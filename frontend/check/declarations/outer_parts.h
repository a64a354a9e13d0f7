// What structs and enums are for callers: structs of tensors. An enum without payloads is one tensor, the
// number of its case. Any other has that number, `kind`, and the payloads of all cases: `circle_0` is the
// first value behind the case `circle`.
#pragma once

#include <string>
#include <vector>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// A part of a struct or an enum as callers see it: a field, the number of the case, or a value of a payload.
struct OuterPart {
  enum class Kind : std::uint8_t { field, number, payload };
  Kind kind = Kind::field;
  std::string name;
  Type type;
  std::size_t of_case = 0;   ///< of a payload
  std::size_t position = 0;  ///< of a field among the fields, of a value in its payload
};

/// Returns whether each value of the type is told by the number of its case: it is an enum with cases of
/// which none has a payload.
bool is_numbered(const DeclaredType& type);
/// Returns whether a value of the type is one tensor for callers.
bool is_outer_tensor(const Type& type);
/// Returns the parts of a value that is no tensor for callers.
std::vector<OuterPart> outer_parts(const DeclaredType& type);
/// Returns how many tensors a value of the type is for callers. The type must not hold itself.
std::size_t count_outer_tensors(const Type& type);

/// Returns the type of a tensor of what callers give or get, as the module writes it: the name of an enum
/// where the tensor is the number of its case.
std::string written_type(const Declaration& tensor);

/// Returns the names of the structs, and of the enums with payloads, around a tensor of what callers give or
/// get, the outermost first. Of the number of a case the names of the enum and of its cases follow.
std::vector<std::string> types_around(const Declaration& tensor);

}  // namespace frontend::check
