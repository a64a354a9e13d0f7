#include "codegen/schedule/gpu/weighted_sums.h"

#include <functional>
#include <map>
#include <vector>

#include "codegen/kernel/ir/walk.h"
#include "dlvm/support/overloaded.h"

namespace codegen::schedule::gpu {
namespace {

using dlvm::Opcode;
using kernel::ScalarId;

using Operands = std::vector<ScalarId>;

/// Returns the operands if the scalar is computed by that instruction.
const Operands* operands(const kernel::Reduction& reduction, ScalarId id, Opcode opcode) {
  const auto* operation = std::get_if<Scalar::Operation>(&reduction.combine[id].definition);
  return operation != nullptr && operation->opcode == opcode ? &operation->operands : nullptr;
}

bool is_state(const kernel::Reduction& reduction, ScalarId id, std::size_t component) {
  const auto* state = std::get_if<Scalar::State>(&reduction.combine[id].definition);
  return state != nullptr && state->component == component;
}

/// Returns for each scalar of `combine` whether it depends on the first components alone.
std::vector<bool> depend_on_first(const kernel::Reduction& reduction) {
  std::vector<bool> result;
  for (const Scalar& scalar : reduction.combine) {
    bool does = true;
    if (const auto* state = std::get_if<Scalar::State>(&scalar.definition))
      does = state->component % reduction.types.size() == 0;
    visit_uses(scalar, dlvm::Overloaded{[&](ScalarId operand) { does = does && result[operand]; },
                                        [](const Index&) {}});
    result.push_back(does);
  }
  return result;
}

}  // namespace

std::optional<WeightedSums> weighted_sums(const kernel::Reduction& reduction) {
  const std::size_t n = reduction.types.size();
  if (n < 2) return std::nullopt;
  const auto* maximum = operands(reduction, reduction.results[0], Opcode::max);
  if (maximum == nullptr || !is_state(reduction, (*maximum)[0], 0) || !is_state(reduction, (*maximum)[1], n))
    return std::nullopt;
  const std::vector<bool> is_weight = depend_on_first(reduction);
  std::optional<WeightedSums> found;
  for (std::size_t c = 1; c < n; ++c) {
    const Operands* sum = operands(reduction, reduction.results[c], Opcode::add);
    if (sum == nullptr) return std::nullopt;
    WeightedSums weights;
    for (const bool is_right : {false, true}) {
      const Operands* product = operands(reduction, (*sum)[is_right ? 1 : 0], Opcode::multiply);
      if (product == nullptr || !is_state(reduction, (*product)[0], c + (is_right ? n : 0)) ||
          !is_weight[(*product)[1]])
        return std::nullopt;
      (is_right ? weights.of_right : weights.of_left) = (*product)[1];
    }
    if (found && (found->of_left != weights.of_left || found->of_right != weights.of_right))
      return std::nullopt;
    found = weights;
  }
  return found;
}

ValueId emit_weight(Lowering& lowering, const kernel::Reduction& reduction, ScalarId weight, ValueId left,
                    ValueId right, Body& body) {
  std::map<ScalarId, ValueId> known;
  const std::function<ValueId(ScalarId)> emit = [&](ScalarId id) {
    if (const auto found = known.find(id); found != known.end()) return found->second;
    const Scalar& scalar = reduction.combine[id];
    if (const auto* state = std::get_if<Scalar::State>(&scalar.definition))
      return state->component == 0 ? left : right;
    Scalar renamed = scalar;
    visit_uses(renamed,
               dlvm::Overloaded{[&](ScalarId& operand) { operand = emit(operand); }, [](const Index&) {}});
    body.push_back({Let{lowering.next_value, std::move(renamed)}});
    return known[id] = lowering.next_value++;
  };
  return emit(weight);
}

}  // namespace codegen::schedule::gpu
