// What people who know NumPy, PyTorch or C write, and what TEL writes in its place: for fixes of messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace frontend {

/// The element type that another language calls `word`, as `f32` or `double`; empty where none does.
std::string_view element_type_elsewhere(std::string_view word);
/// The role that a reader may mean by `word`, as `input`; empty where there is none.
std::string_view role_elsewhere(std::string_view word);
/// The parameter that other languages call `word`, as `axis` for `along`; empty where none does.
std::string_view parameter_elsewhere(std::string_view word);
/// The value that other languages call `word`, as `True`; empty where none does.
std::string_view value_elsewhere(std::string_view word);
/// Whether other languages have a function of that name that TEL writes otherwise.
bool is_called_elsewhere(std::string_view name);
/// A call of a function that TEL does not have, as TEL writes it: `x • W` for `matmul(x, W)`. The arguments
/// are as they are written. Empty where nothing is known, or where the arguments do not fit.
std::string call_elsewhere(std::string_view name, std::span<const std::string> arguments);

}  // namespace frontend
