#include "dlvm/differentiate/least_tape.h"

#include <algorithm>

#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/work.h"

namespace dlvm {
namespace {

/// Whether the instruction costs little and gives the same wherever its operands are the same.
bool may_be_computed_again(const Value& value) {
  constexpr std::uint32_t transcendental = 16;  ///< the cost of such a function in the table
  const Instruction* instruction = as_instruction(&value);
  return instruction != nullptr && instruction->is(Trait::elementwise) && !instruction->is(Trait::may_fail) &&
         !has_effect(*instruction) && instruction->type().is_tensor() &&
         instruction->definition().cost < transcendental && instruction->opcode() != Opcode::power;
}

}  // namespace

LeastTape::Nodes& LeastTape::nodes(const Value& value) {
  const auto [found, fresh] = nodes_.try_emplace(&value);
  if (fresh) found->second = {network_.add_node(), network_.add_node()};
  return found->second;
}

/// The bytes of all rounds of its loops, each of which is taken to have 64.
std::int64_t LeastTape::bytes(const Value& value) const {
  if (!value.type().is_tensor()) return unbounded_count;
  std::int64_t result = std::max<std::int64_t>(typical_bytes(value.type()), 1);
  const Loop* loop = loops_.innermost(defining_block(&value));
  for (std::size_t depth = loop == nullptr ? 0 : loop->depth; depth > 0; --depth)
    result = std::min(64 * result, unbounded_count);
  return result;
}

void LeastTape::need(const Value& value) {
  network_.add_edge(nodes(value).out, FlowNetwork::sink, FlowNetwork::unlimited);
}

bool LeastTape::add(const Value& value, bool free) {
  Nodes& of = nodes(value);
  if (!of.is_added) {
    of.is_added = true;
    of.is_free = free;
    of.may_be_computed = free || may_be_computed_again(value);
    network_.add_edge(of.in, of.out, free ? FlowNetwork::unlimited : bytes(value));
    if (!of.may_be_computed) network_.add_edge(FlowNetwork::source, of.in, FlowNetwork::unlimited);
  }
  return of.may_be_computed;
}

void LeastTape::add_operand(const Value& operand, const Value& user) {
  network_.add_edge(nodes(operand).out, nodes(user).in, FlowNetwork::unlimited);
}

/// Keeps each value whose chain would go through too many blocks.
void LeastTape::end_long_chains(const std::vector<BasicBlock*>& blocks) {
  constexpr int longest = 4;
  std::unordered_map<const Value*, int> lengths;  ///< of the chains that may be computed
  for (const BasicBlock* block : blocks)
    for (const auto& instruction : block->instructions()) {
      const auto found = nodes_.find(instruction.get());
      if (found == nodes_.end() || !found->second.may_be_computed) continue;
      int length = 0;
      for (const Value* operand : instruction->operands())
        if (const auto known = lengths.find(operand); known != lengths.end())
          length = std::max(length, known->second + (defining_block(operand) == block ? 0 : 1));
      Nodes& of = found->second;
      if (length <= longest || of.is_free) {
        lengths[instruction.get()] = std::min(length, longest);
      } else {
        of.may_be_computed = false;
        network_.add_edge(FlowNetwork::source, of.in, FlowNetwork::unlimited);
      }
    }
}

std::unordered_set<const Instruction*> LeastTape::computed_again(const std::vector<BasicBlock*>& blocks) {
  end_long_chains(blocks);
  const std::vector<bool> after = network_.sink_side();
  std::unordered_set<const Instruction*> result;
  for (const auto& [value, of] : nodes_)
    if (of.is_added && of.may_be_computed && after[of.in]) result.insert(as_instruction(value));
  return result;
}

}  // namespace dlvm
