#pragma once

#include <string_view>

namespace frontend {

/// Two programs for the explanation of a message: the first one gives it, the second one has no error.
struct Example {
  std::string_view code;  ///< without its family, E0301
  std::string_view wrong, right;
};

/// Returns the example of a code with its family, TEL-E0301, or null.
const Example* example_of(std::string_view code);

}  // namespace frontend
