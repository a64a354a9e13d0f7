#include "codegen/kernel/build/refusal.h"

#include <fmt/format.h>

#include "dlvm/analysis/lasting_memory.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

dlvm::Location location_of(const dlvm::Function& function, const dlvm::Instruction* at) {
  const bool is_located = at != nullptr && at->place().valid();
  return is_located ? at->place() : function.place();
}

}  // namespace

bool refuse(std::string_view what, const dlvm::Function& function, const dlvm::Instruction* at,
            dlvm::Diagnostics& diagnostics) {
  diagnostics.report(not_straight_line, location_of(function, at), dlvm::name_in_messages(function.name()),
                     what);
  return false;
}

std::string words_for(dlvm::Instruction& instruction) {
  if (const auto call = dlvm::as<dlvm::Apply>(instruction))
    return fmt::format("the call of @{}", dlvm::name_in_messages(call.callee()->name()));
  std::string words(instruction.definition().name);
  const std::string why = dlvm::why_it_lasts(instruction);
  if (!why.empty() && !instruction.name().empty()) words += " %" + instruction.name();
  return words + why;
}

bool check_computed(dlvm::Instruction& instruction, dlvm::Diagnostics& diagnostics) {
  using dlvm::Opcode;
  if (instruction.opcode() != Opcode::apply && !instruction.is(dlvm::Trait::effect)) return true;
  const dlvm::Function& function = instruction.block()->function();
  const bool has_capacity = instruction.opcode() != Opcode::createStack ||
                            std::holds_alternative<dlvm::Shape>(instruction.attributes()[0]);
  if (has_capacity) return refuse(words_for(instruction), function, &instruction, diagnostics);
  diagnostics.report(stack_without_capacity, location_of(function, &instruction),
                     dlvm::name_in_messages(function.name()),
                     instruction.name().empty() ? "a stack" : "the stack %" + instruction.name());
  return false;
}

}  // namespace codegen::kernel
