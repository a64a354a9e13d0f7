#include "codegen/kernel/build/check_values.h"

#include <algorithm>

#include "codegen/kernel/build/refusal.h"
#include "codegen/kernel/build/scalar_emitter.h"
#include "dlvm/analysis/lasting_memory.h"
#include "dlvm/ir/module.h"

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

std::string words_for_value(dlvm::Value& value, const dlvm::Type& part) {
  const std::string why = dlvm::why_it_lasts(value);
  const dlvm::Literal* literal = dlvm::as_literal(&value);
  if (literal != nullptr && literal->global() != nullptr)
    return "the variable @" + literal->global()->name + why;
  dlvm::Instruction* made = dlvm::as_instruction(&value);
  return why.empty() || made == nullptr ? "a value of type " + part.text() : words_for(*made);
}

}  // namespace

bool check_values(const dlvm::Function& function, dlvm::Diagnostics& diagnostics) {
  const auto check = [&](dlvm::Value& value, const dlvm::Instruction& at) {
    const auto part = foreign_part(value.type());
    if (!part) return true;
    return refuse(words_for_value(value, *part), function, &at, diagnostics);
  };
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (!check(*instruction, *instruction)) return false;
      for (dlvm::Value* operand : instruction->operands())
        if (!check(*operand, *instruction)) return false;
    }
  return true;
}

}  // namespace codegen::kernel
