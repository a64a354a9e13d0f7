#pragma once

#include "dlvm/ir/instruction_table.h"

/// The type rules of the instruction table: from operands and attributes to the result's type.
namespace dlvm::type_rules {

#define TYPE_RULE(name) \
  std::optional<Type> name(const InstructionDefinition&, const Signature&, std::string& why)
TYPE_RULE(end);
TYPE_RULE(conditional);
TYPE_RULE(branch_enum);
TYPE_RULE(literal);
TYPE_RULE(extract);
TYPE_RULE(insert);
TYPE_RULE(apply);
TYPE_RULE(elementwise);
TYPE_RULE(select);
TYPE_RULE(cast);
TYPE_RULE(bit_cast);
TYPE_RULE(pad_shape);
TYPE_RULE(squeeze_shape);
TYPE_RULE(shape_cast);
TYPE_RULE(transpose);
TYPE_RULE(reverse);
TYPE_RULE(slice);
TYPE_RULE(concatenate);
TYPE_RULE(pad);
TYPE_RULE(broadcast);
TYPE_RULE(gather);
TYPE_RULE(scatter);
TYPE_RULE(iota);
TYPE_RULE(extent);
TYPE_RULE(check_index);
TYPE_RULE(reduce);
TYPE_RULE(reduce_window);
TYPE_RULE(scan);
TYPE_RULE(recurrence);
TYPE_RULE(arg_extremum);
TYPE_RULE(argsort);
TYPE_RULE(sort);
TYPE_RULE(topk);
TYPE_RULE(dot);
TYPE_RULE(convolve);
TYPE_RULE(random);
TYPE_RULE(allocate_stack);
TYPE_RULE(allocate_heap);
TYPE_RULE(allocate_box);
TYPE_RULE(project_box);
TYPE_RULE(box_references);
TYPE_RULE(deallocate);
TYPE_RULE(load);
TYPE_RULE(store);
TYPE_RULE(element_pointer);
TYPE_RULE(copy);
TYPE_RULE(rank);
TYPE_RULE(shape);
TYPE_RULE(unit_count);
TYPE_RULE(create_stack);
TYPE_RULE(stack_change);
TYPE_RULE(pop);
#undef TYPE_RULE

}  // namespace dlvm::type_rules
