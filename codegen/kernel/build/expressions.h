#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Scalars of which each stands once.
struct Expressions {
  std::vector<Scalar> all;

  /// Each function returns the position of the scalar in `all`.
  ScalarId add(Scalar scalar);
  ScalarId operation(dlvm::Opcode opcode, ElementType type, std::vector<ScalarId> operands);
  ScalarId literal(ElementType type, double value);
  ScalarId state(ElementType type, std::size_t component);
};

/// Copies scalars with all that they depend on. What they compute in 16-bit floats the copy computes in
/// float32.
class Copier {
 public:
  /// Returns what stands for a scalar in the copy, or nothing where it is copied.
  using Replace = std::function<std::optional<ScalarId>(const Scalar&)>;

  Copier(const std::vector<Scalar>& from, Expressions& to, Replace replace = nullptr)
      : from_(from), to_(to), replace_(std::move(replace)) {}

  /// Gives an axis another name in the copy.
  void rename(AxisId axis, AxisId name) { axes_[axis] = name; }
  Index copy(const Index& index);
  ScalarId copy(ScalarId id);

 private:
  ScalarId add(Scalar scalar);

  const std::vector<Scalar>& from_;
  Expressions& to_;
  Replace replace_;
  std::map<AxisId, AxisId> axes_;
  std::map<ScalarId, ScalarId> done_;
};

}  // namespace codegen::kernel
