// The words of NumPy, PyTorch and C for which TEL has others, for fixes in messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace frontend {

/// Returns the element type that another language calls `word`, as `f32` or `double`; empty if none does.
std::string_view element_type_elsewhere(std::string_view word);
/// Returns the role that a reader may mean by `word`, as `input`; empty if there is none.
std::string_view role_elsewhere(std::string_view word);
/// Returns the parameter that other languages call `word`, as `axis` for `along`; empty if none does.
std::string_view parameter_elsewhere(std::string_view word);
/// Returns the value that other languages call `word`, as `True`; empty if none does.
std::string_view value_elsewhere(std::string_view word);
/// Returns whether other languages have a function of that name that TEL writes otherwise.
bool is_called_elsewhere(std::string_view name);
/// Returns a call of a function that TEL does not have as TEL writes it: `x • W` for `matmul(x, W)`. The
/// arguments are inserted as they are written. Empty if the function is not known or the arguments do not
/// fit.
std::string call_elsewhere(std::string_view name, std::span<const std::string> arguments);

}  // namespace frontend
