#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dlvm/ir/tensor.h"

namespace dlvm {

/// Returns element `i` as text: `true`, `-3`, `inf`, `nan`, or the fewest digits that read back as the same
/// value.
std::string number_text(const Tensor& tensor, std::size_t i);

/// Sets element `i` from such a text (rounded once to a floating type). Returns false if it is no number of
/// the type: a fraction for an integer, out of range, another word.
bool set_number(Tensor& tensor, std::size_t i, std::string_view text);

}  // namespace dlvm
