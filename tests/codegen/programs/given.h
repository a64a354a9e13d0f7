#pragma once

#include <map>
#include <string>
#include <vector>

#include "dlvm/ir/extent.h"
#include "dlvm/ir/function.h"
#include "dlvm/ir/tensor.h"

/// The arguments of a program of tests/dlvm/programs, and the most that its gradient may cost. Its comments
/// may say so:
///   // argument 1 = 3, 1, 4        the elements
///   // argument 0 in -2, 2         an interval for random elements, else 0.2 to 1.2
///   // dimension N = 4             a dimension, else 3; of the bounds of stacks, `_steps` 1000 and `_depth`
///   40, and of memory `_values` 20
///   // work most = 8               the gradient's work, where the value's is 1, else 6
namespace programs {

class Given {
 public:
  explicit Given(const std::string& text);

  /// Returns arguments for the function, the same each time.
  std::vector<dlvm::Tensor> arguments(const dlvm::Function& function) const;
  double most_work() const { return most_work_; }
  dlvm::Extent::Bindings dimensions(const std::vector<std::string>& names) const;

 private:
  std::map<std::size_t, std::vector<double>> elements_, intervals_;
  dlvm::Extent::Bindings dimensions_;
  double most_work_ = 6;
};

}  // namespace programs
