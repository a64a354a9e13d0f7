#pragma once

#include <set>
#include <vector>

#include "codegen/kernel/ir/program.h"
#include "codegen/schedule/cpu/target.h"

namespace codegen::schedule::cpu {

/// Packs the right operands of products in loops, and the left ones of products of pixels, once, in front of
/// the outermost loop in which they do not change. A kernel of its own writes such an operand as panels, one
/// for each tile across, and the product reads these. Where a product has few rows it reads its operand from
/// where it is: if the number of rows is not known, it stays beside the new one, and guards choose. The
/// values have the same bits.
void pack_operands(kernel::Program& program, const CpuTarget& target);

/// An input of a program that is packed once for many calls.
struct FrozenOperand {
  std::uint32_t input = 0;  ///< the input's position
  kernel::Kernel pack;      ///< the kernel that packs it; its arguments are the input and the panels
};

/// Lets products that pack one of these inputs read it as panels, also where they have few rows.
/// `inputs` holds positions. The panels become further inputs of the program, in the order of the result.
/// Operands whose extents or places depend on a dimension stay as they are.
std::vector<FrozenOperand> freeze_operands(kernel::Program& program, const std::set<std::uint32_t>& inputs,
                                           const CpuTarget& target);

}  // namespace codegen::schedule::cpu
