#include "codegen/kernel/build/outline.h"

#include <unordered_map>
#include <unordered_set>

#include "dlvm/ir/builder.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;
using dlvm::Type;
using dlvm::Value;

/// Returns the values that the instructions and the results use from outside, in the order of the uses.
std::vector<const Value*> outside(std::span<const Instruction* const> instructions,
                                  std::span<const Value* const> results) {
  std::unordered_set<const Value*> known(instructions.begin(), instructions.end());
  std::vector<const Value*> found;
  const auto use = [&](const Value* value) {
    if (dlvm::as_literal(value) == nullptr && known.insert(value).second) found.push_back(value);
  };
  for (const Instruction* instruction : instructions)
    for (const Value* operand : instruction->operands()) use(operand);
  for (const Value* result : results) use(result);
  return found;
}

}  // namespace

Outlined outline(const std::string& name, std::span<const Instruction* const> instructions,
                 std::span<const Value* const> results) {
  Outlined outlined{nullptr, outside(instructions, results)};
  std::vector<Type> parameters, elements;
  std::vector<std::string> names;
  for (const Value* value : outlined.parameters) {
    parameters.push_back(value->type());
    names.push_back(value->name());
  }
  for (const Value* result : results) elements.push_back(result->type());
  outlined.function = std::make_unique<dlvm::Function>(
      name, Type::function(std::move(parameters), Type::tuple(std::move(elements))));
  dlvm::Function& function = *outlined.function;
  dlvm::BasicBlock* entry = function.add_entry(names);
  std::unordered_map<const Value*, Value*> copies;
  for (std::size_t i = 0; i < outlined.parameters.size(); ++i)
    copies[outlined.parameters[i]] = entry->arguments()[i].get();
  const auto copy = [&](const Value* value) {
    Value*& copied = copies[value];
    if (const auto* literal = dlvm::as_literal(value); literal != nullptr && copied == nullptr)
      copied = function.copy(*literal, literal->type());
    return copied;
  };
  for (const Instruction* instruction : instructions) {
    std::vector<Value*> operands;
    for (const Value* operand : instruction->operands()) operands.push_back(copy(operand));
    auto copied = std::make_unique<Instruction>(instruction->opcode(), instruction->type(),
                                                std::move(operands), instruction->attributes());
    copied->set_name(instruction->name());
    copied->set_locations(instruction->locations());
    copies[instruction] = entry->insert(std::move(copied));
  }
  std::vector<Value*> values;
  for (const Value* result : results) values.push_back(copy(result));
  dlvm::Builder builder(*entry);
  builder.return_(builder.tuple(std::move(values)));
  return outlined;
}

}  // namespace codegen::kernel
