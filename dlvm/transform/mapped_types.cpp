#include "dlvm/transform/mapped_types.h"

namespace dlvm {

void map_attributes(Instruction& instruction, const std::function<Type(const Type&)>& mapped) {
  for (std::size_t i = 0; i < instruction.attributes().size(); ++i)
    if (const auto* type = std::get_if<Type>(&instruction.attributes()[i])) {
      const Type made = mapped(*type);
      const bool was_struct = instruction.opcode() == Opcode::literal && made.is_tuple();
      instruction.set_attribute(i, was_struct ? Attribute() : Attribute(made));
    }
}

}  // namespace dlvm
