#include "dlvm/transform/tensor_canonicalization.h"

#include <unordered_map>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Returns what has the value of the instruction in the canonical form; null if the instruction has it.
Value* canonical_form(Instruction& instruction) {
  if (const auto named = as<NamedConstant>(instruction)) return named.constant();
  Builder b(*instruction.block(), &instruction);
  b.set_locations(instruction.locations());
  if (const auto stacked = as<Stacked>(instruction)) {
    std::vector<Value*> rows;
    for (Value* element : stacked.elements()) rows.push_back(b.pad_shape(element, 0));
    return rows.size() == 1 ? rows[0] : b.concatenate(std::move(rows), 0);
  }
  if (instruction.opcode() != Opcode::extract || !instruction.operand(0)->type().is_tensor()) return nullptr;
  const Extract extract(instruction);
  Value* tensor = extract.aggregate();
  const auto position = static_cast<std::int64_t>(extract.position());
  Shape first(tensor->type().rank(), Extent(0)), end = tensor->type().shape();
  first[0] = position;
  end[0] = position + 1;
  return b.squeeze_shape(b.slice(tensor, std::move(first), std::move(end)), 0);
}

}  // namespace

bool canonicalize_tensors(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks())
    for (auto at = block->instructions().begin(); at != block->instructions().end();) {
      Instruction* instruction = (at++)->get();
      Value* form = canonical_form(*instruction);
      if (form == nullptr) continue;
      replace_all_uses(*instruction, *form);
      block->erase(instruction);
      changed = true;
    }
  return changed;
}

void name_constant_tensors(Function& function) {
  BasicBlock& entry = function.entry();
  Builder b(entry, entry.instructions().front().get());
  std::unordered_map<const Value*, Value*> named;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (as<NamedConstant>(*instruction)) continue;
      for (std::size_t i = 0; i < instruction->operands().size(); ++i) {
        Value* constant = instruction->operand(i);
        const Type& type = constant->type();
        if (as_literal(constant) == nullptr || !type.is_tensor() || type.rank() == 0) continue;
        Value*& name = named[constant];
        if (name == nullptr) name = b.aggregate(type, {constant});
        instruction->set_operand(i, name);
      }
    }
}

}  // namespace dlvm
