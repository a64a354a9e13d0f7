// The examples of explanations, by the kinds of mistakes. The functions return those of one file each.
#pragma once

#include <span>
#include <string_view>

namespace frontend {

/// Two programs for the explanation of a message: the first one gives it, the second one has no error.
struct Example {
  std::string_view code;  ///< without its family, E0301
  std::string_view wrong, right;
};

}  // namespace frontend

namespace frontend::examples {

std::span<const Example> auto_shapes();
std::span<const Example> custom_gradients();
std::span<const Example> declared_types();
std::span<const Example> entries();
std::span<const Example> file_names();
std::span<const Example> gradients();
std::span<const Example> indices();
std::span<const Example> names();
std::span<const Example> nets();
std::span<const Example> operands();
std::span<const Example> optimizers();
std::span<const Example> recurrences();
std::span<const Example> scales();
std::span<const Example> statements();
std::span<const Example> text();
std::span<const Example> types();
std::span<const Example> values();
std::span<const Example> windows();

}  // namespace frontend::examples
