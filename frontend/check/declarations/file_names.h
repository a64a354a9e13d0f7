// Names of tensors in files of weights: `from "fc1.weight"^T`.
#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// What stands in names for the path of an instance.
inline constexpr std::string_view path_placeholder = "{path}";

/// Returns the text with the path in the place of {path}.
std::string with_path(std::string text, std::string_view path);
/// Returns the text with the extent of each dimension of the net in the place of its name in braces.
std::string with_extents(std::string text, const NetType& net);
/// Returns the path of what has that name in what has the path.
std::string inside_path(std::string_view path, std::string_view name);
/// Returns the path in files of an instance of that name: that of its `from`, with `outer`, the path of the
/// net around it, for {path}, and the extents of that net. `around` is null outside of nets.
std::string path_in_files(const ast::NetInstance& instance, const std::string& name, std::string_view outer,
                          const NetType* around);

/// Returns the name that the source gives to what is stored, with the path of a net's instance in it; empty
/// where files have the name of the declaration.
std::string file_name(const Declaration& stored);
/// Reports names that no file can have, of declarations that no file has, and those that two tensors have.
void check_file_names(const Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
