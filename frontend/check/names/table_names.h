#pragma once

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Declares the dimensions that the tables of inputs of enums that hold themselves have, `t_count` and
/// `t_leaf_count`, and enters them in `dimensions_of_tables`.
void declare_dimensions_of_tables(Program& program);

}  // namespace frontend::check
