#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// The names that `build_builtin` takes.
inline constexpr std::string_view builtin_names[]{"softmax", "min", "max", "mean"};

/// Builds the value of `builtin "NAME"(…) -> type` from other instructions, so that no later code knows the
/// name:
///   softmax(x): exp(x), scaled to sum 1 along the last axis;
///   min(x), max(x), mean(x): over all axes where the type is a scalar, else over those to which it gives the
///   extent 1;
///   min(x, y), max(x, y): element by element.
/// Returns null, and the reason in `why`, if there is no such function of these operands with this type.
Value* build_builtin(Builder& builder, std::string_view name, std::span<Value* const> operands,
                     const Type& type, std::string& why);

}  // namespace dlvm
