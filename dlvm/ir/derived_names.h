/// Names that the compiler makes from those of a program's functions.
#pragma once

#include <string>
#include <string_view>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns the name for a function that does nothing but call the one of that name.
std::string name_of_caller(std::string_view name);

/// Returns what messages call a function of that name: the name itself, or, if it is of `name_of_caller`, the
/// name of the function that is called.
std::string_view name_in_messages(std::string_view name);

/// Returns a name that begins with the function's: `FUNCTION_word`. It can name a dimension. The adjoints of
/// a function, those that compute its tangents, its copies in which nodes of enums are numbers
/// (enum_expansion.h) or the module's variables are parameters (global_promotion.h), and a function that does
/// nothing but call it, share its dimensions.
std::string name_after(const Function& function, std::string_view word);

/// The dimension that stands for `FUNCTION_steps` of the function in which it is in the end, until inlining
/// has shown which one that is (`name_steps` in dlvm/transform/stack_expansion.h).
inline constexpr std::string_view steps_of_function = "FUNCTION_steps";

/// Returns whether code generation may make a dimension of that name, which callers give: what `name_after`
/// returns for the words `depth`, `steps`, `nodes` and `values`, and for a function of the module, or a copy
/// of it for known extents or for segments of its loops.
bool is_bound_of_lowering(std::string_view name, const Module& module);
/// Returns what a dimension of that name bounds, if it is one of these: "how many …".
std::string meaning_of_bound(std::string_view name);

}  // namespace dlvm
