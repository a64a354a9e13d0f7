#include "dlvm/transform/tensor_canonicalization.h"

#include <unordered_map>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Builds the canonical form of the instruction before it; returns null if the instruction has that form.
Value* canonical_form(Instruction& instruction) {
  if (const auto named = as<NamedConstant>(instruction)) return named.constant();
  Builder b(*instruction.block(), &instruction);
  b.set_locations(instruction.locations());
  if (const auto stacked = as<Stacked>(instruction)) {
    std::vector<Value*> rows;
    for (Value* element : stacked.elements()) rows.push_back(b.pad_shape(element, 0));
    return rows.size() == 1 ? rows[0] : b.concatenate(std::move(rows), 0);
  }
  const auto row = as<ExtractRow>(instruction);
  if (!row) return nullptr;
  Shape first(row.tensor()->type().rank(), Extent(0)), end = row.tensor()->type().shape();
  first[0] = static_cast<std::int64_t>(row.position());
  end[0] = first[0] + 1;
  return b.squeeze_shape(b.slice(row.tensor(), std::move(first), std::move(end)), 0);
}

Value* constant_of(Instruction& instruction) {
  const auto named = as<NamedConstant>(instruction);
  return named ? named.constant() : nullptr;
}

/// Puts the form in the place of each instruction that has one. An instruction takes the name along.
bool replace_each(Function& function, Value* (*form_of)(Instruction&)) {
  bool changed = false;
  for (const auto& block : function.blocks())
    for (auto at = block->instructions().begin(); at != block->instructions().end();) {
      Instruction* instruction = (at++)->get();
      Value* form = form_of(*instruction);
      if (form == nullptr) continue;
      if (as_instruction(form) != nullptr) form->set_name(instruction->name());
      replace_all_uses(*instruction, *form);
      block->erase(instruction);
      changed = true;
    }
  return changed;
}

}  // namespace

bool resolve_named_constants(Function& function) { return replace_each(function, constant_of); }

bool canonicalize_tensors(Function& function) { return replace_each(function, canonical_form); }

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
