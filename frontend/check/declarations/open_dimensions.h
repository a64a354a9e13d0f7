// Dimensions in the fields of structs that no `dim` gives a value: `struct Batch { x: [N x 4]  label:
// int32[N] }`. Where such a struct is written as a type, its dimensions mean what they would mean if its
// fields stood there. A value that is made of its fields has their extents.
#pragma once

#include <string>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// A dimension of a struct, with the place in a field that names it.
struct OpenDimension {
  std::string name;
  const ast::Extent* written = nullptr;
};
/// Returns the dimensions of the fields of the type that is written, those of structs in it included. What is
/// wrong with the type is reported elsewhere.
std::vector<OpenDimension> open_dimensions(const Scope& scope, const ast::TypeName& written);

/// Gives each struct its dimensions; reports those in payloads of enums. Fields and payloads have their
/// types.
void find_open_dimensions(Program& program, dlvm::Diagnostics& diagnostics);

/// Returns the struct or enum that is written, with the extents that its dimensions have here. Null, with a
/// report, where there is none.
const DeclaredType* check_declared(BodyContext& context, const ast::TypeName& written);
/// Returns the struct with the extents of the values of its fields, of which those that could not be made are
/// null. A dimension whose extent does not follow from them means what its name means at `location`.
const DeclaredType* type_of_fields(BodyContext& context, const DeclaredType& type,
                                   const std::vector<Node*>& values, Location location);

}  // namespace frontend::check
