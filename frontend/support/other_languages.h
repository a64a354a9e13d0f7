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
/// Returns which of the parameters is meant by `word`, as `along` by `axis`; empty if none is.
std::string_view parameter_elsewhere(std::string_view word, std::span<const std::string_view> parameters);
/// Returns what is written in the place of a hyper-parameter that optimizers have elsewhere, `lr`, as a
/// sentence; empty if nothing is known. `parameters` are those that the optimizer has.
std::string hyper_parameter_elsewhere(std::string_view word, std::span<const std::string_view> parameters);

}  // namespace frontend
