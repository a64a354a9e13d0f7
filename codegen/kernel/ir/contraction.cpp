#include "codegen/kernel/ir/contraction.h"

namespace codegen::kernel {

bool has_masked_terms(const Stage& stage) {
  const Contraction& c = *stage.contraction;
  const auto* product =
      std::get_if<Scalar::Operation>(&stage.body[stage.reduction->inputs.back()].definition);
  return product == nullptr || product->opcode != dlvm::Opcode::multiply ||
         product->operands != std::vector<ScalarId>{c.left, c.right};
}

ScalarId source_of(const Stage& stage, ScalarId operand) {
  const auto* made = std::get_if<Scalar::Operation>(&stage.body[operand].definition);
  if (made == nullptr || made->opcode != dlvm::Opcode::dataTypeCast) return operand;
  return is_short_float(stage.body[made->operands[0]].type) ? made->operands[0] : operand;
}

}  // namespace codegen::kernel
