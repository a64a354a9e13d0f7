#include "codegen/kernel/build/check_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/build/scalar_emitter.h"

namespace codegen::kernel {
namespace {

/// The part of the type that has neither elements nor is a stack of what has.
std::optional<dlvm::Type> foreign_part(const dlvm::Type& type) {
  if (type.is_tensor() || type.is_stack()) return std::nullopt;
  if (!type.is_aggregate()) return type;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (auto part = foreign_part(type.component(i))) return part;
  return std::nullopt;
}

}  // namespace

bool check_values(const dlvm::Function& function, dlvm::Diagnostics& diagnostics) {
  const auto check = [&](const dlvm::Value& value, const dlvm::Instruction& at) {
    const auto part = foreign_part(value.type());
    if (part)
      diagnostics.report(not_straight_line, at.place().valid() ? at.place() : function.place(),
                         function.name(), fmt::format("a value of type {}", part->text()));
    return !part.has_value();
  };
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (!check(*instruction, *instruction)) return false;
      for (const dlvm::Value* operand : instruction->operands())
        if (!check(*operand, *instruction)) return false;
    }
  return true;
}

}  // namespace codegen::kernel
