#include "dlvm/ir/instruction_views.h"

namespace dlvm {

Integers Transpose::permutation() const {
  if (const auto* written = optional_attribute<Integers>(0)) return *written;
  Integers reversed;
  for (std::size_t axis = type().rank(); axis-- > 0;) reversed.push_back(static_cast<std::int64_t>(axis));
  return reversed;
}

std::vector<WindowAxis> ReduceWindow::axes() const {
  std::string why;
  return *reduce_window_axes(input()->type(), instruction().attributes(), why);
}

std::vector<WindowAxis> Convolve::axes() const {
  std::string why;
  return *convolve_axes(input()->type(), kernel()->type(), instruction().attributes(), why);
}

}  // namespace dlvm
