#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace frontend::python {

struct SequentialAdvice {
  std::string text;
  std::size_t end = 0;  ///< behind the parentheses
};

/// Returns how the layers that `Sequential` lists in the parentheses at `open` are declared, and applied in
/// turn; nothing where one is not known.
std::optional<SequentialAdvice> advice_of_sequential(std::string_view text, std::size_t open);

}  // namespace frontend::python
