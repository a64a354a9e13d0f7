#pragma once

#include "codegen/kernel/ir/program.h"
#include "codegen/schedule/cpu/target.h"

namespace codegen::schedule::cpu {

/// Packs the right operands of products in loops once, in front of the outermost loop in which they do not
/// change. A kernel of its own writes such an operand as panels, one for each tile of columns, and the
/// product reads these. Where a product has few rows it reads its operand from where it is: if the number of
/// rows is not known, it stays beside the new one, and guards choose. The values have the same bits.
void pack_operands(kernel::Program& program, const CpuTarget& target);

}  // namespace codegen::schedule::cpu
